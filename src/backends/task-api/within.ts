import type { Clock } from '../../transports/index.js'

/** So long a message waits for what tasks say, in milliseconds. */
const WITHIN_MS = 3_000

/**
 * Resolves when all did, or after a while.
 *
 * @param clock - The time.
 * @param promises - What lines promised.
 */
export function within(clock: Clock, promises: readonly Promise<void>[]): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.schedule(resolve, WITHIN_MS)
    void Promise.all(promises).then(cancel).then(resolve)
  })
}
