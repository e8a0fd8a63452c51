/** What is used of a `WebSocket`: the page's own has it, and so has that of the package `ws`. */
export interface WebSocketLike {
  /** The subprotocol the server chose; empty for none. */
  readonly protocol: string
  /** 1 while it is open. */
  readonly readyState: number
  /** Sends a text. */
  send(text: string): void
  /** Closes it. */
  close(code?: number, reason?: string): void
  /** Adds a listener. */
  addEventListener(
    type: 'open' | 'message' | 'error' | 'close',
    listener: (event: unknown) => void,
  ): void
}

/** Makes WebSockets. */
export type WebSocketConstructor = new (url: string, protocols?: string[]) => WebSocketLike
