import {
  isJsonObject,
  type Anomaly,
  type ConnectionState,
  type JsonObject,
  type StreamHandle,
} from '../../protocol/index.js'
import { openWebSocket, type OpenSocket, type WebSocketOptions } from '../../transports/index.js'
import { createSocketCalls, type ComposeCall } from './createSocketCalls.js'
import type { SocketOptions } from './SocketOptions.js'

/** One session on a socket. */
interface SocketMember {
  /** The socket is open: the time to subscribe. */
  opened(socket: OpenSocket): void
  /** The line is in another state than open. */
  changed(state: ConnectionState): void
  /** A message came that answers no call. */
  heard(frame: unknown): void
  /** A message came that cannot be read. */
  anomaly(what: Anomaly): void
}

/** One socket for those who joined: open while anybody does. */
export interface SocketHub {
  /** The socket, while it is open. */
  readonly socket: OpenSocket | undefined
  /** Whether the newest socket was a plain one. */
  readonly isPlain: boolean
  /** Takes part; the first opens the socket, and the last to leave closes it. */
  join(member: SocketMember): StreamHandle
  /**
   * Sends one message, once. Resolves when it is acknowledged, or on a plain line when it was written. Rejects with a
   * `TransportError`.
   *
   * @param what - What it is, for messages.
   * @param compose - Makes the message for the line that is there.
   */
  call(what: string, compose: ComposeCall): Promise<void>
}

/**
 * Makes a hub; it opens nothing before somebody joins.
 *
 * @param options - The socket.
 * @param protocol - What must or may be spoken.
 */
export function createSocketHub(
  options: SocketOptions,
  protocol: WebSocketOptions['protocol'] = 'either',
): SocketHub {
  const members = new Set<SocketMember>()
  const calls = createSocketCalls(options)
  let stream: StreamHandle | undefined
  let socket: OpenSocket | undefined
  let isPlain = protocol === 'plain'
  let state: ConnectionState = { phase: 'closed' }

  function open(): StreamHandle {
    return openWebSocket({
      ...options,
      ...options.connection,
      protocol,
      onOpen: (opened) => {
        socket = opened
        isPlain = opened.isPlain
        for (const member of members) member.opened(opened)
        // Only now, since what is sent is about what was subscribed to.
        calls.lineUp(opened)
      },
      onState: changed,
      onFrame: (frame) => {
        if (socket?.isPlain === false && isAnswer(frame)) calls.answered(frame)
        else for (const member of members) member.heard(frame)
      },
      onAnomaly: (what) => {
        for (const member of members) member.anomaly(what)
      },
    })
  }

  function changed(next: ConnectionState): void {
    state = next
    if (next.phase === 'open') return
    socket = undefined
    calls.lineDown(next)
    for (const member of members) member.changed(next)
  }

  /** Who comes later finds the line as it is. */
  function welcome(member: SocketMember): void {
    if (state.phase !== 'open') return member.changed(state)
    member.changed({ phase: 'connecting' })
    queueMicrotask(() => {
      if (socket !== undefined && members.has(member)) member.opened(socket)
    })
  }

  function leave(member: SocketMember): void {
    if (!members.delete(member) || members.size > 0) return
    stream?.close()
    stream = undefined
    changed({ phase: 'closed' })
  }

  return {
    get socket() {
      return socket
    },
    get isPlain() {
      return isPlain
    },
    join: (member) => {
      members.add(member)
      if (stream === undefined) stream = open()
      else welcome(member)
      return {
        close: () => leave(member),
        retryNow: () => {
          if (members.has(member)) stream?.retryNow()
        },
      }
    },
    call: (what, compose) => calls.call(what, compose),
  }
}

/** An error without `ref` is about a session, not about a call. */
function isAnswer(frame: unknown): frame is JsonObject {
  if (!isJsonObject(frame)) return false
  return frame['kind'] === 'ack' || (frame['kind'] === 'error' && 'ref' in frame)
}
