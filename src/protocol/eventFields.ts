import type { EventType } from './EventType.js'

/** What a field of an event must hold. */
export type FieldKind =
  | 'string'
  | 'number'
  | 'object'
  | 'strings' // an array of strings
  | 'role'
  | 'reply error' // an object with type and message
  | 'hint' // a string, or text and data blocks
  | 'tool calls' // tool call blocks
  | 'confirm results'
  | 'tool results' // tool result blocks

/** One field of an event. */
export interface FieldSpec {
  /** What it must hold. */
  readonly kind: FieldKind
  /** Whether the event means nothing without it. */
  readonly required: boolean
  /** Whether null is a value of its own; otherwise null counts as absent. */
  readonly nullable: boolean
}

/** The fields of one kind of event, by name. */
export type FieldSpecs = Readonly<Record<string, FieldSpec>>

function needs(kind: FieldKind): FieldSpec {
  return { kind, required: true, nullable: false }
}

function may(kind: FieldKind): FieldSpec {
  return { kind, required: false, nullable: false }
}

function mayBeNull(kind: FieldKind): FieldSpec {
  return { kind, required: false, nullable: true }
}

const envelope = {
  type: needs('string'),
  id: may('string'),
  created_at: may('string'),
  metadata: may('object'),
  visibility: may('string'),
  agent_path: may('strings'),
} as const
const ofReply = { ...envelope, reply_id: needs('string') } as const
const ofBlock = { ...ofReply, block_id: needs('string') } as const
const ofTool = { ...ofReply, tool_call_id: needs('string') } as const
const ofNamedTool = { ...ofTool, tool_call_name: needs('string') } as const

/**
 * Every event of AgentScope 2.0 with every field: the one table that parsing, tests and the comparison
 * with the service's own schemas read.
 */
export const EVENT_FIELDS: Readonly<Record<EventType, FieldSpecs>> = {
  REPLY_START: {
    ...ofReply,
    session_id: may('string'),
    name: may('string'),
    role: may('role'),
  },
  REPLY_END: {
    ...ofReply,
    session_id: may('string'),
    finished_reason: may('string'),
    error: mayBeNull('reply error'),
  },
  MODEL_CALL_START: { ...ofReply, model_name: needs('string') },
  MODEL_CALL_END: {
    ...ofReply,
    input_tokens: needs('number'),
    output_tokens: needs('number'),
    cache_input_tokens: may('number'),
    cache_creation_input_tokens: may('number'),
    finished_reason: may('string'),
  },
  TEXT_BLOCK_START: ofBlock,
  TEXT_BLOCK_DELTA: { ...ofBlock, delta: needs('string') },
  TEXT_BLOCK_END: { ...ofBlock, text: mayBeNull('string') },
  THINKING_BLOCK_START: ofBlock,
  THINKING_BLOCK_DELTA: { ...ofBlock, delta: needs('string') },
  THINKING_BLOCK_END: ofBlock,
  DATA_BLOCK_START: { ...ofBlock, media_type: needs('string'), name: mayBeNull('string') },
  DATA_BLOCK_DELTA: {
    ...ofBlock,
    data: mayBeNull('string'),
    url: mayBeNull('string'),
    media_type: may('string'),
  },
  DATA_BLOCK_END: ofBlock,
  HINT_BLOCK: { ...ofBlock, source: mayBeNull('string'), hint: needs('hint') },
  TOOL_CALL_START: ofNamedTool,
  TOOL_CALL_DELTA: { ...ofTool, delta: needs('string') },
  TOOL_CALL_END: ofTool,
  TOOL_RESULT_START: ofNamedTool,
  TOOL_RESULT_TEXT_DELTA: { ...ofTool, delta: needs('string') },
  TOOL_RESULT_DATA_DELTA: {
    ...ofTool,
    block_id: may('string'),
    media_type: needs('string'),
    data: mayBeNull('string'),
    url: mayBeNull('string'),
  },
  TOOL_RESULT_END: { ...ofTool, state: needs('string') },
  REQUIRE_USER_CONFIRM: { ...ofReply, tool_calls: needs('tool calls') },
  REQUIRE_EXTERNAL_EXECUTION: { ...ofReply, tool_calls: needs('tool calls') },
  EXCEED_MAX_ITERS: { ...ofReply, name: may('string') },
  CUSTOM: { ...envelope, name: needs('string'), value: may('object'), reply_id: may('string') },
  USER_CONFIRM_RESULT: { ...ofReply, confirm_results: needs('confirm results') },
  EXTERNAL_EXECUTION_RESULT: { ...ofReply, execution_results: needs('tool results') },
  USER_INTERRUPT: ofReply,
}
