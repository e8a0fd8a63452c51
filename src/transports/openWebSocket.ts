import {
  isJsonObject,
  TransportError,
  type Anomaly,
  type JsonValue,
  type StreamHandle,
} from '../protocol/index.js'
import { askApp } from './askApp.js'
import { systemClock } from './Clock.js'
import type { SilenceRule } from './createWatchdog.js'
import { nameRequest } from './HttpTarget.js'
import { keepConnected, type KeepOptions, type Line } from './keepConnected.js'
import { socketError } from './socketError.js'
import type { WebSocketConstructor, WebSocketLike } from './WebSocketLike.js'

/** The subprotocol that numbers events, acknowledges requests and finds out that a line is dead. */
export const SOCKET_PROTOCOL = 'agentscope.v1'

/** A socket that is open. */
export interface OpenSocket {
  /** Whether the server chose no subprotocol: messages are then bare events. */
  readonly isPlain: boolean
  /** Sends a message as JSON. `false`: the socket is not open any more, and nothing was sent. */
  send(message: JsonValue): boolean
}

/** A WebSocket to hold open. */
export interface WebSocketOptions extends KeepOptions {
  /** The address, such as `wss://example.com/sessions/s1/socket`; a function is asked before every attempt. */
  readonly url: string | (() => string | Promise<string>)
  /** Gives the token of a first message `{"kind":"auth","token":…}`; asked before every attempt. None is sent by default. */
  readonly auth?: () => string | Promise<string>
  /**
   * What is spoken: `agentscope.v1` alone, `plain` alone, or by default `either`: the subprotocol is offered, and a server that
   * does not choose it is tried once more without, since browsers take it for a failure when no offer is chosen.
   */
  readonly protocol?: 'either' | 'agentscope.v1' | 'plain'
  /** Silence after which a line with the subprotocol is asked for a sign of life, in milliseconds; 20 000 by default. */
  readonly pingEveryMs?: number
  /** Silence after which a plain line counts as dead; never by default, since a plain server need not say anything. */
  readonly watchdogMs?: number
  /** Takes a socket that has just opened; what is sent here goes before everything else but the token. */
  readonly onOpen: (socket: OpenSocket) => void
  /** Hears what each message says, as `JSON.parse` gave it; pings and pongs of the subprotocol are dealt with here. */
  readonly onFrame: (frame: unknown) => void
  /** Hears of messages that are no JSON text. */
  readonly onAnomaly?: (what: Anomaly) => void
  /** Makes the sockets; the page's own `WebSocket` by default. */
  readonly WebSocket?: WebSocketConstructor
}

/** One socket to hold until it ends. */
interface Attempt {
  readonly url: string
  readonly protocols: string[]
  readonly token: string | undefined
  readonly line: Line
}

/** How it ended. */
interface SocketEnd {
  readonly cause: TransportError
  readonly wasOpen: boolean
}

const OPEN = 1

/**
 * Opens a WebSocket and holds it open until `close()`.
 *
 * Reconnects after a lost line, silence, and the codes 1012 and 1013, these later. Stops (`failed`) at 4401, unless credentials
 * can be renewed, at 4404, and at 4409, since two that replace each other would never end. With the subprotocol a line that
 * leaves two pings without an answer counts as dead; whatever comes in is a sign of life.
 *
 * @param options - Where to, whom to tell, how to wait.
 */
export function openWebSocket(options: WebSocketOptions): StreamHandle {
  const { url, auth, protocol = 'either' } = options
  let isPlainRefused = protocol === SOCKET_PROTOCOL
  return keepConnected(async (line) => {
    const failed = 'The WebSocket was not opened: the function for its'
    const attempt = {
      url: typeof url === 'string' ? url : await askApp(url, `${failed} address failed.`),
      token: auth === undefined ? undefined : await askApp(auth, `${failed} token failed.`),
      line,
    }
    if (protocol !== 'plain') {
      const { wasOpen, cause } = await hold({ ...attempt, protocols: [SOCKET_PROTOCOL] }, options)
      isPlainRefused ||= wasOpen
      if (isPlainRefused) throw cause
    }
    throw (await hold({ ...attempt, protocols: [] }, options)).cause
  }, options)
}

