import type { Msg, SnapshotOperation } from '../protocol/index.js'
import type { ReplyInfo } from './Conversation.js'
import { type ConversationDraft, waitsFor } from './ConversationDraft.js'
import { adoptStored } from './equalsStored.js'
import { mergePage } from './mergePage.js'
import { readMessages } from './readMessage.js'
import { offerStored, waitingCalls, withdraw } from './requests.js'
import { createStoredReply } from './storedReply.js'
import { isLater, lastStampOf } from './stamps.js'

/**
 * Folds messages from history. The stored message is the truth and the stream its preview: a message that says the same keeps
 * our objects, a different one is replaced. Only while a run is under way may the stream be ahead of what is stored.
 *
 * @param draft - The conversation.
 * @param operation - The page, or all there is.
 */
export function foldSnapshot(draft: ConversationDraft, operation: SnapshotOperation): void {
  const thread = draft.thread(operation.agent_path)
  const local = thread.settle()
  draft.derivePhases()
  // A reply whose message goes waits when something is asked.
  for (const { id } of local) draft.touch(id)
  const held = new Map(local.map((message) => [message.id, message]))
  const page = readMessages(operation.messages).map((stored) =>
    takeStored(draft, operation, held.get(stored.id), stored),
  )
  if (operation.mode === 'replace') {
    thread.replace(page)
  } else {
    const { before } = operation
    const isStored = (message: Msg): boolean => cameFromHistory(draft, message)
    thread.replace(mergePage({ local, page, before, isStored }))
  }
  const isQuiet = operation.is_running === false && operation.before === undefined
  // What waits is stored: a reply that is not shown does not wait, such as one of long ago.
  if (operation.mode === 'replace' || isQuiet) {
    const isShown = (replyId: string): boolean =>
      draft.thread(draft.reply(replyId)?.agentPath).has(replyId)
    withdraw(
      draft,
      (request) => request.kind !== 'input' && !request.worker && !isShown(request.replyId),
    )
  }
  if (isQuiet) settleReplies(draft)
}

function takeStored(
  draft: ConversationDraft,
  operation: SnapshotOperation,
  local: Msg | undefined,
  stored: Msg,
): Msg {
  const reply = draft.reply(stored.id)
  if (local !== undefined && reply !== undefined && operation.mode === 'merge') {
    if (isAhead(draft, operation, reply, local, stored)) return local
  }
  const message = local === undefined ? stored : adoptStored(local, stored)
  if (message.role === 'user') return message
  // What was heard until it ended or parked ought to be the same; a line that was lost before tells nothing odd.
  const isHeard = reply !== undefined && reply.phase !== 'running'
  if (isHeard && local?.finished_at === message.finished_at && local.content !== message.content) {
    draft.report({
      kind: 'differs-from-history',
      message: 'The stored message is not what the stream gave, and takes its place.',
      reply_id: stored.id,
    })
  }
  offerStored(draft, message)
  if (reply !== undefined || waitingCalls(message).length > 0) {
    draft.setReply(knownFrom(operation, reply, message))
  }
  return message
}

/** Whether the stream told more of a reply than is stored: a reply is stored when it ends or parks, not before. */
function isAhead(
  draft: ConversationDraft,
  operation: SnapshotOperation,
  reply: ReplyInfo,
  local: Msg,
  stored: Msg,
): boolean {
  const until = lastStampOf(stored)
  const isResumed = reply.phase !== 'ended' && isLater(reply.resumedAt, until)
  if (stored.finished_at !== null) return isResumed && operation.is_running !== false
  const isNewer = isResumed || isLater(lastStampOf(local), until)
  if (local.finished_at !== null) return isNewer
  if (operation.is_running === false) return false
  // An answer that was heard is not taken back, also when it was one of several.
  const asked = draft.requests.filter((request) => waitsFor(request, reply.replyId))
  const isAnswered = waitingCalls(stored).length > asked.length
  return isNewer || reply.phase === 'running' || (reply.phase === 'parked' && isAnswered)
}

function knownFrom(
  operation: SnapshotOperation,
  reply: ReplyInfo | undefined,
  message: Msg,
): ReplyInfo {
  const stored = createStoredReply(message, operation.agent_path)
  if (reply === undefined) return stored
  const isRunning = reply.phase !== 'ended' && message.finished_at === null
  return {
    ...reply,
    hasBegun: true,
    isComplete: true,
    phase: isRunning ? reply.phase : stored.phase,
    endedAt: stored.endedAt ?? reply.endedAt,
    // A stream that replaces everything while it speaks goes right on from there.
    storedUpTo: isRunning && operation.mode === 'replace' ? null : stored.storedUpTo,
  }
}

function cameFromHistory(draft: ConversationDraft, message: Msg): boolean {
  if (message.role === 'user') return false
  const reply = draft.reply(message.id)
  return reply === undefined || reply.storedUpTo !== null
}

/** Nothing runs: what never ended does not go on, and a start that nothing followed was none. An event that comes after all revives it. */
function settleReplies(draft: ConversationDraft): void {
  for (const reply of draft.allReplies()) {
    const { replyId } = reply
    if (reply.phase === 'ended' || draft.requests.some((request) => waitsFor(request, replyId))) {
      continue
    }
    draft.setReply({ ...reply, phase: 'ended' })
    if (draft.thread(reply.agentPath).has(replyId)) continue
    draft.report({
      kind: 'phantom-reply',
      message: 'A reply began, nothing followed, and nothing runs.',
      reply_id: replyId,
    })
  }
}
