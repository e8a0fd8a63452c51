import { type CustomEvent, type JsonObject, parseEvent } from '../protocol/index.js'
import type { WorkerRef } from './Conversation.js'
import type { ConversationDraft } from './ConversationDraft.js'
import { offerAsked, withdraw } from './requests.js'

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
  if (event.name === WORKER_ASKS) {
    const { event: asking } = parseEvent(value['event'])
    const worker = workerOf(value)
    if (worker !== undefined && asking !== undefined) offerAsked(draft, asking, undefined, worker)
  }
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

function workerOf(value: JsonObject): WorkerRef | undefined {
  const { worker_session_id: sessionId, worker_agent_id: agentId, worker_agent_name: name } = value
  if (typeof sessionId !== 'string') return undefined
  return {
    sessionId,
    agentId: typeof agentId === 'string' ? agentId : '',
    agentName: typeof name === 'string' ? name : '',
  }
}
