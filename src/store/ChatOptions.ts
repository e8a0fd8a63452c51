import type { ModelCall, PendingRequest } from '../fold/index.js'
import type {
  Anomaly,
  ConversationInput,
  Journal,
  TransportError,
  Usage,
} from '../protocol/index.js'
import type { CommitScheduler } from './CommitScheduler.js'
import type { Outbox } from './Outbox.js'

/** What `onUsage` is told. */
export interface UsageReport {
  /** The reply the call belongs to. */
  readonly replyId: string
  /** The call that ended, with its model's name, tokens and stamps. */
  readonly modelCall: ModelCall
  /** Tokens of the whole conversation so far, this call included. */
  readonly total: Usage
}

/**
 * Taps: told what happens, for audit, token counts, approval pushes and alerts. They are called outside of React, in order,
 * after the state has changed. One that throws is reported to the page (`reportError`) and disturbs nothing.
 */
export interface ChatTaps {
  /** Each input that the backend delivered, exactly once even when it is replayed. */
  readonly onEvent?: (event: ConversationInput) => void
  /** A model call ended. */
  readonly onUsage?: (report: UsageReport) => void
  /** Something waits for the person, or for the client; also once for what was already waiting when history was read. */
  readonly onRequest?: (request: PendingRequest) => void
  /** A connection, a page or a command failed. */
  readonly onError?: (error: TransportError) => void
  /** Something odd was survived. */
  readonly onAnomaly?: (anomaly: Anomaly) => void
}

/** Settings that count when a conversation's store is made. */
export interface ChatSettings {
  /** The name that the person's messages carry; `user` by default. */
  readonly userName?: string
  /** Messages per page of history, 1 to 200; 50 by default. */
  readonly pageSize?: number
  /** What keeps unfinished sends when the page goes away: `sessionOutbox` by default, `false` = nothing. */
  readonly outbox?: Outbox | false
  /** Keeps what is heard on the device, for a reload and for being offline; nothing by default. See `indexedDbJournal`. */
  readonly journal?: Journal
  /** When queued inputs become state; once per frame by default. For tests and for hosts without frames. */
  readonly schedule?: CommitScheduler
}

/** Settings and taps of a conversation. Taps may change at any time; the rest counts when the store is made. */
export interface ChatOptions extends ChatSettings, ChatTaps {}
