import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isJsonObject, type JsonObject, type JsonValue } from '../../protocol/index.js'
import { createPace, type AgentScript } from '../index.js'
import { acceptSockets } from './acceptSockets.js'
import { demoAgents } from './demo-agents/demoAgents.js'
import { isJavaPath, javaUserOf, serveJava } from './java/serveJava.js'
import { routes, type Route, type RouteAnswer } from './routes.js'
import { SessionRegistry } from './SessionRegistry.js'
import { streamEvents } from './streamEvents.js'
import { isTaskApiPath, serveTaskApi } from './task-api/serveTaskApi.js'
import type { TaskApiServerOptions } from './task-api/TaskApiServerOptions.js'
import { TaskDesk } from './task-api/TaskDesk.js'
import { HttpProblem, missing } from './validation.js'

/** How an agent server is to be. */
export interface AgentServerOptions {
  /** Where it listens; `127.0.0.1` by default. */
  readonly host?: string
  /** The port; by default any that is free. */
  readonly port?: number
  /** The agents; by default those of the demo, which between them show every feature. */
  readonly agents?: readonly AgentScript[]
  /** Factor on all waiting: 1 (the default) is as a model would write, 0 as fast as events can be sent. */
  readonly pace?: number
  /** After how many milliseconds of silence a stream gets a heartbeat, and a WebSocket a ping; 30,000 by default. */
  readonly heartbeatMs?: number
  /** How many events a new stream is told at most; 1,000 by default. */
  readonly replayLimit?: number
  /** How many events of a session are kept for clients that say what they have; 10,000 by default. */
  readonly logLimit?: number
  /** Whether pages of other origins may ask; `true` by default, while the service itself refuses unless told otherwise. */
  readonly cors?: boolean
  /** How its Task API is to be. */
  readonly taskApi?: TaskApiServerOptions
}

/** A server that runs. */
export interface AgentServer {
  /** Its address, without a slash at the end. */
  readonly url: string
  /** Its port. */
  readonly port: number
  /** Cuts every open stream and WebSocket, as a broken network would. Runs go on. */
  dropStreams(): void
  /** Ends all runs and connections. */
  close(): Promise<void>
}

const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
  'access-control-max-age': '600',
}

/** What one server consists of. */
interface House {
  readonly registry: SessionRegistry
  readonly streams: Set<ServerResponse>
  readonly heartbeatMs: number
  readonly cors: boolean
  readonly desk: TaskDesk
}

/**
 * Starts a server that speaks the AgentScope service's own HTTP contract, with agents that follow a script.
 *
 * It is for demos and tests: no model, no key, no network, everything in memory. What it stores comes from the
 * scripts, not from the events, so that a client that folds events can be compared with it.
 * It behaves as AgentScope 2.0.11 does: exact slashes, one run at a time (409), a replay of the current run for
 * new connections, no end event when a reply waits for a person, replies stored only after their last event.
 * The service has no WebSocket; this server offers one at `/sessions/{id}/socket?agent_id=…&user_id=…`, with bare events
 * or with `agentscope.v1`, and one for several sessions at `/socket?user_id=…`, if the package `ws` is there.
 * At `/task-api` the same sessions are spoken as the Task API does, `/task-api/api/v1/…` and `/task-api/api/…`, an agent's id being
 * that of a workspace. At `/java/{agentId}` the same sessions are spoken as AgentScope Java does, with the endpoints of `docs/java.md`'s controller.
 *
 * @param options - How it is to be.
 * @returns The server, listening. Rejects when the port is taken.
 *
 * @example
 * ```ts
 * const server = await createAgentServer({ pace: 0 })
 * // … agentServiceBackend({ baseUrl: server.url, agentId: 'friday', sessionId, headers: { 'X-User-ID': 'me' } })
 * await server.close()
 * ```
 */
