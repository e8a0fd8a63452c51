import { type Msg, parseMessages } from '../protocol/index.js'

/**
 * A message that is safe to fold into: the very same object when its shape is right, a repaired one when it can be.
 *
 * Messages come parsed; this is the last guard for those that a caller made by hand.
 *
 * @param value - What should be a message.
 */
export function readMessage(value: unknown): Msg | undefined {
  return parseMessages([value]).messages[0]
}

/**
 * Messages that are safe to fold into, each id once: the service may list a reply twice, as it was asked and as it was
 * finished; the later one counts, at the place of the first, which is where the reply stood when it began.
 *
 * @param values - What should be messages.
 */
export function readMessages(values: unknown): readonly Msg[] {
  const { messages } = parseMessages(values)
  return [...new Map(messages.map((message) => [message.id, message])).values()]
}
