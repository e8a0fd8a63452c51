import type { ModelCallEndEvent, ModelCallStartEvent } from '../protocol/index.js'
import type { ModelCall, ReplyInfo } from './Conversation.js'
import type { ConversationDraft } from './ConversationDraft.js'
import { usageOf } from './foldEvent.js'
import type { MessageDraft } from './MessageDraft.js'
import type { ReplyEvent } from './ReplyEvent.js'
import { offerAsked, offerStored, waitingCalls, withdrawOwn } from './requests.js'
import { isLater } from './stamps.js'

/**
 * Keeps what is known about a reply, and what it asks for, up to date with an event that its message has taken in.
 *
 * @param draft - The conversation.
 * @param reply - What was known.
 * @param event - The event.
 * @param message - The reply's message, with the event.
 */
export function trackReply(
  draft: ConversationDraft,
  reply: ReplyInfo,
  event: ReplyEvent,
  message: MessageDraft,
): void {
  const next = followEvent(reply, event, message)
  const isSame =
    next.phase === reply.phase &&
    next.hasBegun === reply.hasBegun &&
    next.endedAt === reply.endedAt &&
    next.modelCalls === reply.modelCalls &&
    next.metadata === reply.metadata
  if (isSame) draft.touch(reply.replyId)
  else draft.setReply(next)
  followRequests(draft, event, message)
}

function followEvent(reply: ReplyInfo, event: ReplyEvent, message: MessageDraft): ReplyInfo {
  if (event.type === 'REPLY_END') {
    // After a wrong answer the service ends the reply with an error, and still waits for the right one.
    const phase = waitingCalls(message.view()).length > 0 ? reply.phase : 'ended'
    const ended = { ...reply, hasBegun: true, phase, endedAt: event.created_at ?? null }
    const { metadata = {} } = event
    if (Object.keys(metadata).length === 0) return ended
    return { ...ended, metadata: { ...reply.metadata, ...metadata } }
  }
  const running = keepAlive(reply, message)
  if (event.type === 'MODEL_CALL_START') {
    return { ...running, modelCalls: [...reply.modelCalls, createModelCall(event)] }
  }
  if (event.type === 'MODEL_CALL_END') {
    return { ...running, modelCalls: endModelCall(reply.modelCalls, event) }
  }
  return running
}

/**
 * A reply that said something. What comes after its end is kept, but brings it back to life only if it was taken up again,
 * or never ended by its own word.
 *
 * @param reply - What was known.
 * @param message - Its message.
 */
export function keepAlive(reply: ReplyInfo, message: MessageDraft): ReplyInfo {
  if (reply.phase !== 'ended') return reply.hasBegun ? reply : { ...reply, hasBegun: true }
  const isTakenUpAgain = isLater(reply.resumedAt, reply.endedAt ?? reply.resumedAt)
  const isOver = message.get('finished_at') !== null && !isTakenUpAgain
  return { ...reply, hasBegun: true, phase: isOver ? 'ended' : 'running' }
}

function createModelCall(event: ModelCallStartEvent): ModelCall {
  return {
    modelName: event.model_name,
    usage: null,
    startedAt: event.created_at ?? null,
    endedAt: null,
    finishedReason: null,
  }
}

function endModelCall(calls: readonly ModelCall[], event: ModelCallEndEvent): readonly ModelCall[] {
  const last = calls.at(-1)
  const isOpen = last !== undefined && last.usage === null
  const ended: ModelCall = {
    modelName: isOpen ? last.modelName : '',
    startedAt: isOpen ? last.startedAt : null,
    usage: usageOf(event),
    endedAt: event.created_at ?? null,
    finishedReason: event.finished_reason ?? 'completed',
  }
  return isOpen ? [...calls.slice(0, -1), ended] : [...calls, ended]
}

function followRequests(draft: ConversationDraft, event: ReplyEvent, message: MessageDraft): void {
  const { reply_id: replyId } = event
  switch (event.type) {
    case 'REQUIRE_USER_CONFIRM':
    case 'REQUIRE_EXTERNAL_EXECUTION':
      offerAsked(draft, event, message)
      break
    case 'TOOL_RESULT_START':
      withdrawOwn(
        draft,
        replyId,
        ({ kind, toolCall }) => kind === 'confirm' && toolCall.id === event.tool_call_id,
      )
      break
    case 'TOOL_RESULT_END':
      withdrawOwn(draft, replyId, ({ toolCall }) => toolCall.id === event.tool_call_id)
      break
    case 'MODEL_CALL_START':
      // The agent goes on only when every call has its result: an answer given elsewhere was not heard.
      withdrawOwn(draft, replyId)
      break
    case 'REPLY_END':
      if (event.finished_reason === 'error') offerStored(draft, message.view())
      else withdrawOwn(draft, replyId)
      break
    default:
  }
}
