import { createRandom } from '../createRandom.js'
import type { Marks } from './Marks.js'

/** How ids and times are made up. */
export interface MarksOptions {
  /** The same seed gives the same ids. */
  readonly seed: number | string
  /** When it begins, as an ISO time without a zone. */
  readonly startsAt: string
  /** How many milliseconds have passed since. */
  readonly elapsedMs: () => number
}

/**
 * Makes ids and times that are the same each time.
 *
 * @param options - How.
 */
export function createMarks({ seed, startsAt, elapsedMs }: MarksOptions): Marks {
  const random = createRandom(`ids ${seed}`)
  // Read and written as UTC, so that the zone of the machine plays no part.
  const start = Date.parse(`${startsAt}Z`) * 1000
  let last = 0
  return {
    id: () => random.hex(32),
    stamp: () => {
      last = Math.max(start + elapsedMs() * 1000, last + 1)
      const iso = new Date(Math.floor(last / 1000)).toISOString().slice(0, -1)
      return `${iso}${String(last % 1000).padStart(3, '0')}`
    },
  }
}
