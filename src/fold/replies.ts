import type { Msg } from '../protocol/index.js'
import type { ReplyInfo } from './Conversation.js'
import type { ConversationDraft } from './ConversationDraft.js'
import type { MessageDraft } from './MessageDraft.js'
import { createStoredReply } from './storedReply.js'

/**
 * What is known about a reply that begins.
 *
 * @param replyId - The reply.
 * @param agentPath - The sub-agent that speaks; none by default.
 */
export function createReply(replyId: string, agentPath: readonly string[] = []): ReplyInfo {
  return {
    replyId,
    phase: 'running',
    hasBegun: false,
    isComplete: true,
    name: '',
    role: 'assistant',
    agentPath,
    startedAt: null,
    resumedAt: null,
    endedAt: null,
    storedUpTo: null,
    modelCalls: [],
  }
}

/**
 * What is known about a reply, from the stream or from its stored message.
 *
 * @param draft - The conversation.
 * @param replyId - The reply.
 * @param agentPath - Where to look for its message; the agent itself by default.
 */
export function findReply(
  draft: ConversationDraft,
  replyId: string,
  agentPath?: readonly string[],
): ReplyInfo | undefined {
  const known = draft.reply(replyId)
  if (known !== undefined) return known
  const message = draft.thread(agentPath).read(replyId)
  return message === undefined ? undefined : createStoredReply(message, agentPath)
}

/** A reply whose start was missed: what is heard from here on is kept, and known to be incomplete. */
export function startUnheard(
  draft: ConversationDraft,
  replyId: string,
  agentPath?: readonly string[],
): ReplyInfo {
  const reply = { ...createReply(replyId, agentPath), isComplete: false }
  draft.setReply(reply)
  return reply
}

/**
 * A reply's message, for writing. It is created when the reply first says something.
 *
 * @param draft - The conversation.
 * @param reply - The reply.
 * @param createdAt - The stamp of what it says first, for a reply whose start was missed.
 */
export function openMessage(
  draft: ConversationDraft,
  reply: ReplyInfo,
  createdAt: string | undefined,
): MessageDraft {
  const thread = draft.thread(reply.agentPath)
  return thread.open(reply.replyId) ?? thread.push(createMessage(reply, createdAt))
}

function createMessage(reply: ReplyInfo, createdAt: string | undefined): Msg {
  return {
    id: reply.replyId,
    name: reply.name,
    role: reply.role,
    content: [],
    metadata: {},
    created_at: reply.startedAt ?? createdAt ?? '',
    usage: null,
    finished_at: null,
    finished_reason: null,
    structured_output: null,
    error: null,
  }
}
