import type { JsonValue } from '../../../protocol/index.js'

/** Some of the requests. */
export interface RequestPattern {
  /** The method in capitals; by default any but `OPTIONS`, so that a browser's preflights are left alone. */
  readonly method?: string
  /** The path without its query: exact, with `*` for anything within a segment and `**` for anything, or an expression. Any by default. */
  readonly path?: string | RegExp
}

/** Which of the requests that fit: the next one, each, the n-th (from 1), or several. Counted from when the fault was added. */
export type Occurrence = 'next' | 'every' | number | readonly number[]

/**
 * Which events of a stream: the n-th (from 1, as the server sent them on this connection), several, a range with both
 * ends, or those for which the function says so. It gets the event's JSON; a text that is no JSON it gets as it is.
 */
export type EventPattern =
  | number
  | readonly number[]
  | { readonly from?: number; readonly to?: number }
  | ((event: JsonValue, index: number) => boolean)

/** How long: milliseconds, or until a promise settles, which a test decides. */
export type Wait = number | Promise<unknown>

/** What all faults share. */
export interface FaultBase {
  /** Requests that may meet it. By default any; for faults of a body, any event stream or WebSocket. */
  readonly on?: RequestPattern
  /** Which of them do; `'next'` by default: it happens once. */
  readonly which?: Occurrence
}

/** What the faults of a whole request share. */
export interface RequestFaultBase extends FaultBase {
  /** Whether the server gets the request, and acts, before it happens; `false` by default. */
  readonly forwarded?: boolean
}

/** An answer that is not the server's: 401, 403, 404, 409, 500, a gateway's 502. */
export interface AnswerFault extends RequestFaultBase {
  /** The fault's kind. */
  readonly kind: 'answer'
  /** The status. */
  readonly status: number
  /** The body; by default `{"detail": …}`, and for 502 to 504 a page of HTML as gateways send it. */
  readonly body?: string
  /** Headers, such as `retry-after`; names in lower case. A `content-type` goes with the default body. */
  readonly headers?: Readonly<Record<string, string>>
}

/** No answer ever; the line stays open. With `forwarded` the server acted, and nobody hears of it. */
export interface HangFault extends RequestFaultBase {
  /** The fault's kind. */
  readonly kind: 'hang'
}

/** The line breaks without an answer. With `forwarded` the server acted: the lost response. */
export interface ResetFault extends RequestFaultBase {
  /** The fault's kind. */
  readonly kind: 'reset'
}

/** A late answer. Without `forwarded` the server, too, gets the request late. */
export interface DelayFault extends RequestFaultBase {
  /** The fault's kind. */
  readonly kind: 'delay'
  /** How late. */
  readonly by: Wait
}

/** The server's answer, with a body that is no JSON any more. */
export interface BrokenJsonFault extends FaultBase {
  /** The fault's kind. */
  readonly kind: 'broken-json'
}

/** The body ends where it should not. */
export interface CutFault extends FaultBase {
  /** The fault's kind. */
  readonly kind: 'cut'
  /** Where: after so many bytes, after so many bytes of the n-th event, or inside the first character that takes several bytes. */
  readonly at: number | { readonly event: number; readonly byte: number } | 'character'
  /** `reset` (default): the line breaks. `end`: as if that were all. */
  readonly how?: 'reset' | 'end'
}

/** The body comes slowly, and the server is made to wait: a slow reader. */
export interface SlowFault extends FaultBase {
  /** The fault's kind. */
  readonly kind: 'slow'
  /** How many bytes come at once. */
  readonly bytes: number
  /** How many milliseconds pass after them. */
  readonly everyMs: number
}

/** Events are lost: one, a hole (`{ from: 5, to: 9 }`), or the beginning, as of a trimmed replay (`{ to: 200 }`). */
export interface DropFault extends FaultBase {
  /** The fault's kind. */
  readonly kind: 'drop'
  /** Which. */
  readonly events: EventPattern
}

/** Events come twice. */
export interface DuplicateFault extends FaultBase {
  /** The fault's kind. */
  readonly kind: 'duplicate'
  /** Which. */
  readonly events: EventPattern
}

/** Events come after the one that follows them, or alone when nothing follows within 100 ms. */
export interface SwapFault extends FaultBase {
  /** The fault's kind. */
  readonly kind: 'swap'
  /** Which. */
  readonly events: EventPattern
}

/** Events come late, and all that is behind them. */
export interface HoldFault extends FaultBase {
  /** The fault's kind. */
  readonly kind: 'hold'
  /** Which. */
  readonly events: EventPattern
  /** How late. */
  readonly by: Wait
}

/** Nothing comes any more, heartbeats neither, but the line stays open. */
export interface StallFault extends FaultBase {
  /** The fault's kind. */
  readonly kind: 'stall'
  /** After so many events. */
  readonly after: number
  /** Until then; by default for good. What was kept back then comes. */
  readonly until?: Wait
  /** Whether on a WebSocket the client's messages, too, get nowhere from then on: a half-open line. `false` by default. */
  readonly bothWays?: boolean
}

/** The stream ends early. */
export interface CloseFault extends FaultBase {
  /** The fault's kind. */
  readonly kind: 'close'
  /** After so many events. */
  readonly after: number
  /** `end` (default): as a server ends it. `reset`: the line breaks. */
  readonly how?: 'end' | 'reset'
  /** The code of a WebSocket that ends; 1012 (the server restarts) by default. */
  readonly code?: number
}

/** An event that this proxy passed on before, on any connection to the same path, comes again. */
export interface EchoFault extends FaultBase {
  /** The fault's kind. */
  readonly kind: 'echo'
  /** After so many events. */
  readonly after: number
  /** Which of those that went before, counted from the oldest that is remembered; the first that fits; 1 by default. */
  readonly event?: EventPattern
}

/** Heartbeats are swallowed: comments of an event stream; pings and pongs of a WebSocket. */
export interface NoHeartbeatsFault extends FaultBase {
  /** The fault's kind. */
  readonly kind: 'no-heartbeats'
}

/** What goes wrong with a whole request. */
export type RequestFault = AnswerFault | HangFault | ResetFault | DelayFault

/** What goes wrong with the events of a stream. */
export type EventFault =
  | DropFault
  | DuplicateFault
  | SwapFault
  | HoldFault
  | StallFault
  | CloseFault
  | EchoFault
  | NoHeartbeatsFault

/** What goes wrong with any body. */
export type BodyFault = CutFault | SlowFault | BrokenJsonFault

/** Something that goes wrong between a client and a server. */
export type Fault = RequestFault | BodyFault | EventFault

/** The name of a kind of fault. */
export type FaultKind = Fault['kind']
