import type { JsonObject } from '../../../src/protocol/index.js'

/** Frames in Java's own spelling: envelope and doubled `type` as `JSON.parse` leaves them. */
export function javaStream(prefix = 'e'): (type: string, fields?: JsonObject) => JsonObject {
  let count = 0
  return (type, fields = {}) => {
    count += 1
    const second = String(count % 60).padStart(2, '0')
    return { type, id: `${prefix}${count}`, createdAt: `2026-08-22T10:00:${second}.5Z`, ...fields }
  }
}

/** A field that holds a text. */
export function textOf(frame: JsonObject | undefined, name: string): string {
  const value = frame?.[name]
  if (typeof value !== 'string') throw new Error(`${name} is no text here.`)
  return value
}

/** A text of one model call. */
export function text(
  event: (type: string, fields?: JsonObject) => JsonObject,
  replyId: string,
  ...deltas: readonly string[]
): readonly JsonObject[] {
  const at = { replyId, blockId: 'text' }
  return [
    event('TEXT_BLOCK_START', at),
    ...deltas.map((delta) => event('TEXT_BLOCK_DELTA', { ...at, delta })),
    event('TEXT_BLOCK_END', at),
  ]
}

/** A model call, with what it says. */
export function modelCall(
  event: (type: string, fields?: JsonObject) => JsonObject,
  replyId: string,
  said: () => readonly JsonObject[],
  usage = { inputTokens: 10, outputTokens: 2, cachedTokens: 0, time: 0.5, totalTokens: 12 },
): readonly JsonObject[] {
  return [
    event('MODEL_CALL_START', { replyId }),
    ...said(),
    event('MODEL_CALL_END', { replyId, usage }),
  ]
}

/** A call the model writes in fragments, as the formatters of Java give it. */
export function writtenCall(
  event: (type: string, fields?: JsonObject) => JsonObject,
  replyId: string,
  toolCallId: string,
  toolCallName: string,
  ...fragments: readonly string[]
): readonly JsonObject[] {
  return [
    event('TOOL_CALL_START', { replyId, toolCallId, toolCallName }),
    ...fragments.map((delta) =>
      event('TOOL_CALL_DELTA', { replyId, toolCallId, toolCallName: '__fragment__', delta }),
    ),
    event('TOOL_CALL_END', { replyId, toolCallId, toolCallName }),
  ]
}

/** A whole result. */
export function toolResult(
  event: (type: string, fields?: JsonObject) => JsonObject,
  replyId: string,
  toolCallId: string,
  toolCallName: string,
  output: string,
  state = 'success',
): readonly JsonObject[] {
  const at = { replyId, toolCallId, toolCallName }
  return [
    event('TOOL_RESULT_START', at),
    event('TOOL_RESULT_TEXT_DELTA', { ...at, delta: output }),
    event('TOOL_RESULT_END', { ...at, state }),
  ]
}

/** The run's last message. */
export function agentResult(
  event: (type: string, fields?: JsonObject) => JsonObject,
  content: readonly JsonObject[],
  reason?: string,
  metadata: JsonObject = {},
): JsonObject {
  return event('AGENT_RESULT', {
    result: {
      id: `msg-of-${JSON.stringify(content).length}`,
      name: 'Ops',
      role: 'ASSISTANT',
      content,
      metadata: {
        ...(reason === undefined ? {} : { agentscope_generate_reason: reason }),
        ...metadata,
      },
      timestamp: '2026-08-22 18:00:01.204',
      usage: null,
    },
  })
}

/** A `tool_use` block as Java writes it. */
export function toolUse(
  id: string,
  name: string,
  input: JsonObject,
  state = 'pending',
): JsonObject {
  return { type: 'tool_use', id, name, input, content: JSON.stringify(input), metadata: {}, state }
}
