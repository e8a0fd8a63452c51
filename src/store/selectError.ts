import type { TransportError } from '../protocol/index.js'
import type { ChatState } from './ChatState.js'

/**
 * The failure that matters most now: a connection given up, then history that could not be read, then the latest command.
 * A connection that still tries is no failure.
 *
 * @param state - The conversation's state.
 * @returns The failure, or null.
 */
export function selectError(state: ChatState): TransportError | null {
  if (state.connection.phase === 'failed') return state.connection.cause
  return state.history.error ?? state.error
}
