import { TransportError, type StreamHandle } from '../protocol/index.js'
import { systemClock } from './Clock.js'
import { createPollingPace, type PollingIntervals } from './createPollingPace.js'
import { nameRequest, type HttpTarget } from './HttpTarget.js'
import { keepConnected, type KeepOptions, type Line } from './keepConnected.js'
import { request } from './request.js'

/** A number in the server's count, or null while it is the server's choice where to begin. */
export type PollingOffset = number | null

/** What one answer turned out to hold. */
export interface PolledPage<Frame> {
  /** What is new, in order. */
  readonly frames: readonly Frame[]
  /** The offset to go on from. Smaller than the one asked for = the server counts anew. */
  readonly next: number
  /** The numbers of the page's entries, in order, where the server counts them one by one: one that is missing is a gap. */
  readonly indexes?: readonly number[]
  /** The server says that nothing more will come. It is asked until a page after this one is empty, since it may say so too early. */
  readonly isOver?: boolean
  /** More is there already: the next page is asked for at once. */
  readonly hasMore?: boolean
}

/** Positions that were lost: from the first one to the one before `to`. */
export interface PollingGap {
  /** The first position lost. */
  readonly from: number
  /** The first position after them. */
  readonly to: number
}

/** A stream to poll. */
export interface PollingOptions<Frame>
  extends Omit<HttpTarget, 'url'>, Omit<KeepOptions, 'watchdogMs'>, PollingIntervals {
  /** The address of the page that begins at an offset. */
  readonly url: (from: PollingOffset) => string
  /** Reads one answer. What it throws counts as an answer that cannot be read, and the page is asked for again. */
  readonly readPage: (body: unknown, from: PollingOffset) => PolledPage<Frame>
  /** Where to begin; 0 by default. */
  readonly from?: PollingOffset
  /** Hears the frames of each page that has any; not after `close()`. */
  readonly onFrames: (frames: readonly Frame[]) => void
  /** Hears of entries that are gone for good, before the frames that follow them. */
  readonly onGap?: (gap: PollingGap) => void
  /** Hears that the server counts anew, as after a restart. Everything it has is read once more. */
  readonly onReset?: () => void
  /** How long one request may take, in milliseconds; 15 000 by default. */
  readonly timeoutMs?: number
}

/** A stream that is polled. */
export interface PollingHandle extends StreamHandle {
  /** Something is about to come, such as the answer to what was sent: asks at once if it rests or waits to try again. */
  pollNow(): void
}

/**
 * Reads a stream page by page: each request asks for what came after the last one. One request is under way at a time;
 * the next follows soon while something comes, later in silence, later still while the page is hidden, and at once when
 * the page is looked at again. It is `open` from the first good page on.
 *
 * Errors are survived as by `openSse`, and the offset with them. Ends (`closed`) when the server says that nothing more
 * will come, and a page after that was empty.
 *
 * @param options - Where to, how to read it, whom to tell, how often.
 */
export function openPolling<Frame>(options: PollingOptions<Frame>): PollingHandle {
  // Each request renews refused credentials by itself: the line need not break for that.
  const { onUnauthorized: _, ...keeping } = options
  const { from: start = 0, clock = systemClock, random = Math.random, onState } = options
  const pace = createPollingPace(options, random)
  let from = start
  let isWaiting = false
  let endPause = (): void => {}

  async function poll(line: Line): Promise<void> {
    pace.hurry()
    let wasOver = false
    for (let isFirst = true; ; isFirst = false) {
      const page = await fetchPage(options, from, line.signal)
      if (line.signal.aborted) return
      if (isFirst) line.opened()
      line.alive()
      line.progressed()
      const isEmpty = (page.indexes ?? page.frames).length === 0
      const hasMore = page.hasMore === true && page.next !== from
      take(page, line.signal)
      if (line.signal.aborted || (wasOver && page.isOver && isEmpty)) return
      wasOver = page.isOver === true
      if (wasOver) pace.hurry()
      if (!hasMore) await pause(pace.after({ isEmpty }), line.signal)
      if (line.signal.aborted) return
    }
  }

  function take(page: PolledPage<Frame>, signal: AbortSignal): void {
    const asked = from
    const isReset = asked !== null && page.next < asked
    from = isReset ? start : page.next
    if (isReset) options.onReset?.()
    else {
      for (const gap of findGaps(page, asked)) if (!signal.aborted) options.onGap?.(gap)
    }
    if (page.frames.length > 0 && !signal.aborted) options.onFrames(page.frames)
  }

  function pause(delayMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const cancelTimer = clock.schedule(end, delayMs)
      endPause = end
      signal.addEventListener('abort', end)
      listenToVisibility('addEventListener', onVisibility)
      function onVisibility(): void {
        if (document.visibilityState === 'hidden') return
        pace.hurry()
        end()
      }
      function end(): void {
        endPause = () => {}
        cancelTimer()
        signal.removeEventListener('abort', end)
        listenToVisibility('removeEventListener', onVisibility)
        resolve()
      }
    })
  }

  const connection = keepConnected(poll, {
    ...keeping,
    // Rests are no silence, and each request has a time limit of its own.
    watchdogMs: Infinity,
    onState: (state) => {
      isWaiting = state.phase === 'waiting'
      onState(state)
    },
  })
  return {
    ...connection,
    pollNow: () => {
      pace.hurry()
      if (isWaiting) connection.retryNow()
      else endPause()
    },
  }
}

async function fetchPage<Frame>(
  options: PollingOptions<Frame>,
  from: PollingOffset,
  signal: AbortSignal,
): Promise<PolledPage<Frame>> {
  const target = { ...options, url: options.url(from) }
  const body = await request({ timeoutMs: 15_000, ...target, signal })
  let cause: unknown
  try {
    const page = options.readPage(body, from)
    if (Number.isSafeInteger(page.next) && page.next >= 0) return page
  } catch (error) {
    if (error instanceof TransportError) throw error
    cause = error
  }
  const message = `${nameRequest(target)} did not answer with a page of the stream: check the address.`
  throw new TransportError('malformed', message, { cause })
}

/** What the numbers leave out, between the offset asked for and the one to go on from. */
function findGaps<Frame>(page: PolledPage<Frame>, asked: PollingOffset): readonly PollingGap[] {
  const { indexes, next } = page
  if (indexes === undefined) return []
  const gaps: PollingGap[] = []
  let expected = asked ?? indexes[0] ?? next
  for (const index of [...indexes, next]) {
    if (index > expected) gaps.push({ from: expected, to: index })
    expected = Math.max(expected, index + 1)
  }
  return gaps
}

function listenToVisibility(
  how: 'addEventListener' | 'removeEventListener',
  listener: () => void,
): void {
  if (typeof document !== 'undefined') document[how]('visibilitychange', listener)
}
