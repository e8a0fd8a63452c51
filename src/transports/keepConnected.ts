import { TransportError, type ConnectionState, type StreamHandle } from '../protocol/index.js'
import { systemClock, type Clock } from './Clock.js'

/** How a connection is kept. */
export interface KeepOptions {
  /** Hears every change; not after `close()`. */
  readonly onState: (state: ConnectionState) => void
  /** Silence after which a connection counts as dead, in milliseconds; 75 000 by default (the service's heartbeat is 30 s). `Infinity`: never. */
  readonly watchdogMs?: number
  /** The longest first wait before a reconnect, in milliseconds; 1 000 by default. It doubles each time nothing was gained. */
  readonly firstDelayMs?: number
  /** The longest wait, in milliseconds; 30 000 by default. Only a server's `Retry-After` may exceed it. */
  readonly maxDelayMs?: number
  /** For tests; the device's own by default. */
  readonly clock?: Clock
  /** For tests; `Math.random` by default. */
  readonly random?: () => number
}

/** A server that asks for no wait at all would be asked without end. */
const SHORTEST_FIRST_DELAY_MS = 100

/** One attempt's line to the one who keeps it. */
export interface Line {
  /** Aborted when the attempt is given up; nothing may be reported after that. */
  readonly signal: AbortSignal
  /** Frames can arrive. */
  opened(): void
  /** Something came in, readable or not. */
  alive(): void
  /** Something useful came in: the next wait is a short one again. */
  progressed(): void
  /** The server asks for this first wait. */
  suggestDelay(delayMs: number): void
}

/**
 * Keeps a connection: tries, watches for silence, waits with full jitter under a capped exponential ceiling, tries again.
 *
 * Errors that cannot mend themselves (`canRetry` is false) end in `failed`. The count of failures begins anew on progress,
 * not on a mere opening. A hidden page changes nothing; becoming visible or online checks for life at once.
 *
 * @param connect - One attempt. Rejects with the reason why it ended; resolves when the server wants no more of them.
 * @param options - How to wait and whom to tell.
 */
export function keepConnected(
  connect: (line: Line) => Promise<void>,
  options: KeepOptions,
): StreamHandle {
  const { onState, watchdogMs = 75_000, maxDelayMs = 30_000 } = options
  const { clock = systemClock, random = Math.random } = options
  let firstDelayMs = options.firstDelayMs ?? 1_000
  let attempt: AbortController | undefined
  let failures = 0
  let openedAt = 0
  let lifeAt = 0
  let next: 'nothing' | 'timer' | 'network' | 'person' | 'never' = 'nothing'
  let retryAt = 0
  let cancelTimer = (): void => {}

  function start(): void {
    cancelTimer()
    next = 'nothing'
    const controller = new AbortController()
    attempt = controller
    lifeAt = clock.now()
    openedAt = Infinity
    onState({ phase: 'connecting' })
    if (attempt !== controller) return
    watch()
    connect(lineOf(controller)).then(
      () => finish(controller),
      (cause: unknown) => lose(controller, cause),
    )
  }

  function lineOf(controller: AbortController): Line {
    const ifCurrent = (act: () => void): void => {
      if (attempt === controller) act()
    }
    return {
      signal: controller.signal,
      opened: () =>
        ifCurrent(() => {
          lifeAt = openedAt = clock.now()
          onState({ phase: 'open' })
        }),
      alive: () =>
        ifCurrent(() => {
          lifeAt = clock.now()
        }),
      progressed: () =>
        ifCurrent(() => {
          failures = 0
        }),
      suggestDelay: (delayMs) => {
        firstDelayMs = Math.max(delayMs, SHORTEST_FIRST_DELAY_MS)
      },
    }
  }

  function watch(): void {
    if (watchdogMs !== Infinity)
      cancelTimer = clock.schedule(checkLife, lifeAt + watchdogMs - clock.now())
  }

  function checkLife(): void {
    if (attempt === undefined) return
    cancelTimer()
    if (clock.now() - lifeAt < watchdogMs) return watch()
    const message = `Nothing was heard for ${watchdogMs} ms: the connection counts as dead.`
    lose(attempt, new TransportError('timeout', message))
  }

  function finish(controller: AbortController): void {
    if (attempt !== controller) return
    stop('never')
    onState({ phase: 'closed' })
  }

  function lose(controller: AbortController, reason: unknown): void {
    if (attempt !== controller) return
    // A line that held longer than the longest wait was a good one, even if nothing was said on it.
    if (clock.now() - openedAt >= maxDelayMs) failures = 0
    const cause = toTransportError(reason)
    stop('person')
    if (!cause.canRetry) return onState({ phase: 'failed', cause })
    if (isOffline() && cause.status === undefined) {
      next = 'network'
      return onState({ phase: 'offline' })
    }
    next = 'timer'
    const delayMs = Math.max(pickDelay(), cause.retryAfterMs ?? 0)
    retryAt = clock.now() + delayMs
    cancelTimer = clock.schedule(start, delayMs)
    onState({ phase: 'waiting', retryAt, cause })
  }

  function pickDelay(): number {
    const ceilingMs = Math.min(maxDelayMs, firstDelayMs * 2 ** failures)
    failures += 1
    return Math.round(random() * ceilingMs)
  }

  function stop(then: typeof next): void {
    cancelTimer()
    const given = attempt
    attempt = undefined
    next = then
    if (then === 'never') listen('removeEventListener')
    given?.abort()
  }

  function onOnline(): void {
    if (next === 'network' || next === 'timer') start()
    else checkLife()
  }

  function onVisibility(): void {
    if (next === 'timer' && clock.now() >= retryAt) start()
    else checkLife()
  }

  function listen(how: 'addEventListener' | 'removeEventListener'): void {
    if (typeof globalThis[how] === 'function') globalThis[how]('online', onOnline)
    if (typeof document !== 'undefined') document[how]('visibilitychange', onVisibility)
  }

  listen('addEventListener')
  start()
  return {
    close: () => stop('never'),
    retryNow: () => {
      if (next === 'nothing' || next === 'never') return
      failures = 0
      start()
    },
  }
}

function isOffline(): boolean {
  return typeof navigator !== 'undefined' && 'onLine' in navigator && !navigator.onLine
}

function toTransportError(reason: unknown): TransportError {
  if (reason instanceof TransportError) return reason
  return new TransportError('closed', 'The stream broke off.', { cause: reason })
}
