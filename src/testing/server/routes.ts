import type { JsonObject, JsonValue } from '../../protocol/index.js'
import type { AgentSession } from '../index.js'
import { asJson } from '../index.js'
import { pollEvents } from './pollEvents.js'
import { readChatRequest } from './readChatRequest.js'
import type { SessionRegistry } from './SessionRegistry.js'
import { agentView, sessionRecord, sessionView } from './sessionViews.js'
import { HttpProblem, missing, notAString, notOneOf } from './validation.js'
import type { ValidationProblem } from './validation.js'

/** A request, read. */
interface RouteRequest {
  /** Who asks. */
  readonly userId: string
  /** The query. */
  readonly query: URLSearchParams
  /** What the path names. */
  readonly sessionId: string
  /** The body; empty where there is none. */
  readonly body: JsonObject
  /** Everything there is. */
  readonly registry: SessionRegistry
}

/** What a route answers: JSON, or a stream of events. */
export type RouteAnswer =
  | { readonly status: number; readonly json?: JsonValue }
  | { readonly stream: AgentSession; readonly after: string | null }

/** One endpoint. */
export interface Route {
  /** The method. */
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The exact path; `{id}` stands for a session's. */
  readonly path: string
  /** Whether it reads a JSON body. */
  readonly hasBody?: boolean
  /** Answers; throws an `HttpProblem`. */
  readonly answer: (request: RouteRequest) => RouteAnswer
}

const PERMISSION_MODES = ['default', 'accept_edits', 'explore', 'bypass', 'dont_ask']

/** The endpoints of the service that a chat needs, and one of our own for clients that poll. */
export const routes: readonly Route[] = [
  {
    method: 'GET',
    path: '/health',
    answer: () => ({
      status: 200,
      json: { status: 'healthy', version: '2.0.11', components: {} },
    }),
  },
  { method: 'GET', path: '/agent/', answer: listAgents },
  { method: 'GET', path: '/sessions/', answer: listSessions },
  { method: 'POST', path: '/sessions/', hasBody: true, answer: createSession },
  { method: 'PATCH', path: '/sessions/{id}', hasBody: true, answer: updateSession },
  { method: 'DELETE', path: '/sessions/{id}', answer: deleteSession },
  { method: 'POST', path: '/sessions/{id}/interrupt', answer: interrupt },
  { method: 'GET', path: '/sessions/{id}/status', answer: tellStatus },
  { method: 'GET', path: '/sessions/{id}/messages', answer: listMessages },
  { method: 'GET', path: '/sessions/{id}/stream', answer: openStream },
  { method: 'GET', path: '/sessions/{id}/events', answer: listEvents },
  { method: 'POST', path: '/chat/', hasBody: true, answer: chat },
]

function listAgents({ registry, userId }: RouteRequest): RouteAnswer {
  const agents = registry.agents.map((agent) => agentView(agent, userId, registry.startedAt))
  return { status: 200, json: { agents, total: agents.length } }
}

function listSessions({ registry, userId, query }: RouteRequest): RouteAnswer {
  const sessions = registry.list(userId, agentIdOf(query)).map((session) => sessionView(session))
  return { status: 200, json: { sessions, total: sessions.length } }
}

function createSession({ registry, userId, body }: RouteRequest): RouteAnswer {
  const { agent_id: agentId, name = null } = body
  const problems: ValidationProblem[] = []
  if (agentId === undefined) problems.push(missing(['body', 'agent_id'], body))
  else if (typeof agentId !== 'string') problems.push(notAString(['body', 'agent_id'], agentId))
  if (name !== null && typeof name !== 'string') problems.push(notAString(['body', 'name'], name))
  if (typeof agentId !== 'string' || problems.length > 0) throw new HttpProblem(422, problems)
  const session = registry.create(userId, agentId, typeof name === 'string' ? name : undefined)
  return { status: 201, json: { session_id: session.id } }
}

