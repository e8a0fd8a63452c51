import { taskApiDialect } from '../../dialects/index.js'
import {
  isJsonObject,
  TransportError,
  type Answer,
  type ConversationInput,
  type JsonObject,
  type ToolResultBlock,
} from '../../protocol/index.js'
import type { ServiceClient } from '../agent-service/createServiceClient.js'
import { readList, readWord } from './readBody.js'

/** Knows where the answer to a call goes. */
export interface TaskAnswers {
  /** Looks at what is heard. */
  note(input: ConversationInput): void
  /**
   * The stream tells that questions were answered only when all of a batch were. Finds which of them were, in another page or before a
   * reload; undefined when all are open, or none, or it cannot be found out.
   */
  findAnswered(
    asked: ConversationInput,
    conversationId: string | undefined,
  ): Promise<ConversationInput | undefined>
  /** Sends answers, one request for each call. Rejects with a `TransportError`. */
  send(answers: readonly Answer[], conversationId: string | undefined): Promise<void>
}

/** The record that waits for an answer: where such records are, and what its id is called. */
const RECORDS = {
  approval: { path: '/api/tool-approvals', id: 'approval_id', action: 'decision' },
  plan: { path: '/api/plan-approvals', id: 'approval_id', action: 'answer' },
  question: { path: '/api/user-questions', id: 'question_id', action: 'answer' },
} as const

type Kind = keyof typeof RECORDS

/**
 * Makes what sends the answers of the web surface: each goes to the record of its question, which the stream names.
 *
 * @param client - Speaks with the server.
 */
export function createTaskAnswers(client: ServiceClient): TaskAnswers {
  /** The record of each call. */
  const records = new Map<string, string>()

  /** What was not heard, such as after a reload when the stream does not reach back so far, the server lists while it waits. */
  async function readPending(kind: Kind, conversationId: string | undefined): Promise<void> {
    const query = { conversation_id: conversationId }
    const answer = await client.call('GET', `${RECORDS[kind].path}/pending`, { query })
    for (const item of readList(answer['items'] ?? answer['data'])) {
      const id = readWord(item[RECORDS[kind].id])
      const callId = readWord(item['tool_call_id'])
      if (id !== undefined && callId !== undefined) records.set(callId, id)
    }
  }

  async function post(given: JsonObject, conversationId: string | undefined): Promise<void> {
    const { tool_call_id, approval_id, ...body } = given
    const callId = readWord(tool_call_id) ?? ''
    const kind = 'decision' in body ? 'approval' : 'approved' in body ? 'plan' : 'question'
    const known = (): string | undefined => readWord(approval_id) ?? records.get(callId)
    if (known() === undefined) await readPending(kind, conversationId)
    const { path, action } = RECORDS[kind]
    const id = known()
    if (id === undefined) throw gone()
    await client
      .call('POST', `${path}/${encodeURIComponent(id)}/${action}`, { body })
      .catch((error: unknown) => {
        // The question is gone, not the conversation.
        const isGone = error instanceof TransportError && error.reason === 'not-found'
        throw isGone ? gone(error) : error
      })
  }

  return {
    note(input) {
      if (input.type === 'REQUIRE_USER_CONFIRM') {
        const id = readWord(input.metadata?.['approval_id'])
        if (id !== undefined) for (const call of input.tool_calls) records.set(call.id, id)
      } else if (input.type === 'REQUIRE_EXTERNAL_EXECUTION') {
        for (const call of input.tool_calls) {
          const id = readWord(readObject(call.input)['question_id'])
          if (id !== undefined) records.set(call.id, id)
        }
      }
    },
    async findAnswered(asked, conversationId) {
      if (asked.type !== 'REQUIRE_EXTERNAL_EXECUTION' || asked.tool_calls.length < 2)
        return undefined
      const query = { conversation_id: conversationId }
      const found = await client
        .call('GET', `${RECORDS.question.path}/pending`, { query })
        .catch((): JsonObject => ({}))
      const open = new Set(
        readList(found['items'] ?? found['data']).map((item) => item['question_id']),
      )
      const results = asked.tool_calls.flatMap(({ id, input }) =>
        open.has(readObject(input)['question_id']) ? [] : [answeredElsewhere(id)],
      )
      if (open.size === 0 || results.length === 0 || results.length === asked.tool_calls.length) {
        return undefined
      }
      const id = `${asked.id ?? ''}:answered:${results.map((result) => result.id).join()}`
      const { reply_id } = asked
      return { type: 'EXTERNAL_EXECUTION_RESULT', id, reply_id, execution_results: results }
    },
    async send(answers, conversationId) {
      for (const answer of answers) {
        const bodies = taskApiDialect.encode.answer(answer)
        for (const body of readList(bodies)) await post(body, conversationId)
      }
    },
  }
}

/** The answer itself is told with those to the other questions. */
function answeredElsewhere(id: string): ToolResultBlock {
  return { type: 'tool_result', id, name: 'ask_user', output: '', state: 'success', metadata: {} }
}

function readObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

function gone(cause?: unknown): TransportError {
  const message = 'Nobody waits for this answer any more: it was given elsewhere, or came too late.'
  return new TransportError('rejected', message, { cause })
}

/**
 * What asks on the v1 surface cannot be answered there.
 *
 * @param input - What is told.
 */
export function closeAnswers(input: ConversationInput): ConversationInput {
  if (input.type !== 'REQUIRE_USER_CONFIRM' && input.type !== 'REQUIRE_EXTERNAL_EXECUTION') {
    return input
  }
  return { ...input, metadata: { ...input.metadata, answerable: false } }
}

/** The v1 surface has no place for an answer. */
export function unanswerable(): TransportError {
  const message =
    'The v1 surface takes no answers: they can be given on the page of the server itself.'
  return new TransportError('rejected', message)
}
