/** How often to ask. */
export interface PollingIntervals {
  /** The wait after a page that brought something, in milliseconds; 250 by default. */
  readonly fastestMs?: number
  /** The longest wait in silence, and the shortest while the page is hidden, in milliseconds; 2 000 by default. */
  readonly slowestMs?: number
  /** The longest wait in silence while the page is hidden, in milliseconds; 10 000 by default. */
  readonly hiddenMs?: number
}

/** Chooses the waits between polls. */
export interface PollingPace {
  /** The wait after a page, in milliseconds. */
  after(page: { readonly isEmpty: boolean }): number
  /** Something is about to come: the next waits are short ones. */
  hurry(): void
}

/** Each silent wait is so much longer than the one before. */
const GROWTH = 1.6
/** Clients that were cut off together do not go on asking together. */
const JITTER = 0.2

/**
 * Makes a pace: short waits while something comes, growing ones in silence.
 *
 * @param intervals - The bounds.
 * @param random - Between 0 and 1.
 */
export function createPollingPace(
  { fastestMs = 250, slowestMs = 2_000, hiddenMs = 10_000 }: PollingIntervals,
  random: () => number,
): PollingPace {
  let waitMs = 0
  return {
    after: ({ isEmpty }) => {
      const [least, most] = isHidden() ? [slowestMs, hiddenMs] : [fastestMs, slowestMs]
      waitMs = isEmpty ? Math.min(most, Math.max(least, waitMs * GROWTH)) : least
      return Math.round(waitMs * (1 - JITTER / 2 + JITTER * random()))
    },
    hurry: () => {
      waitMs = 0
    },
  }
}

function isHidden(): boolean {
  return typeof document !== 'undefined' && document.visibilityState === 'hidden'
}
