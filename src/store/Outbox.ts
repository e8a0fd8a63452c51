import type { Answer, Msg } from '../protocol/index.js'

/** Something that was being sent: enough to send the very same again under the same id. Plain JSON. */
export interface OutboxEntry {
  /** Its keys in `sends`: the message's id, the requests it answers, or `CONTINUE_ID`. */
  readonly keys: readonly string[]
  /** The message, under the id that the server keeps; null when the agent is to go on without one. */
  readonly message?: Msg | null
  /** The answer, under the id of its echo. An entry has a message or an answer. */
  readonly answer?: Answer
  /** Where the agent is to go on: after the message with this id, the last one until then. */
  readonly after?: string
  /** The message is not whole, since it was too large. It may be looked for, but not sent. */
  readonly isPartial?: boolean
  /** It was never sent: it waits until the conversation is free. */
  readonly isHeld?: boolean
  /** It surely had no effect: it waits, was refused, or never went out. */
  readonly isUnsent?: boolean
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
