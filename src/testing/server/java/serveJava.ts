import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JsonObject, JsonValue } from '../../../protocol/index.js'
import { createId } from '../../../protocol/index.js'
import type { AgentSession } from '../../index.js'
import type { SessionRegistry } from '../SessionRegistry.js'
import { HttpProblem } from '../validation.js'
import { javaMessages } from './javaMessages.js'
import { JavaVoice, type Waiting } from './JavaVoice.js'
import { readJavaAnswer, readJavaMessages } from './readJavaRequest.js'

/** What the Java side of a server needs of it. */
export interface JavaHouse {
  /** All sessions. */
  readonly registry: SessionRegistry
  /** The answers that are being streamed. */
  readonly streams: Set<ServerResponse>
}

/** One request, read. */
export interface JavaCall {
  /** The method. */
  readonly method: string
  /** The path's parts: `java`, the agent's id, what is asked for. */
  readonly path: readonly string[]
  /** The query. */
  readonly query: URLSearchParams
  /** The body; empty where there is none. */
  readonly body: JsonObject
  /** Whose sessions. */
  readonly userId: string
}

/** The voice of each session's run. */
const voices = new WeakMap<AgentSession, JavaVoice>()

/** Whether a request is for the Java side. */
export function isJavaPath(pathname: string): boolean {
  return pathname.startsWith('/java/')
}

/**
 * Answers as a controller over AgentScope Java does, for the same sessions: `POST /java/{agent}/chat`, `/confirm` and `/external`
 * stream the run that they begin, `POST …/interrupt` stops it, `GET …/memory?sessionId=` tells what is stored. A session that is not
 * known begins with its first request. The run goes on when its stream is left.
 *
 * @param house - The server.
 * @param call - The request.
 * @param response - Where the answer goes. An `HttpProblem` is thrown before it began.
 */
export function serveJava(house: JavaHouse, call: JavaCall, response: ServerResponse): void {
  const { method, path, body, query } = call
  const [, agentId = '', what = ''] = path
  const isRead = what === 'memory'
  if (path.length !== 3 || !/^(chat|confirm|external|interrupt|memory)$/.test(what)) {
    throw new HttpProblem(404, 'Not Found')
  }
  if (method !== (isRead ? 'GET' : 'POST')) throw new HttpProblem(405, 'Method Not Allowed')
  const session = sessionOf(
    house,
    call,
    agentId,
    isRead ? query.get('sessionId') : body['sessionId'],
  )
  switch (what) {
    case 'memory':
      return sendJson(response, session.messages.flatMap(javaMessages))
    case 'interrupt':
      if (session.isRunning) {
        voices.get(session)?.cut()
        session.interrupt()
      }
      return sendJson(response, { interrupted: true })
    case 'chat': {
      const messages = readJavaMessages(body)
      const canStart = session.parkedReplyId === undefined
      return stream(house, session, response, canStart && (() => session.start(messages)))
    }
    default: {
      const { parkedReplyId } = session
      const answer = readJavaAnswer(body, parkedReplyId ?? '')
      const canAnswer = parkedReplyId !== undefined
      return stream(house, session, response, canAnswer && (() => void session.answer(answer)))
    }
  }
}

/**
 * Streams a run.
 *
 * @param begin - Begins it; `false`: the agent refuses to, which Java tells by breaking off.
 */
function stream(
  { streams }: JavaHouse,
  session: AgentSession,
  response: ServerResponse,
  begin: (() => void) | false,
): void {
  if (session.isRunning) throw new HttpProblem(409, 'Another run of the session is under way.')
  const voice = new JavaVoice()
  voices.set(session, voice)
  response.writeHead(200, { 'content-type': 'text/event-stream;charset=UTF-8' })
  response.flushHeaders()
  streams.add(response)
  response.once('close', () => streams.delete(response))
  // Spring writes no space after the colon.
  const write = (frame: string): boolean => response.write(`data:${frame}\n\n`)
  if (begin === false) {
    const { name } = session.init.agent
    const refused = { type: 'REPLY_START', name, role: 'assistant' } as const
    voice.say({ ...refused, reply_id: '', session_id: session.id, id: createId() }).forEach(write)
    response.destroy()
    return
  }
  let replyId: string | undefined
  const stop = session.follow(({ event }) => {
    if (event.type === 'REPLY_START') replyId = event.reply_id
    voice.say(event).forEach(write)
  })
  session.whenOver(() => {
    stop()
    const reply = session.messages.find(({ id }) => id === replyId)
    const last = voice.finish(reply, waitingOf(session))
    if (last === undefined) response.destroy()
    else {
      last.forEach(write)
      response.end()
    }
  })
  begin()
}

function waitingOf({ status, waitingCalls: calls }: AgentSession): Waiting | undefined {
  const asking = calls.filter(({ state }) => state === 'asking')
  if (status === 'awaiting_permission') return { kind: 'approval', calls: asking }
  return status === 'awaiting_external_result' ? { kind: 'execution', calls } : undefined
}

function sessionOf(
  { registry }: JavaHouse,
  { userId }: JavaCall,
  agentId: string,
  sessionId: JsonValue | undefined,
): AgentSession {
  if (typeof sessionId !== 'string' || sessionId === '') {
    throw new HttpProblem(400, 'sessionId is missing.')
  }
  return (
    registry.find(userId, agentId, sessionId) ??
    registry.create(userId, agentId, undefined, sessionId)
  )
}

function sendJson(response: ServerResponse, json: JsonValue): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(json))
}

/**
 * Whose sessions a request is about: a Java application knows from its own authentication.
 *
 * @param request - The request.
 */
export function javaUserOf(request: IncomingMessage): string {
  const user = request.headers['x-user-id']
  return typeof user === 'string' && user !== '' ? user : 'user'
}
