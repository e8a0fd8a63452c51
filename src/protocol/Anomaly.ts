/** What can be odd about what came in. */
export type AnomalyKind =
  | 'not-json' // a frame that is no JSON
  | 'not-an-event' // JSON without a usable type
  | 'unknown-event' // a type this version does not know
  | 'malformed-event' // a known type with missing or wrong fields
  | 'unknown-fields' // a known type with fields this version does not know; the event counts
  | 'reserved-type' // a kit operation that arrived from outside
  | 'unknown-block' // a stored block of a type this version does not know
  | 'malformed-message' // a stored message with missing or wrong fields
  | 'orphan-event' // an event for a reply or block that was never started
  | 'bad-data' // bytes that could not be decoded
  | 'phantom-reply' // a reply that began and never was
  | 'gap' // something was lost on the way
  | 'not-stored' // a reply ended, and history still lacks its end after several looks; it is looked for again later
  | 'not-kept' // what is being sent, or was heard, could not be kept for a reload
  | 'differs-from-history' // the stream and the stored message disagreed; the stored one counts

/** Something odd that was survived. For the developer: count it, log it, send it home. */
export interface Anomaly {
  /** What was odd. */
  readonly kind: AnomalyKind
  /** One line of English that says what happened. */
  readonly message: string
  /** The reply it is about, if any. */
  readonly reply_id?: string
  /** What came in, untouched. */
  readonly raw?: unknown
}
