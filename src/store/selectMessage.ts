import type { Conversation } from '../fold/index.js'
import type { Msg } from '../protocol/index.js'

/** One index per list of messages: a hundred rows that look for themselves cost one pass per commit. */
const indexes = new WeakMap<readonly Msg[], ReadonlyMap<string, Msg>>()

/**
 * Finds a message without walking the list for each reader.
 *
 * @param conversation - Where to look.
 * @param id - The message's id; a reply's message has the reply's.
 * @returns The message, or undefined when there is none.
 */
export function selectMessage(conversation: Conversation, id: string): Msg | undefined {
  const { messages } = conversation
  let index = indexes.get(messages)
  if (index === undefined) {
    index = new Map(messages.map((message) => [message.id, message]))
    indexes.set(messages, index)
  }
  return index.get(id)
}
