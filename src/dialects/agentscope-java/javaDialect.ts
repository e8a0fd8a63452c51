import type { Dialect } from '../../protocol/index.js'
import { createJavaDecoder } from './createJavaDecoder.js'
import { encodeAnswer, encodeInput } from './encodeJava.js'
import type { JavaFraming } from './JavaFraming.js'

/** Which of Java's languages a backend speaks. */
export interface JavaDialectOptions {
  /**
   * How the stream comes, and what it is sent; `events` by default. Only `text` must be named for the stream to be read: the
   * other framings are recognised frame by frame.
   */
  readonly framing?: JavaFraming
}

/**
 * AgentScope Java 2.0: its events, their older spellings (the TypeScript SDK before 2.0, Python's, the documentation's), and the
 * framings of its examples and services.
 *
 * A run is one reply, whatever ids its model calls have. A run that asks ends on the wire and waits in the kit; the run
 * that goes on with it is the same reply, if the decoder saw it park or is told by `resumes`.
 *
 * @param options - Which framing.
 * @example
 * ```ts
 * const decoder = javaDialect().createDecoder({ sessionId: 's1' })
 * const { inputs } = decoder.push({ type: 'AGENT_START', id: 'e1', replyId: 'R0', name: 'Ops', role: 'assistant' })
 * ```
 */
export function javaDialect(options: JavaDialectOptions = {}): Dialect {
  const { framing = 'events' } = options
  return {
    name: 'agentscope-java',
    createDecoder: (decoderOptions) => createJavaDecoder(framing === 'text', decoderOptions),
    encode: {
      send: (input) => encodeInput(framing, input),
      answer: (answer) => encodeAnswer(framing, answer),
    },
  }
}
