import type { Answer, Dialect, JsonValue, ToolResultBlock } from '../../protocol/index.js'
import { decodeCallId } from './callIds.js'
import { createJavaDecoder } from './createJavaDecoder.js'
import { createManagedReader } from './createManagedReader.js'
import { encodeText } from './encodeText.js'
import { refuseAnswer } from './refuseAnswer.js'

/**
 * A managed session of AgentScope Java's service: stored events, and previews that stored ones replace. The decoder's `cursor` is
 * the last `seq`, for `after`. What is sent are events for `POST …/events`.
 */
export const managedSessionDialect: Dialect = {
  name: 'agentscope-java-managed',
  createDecoder: (options = {}) => createJavaDecoder(options, createManagedReader),
  encode: {
    send: (input) =>
      input && {
        events: input.map((message) => ({
          type: 'user.message',
          payload: { text: encodeText([message]) },
        })),
      },
    answer: encodeAnswer,
  },
}

function encodeAnswer(answer: Answer): JsonValue {
  switch (answer.kind) {
    case 'confirm':
      return {
        events: answer.results.map(({ confirmed, tool_call }) => ({
          type: 'user.tool_confirmation',
          payload: { tool_use_id: decodeCallId(tool_call.id), allow: confirmed },
        })),
      }
    case 'external':
      return {
        events: answer.results.map((result) => ({
          type: 'user.tool_result',
          payload: {
            tool_use_id: decodeCallId(result.id),
            content: textOf(result),
            is_error: result.state === 'error',
          },
        })),
      }
    case 'input':
      throw refuseAnswer(answer)
  }
}

function textOf({ output }: ToolResultBlock): string {
  if (typeof output === 'string') return output
  return output.flatMap((piece) => (piece.type === 'text' ? [piece.text] : [])).join('\n')
}
