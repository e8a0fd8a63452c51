/** The time between opening and closing, with all that must not outlive it. May be ended and go on as a new one. */
export interface Lifetime {
  /** Calls back after a while, unless the lifetime ends before. Gives what takes the call back. */
  readonly after: (delayMs: number, call: () => void) => () => void
  /** Gives what tells whether the present lifetime still lasts. */
  readonly watch: () => () => boolean
  /** Ends it: stops the timers. */
  readonly end: () => void
}

/** Makes a lifetime. */
export function createLifetime(): Lifetime {
  const timers = new Set<ReturnType<typeof setTimeout>>()
  let number = 0

  function after(delayMs: number, call: () => void): () => void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      call()
    }, delayMs)
    timers.add(timer)
    return () => {
      clearTimeout(timer)
      timers.delete(timer)
    }
  }

  return {
    after,
    watch() {
      const mine = number
      return () => mine === number
    },
    end() {
      number += 1
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}
