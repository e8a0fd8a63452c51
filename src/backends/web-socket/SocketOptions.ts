import type {
  Clock,
  KeepOptions,
  RenewCredentials,
  WebSocketConstructor,
  WebSocketOptions,
} from '../../transports/index.js'

/** A WebSocket, and how it is used. */
export interface SocketOptions {
  /**
   * The address, such as `wss://example.com/sessions/s1/socket`; a function is asked before every attempt, so that a ticket in
   * the query is a fresh one.
   */
  readonly url: string | (() => string | Promise<string>)
  /** Gives the token of a first `{"kind":"auth","token":…}` message, before every attempt. For cookies and queries, leave it out. */
  readonly auth?: () => string | Promise<string>
  /**
   * Called when the server refuses the credentials (close code 4401, status 401 or 403): renew them, then resolve. What was
   * refused is tried once more, with `url` and `auth` asked anew; refused again, or rejected, the failure is shown.
   */
  readonly onUnauthorized?: RenewCredentials
  /** How the line is kept open. */
  readonly connection?: Omit<KeepOptions, 'onState' | 'onUnauthorized' | 'clock'> &
    Pick<WebSocketOptions, 'pingEveryMs'>
  /** How long something to send waits for a line, in milliseconds; 10 000 by default. It fails then, unsent. */
  readonly lineTimeoutMs?: number
  /** How long the server may take to acknowledge, in milliseconds; 30 000 by default. It may have had its effect then. */
  readonly timeoutMs?: number
  /** Makes the sockets; the page's own `WebSocket` by default. */
  readonly WebSocket?: WebSocketConstructor
  /** For tests; the device's own by default. */
  readonly clock?: Clock
}
