import type { AgentEvent, Msg } from '../../../src/protocol/index.js'

/** A frame as it came: an event with all its fields. */
export type Frame = AgentEvent & { readonly id: string; readonly created_at: string }

/** What the server said to one request. */
export interface Response {
  readonly status: number
  readonly headers: Headers
  readonly json: unknown
}

/** An open stream, read as it comes. */
export interface OpenStream {
  /** The frames so far. */
  readonly frames: Frame[]
  /** The raw text so far. */
  raw(): string
  /** Resolves with the first frame that fits, also one that came before. */
  until(fits: (frame: Frame) => boolean): Promise<Frame>
  /** Resolves when the raw text fits. */
  untilRaw(fits: (raw: string) => boolean): Promise<void>
  /** Resolves when the server ends the stream. */
  readonly ended: Promise<void>
  close(): void
}

/** A user of one session. */
export class TestClient {
  readonly baseUrl: string
  agentId: string
  sessionId = ''
  readonly #open = new Set<OpenStream>()

  constructor(baseUrl: string, agentId: string) {
    this.baseUrl = baseUrl
    this.agentId = agentId
  }

  async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = { 'X-User-ID': 'ana' },
  ): Promise<Response> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type') === 'application/json'
    return {
      status: response.status,
      headers: response.headers,
      json: isJson ? JSON.parse(text) : text,
    }
  }

  /** A path of the session. */
  path(what = '', query = ''): string {
    return `/sessions/${this.sessionId}${what}?agent_id=${this.agentId}${query}`
  }

  async createSession(name?: string): Promise<void> {
    const { json } = await this.request('POST', '/sessions/', { agent_id: this.agentId, name })
    this.sessionId = (json as { session_id: string }).session_id
  }

  chat(input: unknown): Promise<Response> {
    const { agentId: agent_id, sessionId: session_id } = this
    return this.request('POST', '/chat/', { agent_id, session_id, input })
  }

  say(text: string, id = crypto.randomUUID().replaceAll('-', '')): Promise<Response> {
    return this.chat({ id, name: 'user', role: 'user', content: [{ type: 'text', text }] })
  }

  async messages(query = ''): Promise<Msg[]> {
    const { json } = await this.request('GET', this.path('/messages', query))
    return (json as { messages: Msg[] }).messages
  }

  async status(): Promise<string> {
    const { json } = await this.request('GET', this.path('/status'))
    return (json as { status: string }).status
  }

  /** Asks until the session stands so. */
  async untilStatus(wanted: string): Promise<void> {
    while ((await this.status()) !== wanted) await new Promise((done) => setTimeout(done, 1))
  }

  async stream(query = ''): Promise<OpenStream> {
    const abort = new AbortController()
    const response = await fetch(`${this.baseUrl}${this.path('/stream', query)}`, {
      headers: { 'X-User-ID': 'ana' },
      signal: abort.signal,
    })
    const stream = readStream(response, () => abort.abort())
    this.#open.add(stream)
    return stream
  }

  /** Closes all streams. */
  close(): void {
    for (const stream of this.#open) stream.close()
  }
}

function readStream(response: globalThis.Response, close: () => void): OpenStream {
  const frames: Frame[] = []
  let raw = ''
  const watchers = new Set<() => void>()
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      raw += decoder.decode(chunk, { stream: true })
      const whole = raw.slice(0, raw.lastIndexOf('\n\n') + 2).split('\n\n')
      const events = whole.filter((line) => line.startsWith('data: '))
      for (const line of events.slice(frames.length)) frames.push(JSON.parse(line.slice(6)))
      for (const watch of watchers) watch()
    }
  }
  const ended = read().catch(() => undefined)
  const watch = <Found>(look: () => Found | undefined): Promise<Found> =>
    new Promise((resolve) => {
      const check = (): void => {
        const found = look()
        if (found === undefined) return
        watchers.delete(check)
        resolve(found)
      }
      watchers.add(check)
      check()
    })
  return {
    frames,
    raw: () => raw,
    until: (fits) => watch(() => frames.find(fits)),
    untilRaw: async (fits) => {
      await watch(() => (fits(raw) ? true : undefined))
    },
    ended,
    close,
  }
}
