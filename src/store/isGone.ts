import type { TransportError } from '../protocol/index.js'

/**
 * Whether the server no longer has the conversation.
 *
 * @param error - What it answered.
 */
export function isGone({ reason }: TransportError): boolean {
  return reason === 'not-found'
}
