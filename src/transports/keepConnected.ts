import { TransportError, type ConnectionState, type StreamHandle } from '../protocol/index.js'
import { systemClock, type Clock } from './Clock.js'
import { createWatchdog, type SilenceRule } from './createWatchdog.js'
import { isOffline } from './isOffline.js'
import { isRefusal, renewalOf, type RenewCredentials } from './Renewal.js'

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
  /**
   * Called when credentials are refused. Once it resolved the line is tried once more, with credentials asked anew; refused
   * again, or when it rejects, the line has failed. Not called again before the line worked.
   */
  readonly onUnauthorized?: RenewCredentials
  /** For tests; the device's own by default. */
  readonly clock?: Clock
  /** For tests; `Math.random` by default. */
  readonly random?: () => number
}

/** A server that asks for no wait at all would be asked without end. */
const SHORTEST_FIRST_DELAY_MS = 100

/** A line that is over sooner than this, though something came in, was no good one. */
const FLASH_MS = 200
/** After so many flashes in a row the wait does not grow any more: each of them brought something. */
const MOST_FLASHES = 4

/** One attempt's line to the one who keeps it. */
export interface Line {
  /** Aborted when the attempt is given up; nothing may be reported after that. */
  readonly signal: AbortSignal
  /** Frames can arrive. A line with a rule of its own about silence brings it. */
  opened(rule?: SilenceRule): void
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
 * Errors that cannot mend themselves (`canRetry` is false) end in `failed`; refused credentials may be renewed before. The
 * count of failures begins anew on progress, not on a mere opening; lines that are over as soon as they bring something begin
 * it anew a few times only. A hidden page changes nothing; becoming visible or online checks for life at once, and a line on
 * which nothing was heard since the network went is not waited for.
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
  const renewal = renewalOf(options.onUnauthorized)
  const watchdog = createWatchdog(clock, (silentMs) => {
    const message = `Nothing was heard for ${silentMs} ms: the connection counts as dead.`
    if (attempt !== undefined) lose(attempt, new TransportError('timeout', message))
  })
  let firstDelayMs = options.firstDelayMs ?? 1_000
  let attempt: AbortController | undefined
  let failures = 0
  /** Lines in a row on which something came in, and which were over at once. */
  let flashes = 0
  let hasProgressed = false
  let openedAt = 0
  let lostNetworkAt = -Infinity
  let renewals = 0
  let mayRenew = true
  let next: 'nothing' | 'timer' | 'network' | 'person' | 'never' = 'nothing'
  let retryAt = 0
  let cancelTimer = (): void => {}

  function start(): void {
    const controller = begin()
    if (attempt !== controller) return
    watchdog.start({ limitMs: watchdogMs })
    renewals = renewal?.count ?? 0
    connect(lineOf(controller)).then(
      () => finish(controller),
      (cause: unknown) => lose(controller, cause),
    )
  }

  function begin(): AbortController {
    cancelTimer()
    next = 'nothing'
    const controller = new AbortController()
    attempt = controller
    openedAt = Infinity
    hasProgressed = false
    onState({ phase: 'connecting' })
    return controller
  }

  function lineOf(controller: AbortController): Line {
    const ifCurrent = (act: () => void): void => {
      if (attempt === controller) act()
    }
    return {
      signal: controller.signal,
      opened: (rule = { limitMs: watchdogMs }) =>
        ifCurrent(() => {
          openedAt = clock.now()
          watchdog.start(rule)
          onState({ phase: 'open' })
        }),
      alive: () => ifCurrent(() => watchdog.alive()),
      progressed: () =>
        ifCurrent(() => {
          hasProgressed = true
          forgive()
        }),
      suggestDelay: (delayMs) => {
        firstDelayMs = Math.max(delayMs, SHORTEST_FIRST_DELAY_MS)
      },
    }
  }

  function forgive(): void {
    failures = 0
    mayRenew = true
    renewal?.accepted()
  }

  function finish(controller: AbortController): void {
    if (attempt !== controller) return
    stop('never')
    onState({ phase: 'closed' })
  }

  function lose(controller: AbortController, reason: unknown): void {
    if (attempt !== controller) return
    const heldMs = clock.now() - openedAt
    // A line that held longer than the longest wait was a good one, even if nothing was said on it.
    if (heldMs >= maxDelayMs) forgive()
    // A server that says something and hangs up, again and again, would be asked without end.
    if (heldMs >= FLASH_MS) flashes = 0
    else if (hasProgressed) failures = Math.min(flashes++, MOST_FLASHES)
    const cause = toTransportError(reason)
    stop('person')
    if (isRefusal(cause) && renewal !== undefined && mayRenew) {
      void renew(cause, renewal.renew(renewals))
    } else if (!cause.canRetry) {
      onState({ phase: 'failed', cause })
    } else if (isOffline() && cause.status === undefined) {
      next = 'network'
      onState({ phase: 'offline' })
    } else {
      wait(cause)
    }
  }

  async function renew(cause: TransportError, renewed: Promise<void>): Promise<void> {
    mayRenew = false
    const controller = begin()
    try {
      await renewed
      if (attempt === controller) start()
    } catch {
      lose(controller, cause)
    }
  }

  function wait(cause: TransportError): void {
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
    watchdog.stop()
    const given = attempt
    attempt = undefined
    next = then
    if (then === 'never') listen('removeEventListener')
    given?.abort()
  }

  function onOnline(): void {
    const isSuspect = openedAt <= lostNetworkAt && watchdog.isSilentSince(lostNetworkAt)
    if (attempt !== undefined && isSuspect) {
      stop('nothing')
      start()
    } else if (next === 'network' || next === 'timer') {
      start()
    } else {
      watchdog.check()
    }
  }

  function onOffline(): void {
    lostNetworkAt = clock.now()
  }

  function onVisibility(): void {
    const isDue = next === 'timer' && clock.now() >= retryAt
    if (isDue || (next === 'network' && !isOffline())) start()
    else watchdog.check()
  }

  function listen(how: 'addEventListener' | 'removeEventListener'): void {
    if (typeof globalThis[how] === 'function') {
      globalThis[how]('online', onOnline)
      globalThis[how]('offline', onOffline)
    }
    if (typeof document !== 'undefined') document[how]('visibilitychange', onVisibility)
  }

  listen('addEventListener')
  start()
  return {
    close: () => stop('never'),
    retryNow: () => {
      if (next === 'nothing' || next === 'never') return
      failures = 0
      flashes = 0
      start()
    },
  }
}

function toTransportError(reason: unknown): TransportError {
  if (reason instanceof TransportError) return reason
  return new TransportError('closed', 'The stream broke off.', { cause: reason })
}
