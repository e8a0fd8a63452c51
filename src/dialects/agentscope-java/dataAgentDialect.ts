import type { Dialect } from '../../protocol/index.js'
import { createJavaDecoder } from './createJavaDecoder.js'
import { encodeText } from './encodeText.js'
import { isDataAgentFrame, readDataAgent } from './readDataAgent.js'
import { refuseAnswer } from './refuseAnswer.js'

/**
 * The data-agent and paw examples of AgentScope Java: frames `token`, `tool_call`, `tool_result`, `done` and `error`. They have
 * no ids, so each stream needs a `seed` of its own.
 */
export const dataAgentDialect: Dialect = {
  name: 'agentscope-java-data-agent',
  createDecoder: (options = {}) =>
    createJavaDecoder(options, (events) => (frame) => {
      if (isDataAgentFrame(frame)) readDataAgent(events, frame)
      else events.read(frame)
    }),
  encode: {
    send: (input) => input && { message: encodeText(input) },
    answer: (answer) => {
      throw refuseAnswer(answer)
    },
  },
}
