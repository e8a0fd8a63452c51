import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import type { AgentEvent, JsonObject, JsonValue, Msg } from '../../src/protocol/index.js'
import { isJsonObject } from '../../src/protocol/index.js'

/** A server of one session that says what a test tells it, over real HTTP. */
export interface ChatServer {
  /** Its address. */
  readonly url: string
  /** Streams that are open now, and how many were ever opened. */
  readonly streams: { readonly now: number; readonly ever: number }
  /** Bodies of `POST /chat/`, in order. */
  readonly posts: JsonObject[]
  /** What the next posts are answered with; 200 when it runs out. */
  readonly statuses: number[]
  /** Stored messages. */
  stored: readonly Msg[]
  /** Whether a run is under way. */
  isRunning: boolean
  /** Told of each stop. */
  onInterrupt: () => void
  /** Sends events to all streams in one chunk. */
  emit(events: readonly AgentEvent[]): void
}

/** Starts a server that stops when the test is over. */
export async function startChatServer(): Promise<ChatServer> {
  const open = new Set<ServerResponse>()
  let ever = 0
  const chat = {
    posts: new Array<JsonObject>(),
    statuses: new Array<number>(),
    stored: new Array<Msg>() as readonly Msg[],
    isRunning: false,
    onInterrupt: (): void => undefined,
  }
  const server = createServer((request, response) => {
    void answer(request, response)
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://server')
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', '*')
    if (request.method === 'OPTIONS') response.end()
    else if (pathname.endsWith('/stream')) stream(response)
    else if (pathname.endsWith('/messages')) {
      const { stored, isRunning } = chat
      sendJson(response, 200, {
        messages: JSON.parse(JSON.stringify(stored)),
        is_running: isRunning,
        has_more: false,
      })
    } else if (pathname.endsWith('/status')) {
      sendJson(response, 200, { session_id: 's1', status: chat.isRunning ? 'running' : 'idle' })
    } else if (pathname.endsWith('/interrupt')) {
      chat.onInterrupt()
      sendJson(response, 202, { session_id: 's1' })
    } else if (pathname === '/chat/') await takePost(request, response)
    else sendJson(response, 404, { detail: 'Not found.' })
  }

  function stream(response: ServerResponse): void {
    ever += 1
    open.add(response)
    response.on('close', () => open.delete(response))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(':\n\n')
  }

  async function takePost(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ''
    for await (const part of request) text += String(part)
    const body: unknown = JSON.parse(text)
    if (isJsonObject(body)) chat.posts.push(body)
    const status = chat.statuses.shift() ?? 200
    sendJson(response, status, status === 200 ? { status: 'started' } : { detail: 'Broken.' })
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return Object.assign(chat, {
    url: `http://127.0.0.1:${port}`,
    streams: {
      get now() {
        return open.size
      },
      get ever() {
        return ever
      },
    },
    emit(events: readonly AgentEvent[]) {
      const chunk = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
      for (const response of open) response.write(chunk)
    },
  })
}

function sendJson(response: ServerResponse, status: number, body: JsonValue): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
