/** Time that passes when a test says so. It stands in for the timers of the page, without waiting for any real one. */
export interface VirtualTime {
  /** Milliseconds since it was made. */
  readonly now: () => number
  /** Calls back after a while. */
  readonly after: (delayMs: number, call: () => void) => () => void
  /** Lets time pass, with all that falls due and all promises that settle. */
  readonly pass: (ms: number) => Promise<void>
}

interface Timer {
  readonly at: number
  readonly order: number
  readonly call: () => void
}

/** A chain of promises between a page that is read and its fold is shorter than this. */
const MICROTASKS = 12

/**
 * Runs something in virtual time.
 *
 * @param run - What to run; its timers are the virtual ones until its promise settles.
 */
export async function inVirtualTime(run: (time: VirtualTime) => Promise<void>): Promise<void> {
  const { setTimeout: realSet, clearTimeout: realClear } = globalThis
  let timers: Timer[] = []
  let now = 0
  let order = 0

  function after(delayMs: number, call: () => void): () => void {
    const timer = { at: now + delayMs, order: (order += 1), call }
    timers.push(timer)
    return () => {
      timers = timers.filter((other) => other !== timer)
    }
  }

  async function settle(): Promise<void> {
    for (let turn = 0; turn < MICROTASKS; turn += 1) await Promise.resolve()
  }

  async function pass(ms: number): Promise<void> {
    const end = now + ms
    await settle()
    for (;;) {
      const next = timers
        .filter(({ at }) => at <= end)
        .toSorted((one, other) => one.at - other.at || one.order - other.order)[0]
      if (next === undefined) break
      timers = timers.filter((other) => other !== next)
      now = next.at
      next.call()
      await settle()
    }
    now = end
  }

  const handles = new Map<number, () => void>()
  // Node's timers give objects and the page's give numbers: the store takes whatever it is given.
  globalThis.setTimeout = ((call: () => void, delayMs = 0): number => {
    const handle = order + 1
    handles.set(handle, after(delayMs, call))
    return handle
  }) as unknown as typeof setTimeout
  globalThis.clearTimeout = ((handle: number): void =>
    handles.get(handle)?.()) as typeof clearTimeout
  try {
    await run({ now: () => now, after, pass })
  } finally {
    globalThis.setTimeout = realSet
    globalThis.clearTimeout = realClear
  }
}
