import type {
  DataBlock,
  ExternalExecutionResultEvent,
  JsonObject,
  RequireExternalExecutionEvent,
  RequireUserConfirmEvent,
  TextBlock,
  ToolCallDeltaEvent,
  ToolCallEndEvent,
  ToolCallStartEvent,
  ToolResultBlock,
  ToolResultDataDeltaEvent,
  ToolResultEndEvent,
  ToolResultStartEvent,
  ToolResultTextDeltaEvent,
  UserConfirmResultEvent,
} from '../protocol/index.js'
import { appendBase64, splitBase64 } from './base64.js'
import type { FoldOutcome } from './FoldOutcome.js'
import type { MessageDraft, Mutable } from './MessageDraft.js'

/** Events about tool calls, their results, and what people decide about them. */
type ToolEvent =
  | ToolCallStartEvent
  | ToolCallDeltaEvent
  | ToolCallEndEvent
  | ToolResultStartEvent
  | ToolResultTextDeltaEvent
  | ToolResultDataDeltaEvent
  | ToolResultEndEvent
  | RequireUserConfirmEvent
  | RequireExternalExecutionEvent
  | UserConfirmResultEvent
  | ExternalExecutionResultEvent

type Piece = TextBlock | DataBlock

/** One object for all, so that the same end twice changes nothing. */
const NO_METADATA: JsonObject = {}

/**
 * Folds one well-formed event about tools into a message's draft.
 *
 * @param draft - The message of the event's reply.
 * @param event - The event.
 */
export function foldToolEvent(draft: MessageDraft, event: ToolEvent): FoldOutcome {
  switch (event.type) {
    case 'TOOL_CALL_START':
      return startCall(draft, event)
    case 'TOOL_CALL_DELTA':
      return draft.grow('tool_call', event.tool_call_id, event.delta)
    case 'TOOL_CALL_END':
      return draft.write('tool_call', event.tool_call_id, {
        finished_at: draft.closingStamp(event.created_at),
      })
    case 'TOOL_RESULT_START':
      return startResult(draft, event)
    case 'TOOL_RESULT_TEXT_DELTA':
      return growResult(draft, event)
    case 'TOOL_RESULT_DATA_DELTA':
      return addResultData(draft, event)
    case 'TOOL_RESULT_END':
      return endResult(draft, event)
    case 'REQUIRE_USER_CONFIRM':
      for (const { id, suggested_rules } of event.tool_calls) {
        draft.write('tool_call', id, { state: 'asking', suggested_rules })
      }
      return 'done'
    case 'REQUIRE_EXTERNAL_EXECUTION':
      for (const { id } of event.tool_calls) draft.write('tool_call', id, { state: 'submitted' })
      return 'done'
    case 'USER_CONFIRM_RESULT':
      return confirmCalls(draft, event)
    case 'EXTERNAL_EXECUTION_RESULT':
      return addResults(draft, event)
  }
}

/** Adds text to a result whose last piece is text of this batch; `orphan` in all other cases, which `growResult` knows. */
export function growLastText(draft: MessageDraft, id: string, delta: string): FoldOutcome {
  const output = draft.find('tool_result', id)?.output
  const last = typeof output === 'string' ? undefined : output?.at(-1)
  if (last?.type !== 'text' || !draft.owns(last)) return 'orphan'
  if (delta !== '') last.text += delta
  return 'done'
}

/** Adds text to a result: to its last piece if that is text, or as a new piece. */
function growResult(draft: MessageDraft, event: ToolResultTextDeltaEvent): FoldOutcome {
  const known = draft.find('tool_result', event.tool_call_id)
  if (known === undefined) return 'orphan'
  // An empty text after a piece of data, or as the first piece, is a piece of its own in Python.
  const endsInText = typeof known.output !== 'string' && known.output.at(-1)?.type === 'text'
  if (event.delta === '' && endsInText) return 'done'
  const result = draft.own('tool_result', event.tool_call_id)
  if (result === undefined) return 'orphan'
  const output = ownOutput(draft, result, event)
  const last = output.at(-1)
  if (last?.type !== 'text') {
    output.push(createText(draft, output, event, event.delta))
    return 'done'
  }
  const text = draft.owns(last) ? last : draft.adopt({ ...last })
  text.text += event.delta
  output[output.length - 1] = text
  return 'done'
}

function startCall(draft: MessageDraft, event: ToolCallStartEvent): FoldOutcome {
  return draft.push({
    type: 'tool_call',
    id: event.tool_call_id,
    name: event.tool_call_name,
    input: '',
    state: 'pending',
    suggested_rules: [],
    created_at: event.created_at ?? null,
    finished_at: null,
  })
}

