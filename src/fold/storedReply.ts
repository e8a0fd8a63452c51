import type { Msg, ReplyEventBase } from '../protocol/index.js'
import type { ReplyInfo } from './Conversation.js'
import { waitingCalls } from './requests.js'
import { isLater, lastStampOf } from './stamps.js'

/**
 * What is known about a reply whose message came from history.
 *
 * @param message - The stored message.
 * @param agentPath - The sub-agent whose message it is; none by default.
 */
export function createStoredReply(message: Msg, agentPath: readonly string[] = []): ReplyInfo {
  const isWaiting = waitingCalls(message).length > 0
  return {
    replyId: message.id,
    phase: isWaiting ? 'parked' : 'ended',
    hasBegun: true,
    isComplete: true,
    name: message.name,
    role: message.role,
    agentPath,
    startedAt: null,
    resumedAt: null,
    endedAt: message.finished_at,
    storedUpTo: lastStampOf(message),
    modelCalls: [],
  }
}

/** How an event stands to the stored message of its reply. `old` = it is in there; `loose` = it is newer, but the start of its run was missed. */
export type Freshness = 'new' | 'loose' | 'old'

/**
 * Tells whether a stored message already holds what an event says. History and replay overlap, and folding is not idempotent.
 *
 * A finished message holds all of its reply until a `REPLY_START` that is later takes it up again. A parked one holds what
 * happened up to its last stamp; tokens have no stamp, so they count only for a run whose start was heard.
 *
 * @param reply - What is known about the reply.
 * @param isFinished - Whether its message is finished.
 * @param event - The event.
 */
export function freshnessOf(
  reply: ReplyInfo,
  isFinished: boolean,
  event: ReplyEventBase & { readonly type: string },
): Freshness {
  const { storedUpTo, resumedAt } = reply
  if (storedUpTo === null) return 'new'
  const isNewer = event.created_at === undefined || isLater(event.created_at, storedUpTo)
  if (!isNewer) return 'old'
  if (event.type === 'REPLY_START' || isLater(resumedAt, storedUpTo)) return 'new'
  if (isFinished || event.type === 'MODEL_CALL_END') return 'old'
  return event.type.startsWith('REQUIRE_') ? 'new' : 'loose'
}
