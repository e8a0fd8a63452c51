import { CONTINUE_ID, ownEntry, selectMessage, selectSendBlock } from '../../hooks/index.js'
import type {
  ChatState,
  ReplyInfo,
  SendBlock,
  SendState,
  ToolCallRequest,
} from '../../hooks/index.js'
import type { Capabilities, Msg } from '../../protocol/index.js'
import type { MessageProps } from '../chat-root/SlotProps.js'
import { ownRequests } from './ownRequests.js'
import { selectNested } from './selectNested.js'
import type { Nested } from './selectNested.js'

/** What a row shows, as a list: comparing two objects takes longer, and each commit compares all rows. */
export type Row = readonly [
  message: Msg,
  reply: ReplyInfo | null,
  phase: NonNullable<MessageProps['phase']>,
  requests: readonly ToolCallRequest[],
  nested: readonly Nested[],
  sendId: string,
  send: SendState | null,
  waitsFor: MessageProps['waitsFor'],
  canContinue: boolean,
]

/**
 * All that the row of one message shows, so that each row asks once per commit. What matters only to the last row, or to one that is
 * held, is looked up for those alone: the others do not render when a reply begins or ends.
 *
 * @param state - Where to look.
 * @param id - The message's id.
 * @param isLast - Whether it is the last one.
 * @param capabilities - What the backend can do.
 * @returns Null when there is no such message.
 */
export function selectRow(
  state: ChatState,
  id: string,
  isLast: boolean,
  capabilities: Capabilities,
): Row | null {
  const { conversation, sends, connection } = state
  const message = selectMessage(conversation, id)
  if (message === undefined) return null
  const reply = ownEntry(conversation.replies, id)
  const requests = ownRequests(conversation.requests, id)
  const phase = phaseOf(message, reply, requests.length > 0)
  // Going on makes no message of its own: how that went is said where it was asked for.
  const goOn = isLast && message.role === 'assistant' ? ownEntry(sends, CONTINUE_ID) : null
  const isGoOn = goOn?.phase === 'failed'
  const send = isGoOn ? goOn : ownEntry(sends, id)
  const isHeld = send?.phase === 'held'
  const block = isLast || isHeld ? selectSendBlock(state, capabilities) : null
  return [
    message,
    reply,
    phase,
    requests,
    selectNested(state, id),
    isGoOn ? CONTINUE_ID : id,
    send,
    isHeld && connection.phase !== 'open' ? 'connection' : waitsFor(block),
    isLast && !isGoOn && phase === 'ended' && block === null,
  ]
}

function waitsFor(block: SendBlock | null): MessageProps['waitsFor'] {
  if (block === 'awaiting-person') return 'request'
  return block === 'running' ? 'run' : null
}

/** A reply that was only read from history, and never ended, waits if something in it does. */
function phaseOf(
  message: Msg,
  reply: ReplyInfo | null,
  hasRequests: boolean,
): 'running' | 'parked' | 'ended' {
  if (message.role !== 'assistant') return 'ended'
  if (reply !== null) return reply.phase
  return hasRequests && message.finished_at === null ? 'parked' : 'ended'
}
