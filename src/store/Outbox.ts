import type { Answer, Msg } from '../protocol/index.js'

/** Something that was being sent: enough to send the very same again under the same id. Plain JSON. */
export interface OutboxEntry {
  /** The message, under the id that the server keeps; absent in other entries. */
  readonly message?: Msg
  /** The answer, under the id of its echo; absent in other entries. */
  readonly answer?: Answer
  /** The requests that the answer is about. */
  readonly requests?: readonly string[]
  /** The message was never sent: it waits until the conversation is free. */
  readonly isHeld?: boolean
  /** The message is not whole: what was too large is left out. It is shown as not sent, and cannot be sent as it is. */
  readonly isPartial?: boolean
  /** Instead of a message: the agent was to go on, after the message with this id (empty when there was none). */
  readonly after?: string
}

/**
 * Keeps what is being sent while the page may go away: written before a request goes out, and again when it is settled.
 * A later page looks in history whether it arrived. One that throws or rejects is done without.
 */
export interface Outbox {
  /**
   * What the last page left under a key; empty when nothing.
   *
   * @param key - The backend's key.
   */
  readonly read: (key: string) => readonly OutboxEntry[] | Promise<readonly OutboxEntry[]>
  /**
   * Replaces what is kept under a key; an empty list may be forgotten. Nothing waits for it.
   *
   * @param key - The backend's key.
   * @param entries - All that is not settled.
   */
  readonly write: (key: string, entries: readonly OutboxEntry[]) => void | Promise<void>
}
