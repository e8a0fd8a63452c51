import type { Conversation, ReplyInfo } from './Conversation.js'

const selected = new WeakMap<Conversation['replies'], readonly ReplyInfo[]>()

/**
 * The replies that have not ended: they run, or wait for a person.
 *
 * @param conversation - The conversation.
 * @returns The same array for as long as no reply changes.
 */
export function selectActiveReplies(
  conversation: Pick<Conversation, 'replies'>,
): readonly ReplyInfo[] {
  const { replies } = conversation
  const known = selected.get(replies)
  if (known !== undefined) return known
  const active = Object.values(replies).filter(({ phase }) => phase !== 'ended')
  selected.set(replies, active)
  return active
}
