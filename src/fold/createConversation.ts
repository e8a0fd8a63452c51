import type { Msg } from '../protocol/index.js'
import { applyEvents } from './applyEvents.js'
import type { Conversation } from './Conversation.js'

/**
 * Begins a conversation.
 *
 * @param init - `messages`: what is stored of it already, oldest first; nothing by default.
 * @returns Plain JSON, for `applyEvents`.
 */
export function createConversation(
  init: { readonly messages?: readonly Msg[] } = {},
): Conversation {
  const { messages = [] } = init
  const empty: Conversation = {
    messages: [],
    replies: {},
    requests: [],
    runs: [],
    notices: {},
    seen: [],
  }
  return applyEvents(empty, [{ type: 'kit.snapshot', messages, mode: 'replace' }])
}
