import {
  isJsonObject,
  type JsonObject,
  type TextBlockEndEvent,
  type TextBlockStartEvent,
  type ThinkingBlockEndEvent,
  type ThinkingBlockStartEvent,
} from '../protocol/index.js'
import type { ConversationDraft, OpenReply } from './ConversationDraft.js'
import { foldEvent } from './foldEvent.js'
import type { FoldOutcome } from './FoldOutcome.js'
import { growLastText } from './foldToolEvent.js'
import type { MessageDraft } from './MessageDraft.js'

/**
 * The short way for the many: deltas, and edges of blocks, of the reply that the last event was about. They change nothing
 * but the message, and a row of deltas of one block is joined first, so that a delta costs an addition and a look at its id.
 *
 * @param draft - The conversation.
 * @param inputs - The batch.
 * @param start - Where to begin.
 * @returns The index of the first input that was left; `start` when the short way is not for this one.
 */
export function foldRun(
  draft: ConversationDraft,
  inputs: readonly unknown[],
  start: number,
): number {
  const { open } = draft
  const first = inputs[start]
  if (open === undefined || !isJsonObject(first) || !isOf(open, first)) return start
  const grow = growers.get(first['type'])
  if (grow === undefined) return foldEdge(draft, open, first) ? start + 1 : start
  const id = first[grow.target]
  // An empty delta changes nothing, and tells whether there is something to add to.
  if (typeof id !== 'string' || grow.add(open.message, id, '') !== 'done') return start
  const { replyId, storedUpTo } = open
  const { type } = first
  const isBlock = grow.target === 'block_id'
  let text = ''
  let index = start
  // All that is done for each of a hundred thousand deltas stands in this loop, so that engines compile it early.
  for (; index < inputs.length; index += 1) {
    const input = inputs[index]
    if (!isFields(input) || input['type'] !== type || input['reply_id'] !== replyId) break
    if ((isBlock ? input['block_id'] : input['tool_call_id']) !== id) break
    const { delta, id: eventId } = input
    if (typeof delta !== 'string' || (storedUpTo !== null && !isOf(open, input))) break
    if (typeof eventId !== 'string' || draft.seen.add(eventId)) text += delta
  }
  grow.add(open.message, id, text)
  return index
}

/** Less than `isJsonObject`, and enough where a type is looked for: JSON has no arrays with one. */
function isFields(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null
}

/** Whether an input is of the open reply, and newer than what was stored of it. */
function isOf({ replyId, storedUpTo }: OpenReply, input: JsonObject): boolean {
  if (input['reply_id'] !== replyId) return false
  if (storedUpTo === null) return true
  const { created_at } = input
  return typeof created_at === 'string' && created_at > storedUpTo
}

/** How the short way adds text, by the event's type. */
interface Grower {
  readonly target: 'block_id' | 'tool_call_id'
  readonly add: (message: MessageDraft, id: string, delta: string) => FoldOutcome
}

const growers: ReadonlyMap<unknown, Grower> = new Map<unknown, Grower>([
  ['TEXT_BLOCK_DELTA', { target: 'block_id', add: growing('text') }],
  ['THINKING_BLOCK_DELTA', { target: 'block_id', add: growing('thinking') }],
  ['TOOL_CALL_DELTA', { target: 'tool_call_id', add: growing('tool_call') }],
  ['TOOL_RESULT_TEXT_DELTA', { target: 'tool_call_id', add: growLastText }],
])

function growing(type: 'text' | 'thinking' | 'tool_call'): Grower['add'] {
  return (message, id, delta) => message.grow(type, id, delta)
}

/** The beginning or end of a text or thinking block. */
type BlockEdge =
  TextBlockStartEvent | TextBlockEndEvent | ThinkingBlockStartEvent | ThinkingBlockEndEvent

const EDGES: ReadonlySet<unknown> = new Set<BlockEdge['type']>([
  'TEXT_BLOCK_START',
  'TEXT_BLOCK_END',
  'THINKING_BLOCK_START',
  'THINKING_BLOCK_END',
])

function foldEdge(draft: ConversationDraft, open: OpenReply, input: JsonObject): boolean {
  const event: unknown = input
  if (!isBlockEdge(event) || isOrphan(open.message, event)) return false
  if (event.id === undefined || draft.seen.add(event.id)) foldEvent(open.message, event)
  return true
}

function isOrphan(message: MessageDraft, event: BlockEdge): boolean {
  if (event.type === 'TEXT_BLOCK_END') return message.find('text', event.block_id) === undefined
  if (event.type !== 'THINKING_BLOCK_END') return false
  return message.find('thinking', event.block_id) === undefined
}

/** Checks all that the fold reads of it. */
function isBlockEdge(input: unknown): input is BlockEdge {
  if (!isJsonObject(input) || !EDGES.has(input['type'])) return false
  const { block_id, text = null, created_at = '', id = '' } = input
  return (
    typeof block_id === 'string' &&
    (text === null || typeof text === 'string') &&
    typeof created_at === 'string' &&
    typeof id === 'string'
  )
}
