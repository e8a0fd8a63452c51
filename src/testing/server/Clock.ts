/** Thrown out of a wait when the run was interrupted or its session is gone. */
export class Interrupted extends Error {
  /** The class's name, for logs. */
  override readonly name: string = 'Interrupted'
}

/** Lets time pass as the pace says. */
export interface Clock {
  /** Waits for the time between two chunks. Rejects with `Interrupted`. */
  beat(signal: AbortSignal): Promise<void>
  /** Waits so many milliseconds at pace 1, or until a promise settles. Rejects with `Interrupted`. */
  wait(until: number | Promise<unknown>, signal: AbortSignal): Promise<void>
}

/** Milliseconds between chunks: a model's uneven rhythm, the same every time. */
const BEATS = [24, 31, 20, 46, 27, 22, 58, 25, 36, 21]

/**
 * Makes a clock.
 *
 * @param pace - Factor on all times: 1 = as a model would write, 0 = as fast as events can be sent.
 */
export function createClock(pace: number): Clock {
  let count = 0
  const wait = (until: number | Promise<unknown>, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(new Interrupted())
        return
      }
      const onAbort = (): void => {
        cancel()
        reject(new Interrupted())
      }
      const onDone = (): void => {
        signal.removeEventListener('abort', onAbort)
        resolve()
      }
      const cancel =
        typeof until === 'number' ? after(until * pace, onDone) : settled(until, onDone)
      signal.addEventListener('abort', onAbort, { once: true })
    })
  return {
    beat: (signal) => wait(BEATS[count++ % BEATS.length] ?? 0, signal),
    wait,
  }
}

/** Calls back once and gives the way to prevent it. */
function after(ms: number, onDone: () => void): () => void {
  if (ms < 1) {
    const immediate = setImmediate(onDone)
    return () => clearImmediate(immediate)
  }
  const timer = setTimeout(onDone, ms)
  return () => clearTimeout(timer)
}

function settled(promise: Promise<unknown>, onDone: () => void): () => void {
  let isWanted = true
  const done = (): void => {
    if (isWanted) onDone()
  }
  promise.then(done, done)
  return () => {
    isWanted = false
  }
}