function hold(attempt: Attempt, options: WebSocketOptions): Promise<SocketEnd> {
  const { line, token } = attempt
  line.signal.throwIfAborted()
  const name = nameRequest({ url: attempt.url, method: 'WebSocket' })
  const socket = construct(attempt, name, options)
  return new Promise((resolve) => {
    let isOver = false
    let wasOpen = false
    let isPlain = true

    // A listener that was taken off could not keep the error of a socket closed too early from being thrown by some libraries.
    const on = (type: 'open' | 'message' | 'error' | 'close', react: (event: unknown) => void) => {
      socket.addEventListener(type, (event) => {
        if (!isOver) react(event)
      })
    }

    function end(cause: TransportError): void {
      isOver = true
      line.signal.removeEventListener('abort', abandon)
      resolve({ cause, wasOpen })
    }

    function abandon(): void {
      end(new TransportError('aborted', `${name} was closed by us.`))
      socket.close()
    }

    function send(message: JsonValue): boolean {
      if (isOver || socket.readyState !== OPEN) return false
      socket.send(JSON.stringify(message))
      return true
    }

    line.signal.addEventListener('abort', abandon)
    on('error', () => {})
    on('close', (event) => end(socketError(event, { name, wasOpen, random: options.random })))
    on('message', (event) => receive(event, { options, line, send, isPlain }))
    on('open', () => {
      wasOpen = true
      isPlain = socket.protocol !== SOCKET_PROTOCOL
      if (isPlain && options.protocol === SOCKET_PROTOCOL) {
        const message = `${name} does not speak ${SOCKET_PROTOCOL}, which is needed here.`
        end(new TransportError('not-a-stream', message))
        return socket.close()
      }
      if (token !== undefined) send({ kind: 'auth', token })
      options.onOpen({ isPlain, send })
      line.opened(silenceRule(isPlain, options, send))
    })
  })
}

function construct(
  { url, protocols }: Attempt,
  name: string,
  options: WebSocketOptions,
): WebSocketLike {
  const Socket: WebSocketConstructor | undefined = options.WebSocket ?? globalThis.WebSocket
  if (Socket === undefined) {
    const message = `${name} cannot be opened: there is no WebSocket here, so give one in the options.`
    throw new TransportError('rejected', message)
  }
  try {
    return protocols.length === 0 ? new Socket(url) : new Socket(url, protocols)
  } catch (cause) {
    const message = `${name} cannot be opened: the address is not allowed.`
    throw new TransportError('rejected', message, { cause })
  }
}

function silenceRule(
  isPlain: boolean,
  options: WebSocketOptions,
  send: OpenSocket['send'],
): SilenceRule {
  const { pingEveryMs = 20_000, watchdogMs = Infinity, clock = systemClock } = options
  if (isPlain) return { limitMs: watchdogMs }
  return { everyMs: pingEveryMs, ask: () => send({ kind: 'ping', t: clock.now() }) }
}

/** Where a message arrived. */
interface Arrival {
  readonly options: WebSocketOptions
  readonly line: Line
  readonly isPlain: boolean
  readonly send: OpenSocket['send']
}

function receive(event: unknown, { options, line, isPlain, send }: Arrival): void {
  line.alive()
  const data = isObject(event) ? event.data : undefined
  let frame: unknown
  try {
    if (typeof data !== 'string') throw new TypeError('not a text')
    frame = JSON.parse(data)
  } catch {
    const message = 'A message of the WebSocket is no JSON text.'
    return options.onAnomaly?.({ kind: 'not-json', message, raw: data })
  }
  const { kind, t = null } = !isPlain && isJsonObject(frame) ? frame : {}
  if (kind === 'ping') return void send({ kind: 'pong', t })
  if (kind === 'pong') return
  // Being let in is no progress yet: a server may close each time right after that.
  if (isPlain || kind === 'event') line.progressed()
  options.onFrame(frame)
}

/** Events of browsers have their fields on the prototype. */
function isObject(event: unknown): event is { readonly data?: unknown } {
  return typeof event === 'object' && event !== null
}
