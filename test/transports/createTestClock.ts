import type { Clock } from '../../src/transports/index.js'

interface Timer {
  readonly at: number
  readonly run: () => void
}

/** A clock that stands still until it is told to go on. */
export interface TestClock extends Clock {
  /** Lets time pass: what is due runs, in order. */
  advance(ms: number): void
  /** How many timers wait. */
  readonly waiting: number
}

/** Makes a clock that starts at 0. */
export function createTestClock(): TestClock {
  const timers = new Set<Timer>()
  let nowMs = 0
  const firstUntil = (end: number) =>
    [...timers].filter((timer) => timer.at <= end).toSorted((a, b) => a.at - b.at)[0]
  return {
    now: () => nowMs,
    schedule: (run, delayMs) => {
      const timer = { at: nowMs + delayMs, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    advance: (ms) => {
      const end = nowMs + ms
      for (let timer = firstUntil(end); timer !== undefined; timer = firstUntil(end)) {
        timers.delete(timer)
        nowMs = Math.max(nowMs, timer.at)
        timer.run()
      }
      nowMs = end
    },
    get waiting() {
      return timers.size
    },
  }
}
