import { taskApiDialect } from '../../../src/dialects/index.js'
import type { Conversation } from '../../../src/fold/index.js'
import type { ConversationInput, EndCause, JsonObject } from '../../../src/protocol/index.js'
import { fold } from '../describeDialect.js'
import { type Said, task } from './pages.js'

/** The inputs of pages; those of the end, if it is told how the stream ends. */
export function decode(frames: readonly unknown[], end?: EndCause): readonly ConversationInput[] {
  const decoder = taskApiDialect.createDecoder({ sessionId: 'c-0' })
  const inputs = frames.flatMap((frame) => decoder.push(frame).inputs)
  return end === undefined ? inputs : [...inputs, ...decoder.end(end).inputs]
}

/** The conversation that a whole task gives. */
export function conversationOf(
  said: readonly Said[],
  status?: string,
  fields?: JsonObject,
): Conversation {
  return fold(decode(task(said, status, fields))).conversation
}

/** Inputs of one kind. */
export function inputsOf(
  inputs: readonly ConversationInput[],
  type: string,
): readonly ConversationInput[] {
  return inputs.filter((input) => input.type === type)
}

/** What a whole task passes on. */
export function customsOf(said: readonly Said[]): readonly ConversationInput[] {
  return inputsOf(decode(task(said)), 'CUSTOM')
}
