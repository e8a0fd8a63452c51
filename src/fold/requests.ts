import type { AgentEvent, Msg, ToolCallBlock, ToolResultBlock } from '../protocol/index.js'
import type { PendingRequest, ToolCallRequest, WorkerRef } from './Conversation.js'
import { type ConversationDraft, waitsFor } from './ConversationDraft.js'
import { isEqualJson } from './isEqualJson.js'
import type { MessageDraft } from './MessageDraft.js'

/** What must be known of a message to see what waits in it. */
export type WaitingMessage = Pick<
  Msg,
  'id' | 'role' | 'content' | 'finished_at' | 'finished_reason'
>

/** What is needed to ask for a call. */
type Asked = Omit<ToolCallRequest, 'key'>

/** Adds a request, once: asked again for the same call it keeps its place, and its very object when the call is the same. */
function offerCall(draft: ConversationDraft, asked: Asked): void {
  const ids = [asked.replyId, asked.toolCall.id]
  const key = createKey(asked.worker === null ? ids : [asked.worker.sessionId, ...ids])
  offer(draft, { ...asked, key })
}

/**
 * Adds the requests of an event that asks. A call that is not in the message is asked for all the same: the event brings it
 * whole. A call that has its result is not: the event is a late repeat.
 */
export function offerAsked(
  draft: ConversationDraft,
  event: AgentEvent,
  message: MessageDraft | undefined,
  worker: WorkerRef | null = null,
): void {
  if (event.type !== 'REQUIRE_USER_CONFIRM' && event.type !== 'REQUIRE_EXTERNAL_EXECUTION') return
  const kind = event.type === 'REQUIRE_USER_CONFIRM' ? 'confirm' : 'external'
  const { reply_id: replyId, created_at: askedAt = null, metadata: more = {} } = event
  const metadata = Object.keys(more).length === 0 ? null : more
  for (const toolCall of event.tool_calls) {
    if ((message?.find('tool_result', toolCall.id)?.state ?? 'running') !== 'running') continue
    offerCall(draft, { kind, replyId, toolCall, askedAt, worker, metadata })
  }
}

/** Adds a request under its key. */
export function offer(draft: ConversationDraft, request: PendingRequest): void {
  touchReplyOf(draft, request)
  const position = draft.requests.findIndex(({ key }) => key === request.key)
  const known = draft.requests[position]
  if (known === undefined) draft.setRequests([...draft.requests, request])
  else if (!isSameQuestion(known, request)) {
    draft.setRequests(draft.requests.map((held, index) => (index === position ? request : held)))
  }
}

/** Takes requests away. */
export function withdraw(
  draft: ConversationDraft,
  isOver: (request: PendingRequest) => boolean,
): void {
  const left = draft.requests.filter((request) => {
    if (!isOver(request)) return true
    touchReplyOf(draft, request)
    return false
  })
  if (left.length < draft.requests.length) draft.setRequests(left)
}

/** Takes away what a reply of this stream asks for, all or for some calls. */
export function withdrawOwn(
  draft: ConversationDraft,
  replyId: string,
  isMeant: (request: ToolCallRequest) => boolean = () => true,
): void {
  withdraw(
    draft,
    (request) => request.kind !== 'input' && waitsFor(request, replyId) && isMeant(request),
  )
}

/** Makes the requests of a reply those of its stored message; a request that is known already stays as it was asked. */
export function offerStored(draft: ConversationDraft, message: WaitingMessage): void {
  const waiting = waitingCalls(message)
  withdrawOwn(draft, message.id, ({ kind, toolCall }) =>
    waiting.every((call) => call.id !== toolCall.id || kindOf(call) !== kind),
  )
  for (const toolCall of waiting) {
    const isKnown = draft.requests.some(
      (request) =>
        request.kind !== 'input' &&
        waitsFor(request, message.id) &&
        request.toolCall.id === toolCall.id,
    )
    if (isKnown) continue
    const kind = kindOf(toolCall)
    const unknown = { askedAt: null, worker: null, metadata: null }
    offerCall(draft, { kind, replyId: message.id, toolCall, ...unknown })
  }
}

/**
 * The calls of a message that wait for an answer. After an end with an error they still do: the service ends a reply so
 * when an answer was wrong, and takes the right one afterwards.
 */
export function waitingCalls(message: WaitingMessage): readonly ToolCallBlock[] {
  const isOver = message.finished_at !== null && message.finished_reason !== 'error'
  if (isOver || message.role === 'user') return []
  const calls = new Map<string, ToolCallBlock>()
  const results = new Map<string, ToolResultBlock>()
  for (const block of message.content) {
    if (block.type === 'tool_call' && !calls.has(block.id)) calls.set(block.id, block)
    if (block.type === 'tool_result' && !results.has(block.id)) results.set(block.id, block)
  }
  return [...calls.values()].filter(
    ({ id, state }) =>
      (state === 'asking' || state === 'submitted') &&
      (results.get(id)?.state ?? 'running') === 'running',
  )
}

/** One key of several ids, whatever characters they hold. */
export function createKey(ids: readonly string[]): string {
  return ids.map((id) => id.replaceAll('%', '%25').replaceAll(':', '%3A')).join(':')
}

/** Whether a reply waits depends on its requests. */
function touchReplyOf(draft: ConversationDraft, request: PendingRequest): void {
  const replyId = request.kind === 'input' ? request.request.reply_id : request.replyId
  if (replyId !== undefined) draft.touch(replyId)
}

function kindOf(call: ToolCallBlock): ToolCallRequest['kind'] {
  return call.state === 'submitted' ? 'external' : 'confirm'
}

function isSameQuestion(known: PendingRequest, request: PendingRequest): boolean {
  if (known.kind === 'input' || request.kind === 'input') {
    return isEqualJson(known, request)
  }
  return (
    known.kind === request.kind &&
    isEqualJson(known.toolCall, request.toolCall) &&
    isEqualJson(known.metadata, request.metadata)
  )
}
