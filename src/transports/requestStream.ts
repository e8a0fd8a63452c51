import { TransportError } from '../protocol/index.js'
import { systemClock, type Clock } from './Clock.js'
import { createSseParser } from './createSseParser.js'
import { createWatchdog } from './createWatchdog.js'
import { nameRequest, type HttpTarget } from './HttpTarget.js'
import { readResponseError } from './readResponseError.js'
import { withRenewal } from './Renewal.js'
import { sendRequest } from './sendRequest.js'

/** One request whose answer is a stream. */
export interface StreamRequest extends HttpTarget {
  /** Stops it, at any time. */
  readonly signal: AbortSignal
  /** Silence after which it counts as dead, in milliseconds, from the request on; 300 000 by default. `Infinity`: never. */
  readonly silenceMs?: number
  /** The frames are text, not JSON: the space after `data:` is part of it, and a body of plain text is one, too. */
  readonly isText?: boolean
  /** For tests; the device's own by default. */
  readonly clock?: Clock
}

/** An answer that has begun. */
export interface StreamAnswer {
  /**
   * Reads it to its end. Rejects with a `TransportError` when it breaks off (`closed`), falls silent (`timeout`) or is stopped
   * (`aborted`).
   *
   * @param onFrame - Hears the text of each frame: an event's data, or a line.
   */
  read(onFrame: (frame: string) => void): Promise<void>
}

/** Takes the bytes of a body, and its end. */
interface BodyReader {
  push(chunk: Uint8Array): void
  end(): void
}

type ReaderOf = (onFrame: (frame: string) => void) => BodyReader

const LINES =
  /^application[/](x-ndjson|ndjson|x-jsonlines|jsonl|stream[+]json|x-json-stream|json-seq)$/

/**
 * Sends one request and gives its answer as soon as it has begun well: server-sent events, a JSON value per line, or one JSON
 * value. Never sent twice, but after `onUnauthorized` renewed credentials: what was refused had no effect.
 *
 * @param options - Where to and how.
 * @returns The answer, to be read. Rejects with a `TransportError`, with the reason `not-a-stream` for any other body.
 */
export async function requestStream(options: StreamRequest): Promise<StreamAnswer> {
  const { signal, silenceMs = 300_000, clock = systemClock } = options
  const controller = new AbortController()
  let cause: TransportError | undefined
  const stop = (reason: TransportError): void => {
    cause ??= reason
    controller.abort()
  }
  const watchdog = createWatchdog(clock, (silentMs) => {
    const message = `${nameRequest(options)} was silent for ${silentMs} ms: it counts as dead.`
    stop(new TransportError('timeout', message))
  })
  const abort = (): void =>
    stop(new TransportError('aborted', `${nameRequest(options)} was stopped.`))
  const settle = (): void => {
    watchdog.stop()
    signal.removeEventListener('abort', abort)
  }
  const fail = (error: unknown): never => {
    settle()
    if (cause === undefined && error instanceof TransportError) throw error
    throw (
      cause ?? new TransportError('closed', `${nameRequest(options)} broke off.`, { cause: error })
    )
  }

  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  watchdog.start({ limitMs: silenceMs })
  const own = { accept: 'text/event-stream, application/x-ndjson, application/json;q=0.5' }
  const { response, createReader } = await withRenewal(options.onUnauthorized, async () => {
    const answer = await sendRequest(options, own, controller.signal)
    return { response: answer, createReader: await readerOf(answer, options) }
  }).catch(fail)
  return {
    read: async (onFrame) => {
      // What was read before it was stopped is not told after.
      const reader = createReader((frame) => {
        if (cause === undefined) onFrame(frame)
      })
      try {
        await pump(response, reader, () => watchdog.alive())
        controller.signal.throwIfAborted()
      } catch (error) {
        fail(error)
      }
      settle()
    },
  }
}

async function pump(response: Response, reader: BodyReader, onLife: () => void): Promise<void> {
  const body = response.body?.getReader()
  while (body !== undefined) {
    const { done, value } = await body.read()
    if (done) break
    onLife()
    reader.push(value)
  }
  reader.end()
}

async function readerOf(response: Response, options: StreamRequest): Promise<ReaderOf> {
  const essence = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  const isText = options.isText === true
  if (essence === 'text/event-stream') return (onFrame) => createEventReader(onFrame, isText)
  if (isText && essence === 'text/plain') return (onFrame) => createTextReader(onFrame)
  if (LINES.test(essence)) return (onFrame) => createLineReader(onFrame, '\n')
  if (essence === 'application/json') return (onFrame) => createLineReader(onFrame)
  if (response.status === 204 || response.headers.get('content-length') === '0') {
    return () => ({ push: () => {}, end: () => {} })
  }
  const wrong = { reason: 'not-a-stream', expected: 'a stream of events' } as const
  throw await readResponseError(response, nameRequest(options), wrong)
}

function createEventReader(
  onFrame: (frame: string) => void,
  keepLeadingSpace: boolean,
): BodyReader {
  const parser = createSseParser({ keepLeadingSpace, onEvent: ({ data }) => onFrame(data) })
  return {
    push: (chunk) => parser.push(chunk),
    // The body came to a good end: so did its last event, even without a blank line.
    end: () => parser.push(new TextEncoder().encode('\n\n')),
  }
}

function createTextReader(onFrame: (frame: string) => void): BodyReader {
  const decoder = new TextDecoder()
  const tell = (text: string): void => {
    if (text !== '') onFrame(text)
  }
  return {
    push: (chunk) => tell(decoder.decode(chunk, { stream: true })),
    end: () => tell(decoder.decode()),
  }
}

/** Without an end of lines the whole body is one. */
function createLineReader(onFrame: (frame: string) => void, lineEnd?: string): BodyReader {
  let rest = ''
  const tell = (line: string): void => {
    if (line.trim() !== '') onFrame(line)
  }
  const text = createTextReader((piece) => {
    const lines = lineEnd === undefined ? [piece] : piece.split(lineEnd)
    // No character is searched twice, however long a line is.
    lines[0] = rest + (lines[0] ?? '')
    rest = lines.pop() ?? ''
    lines.forEach(tell)
  })
  return {
    push: (chunk) => text.push(chunk),
    end: () => {
      text.end()
      tell(rest)
    },
  }
}
