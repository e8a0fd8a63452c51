import type { AgentBackend, ConversationInput } from '../protocol/index.js'
import type { ChatState } from './ChatState.js'
import type { Taps } from './createTaps.js'

/** What the parts of one store share. */
export interface ChatCore {
  /** The latest backend. */
  readonly backend: () => AgentBackend
  /** The state of the latest commit. */
  readonly get: () => ChatState
  /** Commits a change of anything but the conversation. */
  readonly set: (patch: Partial<Omit<ChatState, 'conversation'>>) => void
  /** Folds inputs of the store's own at once, after what is queued. */
  readonly fold: (inputs: readonly ConversationInput[]) => void
  /** Tells the app. */
  readonly taps: Taps
}
