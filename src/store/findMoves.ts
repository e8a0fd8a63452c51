import type { Conversation, ReplyInfo } from '../fold/index.js'
import type { ConversationInput } from '../protocol/index.js'
import { selectMessage } from './selectMessage.js'
import type { SyncEvent } from './syncMachine.js'

/**
 * Finds replies of the agent itself that ended or parked between two commits (or changed after that), and those that run again.
 *
 * @param before - The conversation of the commit before.
 * @param after - The conversation now.
 * @param heard - What was heard between them.
 */
export function findMoves(
  before: Conversation,
  after: Conversation,
  heard: readonly ConversationInput[],
): Extract<SyncEvent, { type: 'moved' }> {
  const moved = new Set([...findWritten(before, after), ...findChanged(before, after)])
  const own = [...moved].filter(({ agentPath, hasBegun }) => hasBegun && agentPath.length === 0)
  const stopped = own.filter(({ phase }) => phase !== 'running').map(({ replyId }) => replyId)
  const going = own.filter(({ phase }) => phase === 'running').map(({ replyId }) => replyId)
  return { type: 'moved', stopped: [...stopped, ...findLost(heard, after)], going }
}

function findWritten(before: Conversation, after: Conversation): readonly ReplyInfo[] {
  return after.messages
    .filter((message, index) => message !== before.messages[index])
    .flatMap(({ id }) => after.replies[id] ?? [])
}

function findChanged(before: Conversation, after: Conversation): readonly ReplyInfo[] {
  if (before.replies === after.replies) return []
  return Object.values(after.replies).filter(
    ({ replyId, phase }) => before.replies[replyId]?.phase !== phase,
  )
}

/**
 * Tells whether a reply began that answers nothing shown here: another screen may have asked, and no event brings its words.
 * A reply that begins with a hint was set off by that hint.
 *
 * @param before - The conversation of the commit before.
 * @param after - The conversation now.
 */
export function hasForeignStart(before: Conversation, after: Conversation): boolean {
  return after.messages.slice(before.messages.length).some(({ id, content }, index) => {
    if (after.replies[id]?.phase !== 'running') return false
    const previous = after.messages[before.messages.length + index - 1]
    if (previous === undefined) return true
    return previous.role !== 'user' && content[0]?.type !== 'hint'
  })
}

/** Replies of which nothing is shown although they ended or parked: their beginning was lost. */
function findLost(heard: readonly ConversationInput[], after: Conversation): readonly string[] {
  return heard.flatMap((input) => {
    const isStop = input.type === 'REPLY_END' || input.type.startsWith('REQUIRE_')
    if (!isStop || !('reply_id' in input) || input.agent_path !== undefined) return []
    const { reply_id: replyId = '' } = input
    return selectMessage(after, replyId) === undefined ? [replyId] : []
  })
}
