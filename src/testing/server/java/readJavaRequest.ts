import {
  createId,
  isJsonObject,
  parseEvent,
  UserMsg,
  type DataBlock,
  type JsonObject,
  type JsonValue,
  type Msg,
  type TextBlock,
} from '../../../protocol/index.js'
import type { PostedAnswer } from '../../index.js'
import { stampNow } from '../stampNow.js'
import { HttpProblem } from '../validation.js'

/**
 * Reads the messages that were posted.
 *
 * @param body - What was posted: `messages`, a list of Java's `Msg`, or a `message` that is text.
 * @returns Messages of the user. Throws an `HttpProblem` with status 400 for what Jackson would not read.
 */
export function readJavaMessages({ messages, message }: JsonObject): readonly Msg[] {
  if (typeof message === 'string') return [UserMsg({ name: 'user', content: message })]
  return listOf(messages, 'messages').map((posted) => {
    const { id, name, role, content } = posted
    if (role !== 'USER') throw wrong('role', role)
    return UserMsg({
      id: typeof id === 'string' ? id : createId(),
      name: typeof name === 'string' ? name : '',
      content: listOf(content, 'content').map(readPiece),
      created_at: stampNow(),
    })
  })
}

/**
 * Reads an answer that was posted.
 *
 * @param body - What was posted: `confirmResults` or `toolResults`.
 * @param reply_id - The reply that waits.
 * @returns The answer. Throws an `HttpProblem` with status 400 for what Jackson would not read.
 */
export function readJavaAnswer(body: JsonObject, reply_id: string): PostedAnswer {
  const envelope = { id: createId(), created_at: stampNow(), metadata: {}, reply_id }
  const { event } = parseEvent(
    'toolResults' in body
      ? {
          ...envelope,
          type: 'EXTERNAL_EXECUTION_RESULT',
          execution_results: listOf(body['toolResults'], 'toolResults').map((result) => ({
            ...result,
            output: listOf(result['output'], 'output').map(readPiece),
            metadata: result['metadata'] ?? {},
          })),
        }
      : {
          ...envelope,
          type: 'USER_CONFIRM_RESULT',
          confirm_results: listOf(body['confirmResults'], 'confirmResults').map(
            ({ confirmed, toolCall, rules }) => ({
              confirmed,
              tool_call: readCall(toolCall),
              rules: rules ?? null,
            }),
          ),
        },
  )
  if (event?.type === 'USER_CONFIRM_RESULT' || event?.type === 'EXTERNAL_EXECUTION_RESULT') {
    return event
  }
  throw wrong('answer', body)
}

/** Java takes the call for its own, and its tools read `content`. */
function readCall(value: JsonValue | undefined): JsonObject {
  if (!isJsonObject(value) || value['type'] !== 'tool_use' || !isJsonObject(value['input'])) {
    throw wrong('toolCall', value)
  }
  const { id = null, name = null, content } = value
  if (typeof content !== 'string') throw wrong('content', content)
  return { type: 'tool_call', id, name, input: content, state: 'asking', suggested_rules: [] }
}

function readPiece(block: JsonObject): TextBlock | DataBlock {
  const { type, text, source, id, name } = block
  if (type === 'text' && typeof text === 'string') return { type, id: createId(), text }
  if (!isJsonObject(source)) throw wrong('content', block)
  const { media_type: given, mime_type: other, url, data } = source
  const [media_type = typeof type === 'string' ? `${type}/*` : ''] = [given, other].filter(
    (each) => typeof each === 'string',
  )
  return {
    type: 'data',
    id: typeof id === 'string' ? id : createId(),
    name: typeof name === 'string' ? name : null,
    source:
      typeof url === 'string'
        ? { type: 'url', url, media_type }
        : { type: 'base64', data: typeof data === 'string' ? data : '', media_type },
  }
}

function listOf(value: JsonValue | undefined, name: string): readonly JsonObject[] {
  if (!Array.isArray(value)) throw wrong(name, value)
  const items: readonly JsonValue[] = value
  return items.map((item) => {
    if (!isJsonObject(item)) throw wrong(name, item)
    return item
  })
}

function wrong(name: string, value: JsonValue | undefined): HttpProblem {
  return new HttpProblem(400, `Cannot read ${name} from ${JSON.stringify(value) ?? 'nothing'}`)
}
