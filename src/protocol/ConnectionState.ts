import type { TransportError } from './TransportError.js'

/** Where the live connection stands. */
export type ConnectionState =
  /** A first or new attempt is under way. */
  | { readonly phase: 'connecting' }
  /** Frames can arrive. */
  | { readonly phase: 'open' }
  /** Frames can arrive, and history is still being compared with what was seen. */
  | { readonly phase: 'catching-up' }
  /** The next attempt starts at `retryAt` (milliseconds since the epoch, client clock). */
  | { readonly phase: 'waiting'; readonly retryAt: number; readonly cause: TransportError }
  /** The device says it has no network; the next attempt starts when it has. */
  | { readonly phase: 'offline' }
  /** Closed by us. */
  | { readonly phase: 'closed' }
  /** No more attempts without the person: credentials, a missing session, no event stream. */
  | { readonly phase: 'failed'; readonly cause: TransportError }