function updateSession(request: RouteRequest): RouteAnswer {
  const { name, permission_mode: mode } = request.body
  const problems: ValidationProblem[] = []
  if (mode !== undefined && !(typeof mode === 'string' && PERMISSION_MODES.includes(mode))) {
    problems.push(notOneOf(['body', 'permission_mode'], mode, PERMISSION_MODES))
  }
  if (name !== undefined && name !== null && typeof name !== 'string') {
    problems.push(notAString(['body', 'name'], name))
  }
  if (problems.length > 0) throw new HttpProblem(422, problems)
  const session = sessionOf(request)
  if (session.isRunning) {
    const detail = 'Cannot modify session configuration while the session is running.'
    throw new HttpProblem(409, detail)
  }
  if (typeof name === 'string') session.rename(name)
  if (typeof mode === 'string') session.rules.mode = mode
  return { status: 200, json: sessionRecord(session) }
}

function deleteSession(request: RouteRequest): RouteAnswer {
  request.registry.delete(sessionOf(request))
  return { status: 204 }
}

function interrupt(request: RouteRequest): RouteAnswer {
  const session = sessionOf(request)
  session.interrupt()
  return { status: 202, json: { session_id: session.id } }
}

function tellStatus(request: RouteRequest): RouteAnswer {
  const session = sessionOf(request)
  return { status: 200, json: { session_id: session.id, status: session.status } }
}

function listMessages(request: RouteRequest): RouteAnswer {
  const { query } = request
  const limit = integerOf(query, 'limit', [1, 200]) ?? 50
  const session = sessionOf(request)
  const before = query.get('before')
  const all = session.messages
  const end = before === null ? all.length : all.findIndex(({ id }) => id === before)
  const start = Math.max(0, end - limit)
  const page = end < 0 ? [] : all.slice(start, end)
  const cursor = before === null && session.storedUpTo !== null ? `${session.storedUpTo}-0` : null
  return {
    status: 200,
    json: {
      messages: page.map(asJson),
      event_cursor: cursor,
      is_running: session.isRunning,
      has_more: end > 0 && start > 0,
    },
  }
}

function openStream(request: RouteRequest): RouteAnswer {
  return { stream: sessionOf(request), after: request.query.get('after') }
}

function listEvents(request: RouteRequest): RouteAnswer {
  const { query } = request
  const from = integerOf(query, 'from', [0, Number.MAX_SAFE_INTEGER - 1]) ?? null
  const limit = integerOf(query, 'limit', [1, 1000]) ?? 500
  return { status: 200, json: pollEvents(sessionOf(request), { from, limit }) }
}

function chat({ registry, userId, body }: RouteRequest): RouteAnswer {
  const { agentId, sessionId, input } = readChatRequest(body)
  const session = registry.find(userId, agentId, sessionId)
  // The service looks at the session only once it has said that it started.
  if (session === undefined) return started(sessionId)
  if ('type' in input) {
    return started(session.answer(input).id)
  }
  if (session.isRunning) {
    const detail = `Session '${session.id}' already has an active chat run in this process.`
    throw new HttpProblem(409, detail)
  }
  session.start(input)
  return started(session.id)
}

function started(session_id: string): RouteAnswer {
  return { status: 200, json: { status: 'started', session_id } }
}

function agentIdOf(query: URLSearchParams): string {
  const agentId = query.get('agent_id')
  if (agentId === null) throw new HttpProblem(422, [missing(['query', 'agent_id'], null)])
  return agentId
}

function sessionOf({ registry, userId, query, sessionId }: RouteRequest): AgentSession {
  const session = registry.find(userId, agentIdOf(query), sessionId)
  if (session === undefined) throw new HttpProblem(404, `Session '${sessionId}' not found.`)
  return session
}

function integerOf(
  query: URLSearchParams,
  name: string,
  [least, most]: readonly [number, number],
): number | undefined {
  const given = query.get(name)
  if (given === null) return undefined
  const loc = ['query', name]
  const problem = (type: string, msg: string, ctx?: JsonObject): HttpProblem =>
    new HttpProblem(422, [{ type, loc, msg, input: given, ...(ctx ? { ctx } : {}) }])
  if (!/^[+-]?\d+$/.test(given)) {
    const msg = 'Input should be a valid integer, unable to parse string as an integer'
    throw problem('int_parsing', msg)
  }
  const value = Number(given)
  if (value < least) {
    const msg = `Input should be greater than or equal to ${least}`
    throw problem('greater_than_equal', msg, { ge: least })
  }
  if (value > most) {
    const msg = `Input should be less than or equal to ${most}`
    throw problem('less_than_equal', msg, { le: most })
  }
  return value
}
