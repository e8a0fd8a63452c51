import type {
  AgentEvent,
  ContentBlock,
  Msg,
  ToolCallBlock,
  ToolResultBlock,
} from '../../src/protocol/index.js'

/** The n-th moment of a test: a naive stamp, as the service writes it. */
export function stamp(moment: number): string {
  return `2026-11-30T12:00:00.${String(moment).padStart(6, '0')}`
}

/** A call as a `REQUIRE_*` event carries it. */
export function askedCall(id: string, fields: Partial<ToolCallBlock> = {}): ToolCallBlock {
  return {
    type: 'tool_call',
    id,
    name: 'tool',
    input: '{}',
    state: 'asking',
    suggested_rules: [],
    ...fields,
  }
}

/** A message with blocks; an unfinished one of the assistant by default. */
export function message(
  id: string,
  content: readonly ContentBlock[],
  fields: Partial<Msg> = {},
): Msg {
  return {
    id,
    name: 'Friday',
    role: 'assistant',
    content,
    metadata: {},
    created_at: stamp(0),
    usage: null,
    finished_at: null,
    finished_reason: null,
    structured_output: null,
    error: null,
    ...fields,
  }
}

/** A message of the user. */
export function userMessage(id: string, text: string): Msg {
  return message(id, [{ type: 'text', id: `${id}-text`, text }], { name: 'user', role: 'user' })
}

/** A clock that all scripts of a test share, so that later events have later stamps. */
export interface Clock {
  moment: number
}

/** Makes the events of one reply, each with its own id and a later stamp. */
export interface Script {
  readonly start: () => AgentEvent
  readonly end: (fields?: Partial<Extract<AgentEvent, { type: 'REPLY_END' }>>) => AgentEvent
  readonly modelStart: () => AgentEvent
  readonly modelEnd: (input: number, output: number) => AgentEvent
  readonly text: (id: string, ...deltas: readonly string[]) => readonly AgentEvent[]
  readonly textStart: (id: string) => AgentEvent
  readonly textDelta: (id: string, delta: string) => AgentEvent
  readonly textEnd: (id: string) => AgentEvent
  readonly call: (id: string, ...deltas: readonly string[]) => readonly AgentEvent[]
  readonly resultStart: (id: string) => AgentEvent
  readonly resultText: (id: string, delta: string) => AgentEvent
  readonly resultEnd: (id: string, state?: string) => AgentEvent
  readonly ask: (...calls: readonly ToolCallBlock[]) => AgentEvent
  readonly handOut: (...calls: readonly ToolCallBlock[]) => AgentEvent
  readonly decide: (confirmed: boolean, ...calls: readonly ToolCallBlock[]) => AgentEvent
  readonly answer: (...results: readonly ToolResultBlock[]) => AgentEvent
}

/** The events of one reply. */
export function script(replyId: string, clock: Clock = { moment: 0 }): Script {
  function base(): { id: string; created_at: string; reply_id: string } {
    clock.moment += 1
    return { id: `${replyId}-e${clock.moment}`, created_at: stamp(clock.moment), reply_id: replyId }
  }
  const textStart = (block_id: string): AgentEvent => ({
    ...base(),
    type: 'TEXT_BLOCK_START',
    block_id,
  })
  const textDelta = (block_id: string, delta: string): AgentEvent => ({
    ...base(),
    type: 'TEXT_BLOCK_DELTA',
    block_id,
    delta,
  })
  const textEnd = (block_id: string): AgentEvent => ({
    ...base(),
    type: 'TEXT_BLOCK_END',
    block_id,
  })
  return {
    start: () => ({ ...base(), type: 'REPLY_START', session_id: 's', name: 'Friday' }),
    end: (fields = {}) => ({ ...base(), type: 'REPLY_END', session_id: 's', ...fields }),
    modelStart: () => ({ ...base(), type: 'MODEL_CALL_START', model_name: 'model' }),
    modelEnd: (input_tokens, output_tokens) => ({
      ...base(),
      type: 'MODEL_CALL_END',
      input_tokens,
      output_tokens,
    }),
    text: (id, ...deltas) => [
      textStart(id),
      ...deltas.map((delta) => textDelta(id, delta)),
      textEnd(id),
    ],
    textStart,
    textDelta,
    textEnd,
    call: (tool_call_id, ...deltas) => [
      { ...base(), type: 'TOOL_CALL_START', tool_call_id, tool_call_name: 'tool' },
      ...deltas.map((delta): AgentEvent => ({
        ...base(),
        type: 'TOOL_CALL_DELTA',
        tool_call_id,
        delta,
      })),
      { ...base(), type: 'TOOL_CALL_END', tool_call_id },
    ],
    resultStart: (tool_call_id) => ({
      ...base(),
      type: 'TOOL_RESULT_START',
      tool_call_id,
      tool_call_name: 'tool',
    }),
    resultText: (tool_call_id, delta) => ({
      ...base(),
      type: 'TOOL_RESULT_TEXT_DELTA',
      tool_call_id,
      delta,
    }),
    resultEnd: (tool_call_id, state = 'success') => ({
      ...base(),
      type: 'TOOL_RESULT_END',
      tool_call_id,
      state,
    }),
    ask: (...tool_calls) => ({ ...base(), type: 'REQUIRE_USER_CONFIRM', tool_calls }),
    handOut: (...tool_calls) => ({ ...base(), type: 'REQUIRE_EXTERNAL_EXECUTION', tool_calls }),
    decide: (confirmed, ...calls) => ({
      ...base(),
      type: 'USER_CONFIRM_RESULT',
      confirm_results: calls.map((tool_call) => ({ confirmed, tool_call })),
    }),
    answer: (...execution_results) => ({
      ...base(),
      type: 'EXTERNAL_EXECUTION_RESULT',
      execution_results,
    }),
  }
}

/** The very same JSON, in other objects. */
export function throughJson<Value>(value: Value): Value {
  // What is plain JSON comes back as it was; that it is, is what tests use this for.
  return JSON.parse(JSON.stringify(value)) as Value
}

/** Freezes everything in a value, so that a write to it throws. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(deepFreeze)
  }
  return value
}
