import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket, WebSocketServer } from 'ws'
import type { SessionRegistry } from './SessionRegistry.js'
import { serveSocket } from './serveSocket.js'

/** What sockets are to be accepted for. */
export interface SocketHouse {
  /** The sessions. */
  readonly registry: SessionRegistry
  /** After how many milliseconds of silence a socket is asked for a sign of life. */
  readonly heartbeatMs: number
}

/** The sockets of a server. */
export interface Sockets {
  /** Cuts them all, as a broken network would. */
  drop(): void
  /** Says goodbye to them all. */
  close(): Promise<void>
}

const PROTOCOL = 'agentscope.v1'
const GOODBYE_MS = 200

/**
 * Accepts WebSockets on a server, in both shapes:
 *
 * - `/sessions/{id}/socket?agent_id=…` is about one session: bare events when the client offers no `agentscope.v1`.
 * - `/socket` is for several sessions, with `agentscope.v1` only.
 *
 * Who asks is said by `X-User-ID`, by `user_id` in the query, or by a first message `{"kind":"auth","token":user}`. A socket
 * with a `client` in its query replaces an older one of the same client (4409). Needs the package `ws`; without it an upgrade is
 * answered 501.
 *
 * @param server - The server.
 * @param house - What they are for.
 */
export function acceptSockets(server: Server, house: SocketHouse): Sockets {
  const open = new Set<WebSocket>()
  const clients = new Map<string, WebSocket>()
  let acceptor: Promise<WebSocketServer | undefined> | undefined

  async function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    stream.on('error', () => stream.destroy())
    const url = urlOf(request)
    const place = url && /^(?:\/sessions\/([^/]+))?\/socket$/.exec(url.pathname)
    if (url === undefined || !place) return refuse(stream, '404 Not Found')
    acceptor ??= createAcceptor()
    const sockets = await acceptor
    if (sockets === undefined) return refuse(stream, '501 Not Implemented')
    sockets.handleUpgrade(request, stream, head, (socket) => {
      open.add(socket)
      socket.on('error', () => socket.terminate())
      socket.on('close', () => open.delete(socket))
      replace(socket, url)
      serveSocket(socket, {
        ...house,
        userId: userOf(request, url),
        sessionId: place[1],
        query: url.searchParams,
        isPlain: socket.protocol !== PROTOCOL,
      })
    })
  }

  function replace(socket: WebSocket, url: URL): void {
    const client = url.searchParams.get('client')
    if (client === null) return
    const key = `${url.pathname} ${client}`
    clients.get(key)?.close(4409, 'Replaced by another connection.')
    clients.set(key, socket)
    socket.on('close', () => {
      if (clients.get(key) === socket) clients.delete(key)
    })
  }

  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    void upgrade(request, stream, head)
  })
  return {
    drop: () => {
      for (const socket of open) socket.terminate()
    },
    close: async () => {
      await Promise.all([...open].map(sayGoodbye))
    },
  }
}

async function createAcceptor(): Promise<WebSocketServer | undefined> {
  try {
    const { WebSocketServer: Acceptor } = await import('ws')
    return new Acceptor({
      noServer: true,
      handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
    })
  } catch {
    return undefined
  }
}

function urlOf(request: IncomingMessage): URL | undefined {
  const url = request.url ?? '/'
  return URL.canParse(url, 'ws://localhost') ? new URL(url, 'ws://localhost') : undefined
}

function userOf({ headers }: IncomingMessage, { searchParams }: URL): string | undefined {
  const user = headers['x-user-id']
  return (typeof user === 'string' ? user : searchParams.get('user_id')) ?? undefined
}

function refuse(stream: Duplex, status: string): void {
  stream.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}

/** A client that does not answer the goodbye is not waited for. */
function sayGoodbye(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.terminate(), GOODBYE_MS)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
    socket.close(1001, 'The server goes away.')
  })
}
