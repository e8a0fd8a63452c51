import type {
  AgentEvent,
  DataBlockDeltaEvent,
  DataBlockEndEvent,
  HintBlockEvent,
  ModelCallEndEvent,
  ReplyEndEvent,
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
      return draft.push({ type: 'text', id, text: '', created_at, finished_at: null })
    }
    case 'TEXT_BLOCK_DELTA':
      return draft.grow('text', event.block_id, event.delta)
    case 'TEXT_BLOCK_END': {
      const { block_id: id, text } = event
      const finished_at = draft.closingStamp(event.created_at)
      const isRevised = typeof text === 'string'
      return draft.write('text', id, isRevised ? { text, finished_at } : { finished_at })
    }
    case 'THINKING_BLOCK_START': {
      const { block_id: id, created_at = null } = event
      return draft.push({ type: 'thinking', id, thinking: '', created_at, finished_at: null })
    }
    case 'THINKING_BLOCK_DELTA':
      return draft.grow('thinking', event.block_id, event.delta)
    case 'THINKING_BLOCK_END': {
      const finished_at = draft.closingStamp(event.created_at)
      return draft.write('thinking', event.block_id, { finished_at })
    }
    case 'DATA_BLOCK_START': {
      const { block_id: id, media_type, name = null, created_at = null } = event
      const source = { type: 'base64', data: '', media_type } as const
      return draft.push({ type: 'data', id, source, name, created_at, finished_at: null })
    }
    case 'DATA_BLOCK_DELTA':
      return growData(draft, event)
    case 'DATA_BLOCK_END':
      return endData(draft, event)
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

function growData(draft: MessageDraft, event: DataBlockDeltaEvent): FoldOutcome {
  const known = draft.find('data', event.block_id)
  if (known === undefined) return 'orphan'
  const { data, url } = event
  if (data === '' || url === '') return 'done'
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

function endData(draft: MessageDraft, event: DataBlockEndEvent): FoldOutcome {
  const finished_at = draft.closingStamp(event.created_at)
  const outcome = draft.write('data', event.block_id, { finished_at })
  const block = draft.own('data', event.block_id)
  if (block?.source.type !== 'base64') return outcome
  draft.settleBase64(block)
  const data = closeBase64(block.source.data)
  if (data !== block.source.data) block.source = { ...block.source, data }
  return 'done'
}

function addHint(draft: MessageDraft, event: HintBlockEvent): FoldOutcome {
  const { block_id: id, hint, source = null, created_at = null } = event
  const finished_at = draft.closingStamp(event.created_at)
  return draft.push({ type: 'hint', id, hint, source, created_at, finished_at })
}

function endReply(draft: MessageDraft, event: ReplyEndEvent): FoldOutcome {
  draft.set({
    finished_at: draft.closingStamp(event.created_at),
    finished_reason: event.finished_reason ?? 'completed',
    error: event.error ?? null,
  })
  return 'done'
}
