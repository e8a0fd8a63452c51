import type { ConversationInput, Dialect } from '../protocol/index.js'
import { agentscopeDialect } from './agentscope/agentscopeDialect.js'
import { anyJavaDialect } from './agentscope-java/anyJavaDialect.js'
import { taskApiDialect } from './task-api/taskApiDialect.js'

/** The names of the dialects known here. */
export type DialectName = 'agentscope' | 'agentscope-java' | 'task-api'

const dialects: Readonly<Record<DialectName, Dialect>> = {
  agentscope: agentscopeDialect,
  'agentscope-java': anyJavaDialect,
  'task-api': taskApiDialect,
}

/**
 * Reads a recorded stream at once: what a conversation would be folded from.
 *
 * @param dialect - Whose frames they are.
 * @param frames - What the transport would hand over, in order: the parsed JSON of each event; of the Task API the whole body of
 *   each poll.
 * @returns The inputs, in order. What is odd is left out.
 * @throws TypeError for a dialect that does not exist.
 * @example
 * ```ts
 * const conversation = applyEvents(createConversation(), decodeFrames('agentscope', frames))
 * ```
 */
export function decodeFrames(
  dialect: DialectName,
  frames: readonly unknown[],
): ConversationInput[] {
  if (!Object.hasOwn(dialects, dialect)) {
    const known = Object.keys(dialects).join(', ')
    throw new TypeError(
      `No dialect is called ${dialect}, so its frames cannot be read. Known: ${known}.`,
    )
  }
  const decoder = dialects[dialect].createDecoder()
  const inputs = frames.flatMap((frame) => decoder.push(frame).inputs)
  inputs.push(...decoder.end('eof').inputs)
  return inputs
}
