import type { WebSocket } from 'ws'
import { isJsonObject, type JsonObject, type JsonValue } from '../../protocol/index.js'
import type { AgentSession, LogEntry } from '../index.js'
import { routes } from './routes.js'
import type { SessionRegistry } from './SessionRegistry.js'
import { HttpProblem } from './validation.js'

/** Who came by socket, and what for. */
export interface SocketVisit {
  /** The sessions. */
  readonly registry: SessionRegistry
  /** Who it is, if that is known already. */
  readonly userId: string | undefined
  /** The one session the socket is about; undefined for a socket of several. */
  readonly sessionId: string | undefined
  /** The query of its address. */
  readonly query: URLSearchParams
  /** Whether it speaks bare events. */
  readonly isPlain: boolean
  /** After how many milliseconds of silence it is asked for a sign of life. */
  readonly heartbeatMs: number
}

/** A session that is followed. */
interface Following {
  readonly session: AgentSession
  /** Ends it. */
  stop(): void
}

/** Pings without an answer after which nobody is there. */
const MOST_MISSED = 2

/**
 * Serves one socket until it closes.
 *
 * @param socket - The socket.
 * @param visit - Who came, and what for.
 */
export function serveSocket(socket: WebSocket, visit: SocketVisit): void {
  const { registry, isPlain, query } = visit
  const follows = new Map<string, Following>()
  let userId = visit.userId
  let missed = 0

  const heartbeat = setInterval(() => {
    if (isPlain) return
    if (missed >= MOST_MISSED) return socket.terminate()
    missed += 1
    say({ kind: 'ping', t: Date.now() })
  }, visit.heartbeatMs)

  function say(message: unknown): void {
    heartbeat.refresh()
    socket.send(JSON.stringify(message))
  }

  /** On a socket of several sessions every message names its own. */
  function tell(session: AgentSession, message: object): void {
    say(visit.sessionId === undefined ? { ...message, session_id: session.id } : message)
  }

  function begin(user: string): void {
    userId = user
    if (user === '') return socket.close(4401, 'A user is required.')
    if (visit.sessionId === undefined) {
      if (isPlain) socket.close(4404, 'A plain socket needs a session in its path.')
      return
    }
    const session = registry.find(user, query.get('agent_id') ?? '', visit.sessionId)
    if (session === undefined) return socket.close(4404, `Session '${visit.sessionId}' not found.`)
    if (isPlain) follows.set(session.id, { session, stop: session.listen(say) })
  }

  function hear(text: string): void {
    missed = 0
    const message = parse(text)
    if (!isJsonObject(message))
      return refuse({}, new HttpProblem(422, 'A message must be an object.'))
    const { kind, token } = message
    if (kind === 'auth') {
      if (userId === undefined || userId === token)
        return begin(typeof token === 'string' ? token : '')
      return socket.close(4401, 'The token is not that of the user.')
    }
    if (userId === undefined) return socket.close(4401, 'The first message must say who asks.')
    try {
      if (isPlain) post(message)
      else obey(message)
    } catch (error) {
      refuse(message, error)
    }
  }

  function obey(message: JsonObject): void {
    switch (message['kind']) {
      case 'subscribe':
        return subscribe(message)
      case 'input': {
        const { init, id } = subscribedOf(message)
        post({ agent_id: init.agent.id, session_id: id, ...pick(message, 'input') })
        return acknowledge(message)
      }
      case 'interrupt':
        subscribedOf(message).interrupt()
        return acknowledge(message)
      case 'ping':
        return say({ kind: 'pong', ...pick(message, 't') })
      case 'pong':
        return
      default:
        throw new HttpProblem(422, 'A message of this kind is not known.')
    }
  }

  function subscribe({ agent_id: agentId, session_id: id, after }: JsonObject): void {
    const name = typeof id === 'string' ? id : ''
    const session = registry.find(userId ?? '', typeof agentId === 'string' ? agentId : '', name)
    if (session === undefined || (visit.sessionId ?? name) !== name) {
      const problem = `Session '${name}' not found.`
      if (visit.sessionId !== undefined) return socket.close(4404, problem)
      return say({ kind: 'error', status: 404, detail: problem, session_id: name })
    }
    follows.get(session.id)?.stop()
    replay(session, typeof after === 'number' ? after : 0)
    const stop = session.follow((entry) => tellEntry(session, entry))
    follows.set(session.id, { session, stop })
  }

  function replay(session: AgentSession, after: number): void {
    const { log } = session
    if (after + 1 < log.oldest) {
      // What asks and is not kept any more is told again, without a number.
      for (const { event } of session.workerRequests.values())
        tell(session, { kind: 'event', event })
    }
    for (const entry of log.read(after)) tellEntry(session, entry)
    tell(session, { kind: 'ready', seq: log.newest, oldest: log.oldest })
  }

  function tellEntry(session: AgentSession, { sequence, event }: LogEntry): void {
    tell(session, { kind: 'event', seq: sequence, event })
  }

  function subscribedOf({ session_id: given }: JsonObject): AgentSession {
    const id = visit.sessionId ?? (typeof given === 'string' ? given : '')
    const session = follows.get(id)?.session
    if (session === undefined) throw new HttpProblem(404, `Session '${id}' not found.`)
    return session
  }

  /** As `POST /chat/` does. */
  function post(body: JsonObject): void {
    const chat = routes.find(({ path }) => path === '/chat/')
    chat?.answer({ userId: userId ?? '', query, sessionId: '', body, registry })
  }

  function acknowledge(message: JsonObject): void {
    say({ kind: 'ack', ...pick(message, 'ref', 'session_id') })
  }

  /** A plain socket has no words for it. */
  function refuse(message: JsonObject, error: unknown): void {
    if (isPlain) return
    const { status, detail } =
      error instanceof HttpProblem ? error : new HttpProblem(500, 'Internal Server Error')
    say({ kind: 'error', ...pick(message, 'ref', 'session_id'), status, detail })
  }

  const stopWatching = registry.onDelete((session) => {
    if (!follows.delete(session.id)) return
    const problem = `Session '${session.id}' not found.`
    if (visit.sessionId === undefined)
      tell(session, { kind: 'error', status: 404, detail: problem })
    else socket.close(4404, problem)
  })

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) socket.close(1003, 'Messages are text.')
    else hear(data.toString('utf8'))
  })
  socket.once('close', () => {
    clearInterval(heartbeat)
    stopWatching()
    for (const follow of follows.values()) follow.stop()
  })
  if (userId !== undefined) begin(userId)
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}

/** Fields that are there. */
function pick(message: JsonObject, ...names: readonly string[]): JsonObject {
  const entries = names.flatMap((name): [string, JsonValue][] => {
    const value = message[name]
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(entries)
}
