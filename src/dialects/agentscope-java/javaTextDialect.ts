import type { Dialect } from '../../protocol/index.js'
import { createJavaDecoder } from './createJavaDecoder.js'
import { encodeText } from './encodeText.js'
import { refuseAnswer } from './refuseAnswer.js'

/**
 * A Java backend that sends the answer's bare text (`Flux<String>`): a frame is a piece of it, whatever it looks like.
 *
 * Spring writes no space after `data:`, so the SSE parser must keep a leading one (`keepLeadingSpace`). The text has no ids, so
 * each stream needs a `seed` of its own. The end of the stream is the end of the reply.
 */
export const javaTextDialect: Dialect = {
  name: 'agentscope-java-text',
  createDecoder: (options = {}) => {
    const decoder = createJavaDecoder(options, (events) => (frame) => events.read(frame))
    const wrap = (frame: unknown): unknown =>
      typeof frame === 'string' ? { type: 'TEXT_BLOCK_DELTA', delta: frame } : null
    return {
      ...decoder,
      push: (frame) => decoder.push(Array.isArray(frame) ? frame.map(wrap) : wrap(frame)),
    }
  },
  encode: {
    send: (input) => input && { message: encodeText(input) },
    answer: (answer) => {
      throw refuseAnswer(answer)
    },
  },
}
