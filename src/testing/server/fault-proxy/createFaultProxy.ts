import { createServer, ServerResponse, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createId } from '../../../protocol/index.js'
import type { RandomFaults } from './drawFaults.js'
import type { Fault } from './Fault.js'
import { FaultBook, type FaultRecord, type FaultyRequest } from './FaultBook.js'
import { passExchange, type ProxyState } from './passExchange.js'

/** How a fault proxy is to be. */
export interface FaultProxyOptions {
  /** The address of the server behind it; a path in it is put before each request's. */
  readonly target: string
  /** What is to go wrong from the beginning; nothing by default. */
  readonly faults?: readonly Fault[]
  /** Faults that are drawn, besides; none by default. */
  readonly random?: RandomFaults
  /** Where it listens; `127.0.0.1` by default. */
  readonly host?: string
  /** The port; by default any that is free. */
  readonly port?: number
}

/** A request that came to a proxy. */
export interface ProxiedRequest extends FaultyRequest {
  /** The path with its query. */
  readonly url: string
  /** The status the client got; null before, and when it never gets one. */
  status: number | null
}

/** A proxy that runs. */
export interface FaultProxy {
  /** Its address, without a slash at the end: what the client is told to be the server. */
  readonly url: string
  /** Its port. */
  readonly port: number
  /** The server behind it; may be set when that one has moved. */
  target: string
  /** The seed of drawn faults, to repeat them; undefined when none are drawn. */
  readonly seed: number | string | undefined
  /** All requests that came, in order; `OPTIONS` too. */
  readonly requests: readonly ProxiedRequest[]
  /** All that was done to them, in order. */
  readonly done: readonly FaultRecord[]
  /**
   * Adds a fault for what comes from now on.
   *
   * @param fault - What is to go wrong.
   * @returns The way to take it out again.
   */
  inject(fault: Fault): () => void
  /** Takes out all faults, also the drawn ones. What they did to open streams stays done. */
  heal(): void
  /** Breaks every open event stream and WebSocket, as a lost network does. */
  dropStreams(): void
  /** Ends it and all connections through it. */
  close(): Promise<void>
}

/**
 * Starts a proxy in front of a server, that fails as networks, gateways and servers do: for tests of clients.
 *
 * HTTP goes through as it is (method, headers, bodies both ways, cross-origin headers), and so do WebSockets; only
 * compression is not negotiated. Event streams and WebSocket messages are told apart, so that faults can name an event.
 *
 * @param options - What is behind it, and what is to go wrong.
 * @returns The proxy, listening. Rejects when the port is taken.
 *
 * @example
 * ```ts
 * const proxy = await createFaultProxy({ target: server.url })
 * proxy.inject({ kind: 'reset', on: { method: 'POST', path: '/chat/' }, forwarded: true }) // a lost response
 * proxy.inject({ kind: 'drop', events: { from: 5, to: 9 } }) // a hole in the next stream
 * // … talk to proxy.url …
 * await proxy.close()
 * ```
 */
export async function createFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const { host = '127.0.0.1', port = 0, faults = [], random } = options
  const state: ProxyState = {
    target: new URL(options.target),
    book: new FaultBook(faults),
    random: random && { ...random, seed: random.seed ?? createId().slice(0, 8) },
    counts: new Map(),
    memories: new Map(),
    requests: [],
    done: [],
    streams: new Set(),
    life: new AbortController(),
  }
  const server = createServer((request, response) => {
    void passExchange(state, request, response)
  })
  const sockets = trackSockets(server)
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    void passExchange(state, request, responseOn(socket, request), { socket, head })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const bound = portOf(server.address())
  const { seed } = state.random ?? {}
  return {
    url: `http://${host}:${bound}`,
    port: bound,
    seed,
    requests: state.requests,
    done: state.done,
    get target() {
      return state.target.href
    },
    set target(target) {
      state.target = new URL(target)
    },
    inject: (fault) => state.book.add(fault),
    heal: () => {
      state.book.clear()
      state.random = undefined
    },
    dropStreams: () => {
      for (const outlet of state.streams) outlet.break()
    },
    close: async () => {
      state.life.abort()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
    },
  }
}

/** An upgrade may be refused with an answer like any other; that answer is the last thing on its line. */
function responseOn(socket: Socket, request: IncomingMessage): ServerResponse {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.once('finish', () => socket.end())
  return response
}

/** The server does not know the sockets of WebSockets any more, so they are kept here. */
function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  return sockets
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0
}
