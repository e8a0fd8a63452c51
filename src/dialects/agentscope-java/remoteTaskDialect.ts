import type { Dialect } from '../../protocol/index.js'
import { decodeCallId } from './callIds.js'
import { createJavaDecoder } from './createJavaDecoder.js'
import { encodeText } from './encodeText.js'
import { isTaskFrame, readTask } from './readTask.js'
import { refuseAnswer } from './refuseAnswer.js'

/**
 * A task of AgentScope Java's agent protocol: each frame is an envelope, with the event as JSON in its `payload`. The decoder's
 * `cursor` is the last `seq`, for `Last-Event-ID`. Decisions are yes or no: edits and rules have no place.
 */
export const remoteTaskDialect: Dialect = {
  name: 'agentscope-java-task',
  createDecoder: (options = {}) =>
    createJavaDecoder(options, (events) => (frame) => {
      if (isTaskFrame(frame)) readTask(events, frame)
      else events.read(frame)
    }),
  encode: {
    send: (input) => input && { input: encodeText(input) },
    answer: (answer) => {
      if (answer.kind !== 'confirm') throw refuseAnswer(answer)
      return {
        decisions: answer.results.map(({ confirmed, tool_call }) => ({
          toolCallId: decodeCallId(tool_call.id),
          approved: confirmed,
        })),
      }
    },
  },
}
