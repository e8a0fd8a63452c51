import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JsonObject } from '../../../protocol/index.js'
import { isJsonObject } from '../../../protocol/index.js'
import { HttpProblem } from '../validation.js'
import type { TaskDesk } from './TaskDesk.js'
import type { TaskAnswer, TaskRoute } from './TaskRoute.js'
import { v1Routes } from './v1Routes.js'
import { webRoutes } from './webRoutes.js'

/** Where the API is. */
const PREFIX = '/task-api'

/** All endpoints, with their whole paths. */
const taskRoutes: readonly TaskRoute[] = [
  ...v1Routes.map((route) => ({ ...route, path: `/api/v1${route.path}` })),
  ...webRoutes.map((route) => ({ ...route, path: `/api${route.path}` })),
]

/** Whether a request is for the Task API. */
export function isTaskApiPath(pathname: string): boolean {
  return pathname.startsWith(`${PREFIX}/`)
}

/**
 * Answers as a server of the Task API does: `/task-api/api/v1/…` for external clients, `/task-api/api/…` as its web application asks.
 *
 * @param desk - What the server knows.
 * @param request - The request.
 * @param url - Its address.
 * @param response - Where the answer goes.
 */
export async function serveTaskApi(
  desk: TaskDesk,
  request: IncomingMessage,
  url: URL,
  response: ServerResponse,
): Promise<void> {
  try {
    const { status = 200, json, bytes } = await answer(desk, request, url)
    const type = bytes === undefined ? 'application/json' : 'application/octet-stream'
    response.writeHead(status, { 'content-type': type }).end(bytes ?? JSON.stringify(json))
  } catch (error) {
    const isProblem = error instanceof HttpProblem
    const message = isProblem && typeof error.detail === 'string' ? error.detail : 'Internal error.'
    response.writeHead(isProblem ? error.status : 500, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ success: false, error: message }))
  }
}

async function answer(desk: TaskDesk, request: IncomingMessage, url: URL): Promise<TaskAnswer> {
  const parts = url.pathname.slice(PREFIX.length).split('/')
  const known = taskRoutes.filter(({ path }) => fits(path, parts))
  // Before a name of the path comes what is spelled out.
  const [route] = known
    .filter(({ method }) => method === request.method)
    .toSorted((one, other) => one.path.split('{}').length - other.path.split('{}').length)
  if (route === undefined) {
    throw new HttpProblem(
      known.length > 0 ? 405 : 404,
      known.length > 0 ? 'Method not allowed.' : 'Not found.',
    )
  }
  checkToken(desk, route, request)
  const user = request.headers['x-user-id']
  const userId = typeof user === 'string' && user !== '' ? user : 'user'
  const wanted = route.path.split('/')
  const names = parts.filter((_, index) => wanted[index] === '{}').map(decodeURIComponent)
  const content = request.method === 'POST' ? await readContent(request) : { body: {}, form: null }
  return route.answer({ desk, userId, names, query: url.searchParams, ...content })
}

function fits(path: string, parts: readonly string[]): boolean {
  const wanted = path.split('/')
  return (
    wanted.length === parts.length &&
    wanted.every((part, index) => part === '{}' || part === parts[index])
  )
}

function checkToken(desk: TaskDesk, { isOpen }: TaskRoute, { headers }: IncomingMessage): void {
  const { token } = desk.options
  if (token === undefined || isOpen === true) return
  if (headers.authorization !== `Bearer ${token}`) throw new HttpProblem(401, 'Unauthorized.')
}

/** A body that is missing or no JSON counts as empty. */
async function readContent(
  request: IncomingMessage,
): Promise<{ body: JsonObject; form: FormData | null }> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const bytes = Buffer.concat(chunks)
  const type = request.headers['content-type'] ?? ''
  if (type.startsWith('multipart/form-data')) {
    const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
    return { body: {}, form }
  }
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return { body: isJsonObject(value) ? value : {}, form: null }
  } catch {
    return { body: {}, form: null }
  }
}
