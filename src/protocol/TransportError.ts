/** Why a request or a stream failed. */
export type TransportErrorReason =
  | 'offline' // no network, or the server cannot be reached
  | 'timeout' // no answer, or no sign of life, in time
  | 'unauthorized' // 401, 403: credentials are missing, expired or not enough
  | 'not-found' // 404: no such session or agent
  | 'conflict' // 409: not now, another run is under way
  | 'rejected' // another 4xx: the request itself is wrong
  | 'server' // 5xx: the server failed
  | 'not-a-stream' // an answer that is no event stream, such as a login page
  | 'closed' // the stream ended without a word
  | 'malformed' // bytes that cannot be read
  | 'aborted' // we stopped it ourselves
  | 'not-kept' // what was to be sent was too large to be kept whole when the page was left

/** What is known about a failure besides its reason. */
export interface TransportErrorDetails {
  /** The HTTP status, if there was an answer. */
  readonly status?: number | undefined
  /** The server's own words in one line, if it gave any that are fit to show. */
  readonly detail?: string | undefined
  /** The start of the body (at most 2,000 characters) as plain text: for a folded detail, never for markup. */
  readonly body?: string | undefined
  /** The content type of the answer. */
  readonly contentType?: string | undefined
  /** How long the server asked us to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined
  /** Whether it is certain that nothing went out; `false` by default. */
  readonly isUnsent?: boolean | undefined
  /** What was thrown underneath. */
  readonly cause?: unknown
}

const RETRYABLE: ReadonlySet<TransportErrorReason> = new Set([
  'offline',
  'timeout',
  'server',
  'closed',
  'malformed',
])

/** A failed request or stream: state to show, with a reason to choose words and actions by. */
export class TransportError extends Error {
  /** The class's name, for logs. */
  override readonly name: string = 'TransportError'
  /** Why it failed. */
  readonly reason: TransportErrorReason
  /** The HTTP status, if there was an answer. */
  readonly status: number | undefined
  /** The server's own words in one line, if any. */
  readonly detail: string | undefined
  /** The start of the body as plain text. */
  readonly body: string | undefined
  /** The content type of the answer. */
  readonly contentType: string | undefined
  /** How long the server asked us to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined
  /** Whether it is certain that nothing went out: what was to be sent had no effect. */
  readonly isUnsent: boolean

  /**
   * @param reason - Why it failed.
   * @param message - What happened, why it matters, what to do: one line for a developer.
   * @param details - What else is known.
   */
  constructor(reason: TransportErrorReason, message: string, details: TransportErrorDetails = {}) {
    super(message, details)
    this.reason = reason
    this.status = details.status
    this.detail = details.detail
    this.body = details.body
    this.contentType = details.contentType
    this.retryAfterMs = details.retryAfterMs
    this.isUnsent = details.isUnsent === true
  }

  /** Whether trying again, unchanged, can help. A `429` may be retried after `retryAfterMs`. */
  get canRetry(): boolean {
    return RETRYABLE.has(this.reason) || this.status === 429
  }
}
