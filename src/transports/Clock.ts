/** Time as the transports see it: real by default, a test's own otherwise. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Runs something once, later. Returns what cancels it. */
  schedule(run: () => void, delayMs: number): () => void
}

/** A longer timer would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The device's own clock and timers. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule: (run, delayMs) => {
    const timer = setTimeout(run, Math.min(delayMs, LONGEST_TIMER_MS))
    return () => clearTimeout(timer)
  },
}
