import type { Conversation, ReplyInfo } from '../fold/index.js'
import type { ConversationInput } from '../protocol/index.js'
import { selectMessage } from './selectMessage.js'
import type { SyncEvent } from './syncMachine.js'

/**
 * Finds replies of the agent itself that ended or parked between two commits (or changed after that), and those that run again.
 * One whose end was heard and of which nothing is shown has lost its beginning: it ended, too.
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
  const stopped: string[] = []
  const going: string[] = []
  for (const [replyId, lastType] of findLastTypes(heard)) {
    const reply = findReply(after, replyId)
    if (reply === undefined) {
      const isLost = STOPS.test(lastType) && selectMessage(after, replyId) === undefined
      if (isLost) stopped.push(replyId)
    } else if (reply.hasBegun && reply.agentPath.length === 0) {
      if (reply.phase === 'running') going.push(replyId)
      else if (reply !== findReply(before, replyId) || before.messages !== after.messages) {
        stopped.push(replyId)
      }
    }
  }
  return { type: 'moved', stopped, going }
}

const STOPS = /^REPLY_END$|^REQUIRE_/

/** The replies that were heard of, each with the last that was heard. */
function findLastTypes(heard: readonly ConversationInput[]): ReadonlyMap<string, string> {
  const types = new Map<string, string>()
  for (const input of heard) {
    if ('reply_id' in input && input.reply_id !== undefined) types.set(input.reply_id, input.type)
  }
  return types
}

function findReply({ replies }: Conversation, replyId: string): ReplyInfo | undefined {
  return Object.hasOwn(replies, replyId) ? replies[replyId] : undefined
}

/**
 * Tells whether a reply began that answers nothing shown here: another screen may have asked, and no event brings its words.
 * A reply that begins with a hint was set off by that hint.
 *
 * @param before - The conversation of the commit before.
 * @param after - The conversation now.
 */
export function hasForeignStart(before: Conversation, after: Conversation): boolean {
  const known = before.messages.length
  return after.messages.slice(known).some(({ id, content }, index) => {
    const previous = after.messages[known + index - 1]
    const isAnswer = previous?.role === 'user' || (previous && content[0]?.type === 'hint')
    return !isAnswer && findReply(after, id)?.phase === 'running'
  })
}
