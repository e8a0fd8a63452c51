import type { Conversation } from '../fold/index.js'
import type { ConnectionState, TransportError } from '../protocol/index.js'
import type { Decision } from './ChatCommands.js'

/** Where the stored messages stand. */
export interface HistoryState {
  /**
   * `idle`: not asked for yet. `loading`: the newest page is on its way. `ready`: it is here.
   * `failed`: it could not be read; `retryNow()` tries again. `none`: this backend stores nothing.
   */
  readonly phase: 'idle' | 'loading' | 'ready' | 'failed' | 'none'
  /** Whether `loadOlder()` would find more. */
  readonly hasMore: boolean
  /** Whether an older page is on its way. */
  readonly isLoadingOlder: boolean
  /** Why the last page could not be read; null when it could. */
  readonly error: TransportError | null
}

/**
 * Where something that the person sent stands: a message, a decision, a result.
 * Absent = nothing is on its way. A message's entry goes when its reply begins or history shows it; a decision's
 * when its request is no longer pending.
 */
export type SendState = {
  /** The person's decision, where it is about a request for approval. */
  readonly decision?: Decision
} &
  /**
   * Not sent yet. A decision waits for the reply's other decisions (only where `capabilities.partialAnswers` is false); a
   * message waits until the conversation is free, and is sent then: `selectSendBlock` tells what it waits for.
   */
  (
    | { readonly phase: 'held' }
    /** The request is under way, or history is looked at because its answer was lost. */
    | { readonly phase: 'sending' }
    /** The server took it; its effect has not been heard yet. */
    | { readonly phase: 'sent' }
    /** It did not go through: `retry(id)` sends the same again, `discard(id)` gives it up. */
    | {
        readonly phase: 'failed'
        /** Why. */
        readonly error: TransportError
        /** Whether it certainly had no effect; `false`: not known, and `retry(id)` looks before it sends anything. */
        readonly isSure: boolean
      }
  )

/** All that is known about one conversation. Replaced as a whole, once per commit; untouched parts keep their identity. */
export interface ChatState {
  /** Messages, replies and requests: folded from what was heard, never written otherwise. */
  readonly conversation: Conversation
  /** Where the stored messages stand. */
  readonly history: HistoryState
  /** Where the live connection stands. */
  readonly connection: ConnectionState
  /** What is on its way or failed, by message id (messages), request key (decisions, results) or `CONTINUE_ID` (going on). */
  readonly sends: Readonly<Record<string, SendState>>
  /** Whether a stop was asked for, and the reply has neither ended nor parked yet. */
  readonly isInterrupting: boolean
  /** Why the latest command failed; null once another one went through, or this one turns out to have. */
  readonly error: TransportError | null
}
