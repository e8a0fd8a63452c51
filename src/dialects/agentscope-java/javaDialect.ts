import type { Answer, Dialect, JsonObject, JsonValue, ToolCallBlock } from '../../protocol/index.js'
import { isJsonObject } from '../../protocol/index.js'
import { decodeCallId } from './callIds.js'
import { createJavaDecoder } from './createJavaDecoder.js'
import { encodePieces } from './encodePieces.js'
import { parseJson } from './readField.js'
import { refuseAnswer } from './refuseAnswer.js'

/**
 * AgentScope Java 2.0, as a controller sends it: its events, whole or trimmed, in Java's spelling or another (the TypeScript SDK
 * before 2.0, Python's, the documentation's, the article's). A frame is one event's JSON.
 *
 * A run is one reply, whatever ids its model calls have. A run that asks ends on the wire and waits in the kit; the run that
 * goes on with it is the same reply, if its decoder saw it park or is told by `resumes`.
 *
 * Answers become lists that parse straight into Java's `List<ConfirmResult>` and `List<ToolResultBlock>`.
 *
 * @example
 * ```ts
 * const decoder = javaDialect.createDecoder({ sessionId: 's1', seed: message.id })
 * const { inputs } = decoder.push(JSON.parse(data))
 * ```
 */
export const javaDialect: Dialect = {
  name: 'agentscope-java',
  createDecoder: (options = {}) =>
    createJavaDecoder(options, (events) => (frame) => events.read(frame)),
  encode: {
    // Roles in capitals, content always a list; Java stamps the time itself.
    send: (input) =>
      input && {
        messages: input.map(({ id, name, role, content, metadata }) => ({
          id,
          name,
          role: role.toUpperCase(),
          content: encodePieces(content),
          metadata,
        })),
      },
    answer: encodeAnswer,
  },
}

function encodeAnswer(answer: Answer): JsonValue {
  switch (answer.kind) {
    case 'confirm':
      return {
        confirmResults: answer.results.map(({ confirmed, tool_call, rules = null }) => ({
          confirmed,
          toolCall: encodeCall(tool_call),
          rules: rules && rules.map((rule) => ({ ...rule })),
        })),
      }
    case 'external':
      return {
        toolResults: answer.results.map(({ id, name, output, metadata, state }) => ({
          type: 'tool_result',
          id: decodeCallId(id),
          name,
          output: encodePieces(output),
          metadata,
          state,
        })),
      }
    case 'input':
      throw refuseAnswer(answer)
  }
}

/** Java replaces its own call by what comes back, and its tools read `content`: so both forms of the arguments go out. */
function encodeCall(call: ToolCallBlock): JsonObject {
  const input = parseJson(call.input)
  const isWhole = isJsonObject(input)
  const metadata: unknown = 'metadata' in call ? call.metadata : undefined
  return {
    type: 'tool_use',
    id: decodeCallId(call.id),
    name: call.name,
    input: isWhole ? input : {},
    content: isWhole ? call.input : '{}',
    metadata: isJsonObject(metadata) ? metadata : {},
  }
}
