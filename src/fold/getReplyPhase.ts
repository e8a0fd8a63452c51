import type { Conversation, ReplyInfo } from './Conversation.js'
import { waitingCalls } from './requests.js'

/**
 * Where a reply stands.
 *
 * @param conversation - The conversation.
 * @param replyId - The reply.
 * @returns Its phase. One that only history knows is parked while a call of its message waits, and ended otherwise; one that
 * nobody knows has ended.
 */
export function getReplyPhase(conversation: Conversation, replyId: string): ReplyInfo['phase'] {
  const { replies, messages } = conversation
  const reply = Object.hasOwn(replies, replyId) ? replies[replyId] : undefined
  if (reply !== undefined) return reply.phase
  const message = messages.findLast(({ id }) => id === replyId)
  const isWaiting = message !== undefined && waitingCalls(message).length > 0
  return isWaiting ? 'parked' : 'ended'
}
