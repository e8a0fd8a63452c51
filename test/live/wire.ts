import { isRecord, type JsonRecord } from './liveService.js'

/** One line of a recording: see the README beside `test/recordings`. */
export type RecordingStep = JsonRecord

/** A `fetch` that writes down what goes over it, and whose streams can be cut. */
export interface Wire {
  readonly fetch: typeof fetch
  /** What happened so far, in order. */
  readonly steps: readonly RecordingStep[]
  /** The frames of all connections, in order of arrival. */
  readonly frames: () => readonly JsonRecord[]
  /** How many streams were opened. */
  readonly connections: () => number
  /** Breaks every open stream, as a lost network does. */
  readonly cut: () => void
}

/** Makes a wire. */
export function createWire(): Wire {
  const startedAt = performance.now()
  const steps: Record<string, unknown>[] = []
  const open = new Set<() => void>()
  let connections = 0

  const step = (kind: string, fields: JsonRecord): Record<string, unknown> => {
    const line = { t_ms: Math.round(performance.now() - startedAt), kind, ...fields }
    steps.push(line)
    return line
  }

  const tap: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const { pathname, searchParams } = new URL(request.url)
    if (pathname.endsWith('/stream')) return tapStream(request)
    if (request.method === 'POST') return tapPost(request, pathname)
    return tapGet(request, pathname, searchParams)
  }

  // A post stands where it was sent; frames may come between it and its answer.
  const tapPost = async (request: Request, path: string): Promise<Response> => {
    const isInterrupt = path.endsWith('/interrupt')
    const body: unknown = isInterrupt ? undefined : await request.clone().json()
    const line = isInterrupt ? step('interrupt', {}) : step('post', { path, body })
    const response = await fetch(request)
    line['status'] = response.status
    line['response'] = await readJson(response)
    return response
  }

  // A read stands where its answer arrived.
  const tapGet = async (
    request: Request,
    path: string,
    query: URLSearchParams,
  ): Promise<Response> => {
    const response = await fetch(request)
    const answer = await readJson(response)
    const fields = { status: response.status, response: answer }
    const params = Object.fromEntries([...query].filter(([name]) => name !== 'agent_id'))
    if (path.endsWith('/messages')) step('get_messages', { ...fields, params })
    if (path.endsWith('/status')) step('status', fields)
    return response
  }

  const tapStream = async (request: Request): Promise<Response> => {
    const response = await fetch(request)
    connections += 1
    const conn = connections
    const head = {
      conn,
      status: response.status,
      content_type: response.headers.get('content-type'),
    }
    step('open', head)
    const { body } = response
    if (body === null) return response
    const onFrame = (text: string): void => {
      if (text.startsWith(':')) step('heartbeat', { conn })
      else if (text.startsWith('data: ')) step('frame', { conn, event: JSON.parse(text.slice(6)) })
    }
    const watched = watchBody(body, onFrame, () => {
      step('close', { conn })
      open.delete(watched.cut)
    })
    open.add(watched.cut)
    return new Response(watched.body, response)
  }

  return {
    fetch: tap,
    steps,
    frames: () => steps.map((line) => line['event']).filter(isRecord),
    connections: () => connections,
    cut: () => {
      for (const cutOne of open) cutOne()
    },
  }
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.clone().text()
  return text === '' ? null : JSON.parse(text)
}

/** Passes a body on unchanged, tells its frames, and can break it. */
function watchBody(
  source: ReadableStream<Uint8Array>,
  onFrame: (text: string) => void,
  onClose: () => void,
): { body: ReadableStream<Uint8Array>; cut: () => void } {
  const decoder = new TextDecoder()
  let rest = ''
  const tell = (bytes: Uint8Array): void => {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = parts.pop() ?? ''
    parts.forEach(onFrame)
  }
  const reader = source.getReader()
  const broken = new AbortController()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      broken.signal.addEventListener('abort', () => {
        onClose()
        controller.error(new TypeError('The network went away.'))
        void reader.cancel().catch(() => {})
      })
    },
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read()
        if (broken.signal.aborted) return
        if (done) {
          onClose()
          controller.close()
          return
        }
        tell(value)
        controller.enqueue(value)
      } catch (error) {
        if (broken.signal.aborted) return
        onClose()
        controller.error(error)
      }
    },
    cancel: async (reason) => {
      onClose()
      await reader.cancel(reason)
    },
  })
  return { body, cut: () => broken.abort() }
}
