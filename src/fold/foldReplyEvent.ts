import type {
  ExternalExecutionResultEvent,
  ReplyStartEvent,
  UserConfirmResultEvent,
} from '../protocol/index.js'
import type { ReplyInfo } from './Conversation.js'
import type { ConversationDraft } from './ConversationDraft.js'
import { foldEvent } from './foldEvent.js'
import type { FoldOutcome } from './FoldOutcome.js'
import type { ReplyEvent } from './ReplyEvent.js'
import { offerAsked, withdraw } from './requests.js'
import { createReply, findReply, openMessage, startUnheard } from './replies.js'
import { freshnessOf } from './storedReply.js'
import { trackReply } from './trackReply.js'

/**
 * The service leaves the last event of the last run in its replay log, so each of these may come alone, of a reply that
 * was never started here. Alone they tell nothing that could be shown.
 */
const LAST_WORDS = /_END$|^REQUIRE_|^EXCEED_MAX_ITERS$|^USER_INTERRUPT$/

/** What may take up a finished reply again. */
const CONTINUES: ReadonlySet<ReplyEvent['type']> = new Set([
  'REPLY_START',
  'USER_CONFIRM_RESULT',
  'EXTERNAL_EXECUTION_RESULT',
])

/**
 * Folds one well-formed event of a reply: into its message, into what is known about the reply, and into the requests.
 *
 * @param draft - The conversation.
 * @param event - The event, seen for the first time.
 */
export function foldReplyEvent(draft: ConversationDraft, event: ReplyEvent): void {
  draft.open = undefined
  if (draft.reply(event.reply_id) === undefined) {
    const stored = draft.thread(event.agent_path).read(event.reply_id)
    if (stored?.role === 'user') {
      reportOutcome(draft, event, 'orphan')
      return
    }
    // A replay of what is finished and stored: looked at no further, since there may be a thousand of these.
    if ((stored?.finished_at ?? null) !== null && !CONTINUES.has(event.type)) return
  }
  switch (event.type) {
    case 'REPLY_START':
      startReply(draft, event)
      return
    case 'USER_CONFIRM_RESULT':
    case 'EXTERNAL_EXECUTION_RESULT':
      takeAnswer(draft, event)
      return
    default:
      continueReply(draft, event)
  }
}

/** Tells about an event that its message could not take in. Of what a reply lacks, only the first is told. */
function reportOutcome(draft: ConversationDraft, event: ReplyEvent, outcome: FoldOutcome): void {
  if (outcome === 'done') return
  const { reply_id, type } = event
  const reply = draft.reply(reply_id)
  if (outcome === 'bad-data') {
    const message = `${type} brings data that cannot be added to its block.`
    draft.report({ kind: 'bad-data', message, reply_id, raw: event })
  } else if (reply?.isComplete !== false) {
    const message = `${type} is about a block that was never started.`
    draft.report({ kind: 'orphan-event', message, reply_id, raw: event })
  }
  if (reply?.isComplete === true) draft.setReply({ ...reply, isComplete: false })
}

function startReply(draft: ConversationDraft, event: ReplyStartEvent): void {
  const reply = findReply(draft, event.reply_id, event.agent_path)
  const startedAt = event.created_at ?? null
  if (reply === undefined) {
    draft.setReply({
      ...createReply(event.reply_id, event.agent_path),
      name: event.name ?? '',
      role: event.role ?? 'assistant',
      startedAt,
      resumedAt: startedAt,
    })
    return
  }
  if (freshnessOf(reply, isFinished(draft, reply), event) === 'old') return
  const isTakenUpAgain = reply.phase === 'ended'
  draft.setReply({
    ...reply,
    phase: isTakenUpAgain ? 'running' : reply.phase,
    hasBegun: reply.hasBegun && !isTakenUpAgain,
    startedAt: reply.startedAt ?? startedAt,
    resumedAt: startedAt ?? reply.resumedAt,
  })
}

/** An answer's stamp may be of the client's clock, so it is never held against history; folding it again changes nothing. */
function takeAnswer(
  draft: ConversationDraft,
  event: UserConfirmResultEvent | ExternalExecutionResultEvent,
): void {
  const answered = new Set(
    event.type === 'USER_CONFIRM_RESULT'
      ? event.confirm_results.map((result) => result.tool_call.id)
      : event.execution_results.map((result) => result.id),
  )
  withdraw(
    draft,
    (request) =>
      request.kind !== 'input' &&
      request.replyId === event.reply_id &&
      answered.has(request.toolCall.id),
  )
  draft.touch(event.reply_id)
  const reply = findReply(draft, event.reply_id, event.agent_path)
  const message = draft.thread(reply?.agentPath).open(event.reply_id)
  if (reply === undefined || message === undefined) return
  // What is stored is taken down before the answer adds to it: the answer's own stamp says nothing of the service's clock.
  if (draft.reply(reply.replyId) === undefined) draft.setReply(reply)
  foldEvent(message, event)
}

function continueReply(draft: ConversationDraft, event: ReplyEvent): void {
  const known = findReply(draft, event.reply_id, event.agent_path)
  if (known === undefined && LAST_WORDS.test(event.type)) {
    offerAsked(draft, event, undefined)
    return
  }
  if (known === undefined) reportUnheard(draft, event)
  const reply = known ?? startUnheard(draft, event.reply_id, event.agent_path)
  const freshness = freshnessOf(reply, isFinished(draft, reply), event)
  if (freshness === 'old') return
  if (freshness === 'loose') draft.setReply({ ...reply, isComplete: false })
  else if (draft.reply(reply.replyId) === undefined) draft.setReply(reply)
  const message = openMessage(draft, reply, event.created_at)
  reportOutcome(draft, event, foldEvent(message, event))
  trackReply(draft, draft.reply(reply.replyId) ?? reply, event, message)
  const { replyId, storedUpTo } = reply
  // What comes after an end may have to take the reply up again.
  if (event.type !== 'REPLY_END') draft.open = { replyId, storedUpTo, message }
}

function reportUnheard(draft: ConversationDraft, event: ReplyEvent): void {
  draft.report({
    kind: 'orphan-event',
    message: `${event.type} is of a reply whose start was not heard.`,
    reply_id: event.reply_id,
    raw: event,
  })
}

function isFinished(draft: ConversationDraft, reply: ReplyInfo): boolean {
  const message = draft.thread(reply.agentPath).open(reply.replyId)
  return message !== undefined && message.get('finished_at') !== null
}
