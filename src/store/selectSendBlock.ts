import type { Capabilities } from '../protocol/index.js'
import type { ChatState } from './ChatState.js'
import { isGone } from './isGone.js'
import { isAtWork } from './selectPhase.js'

/** Why a message cannot be sent now. */
export type SendBlock =
  /** The server no longer has the conversation. */
  | 'gone'
  /** A reply is under way, and the backend refuses messages until it is over. */
  | 'running'
  /** The agent waits for a person: the service would take the message and never show it to the agent. */
  | 'awaiting-person'

/**
 * Why a message of the user cannot be sent now, for a composer to say so beforehand.
 *
 * @param state - The conversation's state.
 * @param capabilities - What the backend can do.
 * @returns The reason, or null when a message can be sent.
 */
export function selectSendBlock(state: ChatState, capabilities: Capabilities): SendBlock | null {
  const { connection } = state
  if (connection.phase === 'failed' && isGone(connection.cause)) return 'gone'
  if (capabilities.sendWhileRunning !== 'refused') return null
  if (isParked(state)) return 'awaiting-person'
  return isAtWork(state) ? 'running' : null
}

/** A worker's request does not park the agent itself. */
function isParked({ conversation }: ChatState): boolean {
  return conversation.requests.some((request) => request.kind === 'input' || !request.worker)
}
