import type { Conversation, ReplyInfo } from '../fold/index.js'
import type { SyncEvent } from './syncMachine.js'

/**
 * Finds replies of the agent itself that ended or parked between two commits (or changed after that), and those that run again.
 *
 * @param before - The conversation of the commit before.
 * @param after - The conversation now.
 */
export function findMoves(
  before: Conversation,
  after: Conversation,
): Extract<SyncEvent, { type: 'moved' }> {
  const moved = new Set([...findWritten(before, after), ...findChanged(before, after)])
  const own = [...moved].filter(({ agentPath, hasBegun }) => hasBegun && agentPath.length === 0)
  const stopped = own.filter(({ phase }) => phase !== 'running').map(({ replyId }) => replyId)
  const going = own.filter(({ phase }) => phase === 'running').map(({ replyId }) => replyId)
  return { type: 'moved', stopped, going }
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
