import type {
  AgentEvent,
  DataBlockDeltaEvent,
  HintBlockEvent,
  ModelCallEndEvent,
  ReplyEndEvent,
  TextBlockEndEvent,
  Usage,
} from '../protocol/index.js'
import { appendBase64, closeBase64 } from './base64.js'
import type { FoldOutcome } from './FoldOutcome.js'
import { foldToolEvent } from './foldToolEvent.js'
import type { MessageDraft } from './MessageDraft.js'

/**
 * Folds one well-formed event into a message's draft: AgentScope Python's `Msg.append_event`, event by event.
 *
 * A block is found by its type and id, and the first one counts, even where the service then stores oddities:
 * what we hold must equal what is stored. docs/fold.md lists where this differs from Python.
 *
 * @param draft - The message of the event's reply.
 * @param event - The event; whether it belongs to the reply was checked before.
 */
export function foldEvent(draft: MessageDraft, event: AgentEvent): FoldOutcome {
  switch (event.type) {
    case 'TEXT_BLOCK_START': {
      const { block_id: id, created_at = null } = event
      draft.push(draft.adopt({ type: 'text', id, text: '', created_at, finished_at: null }))
      return 'done'
    }
    case 'TEXT_BLOCK_DELTA':
      return growText(draft, event.block_id, event.delta)
    case 'TEXT_BLOCK_END':
      return endText(draft, event)
    case 'THINKING_BLOCK_START': {
      const { block_id: id, created_at = null } = event
      draft.push(draft.adopt({ type: 'thinking', id, thinking: '', created_at, finished_at: null }))
      return 'done'
    }
    case 'THINKING_BLOCK_DELTA':
      return growThinking(draft, event.block_id, event.delta)
    case 'THINKING_BLOCK_END': {
      const finished_at = draft.closingStamp(event.created_at)
      return draft.write('thinking', event.block_id, { finished_at }) ? 'done' : 'orphan'
    }
    case 'DATA_BLOCK_START': {
      const { block_id: id, media_type, name = null, created_at = null } = event
      const source = { type: 'base64', data: '', media_type } as const
      draft.push(draft.adopt({ type: 'data', id, source, name, created_at, finished_at: null }))
      return 'done'
    }
    case 'DATA_BLOCK_DELTA':
      return growData(draft, event)
    case 'DATA_BLOCK_END':
      return endData(draft, event.block_id, event.created_at)
    case 'HINT_BLOCK':
      return addHint(draft, event)
    case 'MODEL_CALL_END':
      draft.set({ usage: addUsage(draft.get('usage'), usageOf(event)) })
      return 'done'
    case 'REPLY_END':
      return endReply(draft, event)
    case 'REPLY_START':
    case 'MODEL_CALL_START':
    case 'EXCEED_MAX_ITERS':
    case 'USER_INTERRUPT':
    case 'CUSTOM':
      return 'done'
    default:
      return foldToolEvent(draft, event)
  }
}

/** Adds to the end of a text block. */
export function growText(draft: MessageDraft, id: string, delta: string): FoldOutcome {
  if (delta === '') return draft.find('text', id) === undefined ? 'orphan' : 'done'
  const block = draft.own('text', id)
  if (block === undefined) return 'orphan'
  block.text += delta
  return 'done'
}

/** Adds to the end of a thinking block. */
export function growThinking(draft: MessageDraft, id: string, delta: string): FoldOutcome {
  if (delta === '') return draft.find('thinking', id) === undefined ? 'orphan' : 'done'
  const block = draft.own('thinking', id)
  if (block === undefined) return 'orphan'
  block.thinking += delta
  return 'done'
}

/** The tokens that the end of a model call reports. */
export function usageOf(event: ModelCallEndEvent): Usage {
  return {
    input_tokens: event.input_tokens,
    output_tokens: event.output_tokens,
    cache_input_tokens: event.cache_input_tokens ?? 0,
    cache_creation_input_tokens: event.cache_creation_input_tokens ?? 0,
  }
}

/** Adds up two counts of tokens. */
export function addUsage(one: Usage | null, other: Usage): Usage {
  if (one === null) return other
  return {
    input_tokens: one.input_tokens + other.input_tokens,
    output_tokens: one.output_tokens + other.output_tokens,
    cache_input_tokens: one.cache_input_tokens + other.cache_input_tokens,
    cache_creation_input_tokens:
      one.cache_creation_input_tokens + other.cache_creation_input_tokens,
  }
}

function endText(draft: MessageDraft, event: TextBlockEndEvent): FoldOutcome {
  const finished_at = draft.closingStamp(event.created_at)
  const fields =
    typeof event.text === 'string' ? { text: event.text, finished_at } : { finished_at }
  return draft.write('text', event.block_id, fields) ? 'done' : 'orphan'
}

function growData(draft: MessageDraft, event: DataBlockDeltaEvent): FoldOutcome {
  const known = draft.find('data', event.block_id)
  if (known === undefined) return 'orphan'
  const { data, url } = event
  if (data === '') return 'done'
  const isInline = known.source.type === 'base64'
  const text =
    isInline && typeof data === 'string' ? appendBase64(draft.base64Of(known), data) : undefined
  if (text === undefined && typeof url !== 'string') return 'bad-data'
  const block = draft.own('data', event.block_id)
  if (block === undefined) return 'orphan'
  if (text !== undefined) draft.growBase64(block, text)
  if (typeof url === 'string') {
    draft.settleBase64(block)
    block.source = { type: 'url', url, media_type: event.media_type ?? block.source.media_type }
  }
  return 'done'
}

function endData(draft: MessageDraft, id: string, created: string | undefined): FoldOutcome {
  const finished_at = draft.closingStamp(created)
  if (!draft.write('data', id, { finished_at })) return 'orphan'
  const block = draft.own('data', id)
  if (block?.source.type !== 'base64') return 'done'
  draft.settleBase64(block)
  const data = closeBase64(block.source.data)
  if (data !== block.source.data) block.source = { ...block.source, data }
  return 'done'
}

function addHint(draft: MessageDraft, event: HintBlockEvent): FoldOutcome {
  const { block_id: id, hint, source = null, created_at = null } = event
  const finished_at = draft.closingStamp(event.created_at)
  draft.push({ type: 'hint', id, hint, source, created_at, finished_at })
  return 'done'
}

function endReply(draft: MessageDraft, event: ReplyEndEvent): FoldOutcome {
  draft.set({
    finished_at: draft.closingStamp(event.created_at),
    finished_reason: event.finished_reason ?? 'completed',
    error: event.error ?? null,
  })
  return 'done'
}
