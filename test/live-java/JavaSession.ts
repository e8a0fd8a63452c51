import { randomUUID } from 'node:crypto'

/** A JSON object whose fields are not known yet. */
export type JsonRecord = Readonly<Record<string, unknown>>

/** One POST and what its response streamed. */
export interface Turn {
  readonly path: string
  readonly body: JsonRecord
  readonly status: number
  /** Each frame's JSON as it was written, with its doubled keys. */
  readonly frames: readonly string[]
  /** Whether the response came to its end or broke off. */
  readonly ended: 'eof' | 'broken'
  /** How many frames had arrived when the interrupt was sent, if one was. */
  readonly interruptedAfter?: number
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The parsed frames of a turn, as a transport hands them to a dialect. */
export function framesOf(turn: Turn): readonly JsonRecord[] {
  return turn.frames.map((text) => record(JSON.parse(text)))
}

/** A session of the Java program: what a client posts, and all that came back. */
export class JavaSession {
  readonly sessionId: string = randomUUID()
  readonly turns: Turn[] = []
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  /** Says something and reads the answer to its end. */
  chat(message: string): Promise<Turn> {
    return this.#stream('/chat', { message })
  }

  /** Says something and interrupts as soon as a frame of the answer is of this type. */
  chatUntil(message: string, type: string): Promise<Turn> {
    return this.#stream('/chat', { message }, type)
  }

  /** Answers the calls that wait for a word. */
  confirm(confirmResults: readonly JsonRecord[]): Promise<Turn> {
    return this.#stream('/confirm', { confirmResults })
  }

  /** Hands over what the client's own tools gave. */
  external(toolResults: readonly JsonRecord[]): Promise<Turn> {
    return this.#stream('/external', { toolResults })
  }

  /** The agent's memory, message by message. */
  async memory(): Promise<readonly JsonRecord[]> {
    const response = await fetch(`${this.#url}/memory?sessionId=${this.sessionId}`)
    const messages: unknown = await response.json()
    if (!Array.isArray(messages)) throw new Error(`Not a list: ${JSON.stringify(messages)}`)
    return messages.map(record)
  }

  /** The calls that the last turn asks about, as the wire has them. */
  asked(): readonly JsonRecord[] {
    const frames = this.turns.flatMap(framesOf)
    const asks = frames.findLast((frame) => frame['type'] === 'REQUIRE_USER_CONFIRM')
    const calls = asks?.['toolCalls']
    if (!Array.isArray(calls)) throw new Error('Nothing was asked.')
    return calls.map(record)
  }

  async #stream(path: string, posted: JsonRecord, interruptAt?: string): Promise<Turn> {
    const body = { sessionId: this.sessionId, ...posted }
    const response = await this.#post(path, body)
    const frames: string[] = []
    let interruptedAfter: number | undefined
    let ended: Turn['ended'] = 'eof'
    try {
      for await (const frame of readData(response)) {
        frames.push(frame)
        const isDue = interruptedAfter === undefined && typeOf(frame) === interruptAt
        if (!isDue) continue
        interruptedAfter = frames.length
        await this.#post('/interrupt', { sessionId: this.sessionId })
      }
    } catch {
      ended = 'broken'
    }
    const turn: Turn = {
      path,
      body,
      status: response.status,
      ended,
      ...(interruptedAfter === undefined ? {} : { interruptedAfter }),
      frames,
    }
    this.turns.push(turn)
    return turn
  }

  #post(path: string, body: JsonRecord): Promise<Response> {
    return fetch(`${this.#url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' },
      body: JSON.stringify(body),
    })
  }
}

function record(value: unknown): JsonRecord {
  if (!isRecord(value)) throw new Error(`Not an object: ${JSON.stringify(value)}`)
  return value
}

function typeOf(frame: string): unknown {
  return record(JSON.parse(frame))['type']
}

/** The `data:` of each event. The program writes one line per event, and nothing else. */
async function* readData(response: Response): AsyncGenerator<string> {
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
