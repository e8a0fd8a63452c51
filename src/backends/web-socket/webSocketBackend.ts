import { agentscopeDialect } from '../../dialects/index.js'
import {
  TransportError,
  type AgentBackend,
  type Capabilities,
  type JsonObject,
  type JsonValue,
} from '../../protocol/index.js'
import { SOCKET_PROTOCOL, type OpenSocket, type WebSocketOptions } from '../../transports/index.js'
import type { ServiceOptions } from '../agent-service/createServiceClient.js'
import { createServiceSession } from '../agent-service/createServiceSession.js'
import { createSocketHub, type SocketHub } from './createSocketHub.js'
import { followSession } from './followSession.js'
import type { SocketOptions } from './SocketOptions.js'

/** One session whose events come by WebSocket. */
export interface SocketSessionOptions {
  /** The agent. */
  readonly agentId: string
  /** The session. */
  readonly sessionId: string
  /** An agent service's HTTP side, for history, status, and stopping a run when the socket cannot. Without it there is no history. */
  readonly http?: ServiceOptions
  /** Media types a message may carry; all by default. Narrow it to what the session's model can take. */
  readonly attachments?: readonly string[]
}

/** A session with a WebSocket of its own. */
export interface WebSocketBackendOptions extends SocketOptions, SocketSessionOptions {
  /**
   * What the server speaks. `either` (the default) offers `agentscope.v1` and is content with plain events. `plain` offers
   * nothing: for servers known to be plain, above all those that agree to any offer without a look.
   */
  readonly protocol?: WebSocketOptions['protocol']
}

/** A WebSocket that several sessions use. */
export interface SharedWebSocket {
  /**
   * Makes a backend whose events come by this socket, which is open while any of them is.
   *
   * @param session - The session.
   */
  backend(session: SocketSessionOptions): AgentBackend
}

/** How a backend uses its hub. */
interface HubUse {
  readonly hub: SocketHub
  readonly isShared: boolean
  readonly options: Omit<WebSocketBackendOptions, keyof SocketSessionOptions>
}

/**
 * A session of AgentScope events over a WebSocket: bare events, or the subprotocol `agentscope.v1`, in which events are
 * numbered, a new connection goes on after the last one seen, and every message sent is acknowledged.
 *
 * Nothing is sent twice by itself. Without a line, a message waits for one for `lineTimeoutMs`, then fails; when the line is
 * lost before the acknowledgement, it fails with `closed`, and may have had its effect. On a plain line a message counts as
 * sent when it was written. Capabilities have to be known before the server has chosen: they are those of the subprotocol unless
 * `protocol` is `plain`. Once a line turned out to be plain, `resume` is `replay`; without `http`, `interrupt` then rejects.
 *
 * @param options - The socket, the session, and where its history is.
 * @example
 * ```ts
 * const backend = webSocketBackend({
 *   url: 'wss://example.com/sessions/s1/socket?agent_id=a1',
 *   auth: () => getToken(),
 *   agentId: 'a1',
 *   sessionId: 's1',
 *   http: { baseUrl: 'https://example.com', headers: { 'X-User-ID': 'me' } },
 * })
 * ```
 */
export function webSocketBackend(options: WebSocketBackendOptions): AgentBackend {
  const hub = createSocketHub(options, options.protocol)
  return createBackend({ hub, isShared: false, options }, options)
}

/**
 * A WebSocket for several sessions of one server, which has to speak `agentscope.v1`.
 *
 * @param options - The socket.
 * @example
 * ```ts
 * const socket = shareWebSocket({ url: 'wss://example.com/socket', auth: () => getToken() })
 * const backend = socket.backend({ agentId: 'a1', sessionId: 's1', http: { baseUrl: 'https://example.com' } })
 * ```
 */
export function shareWebSocket(options: SocketOptions): SharedWebSocket {
  const hub = createSocketHub(options, SOCKET_PROTOCOL)
  return { backend: (session) => createBackend({ hub, isShared: true, options }, session) }
}

function createBackend(use: HubUse, session: SocketSessionOptions): AgentBackend {
  const { hub, isShared, options } = use
  const { agentId, sessionId, attachments = ['*/*'] } = session
  const { onUnauthorized, clock, protocol } = options
  const renewing = { ...(onUnauthorized && { onUnauthorized }), ...(clock && { clock }) }
  const http =
    session.http && createServiceSession({ ...renewing, ...session.http, agentId, sessionId })
  const named: JsonObject = isShared ? { session_id: sessionId } : {}
  const canNumber = protocol !== 'plain'

  async function post(input: JsonValue): Promise<void> {
    await hub.call('The message', ({ isPlain }, ref) =>
      isPlain
        ? { agent_id: agentId, session_id: sessionId, input }
        : { kind: 'input', ref, ...named, input },
    )
  }

  async function interrupt(): Promise<void> {
    if (http !== undefined && hub.socket?.isPlain !== false) return http.calls.interrupt()
    await hub.call('The interrupt', (socket, ref) => {
      refusePlain(socket)
      return { kind: 'interrupt', ref, ...named }
    })
  }

  const numbered: Capabilities = {
    history: http !== undefined,
    status: http !== undefined,
    interrupt: http !== undefined || canNumber,
    resume: 'cursor',
    partialAnswers: true,
    editArguments: true,
    rules: true,
    denyReason: false,
    attachments,
    sendWhileRunning: 'refused',
  }
  const replayed: Capabilities = { ...numbered, resume: 'replay' }

  return {
    key: `websocket:${addressOf(options)}|${agentId}|${sessionId}`,
    get capabilities() {
      // The store asks when it comes back: what a plain server repeats has to be proved whole.
      return hub.isPlain ? replayed : numbered
    },
    open: (sink) => {
      const detach = http?.attach(sink)
      const hasHistory = http !== undefined
      const line = followSession(hub, { agentId, sessionId, isShared, hasHistory, clock }, sink)
      return {
        close: () => {
          detach?.()
          line.close()
        },
        retryNow: () => line.retryNow(),
      }
    },
    ...(http && {
      history: http.calls.history,
      status: http.calls.status,
      workerStatus: http.calls.workerStatus,
    }),
    send: (input) => post(agentscopeDialect.encode.send(input)),
    answer: async (answers) => {
      for (const answer of answers) await post(agentscopeDialect.encode.answer(answer))
    },
    ...((http !== undefined || canNumber) && { interrupt }),
  }
}

function refusePlain({ isPlain }: OpenSocket): void {
  if (!isPlain) return
  const message =
    'A plain WebSocket cannot stop a run: give the backend an http address, or have the server speak agentscope.v1.'
  throw new TransportError('rejected', message)
}

/** Without the query, which may hold a secret, and changes. What a function gives may change as well. */
function addressOf({ url }: Pick<SocketOptions, 'url'>): string {
  return typeof url === 'string' ? url.replace(/[?#].*$/, '') : ''
}
