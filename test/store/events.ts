import type { AgentEvent, Msg, ToolCallBlock } from '../../src/protocol/index.js'
import { AssistantMsg, UserMsg } from '../../src/protocol/index.js'

let count = 0

/** What the service stamps on each event; ids never repeat unless a test repeats the event. */
function stamp(): { id: string; created_at: string } {
  count += 1
  return { id: `e${count}`, created_at: `2026-01-01T00:00:00.${String(count).padStart(6, '0')}` }
}

export function replyStart(reply_id: string): AgentEvent {
  return { ...stamp(), type: 'REPLY_START', reply_id, session_id: 's1', name: 'Friday' }
}

export function replyEnd(reply_id: string, finished_reason = 'completed'): AgentEvent {
  return { ...stamp(), type: 'REPLY_END', reply_id, session_id: 's1', finished_reason }
}

export function modelStart(reply_id: string): AgentEvent {
  return { ...stamp(), type: 'MODEL_CALL_START', reply_id, model_name: 'scripted-1' }
}

export function modelEnd(reply_id: string, input_tokens = 10, output_tokens = 5): AgentEvent {
  return { ...stamp(), type: 'MODEL_CALL_END', reply_id, input_tokens, output_tokens }
}

export function textStart(reply_id: string, block_id: string): AgentEvent {
  return { ...stamp(), type: 'TEXT_BLOCK_START', reply_id, block_id }
}

export function textDelta(reply_id: string, block_id: string, delta: string): AgentEvent {
  return { ...stamp(), type: 'TEXT_BLOCK_DELTA', reply_id, block_id, delta }
}

function textEnd(reply_id: string, block_id: string): AgentEvent {
  return { ...stamp(), type: 'TEXT_BLOCK_END', reply_id, block_id }
}

export function callStart(reply_id: string, tool_call_id: string, name = 'shell'): AgentEvent {
  return { ...stamp(), type: 'TOOL_CALL_START', reply_id, tool_call_id, tool_call_name: name }
}

export function callDelta(reply_id: string, tool_call_id: string, delta: string): AgentEvent {
  return { ...stamp(), type: 'TOOL_CALL_DELTA', reply_id, tool_call_id, delta }
}

function callEnd(reply_id: string, tool_call_id: string): AgentEvent {
  return { ...stamp(), type: 'TOOL_CALL_END', reply_id, tool_call_id }
}

export function resultStart(reply_id: string, tool_call_id: string, name = 'shell'): AgentEvent {
  return { ...stamp(), type: 'TOOL_RESULT_START', reply_id, tool_call_id, tool_call_name: name }
}

/** A whole call, written in one go. */
export function call(reply_id: string, id: string, input = '{"cmd":"ls"}'): AgentEvent[] {
  return [callStart(reply_id, id), callDelta(reply_id, id, input), callEnd(reply_id, id)]
}

/** A call as a request for approval holds it. */
export function asking(id: string, input = '{"cmd":"ls"}'): ToolCallBlock {
  return { type: 'tool_call', id, name: 'shell', input, state: 'asking', suggested_rules: [] }
}

export function requireConfirm(reply_id: string, ...ids: readonly string[]): AgentEvent {
  return {
    ...stamp(),
    type: 'REQUIRE_USER_CONFIRM',
    reply_id,
    tool_calls: ids.map((id) => asking(id)),
  }
}

export function requireExternal(reply_id: string, ...ids: readonly string[]): AgentEvent {
  return {
    ...stamp(),
    type: 'REQUIRE_EXTERNAL_EXECUTION',
    reply_id,
    tool_calls: ids.map((id) => ({ ...asking(id), state: 'submitted' })),
  }
}

export function confirmResult(
  reply_id: string,
  ...decisions: readonly [id: string, confirmed: boolean][]
): AgentEvent {
  return {
    ...stamp(),
    type: 'USER_CONFIRM_RESULT',
    reply_id,
    confirm_results: decisions.map(([id, confirmed]) => ({ confirmed, tool_call: asking(id) })),
  }
}

/** A reply that parks at a request for approval. */
export function parkedReply(reply_id: string, ...ids: readonly string[]): AgentEvent[] {
  return [
    replyStart(reply_id),
    modelStart(reply_id),
    ...ids.flatMap((id) => call(reply_id, id)),
    modelEnd(reply_id),
    requireConfirm(reply_id, ...ids),
  ]
}

/** A reply that says one text. */
export function textReply(reply_id: string, text: string): AgentEvent[] {
  return [
    replyStart(reply_id),
    modelStart(reply_id),
    textStart(reply_id, `${reply_id}-t`),
    textDelta(reply_id, `${reply_id}-t`, text),
    textEnd(reply_id, `${reply_id}-t`),
    modelEnd(reply_id),
    replyEnd(reply_id),
  ]
}

/** A stored message of the user. */
export function userMessage(id: string, text: string): Msg {
  return UserMsg({ id, name: 'user', content: text, created_at: stamp().created_at })
}

/** A stored answer that is finished: later than all events made before it. */
export function storedAnswer(id: string, text: string): Msg {
  return AssistantMsg({
    id,
    name: 'Friday',
    content: [{ type: 'text', id: `${id}-t`, text }],
    created_at: stamp().created_at,
    finished_at: stamp().created_at,
    finished_reason: 'completed',
  })
}

/** A stored answer that waits for a person: later than all events made before it. */
export function storedParked(id: string, ...callIds: readonly string[]): Msg {
  return AssistantMsg({
    id,
    name: 'Friday',
    content: callIds.map((callId) => asking(callId)),
    created_at: stamp().created_at,
  })
}
