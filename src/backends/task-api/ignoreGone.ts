import { TransportError } from '../../protocol/index.js'

/**
 * A task that is gone runs no longer: its line says so too.
 *
 * @param error - Why it could not be stopped.
 */
export function ignoreGone(error: unknown): void {
  if (!(error instanceof TransportError) || error.reason !== 'not-found') throw error
}