export async function createAgentServer(options: AgentServerOptions = {}): Promise<AgentServer> {
  const { host = '127.0.0.1', port = 0, pace = 1, replayLimit = 1000 } = options
  const { logLimit = 10_000 } = options
  const { agents = demoAgents, heartbeatMs = 30_000, cors = true, taskApi = {} } = options
  const registry = new SessionRegistry({ agents, pace: createPace(pace), replayLimit, logLimit })
  const desk = new TaskDesk(registry, taskApi)
  const house: House = { registry, streams: new Set(), heartbeatMs, cors, desk }
  const server = createServer((request, response) => {
    void handle(house, request, response)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  const sockets = acceptSockets(server, house)
  const dropStreams = (): void => {
    sockets.drop()
    for (const stream of house.streams) stream.destroy()
  }
  return {
    url: `http://${host}:${bound}`,
    port: bound,
    dropStreams,
    close: async () => {
      await sockets.close()
      registry.dispose()
      dropStreams()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

async function handle(
  house: House,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (house.cors) {
    const asked = request.headers['access-control-request-headers']
    for (const [name, value] of Object.entries(CORS_HEADERS)) response.setHeader(name, value)
    if (asked !== undefined) response.setHeader('access-control-allow-headers', asked)
    if (request.method === 'OPTIONS') return sendText(response, 200, 'OK')
  }
  try {
    const answer = await answerRequest(house, request, response)
    if (answer === undefined) return
    if ('stream' in answer) streamEvents(response, { ...answer, ...house })
    else sendJson(response, answer.status, answer.json)
  } catch (error) {
    if (error instanceof HttpProblem) {
      sendJson(response, error.status, { detail: problemDetail(error) })
    } else {
      sendText(response, 500, 'Internal Server Error')
    }
  }
}

async function answerRequest(
  house: House,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<RouteAnswer | undefined> {
  const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`)
  if (isTaskApiPath(url.pathname)) return answerTaskApi(house, request, url, response)
  if (isJavaPath(url.pathname)) return answerJava(house, request, url, response)
  const known = routes.filter((route) => matches(route, url.pathname))
  if (known.length === 0) return redirectSlash(url, response)
  const route = known.find(({ method }) => method === request.method)
  if (route === undefined) {
    response.setHeader('allow', known.map(({ method }) => method).join(', '))
    throw new HttpProblem(405, 'Method Not Allowed')
  }
  const userId = userOf(request)
  const body = route.hasBody === true ? await readBody(request) : {}
  const sessionId = decodeURIComponent(url.pathname.split('/')[2] ?? '')
  const { registry } = house
  return route.answer({ userId, query: url.searchParams, sessionId, body, registry })
}

async function answerTaskApi(
  { desk }: House,
  request: IncomingMessage,
  url: URL,
  response: ServerResponse,
): Promise<undefined> {
  await serveTaskApi(desk, request, url, response)
}

async function answerJava(
  house: House,
  request: IncomingMessage,
  url: URL,
  response: ServerResponse,
): Promise<undefined> {
  const { method = 'GET' } = request
  const path = url.pathname.split('/').slice(1).map(decodeURIComponent)
  const body = method === 'POST' ? await readBody(request) : {}
  const userId = javaUserOf(request)
  serveJava(house, { method, path, query: url.searchParams, body, userId }, response)
}

function matches({ path }: Route, pathname: string): boolean {
  const wanted = path.split('/')
  const given = pathname.split('/')
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => (part === '{id}' ? given[index] !== '' : part === given[index]))
  )
}

/** The service sends the other form of a path to the right one, and knows nothing else. */
function redirectSlash(url: URL, response: ServerResponse): undefined {
  const other = new URL(url)
  other.pathname = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : `${url.pathname}/`
  if (!routes.some((route) => matches(route, other.pathname))) {
    throw new HttpProblem(404, 'Not Found')
  }
  response.writeHead(307, { location: other.href }).end()
}

function userOf(request: IncomingMessage): string {
  const user = request.headers['x-user-id']
  if (user === undefined) throw new HttpProblem(422, [missing(['header', 'x-user-id'], null)])
  if (user === '' || typeof user !== 'string') {
    throw new HttpProblem(401, 'X-User-ID header is required.')
  }
  return user
}

async function readBody(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const text = Buffer.concat(chunks).toString('utf8')
  if (text === '') throw new HttpProblem(422, [missing(['body'], null)])
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return value
  } catch (error) {
    const ctx = { error: error instanceof Error ? error.message : String(error) }
    const problem = { type: 'json_invalid', loc: ['body', 0], msg: 'JSON decode error', input: {} }
    throw new HttpProblem(422, [{ ...problem, ctx }])
  }
  const msg = 'Input should be a valid dictionary or object to extract fields from'
  throw new HttpProblem(422, [{ type: 'model_attributes_type', loc: ['body'], msg, input: text }])
}

function problemDetail({ detail }: HttpProblem): JsonValue {
  return typeof detail === 'string' ? detail : detail.map((problem) => ({ ...problem }))
}

function sendJson(response: ServerResponse, status: number, json?: JsonValue): void {
  response.writeHead(status, json === undefined ? {} : { 'content-type': 'application/json' })
  response.end(json === undefined ? undefined : JSON.stringify(json))
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
}
