import { isJsonObject, type JsonObject } from '../../src/entries/core.js'

/** One POST and what its response streamed. */
export interface Turn {
  readonly path: string
  readonly body: JsonObject
  readonly status: number
  /** Whether the response came to its end or broke off. */
  readonly ended: 'eof' | 'broken'
  /** How many frames had arrived when the interrupt was sent, if one was. */
  readonly interruptedAfter?: number
  /** The JSON of each frame as it was written, with its doubled keys. */
  readonly frames: readonly string[]
}

/** The parsed frames of a turn, as a transport hands them to a dialect. */
export function framesOf(turn: Turn): readonly JsonObject[] {
  return turn.frames.map(readObject)
}

/** Parses what must be an object. */
export function readObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text)
  if (!isJsonObject(value)) throw new Error(`Not an object: ${text}`)
  return value
}

/** Posts JSON. */
export function post(url: string, body: JsonObject): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' },
    body: JSON.stringify(body),
  })
}

/** The `data:` of each event. Both programs write one line per event, and nothing else. */
export async function* readData(response: Response): AsyncGenerator<string> {
  if (response.body === null) return
  let rest = ''
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + text).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      if (!event.startsWith('data:')) throw new Error(`Not a data line: ${event}`)
      yield event.slice('data:'.length)
    }
  }
}
