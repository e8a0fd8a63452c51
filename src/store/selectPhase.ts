import type { ChatState } from './ChatState.js'

/** What a conversation is doing, in one word. */
export type ChatPhase =
  /** History has not been read yet. */
  | 'loading'
  /** Nothing is under way. */
  | 'idle'
  /** A reply is written, or about to be. */
  | 'streaming'
  /** The agent waits for a person, or for a tool of the client. */
  | 'awaiting-person'
  /** A stop was asked for. */
  | 'interrupting'
  /** The connection was given up, or there is no history to show: only the person can go on. */
  | 'failed'

/**
 * What a conversation is doing, in one word.
 *
 * @param state - The conversation's state.
 */
export function selectPhase(state: ChatState): ChatPhase {
  if (hasFailed(state)) return 'failed'
  if (state.isInterrupting) return 'interrupting'
  if (isAtWork(state)) return 'streaming'
  if (state.conversation.requests.length > 0) return 'awaiting-person'
  return isLoading(state) ? 'loading' : 'idle'
}

/**
 * Whether a reply is written or about to be: one runs, or something that was sent has had no effect yet.
 *
 * @param state - The conversation's state.
 */
export function isAtWork(state: Pick<ChatState, 'conversation' | 'sends'>): boolean {
  const { conversation, sends } = state
  return (
    Object.values(conversation.replies).some(
      // A start alone proves nothing: the service also sends one when an idle session is interrupted.
      (reply) => reply.phase === 'running' && reply.hasBegun && reply.agentPath.length === 0,
    ) || Object.values(sends).some(({ phase }) => phase === 'sending' || phase === 'sent')
  )
}

function hasFailed({ connection, conversation, history }: ChatState): boolean {
  if (connection.phase === 'failed') return true
  return history.phase === 'failed' && conversation.messages.length === 0
}

function isLoading({ conversation, history }: ChatState): boolean {
  const isUnread = history.phase === 'idle' || history.phase === 'loading'
  return isUnread && conversation.messages.length === 0
}
