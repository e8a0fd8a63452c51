/** One server-sent event. */
export interface SseEvent {
  /** The lines of data, joined by LF. */
  readonly data: string
  /** The event's name, if it gave one. */
  readonly event?: string
  /** The id that this very event gave; `''` takes the last one back. */
  readonly id?: string
}

/** What the parser tells, and to whom. */
export interface SseParserOptions {
  /** Hears every event, in order. */
  readonly onEvent: (event: SseEvent) => void
  /** Hears comments: the text after the colon, without its first space. Heartbeats are comments. */
  readonly onComment?: (text: string) => void
  /** Hears how long the server asks to wait before a reconnect, in milliseconds. */
  readonly onRetry?: (delayMs: number) => void
  /** Hears an id once it counts, which is at the end of its event, also of one without data: what `Last-Event-ID` would carry. */
  readonly onId?: (id: string) => void
  /** Keeps the space after `data:`, for servers that send raw text and mean it. `false` by default. */
  readonly keepLeadingSpace?: boolean
}

/** Reads one body of `text/event-stream`. */
export interface SseParser {
  /** Reads the next bytes; they may be cut anywhere, also inside a character. */
  push(chunk: Uint8Array): void
  /** The body is over: an event without its blank line is dropped. The parser may then read another body. */
  end(): void
}

const LF = 10
const SPACE = 32
const COLON = 58
const LETTER_A = 97
const LETTER_D = 100
const LETTER_I = 105
const LETTER_T = 116

/**
 * Makes a parser for server-sent events, after the WHATWG HTML Living Standard §9.2.6: CR, LF and CRLF end a line
 * wherever the chunks are cut, a byte order mark is dropped, an id with NUL is ignored, and what has no blank line
 * after it at the end of the body never was.
 *
 * @param options - Who hears what. What a listener throws comes out of `push`.
 */
export function createSseParser(options: SseParserOptions): SseParser {
  const { onEvent, onComment, onRetry, onId, keepLeadingSpace = false } = options
  let decoder = new TextDecoder()
  let lineStart = ''
  let isAfterCr = false
  let data: string | undefined
  let name = ''
  let id: string | undefined

  // No character is searched twice: the start of a line that goes on is kept, and only new text is searched for its end.
  function read(text: string): void {
    let start = isAfterCr && text.charCodeAt(0) === LF ? 1 : 0
    if (text !== '') isAfterCr = false
    let cr = text.indexOf('\r', start)
    let lf = text.indexOf('\n', start)
    while (cr !== -1) {
      const isCr = lf === -1 || cr < lf
      const end = isCr ? cr : lf
      if (lineStart === '') readLine(text, start, end)
      else joinLine(text, start, end)
      start = end + 1
      if (isCr && start === text.length) isAfterCr = true
      else if (isCr && lf === start) start += 1
      if (cr < start) cr = text.indexOf('\r', start)
      if (lf !== -1 && lf < start) lf = text.indexOf('\n', start)
    }
    while (lf !== -1) {
      if (lineStart === '') readLine(text, start, lf)
      else joinLine(text, start, lf)
      start = lf + 1
      // Most lines are followed by a blank one: looking ahead instead of searching gains a quarter.
      if (text.charCodeAt(start) === LF) {
        dispatch()
        start += 1
      }
      lf = text.indexOf('\n', start)
    }
    if (start < text.length) lineStart += start === 0 ? text : text.slice(start)
  }

  function joinLine(text: string, start: number, end: number): void {
    const line = lineStart + text.slice(start, end)
    lineStart = ''
    readLine(line, 0, line.length)
  }

  // Both frequent fields are read in place: cutting the line out first would copy every byte twice.
  function readLine(text: string, start: number, end: number): void {
    if (start === end) {
      dispatch()
    } else if (isDataField(text, start)) {
      const isSpaced = !keepLeadingSpace && text.charCodeAt(start + 5) === SPACE
      addData(text.slice(start + (isSpaced ? 6 : 5), end))
    } else if (isIdField(text, start)) {
      setId(text.slice(start + (text.charCodeAt(start + 3) === SPACE ? 4 : 3), end))
    } else {
      readField(text.slice(start, end))
    }
  }

  function addData(line: string): void {
    data = data === undefined ? line : `${data}\n${line}`
  }

  function setId(value: string): void {
    if (!value.includes('\0')) id = value
  }

  function readField(line: string): void {
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const isSpaced = line.charCodeAt(colon + 1) === SPACE
    const value = colon === -1 ? '' : line.slice(colon + (isSpaced ? 2 : 1))
    if (field === '') onComment?.(value)
    else if (field === 'data') addData(value)
    else if (field === 'event') name = value
    else if (field === 'id') setId(value)
    else if (field === 'retry' && /^[0-9]+$/.test(value)) onRetry?.(Number(value))
  }

  function dispatch(): void {
    const event = data === undefined ? undefined : describe(data, name, id)
    const committed = id
    forgetEvent()
    if (committed !== undefined) onId?.(committed)
    if (event !== undefined) onEvent(event)
  }

  function forgetEvent(): void {
    data = undefined
    name = ''
    id = undefined
  }

  return {
    push: (chunk) => read(decoder.decode(chunk, { stream: true })),
    end: () => {
      decoder = new TextDecoder()
      lineStart = ''
      isAfterCr = false
      forgetEvent()
    },
  }
}

// Compared by character: `startsWith` costs a tenth of the parser's speed.
function isDataField(text: string, start: number): boolean {
  return (
    text.charCodeAt(start) === LETTER_D &&
    text.charCodeAt(start + 1) === LETTER_A &&
    text.charCodeAt(start + 2) === LETTER_T &&
    text.charCodeAt(start + 3) === LETTER_A &&
    text.charCodeAt(start + 4) === COLON
  )
}

function isIdField(text: string, start: number): boolean {
  return (
    text.charCodeAt(start) === LETTER_I &&
    text.charCodeAt(start + 1) === LETTER_D &&
    text.charCodeAt(start + 2) === COLON
  )
}

/** Absent fields stay absent. Written out, since spreading costs a fifth of the parser's speed. */
function describe(data: string, event: string, id: string | undefined): SseEvent {
  if (event === '') return id === undefined ? { data } : { data, id }
  return id === undefined ? { data, event } : { data, event, id }
}
