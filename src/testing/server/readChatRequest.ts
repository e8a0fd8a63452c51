import {
  createId,
  isJsonObject,
  parseEvent,
  parseMessages,
  type JsonObject,
  type JsonValue,
  type Msg,
} from '../../protocol/index.js'
import type { PostedAnswer } from '../index.js'
import { stampNow } from './stampNow.js'
import { HttpProblem, missing, notAList, notAString, notOneOf } from './validation.js'
import type { ValidationProblem } from './validation.js'

/** What was posted to a session. */
export interface ChatRequest {
  /** The agent. */
  readonly agentId: string
  /** The session. */
  readonly sessionId: string
  /** Messages (none = go on), or an answer. */
  readonly input: readonly Msg[] | PostedAnswer
}

const BLOCKS: Readonly<Record<string, readonly string[]>> = {
  user: ['text', 'data'],
  system: ['text'],
  assistant: ['text', 'thinking', 'hint', 'tool_call', 'tool_result', 'data'],
}

/**
 * Reads the body of `POST /chat/`.
 *
 * @param body - What was posted.
 * @returns The request. Throws an `HttpProblem` with status 422 when it is not valid.
 */
export function readChatRequest(body: JsonObject): ChatRequest {
  const problems: ValidationProblem[] = []
  const agentId = readId(body, 'agent_id', problems)
  const sessionId = readId(body, 'session_id', problems)
  const given = body['input']
  if (given === undefined) problems.push(missing(['body', 'input'], body))
  const input = given === undefined ? undefined : readInput(given, problems)
  if (problems.length > 0 || input === undefined) throw new HttpProblem(422, problems)
  return { agentId, sessionId, input }
}

function readId(body: JsonObject, name: string, problems: ValidationProblem[]): string {
  const value = body[name]
  if (typeof value === 'string') return value
  const loc = ['body', name]
  problems.push(value === undefined ? missing(loc, body) : notAString(loc, value))
  return ''
}

function readInput(
  input: JsonValue,
  problems: ValidationProblem[],
): ChatRequest['input'] | undefined {
  if (input === null) return []
  const loc = ['body', 'input']
  if (isJsonObject(input) && 'type' in input) return readAnswer(input, problems)
  const messages: readonly JsonValue[] = Array.isArray(input) ? input : [input]
  problems.push(...messages.flatMap((message) => messageProblems(message, [...loc, 'Msg'])))
  return problems.length > 0 ? undefined : parseMessages(messages.map(asStored)).messages
}

function readAnswer(input: JsonObject, problems: ValidationProblem[]): PostedAnswer | undefined {
  const { event, anomalies } = parseEvent({
    ...input,
    id: input['id'] ?? createId(),
    created_at: input['created_at'] ?? stampNow(),
    metadata: input['metadata'] ?? {},
  })
  if (event?.type === 'USER_CONFIRM_RESULT' || event?.type === 'EXTERNAL_EXECUTION_RESULT') {
    return event
  }
  const msg = anomalies[0]?.message ?? 'Input should be an event that answers'
  problems.push({ type: 'value_error', loc: ['body', 'input'], msg, input })
  return undefined
}

function messageProblems(message: JsonValue, loc: readonly string[]): ValidationProblem[] {
  if (!isJsonObject(message)) {
    const msg = 'Input should be a valid dictionary or instance of Msg'
    return [{ type: 'model_type', loc, msg, input: message }]
  }
  const problems = ['name', 'role', 'content']
    .filter((field) => message[field] === undefined)
    .map((field) => missing([...loc, field], message))
  const { role = '', content = [] } = message
  const allowed = typeof role === 'string' ? BLOCKS[role] : undefined
  if (message['role'] !== undefined && allowed === undefined) {
    problems.push(notOneOf([...loc, 'role'], role, Object.keys(BLOCKS)))
  }
  if (!Array.isArray(content)) return [...problems, notAList([...loc, 'content'], content)]
  const blocks: readonly JsonValue[] = content
  return [
    ...problems,
    ...blocks.flatMap((block, index) =>
      blockProblems(block, [...loc, 'content', index], allowed ?? []),
    ),
  ]
}

function blockProblems(
  block: JsonValue,
  loc: readonly (string | number)[],
  allowed: readonly string[],
): ValidationProblem[] {
  const type = isJsonObject(block) ? block['type'] : undefined
  if (typeof type === 'string' && allowed.includes(type)) return []
  return [notOneOf([...loc, 'type'], type ?? null, allowed)]
}

/** The service keeps what a client says and fills in what it leaves out. */
function asStored(message: JsonValue): JsonValue {
  if (!isJsonObject(message)) return message
  const content = message['content']
  const blocks: readonly JsonValue[] = Array.isArray(content) ? content : []
  return {
    ...message,
    id: message['id'] ?? createId(),
    created_at: message['created_at'] ?? stampNow(),
    content: blocks.map((block) =>
      isJsonObject(block)
        ? {
            ...block,
            id: block['id'] ?? createId(),
            created_at: block['created_at'] ?? stampNow(),
            finished_at: block['finished_at'] ?? null,
          }
        : block,
    ),
  }
}
