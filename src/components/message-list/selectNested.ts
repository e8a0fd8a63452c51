import type { ChatState } from '../../hooks/index.js'
import type { Msg } from '../../protocol/index.js'

/** A sub-agent's reply, and the call that started it. */
export interface Nested {
  /** What it said. */
  readonly message: Msg
  /** The call; null where it is not known. */
  readonly callId: string | null
}

type Conversation = ChatState['conversation']

const none: readonly Nested[] = []

/** One index per state of a conversation: a hundred rows that look for their sub-agents cost one pass per commit. */
const indexes = new WeakMap<Conversation, ReadonlyMap<string, readonly Nested[]>>()

/**
 * The sub-agents that a reply started.
 *
 * @param state - Where to look.
 * @param replyId - The reply.
 */
export function selectNested({ conversation }: ChatState, replyId: string): readonly Nested[] {
  if (conversation.runs.length === 0) return none
  const index = indexes.get(conversation) ?? createIndex(conversation)
  indexes.set(conversation, index)
  return index.get(replyId) ?? none
}

function createIndex({ runs, notices }: Conversation): ReadonlyMap<string, readonly Nested[]> {
  const index = new Map<string, Nested[]>()
  for (const message of runs.flatMap(({ messages }) => messages)) {
    const { reply_id: parent, tool_call_id: callId } =
      notices[`subagent_started:${message.id}`] ?? {}
    if (typeof parent !== 'string') continue
    const nested = { message, callId: typeof callId === 'string' ? callId : null }
    const known = index.get(parent)
    if (known === undefined) index.set(parent, [nested])
    else known.push(nested)
  }
  return index
}
