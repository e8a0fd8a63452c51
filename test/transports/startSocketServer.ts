import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { onTestFinished, vi } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'

/** A socket as the server has it. */
export interface ServedSocket {
  readonly socket: WebSocket
  readonly request: IncomingMessage
  /** What the client sent, parsed. */
  readonly heard: unknown[]
  /** The code it was closed with, once it is. */
  readonly closed: () => number | undefined
  /** Sends JSON. */
  readonly say: (...messages: readonly unknown[]) => void
}

/** A real WebSocket server of one test. */
export interface SocketServer {
  readonly url: string
  /** All sockets so far. */
  readonly sockets: ServedSocket[]
  /** The newest socket, once there are so many. */
  socket(count?: number): Promise<ServedSocket>
  close(): Promise<void>
}

export interface SocketServerOptions {
  /** Whether `agentscope.v1` is chosen; `true` by default. */
  readonly isNumbered?: boolean
  /** Gets each socket with its number, from 1. */
  readonly onSocket?: (served: ServedSocket, count: number) => void
  /** Hears each message. */
  readonly onMessage?: (message: Record<string, unknown>, served: ServedSocket) => void
  readonly port?: number
}

/** Starts a server for the running test. */
export async function startSocketServer(options: SocketServerOptions = {}): Promise<SocketServer> {
  const { isNumbered = true, onSocket, onMessage, port = 0 } = options
  const sockets: ServedSocket[] = []
  const server = new WebSocketServer({
    host: '127.0.0.1',
    port,
    handleProtocols: (offered) => isNumbered && offered.has('agentscope.v1') && 'agentscope.v1',
  })
  server.on('connection', (socket, request) => {
    let code: number | undefined
    const served: ServedSocket = {
      socket,
      request,
      heard: [],
      closed: () => code,
      say: (...messages) => {
        for (const message of messages) socket.send(JSON.stringify(message))
      },
    }
    sockets.push(served)
    socket.on('close', (given) => {
      code = given
    })
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString())
      served.heard.push(message)
      onMessage?.(message, served)
    })
    onSocket?.(served, sockets.length)
  })
  await once(server, 'listening')
  const address = server.address()
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      for (const { socket } of sockets) socket.terminate()
      server.close(() => resolve())
    })
  onTestFinished(close)
  return {
    url: `ws://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`,
    sockets,
    socket: (count = 1) =>
      vi.waitFor(() => {
        const served = sockets[count - 1]
        if (served === undefined) throw new Error(`only ${sockets.length} sockets`)
        return served
      }, 5_000),
    close,
  }
}
