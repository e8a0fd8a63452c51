import type { Usage } from '../protocol/index.js'
import type { Conversation } from './Conversation.js'
import { addUsage } from './foldEvent.js'

const NONE: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_input_tokens: 0,
  cache_creation_input_tokens: 0,
}

/**
 * Tokens used by a conversation: the sum over its messages.
 *
 * @param conversation - Anything with messages.
 * @returns The sums; messages without figures count as 0.
 */
export function getUsage({ messages }: Pick<Conversation, 'messages'>): Usage {
  return messages.reduce((sum, { usage }) => (usage === null ? sum : addUsage(sum, usage)), NONE)
}
