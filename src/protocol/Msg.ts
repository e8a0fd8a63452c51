import type { ContentBlock } from './ContentBlock.js'
import type { JsonObject, JsonValue } from './JsonValue.js'
import type { OpenEnum } from './OpenEnum.js'

/** Who speaks. */
export type Role = 'user' | 'assistant' | 'system'

/** Tokens used by the model calls of one message, added up. */
export interface Usage {
  /** Tokens sent to the model. */
  readonly input_tokens: number
  /** Tokens the model wrote. */
  readonly output_tokens: number
  /** Of the input: tokens read from the provider's cache. */
  readonly cache_input_tokens: number
  /** Of the input: tokens written to the provider's cache. */
  readonly cache_creation_input_tokens: number
}

/** Why a reply ended. */
export type FinishedReason = OpenEnum<'completed' | 'interrupted' | 'exceed_max_iters' | 'error'>

/** What went wrong in a reply that ended with `finished_reason: "error"`. */
export interface ReplyError {
  /** The kind of failure, for choosing words. */
  readonly type: OpenEnum<
    | 'authentication'
    | 'permission'
    | 'rate_limit'
    | 'invalid_request'
    | 'upstream'
    | 'connection'
    | 'internal'
    | 'setup'
    | 'unknown'
  >
  /** The server's own words. */
  readonly message: string
}

/** A message: AgentScope Python's `Msg`, field by field. A reply's message has the reply's id. */
export interface Msg {
  /** Durable: a user message keeps the id its sender made; a reply's message has the `reply_id`. */
  readonly id: string
  /** The speaker's name. */
  readonly name: string
  /** Who speaks. */
  readonly role: Role
  /** The pieces, in order of arrival. */
  readonly content: readonly ContentBlock[]
  /** Whatever the sender attached. */
  readonly metadata: JsonObject
  /** Naive ISO time in the server's zone (or the sender's own stamp on a message that was posted). */
  readonly created_at: string
  /** Tokens used so far; null before the first model call ended. */
  readonly usage: Usage | null
  /** When the reply ended; null while it runs or waits for a person. */
  readonly finished_at: string | null
  /** Why it ended; null until then. */
  readonly finished_reason: FinishedReason | null
  /** A structured answer; only stored messages have it, no event carries it. */
  readonly structured_output: JsonValue
  /** What went wrong, if something did. */
  readonly error: ReplyError | null
}
