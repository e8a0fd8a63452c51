import type { Anomaly } from './Anomaly.js'
import type { ConversationInput } from './KitOperation.js'

/** What is kept of one conversation, as one reader of it sees it. */
export interface KeptConversation {
  /**
   * Gives what was kept, to be folded before anything else. Never rejects: what cannot be read is nothing.
   *
   * @returns Inputs in the order in which they were heard; what a later stored message says is left out before it.
   */
  read(): Promise<readonly ConversationInput[]>
  /**
   * Keeps inputs, after those given before. Returns at once, writes later, never throws. An id that was kept before is not
   * kept again.
   *
   * @param inputs - What was heard, and the pages of history that were read.
   */
  append(inputs: readonly ConversationInput[]): void
}

/** Keeps on the device what conversations heard, when an app asks for it: the port between the store and a database. */
export interface Journal {
  /**
   * Begins to keep a conversation. Opens nothing yet.
   *
   * @param key - The backend's key: the same conversation in every tab.
   * @param report - Told once, as `not-kept`, when it cannot be kept any longer. The conversation goes on all the same.
   */
  open(key: string, report: (anomaly: Anomaly) => void): KeptConversation
  /**
   * Forgets a conversation, or all of them, such as when a person logs out. What is open keeps nothing more until it is opened
   * again. Rejects when it could not be done, since somebody relies on it.
   *
   * @param key - Which one; all by default.
   */
  clear(key?: string): Promise<void>
}