function startResult(draft: MessageDraft, event: ToolResultStartEvent): FoldOutcome {
  return draft.push({
    type: 'tool_result',
    id: event.tool_call_id,
    name: event.tool_call_name,
    output: draft.adopt([]),
    state: 'running',
    metadata: NO_METADATA,
    created_at: event.created_at ?? null,
    finished_at: null,
  })
}

function addResultData(draft: MessageDraft, event: ToolResultDataDeltaEvent): FoldOutcome {
  const piece = grownPiece(draft, event)
  if (piece === 'bad-data') return piece
  const result = draft.own('tool_result', event.tool_call_id)
  if (result === undefined) return 'orphan'
  const output = ownOutput(draft, result, event)
  if (piece !== undefined) {
    output[output.length - 1] = piece
    return 'done'
  }
  const { media_type } = event
  output.push({
    type: 'data',
    id: event.block_id ?? createPieceId(output, event),
    source:
      typeof event.url === 'string'
        ? { type: 'url', url: event.url, media_type }
        : { type: 'base64', data: event.data ?? '', media_type },
    name: null,
    created_at: event.created_at ?? null,
    finished_at: null,
  })
  return 'done'
}

/**
 * The last piece of a result with the event's bytes added; undefined when the event begins a piece of its own.
 *
 * Newer servers send large data in chunks under one id and store it joined. Python 2.0.6 never joined, and 2.0.11 also
 * joins what does not stand next to each other: chunks in a row are what both kinds of server agree on in practice.
 */
function grownPiece(
  draft: MessageDraft,
  event: ToolResultDataDeltaEvent,
): DataBlock | 'bad-data' | undefined {
  const output = draft.find('tool_result', event.tool_call_id)?.output
  const last = typeof output === 'string' ? undefined : output?.at(-1)
  if (last?.type !== 'data' || last.id !== event.block_id) return undefined
  if (last.source.type !== 'base64' || typeof event.data !== 'string') return undefined
  const text = appendBase64(splitBase64(last.source.data), event.data)
  if (text === undefined) return 'bad-data'
  const media_type = event.media_type || last.source.media_type
  return { ...last, source: { ...last.source, data: text.head + text.tail, media_type } }
}

function endResult(draft: MessageDraft, event: ToolResultEndEvent): FoldOutcome {
  const { tool_call_id: id, state, metadata = NO_METADATA } = event
  const finished_at = draft.closingStamp(event.created_at)
  const outcome = draft.write('tool_result', id, { state, metadata, finished_at })
  if (outcome === 'done') draft.write('tool_call', id, { state: 'finished' })
  return outcome
}

/** Only a call that asks can be decided about. Its input stays what was proposed, though an edited one is what runs. */
function confirmCalls(draft: MessageDraft, event: UserConfirmResultEvent): FoldOutcome {
  for (const { confirmed, tool_call } of event.confirm_results) {
    if (draft.find('tool_call', tool_call.id)?.state !== 'asking') continue
    draft.write('tool_call', tool_call.id, { state: confirmed ? 'allowed' : 'finished' })
  }
  return 'done'
}

/** Results that the stream has begun are left to the stream. */
function addResults(draft: MessageDraft, event: ExternalExecutionResultEvent): FoldOutcome {
  const added = event.execution_results.filter(
    (result) => draft.find('tool_result', result.id) === undefined,
  )
  for (const result of added) {
    draft.push({
      ...result,
      created_at: result.created_at ?? event.created_at ?? null,
      finished_at: result.finished_at ?? draft.closingStamp(event.created_at),
    })
  }
  return 'done'
}

/** The pieces of a result that this draft owns; a string becomes a piece. */
function ownOutput(
  draft: MessageDraft,
  result: Mutable<ToolResultBlock>,
  event: ToolResultTextDeltaEvent | ToolResultDataDeltaEvent,
): Piece[] {
  const { output } = result
  if (typeof output === 'string') {
    const pieces: Piece[] = draft.adopt([])
    pieces.push(createText(draft, pieces, event, output))
    result.output = pieces
    return pieces
  }
  if (draft.owns(output)) return output
  const pieces: Piece[] = draft.adopt([...output])
  result.output = pieces
  return pieces
}

function createText(
  draft: MessageDraft,
  pieces: readonly Piece[],
  event: ToolResultTextDeltaEvent | ToolResultDataDeltaEvent,
  text: string,
): Mutable<TextBlock> {
  const id = createPieceId(pieces, event)
  const created_at = event.created_at ?? null
  return draft.adopt({ type: 'text', id, text, created_at, finished_at: null })
}

/** Python makes up a random id; ours comes from the event, so that folding the same again gives the same. */
function createPieceId(
  pieces: readonly Piece[],
  event: ToolResultTextDeltaEvent | ToolResultDataDeltaEvent,
): string {
  let id = `${event.id ?? event.tool_call_id}:${pieces.length}`
  while (pieces.some((piece) => piece.id === id)) id += "'"
  return id
}
