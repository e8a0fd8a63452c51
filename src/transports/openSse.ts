import { TransportError, type StreamHandle } from '../protocol/index.js'
import { createSseParser, type SseEvent } from './createSseParser.js'
import { nameRequest, type HttpTarget } from './HttpTarget.js'
import { keepConnected, type KeepOptions, type Line } from './keepConnected.js'
import { readResponseError } from './readResponseError.js'
import { sendRequest } from './sendRequest.js'

/** An event stream to hold open. */
export interface SseOptions extends HttpTarget, KeepOptions {
  /** Hears every event, in order; not after `close()`. */
  readonly onFrame: (frame: SseEvent) => void
  /** Hears that bytes came in, readable or not: heartbeats too. */
  readonly onLife?: () => void
}

/**
 * Opens server-sent events over `fetch` and holds them open until `close()`: with headers, which `EventSource` cannot
 * send, and with reasons when it fails.
 *
 * Reconnects after a lost line, silence, 429 and 5xx. Stops (`failed`) at other 4xx and at an answer that is no event
 * stream; stops (`closed`) at 204. `Last-Event-ID` is sent once the server has given an id. Only for requests that may be
 * repeated: a `POST` that starts something would start it again.
 *
 * @param options - Where to, whom to tell, how to wait.
 */
export function openSse(options: SseOptions): StreamHandle {
  let cursor = ''
  return keepConnected(async (line) => {
    const own = { accept: 'text/event-stream', ...(cursor === '' ? {} : cursorHeader(cursor)) }
    const response = await sendRequest(options, own, line.signal)
    if (response.status === 204) return
    if (!isEventStream(response)) {
      const wrong = { reason: 'not-a-stream', expected: 'an event stream' } as const
      throw await readResponseError(response, nameRequest(options), wrong)
    }
    line.opened()
    await readFrames(response, line, options, (id) => {
      cursor = id
    })
    throw new TransportError('closed', `The server closed the stream of ${nameRequest(options)}.`)
  }, options)
}

async function readFrames(
  response: Response,
  line: Line,
  options: SseOptions,
  onId: (id: string) => void,
): Promise<void> {
  const parser = createSseParser({
    onId,
    onRetry: (delayMs) => line.suggestDelay(delayMs),
    onEvent: (frame) => {
      if (line.signal.aborted) return
      line.progressed()
      options.onFrame(frame)
    },
  })
  const reader = response.body?.getReader()
  while (reader !== undefined) {
    const { done, value } = await reader.read()
    if (done || line.signal.aborted) return
    line.alive()
    options.onLife?.()
    parser.push(value)
  }
}

/** Upper case and parameters mean nothing in a media type. */
function isEventStream(response: Response): boolean {
  const essence = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  return essence === 'text/event-stream'
}

/** Headers carry bytes: the standard sends the id's UTF-8. */
function cursorHeader(cursor: string): Readonly<Record<string, string>> {
  return { 'last-event-id': String.fromCharCode(...new TextEncoder().encode(cursor)) }
}
