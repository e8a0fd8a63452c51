import { type CustomEvent, isJsonObject, type JsonObject, parseEvent } from '../protocol/index.js'
import type { WorkerRef } from './Conversation.js'
import type { ConversationDraft } from './ConversationDraft.js'
import { offerCall, withdraw } from './requests.js'

const WORKER_ASKS = 'subagent_require_user_confirm'
const WORKER_IS_DONE = 'subagent_user_confirm_result'

/**
 * Folds a `CUSTOM` event: its value is kept as the latest of its name, and a sub-agent's question becomes a request.
 *
 * The same question comes again under another event id after each reconnect, so it is known by its worker and call.
 *
 * @param draft - The conversation.
 * @param event - The event.
 */
export function foldCustom(draft: ConversationDraft, event: CustomEvent): void {
  const value = event.value ?? {}
  draft.setNotice(event.name, value)
  if (event.name === WORKER_ASKS) offerWorkerCalls(draft, value)
  if (event.name === WORKER_IS_DONE) {
    const { worker_session_id: sessionId, reply_id: replyId } = value
    withdraw(
      draft,
      (request) =>
        request.kind !== 'input' &&
        request.worker?.sessionId === sessionId &&
        request.replyId === replyId,
    )
  }
}

function offerWorkerCalls(draft: ConversationDraft, value: JsonObject): void {
  const { event: asking } = parseEvent(value['event'])
  const worker = workerOf(value)
  if (worker === undefined || asking === undefined) return
  if (asking.type !== 'REQUIRE_USER_CONFIRM' && asking.type !== 'REQUIRE_EXTERNAL_EXECUTION') return
  for (const toolCall of asking.tool_calls) {
    offerCall(draft, {
      kind: asking.type === 'REQUIRE_USER_CONFIRM' ? 'confirm' : 'external',
      replyId: asking.reply_id,
      toolCall,
      askedAt: asking.created_at ?? null,
      worker,
    })
  }
}

function workerOf(value: JsonObject): WorkerRef | undefined {
  if (!isJsonObject(value)) return undefined
  const { worker_session_id: sessionId, worker_agent_id: agentId, worker_agent_name: name } = value
  if (typeof sessionId !== 'string') return undefined
  return {
    sessionId,
    agentId: typeof agentId === 'string' ? agentId : '',
    agentName: typeof name === 'string' ? name : '',
  }
}
