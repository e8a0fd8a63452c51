import type { ConversationInput, SnapshotOperation } from '../protocol/index.js'

/** A page of history, without its messages: those are kept once each, whatever pages they are in. */
export interface KeptPage {
  /** What tells a page from an input. */
  readonly type: 'page'
  /** The messages, oldest first. */
  readonly ids: readonly string[]
  /** As in a snapshot. */
  readonly before?: string
  /** As in a snapshot. */
  readonly is_running?: boolean
}

/** Where a message began whose events are not needed any more: it tells the order beside what was never stored. */
interface KeptPlace {
  /** What tells a place from an input. */
  readonly type: 'place'
  /** The message, which a later page has. */
  readonly message_id: string
}

/** What a log is made of. */
export type Kept = ConversationInput | KeptPage | KeptPlace

/** What was written at once, by one reader of a conversation. */
export interface KeptBatch {
  /** Who wrote it. */
  readonly writer: string
  /** In the order in which the writer heard it. */
  readonly items: readonly Kept[]
}

/** What is known of a kept message without reading it. */
export interface MessageMark {
  /** The length of its JSON. */
  readonly size: number
  /** A number that tells its JSON from most others. */
  readonly hash: number
  /** The message's own `finished_at`. */
  readonly finishedAt: string | null
}

/** The marks of a conversation's messages, by message id. */
export type MessageMarks = ReadonlyMap<string, MessageMark>

/**
 * Whether a snapshot is a page of the agent's own history. Any other is kept whole, like an event.
 *
 * @param input - What was heard or read.
 */
export function isPage(input: ConversationInput): input is SnapshotOperation {
  return (
    input.type === 'kit.snapshot' && input.mode === 'merge' && (input.agent_path ?? []).length === 0
  )
}
