import { TransportError, type ConnectionState, type JsonObject } from '../../protocol/index.js'
import { statusError, systemClock, withRenewal, type OpenSocket } from '../../transports/index.js'
import type { SocketOptions } from './SocketOptions.js'

/** Makes a message for the line that is there. Throws a `TransportError` when such a line cannot take it. */
export type ComposeCall = (socket: OpenSocket, ref: string) => JsonObject

/** Messages on their way, each sent once. */
export interface SocketCalls {
  /** Sends one; see `SocketHub`. */
  call(what: string, compose: ComposeCall): Promise<void>
  /** A line is there: what waited for it goes out. */
  lineUp(socket: OpenSocket): void
  /** The line is gone, or not there yet: nothing will be acknowledged any more. */
  lineDown(state: ConnectionState): void
  /** An answer came. */
  answered(answer: JsonObject): void
}

/** Something that waits: for a line, or for its acknowledgement. */
interface Waiting<Value> {
  resolve(value: Value): void
  reject(error: TransportError): void
}

/**
 * Makes the calls of one socket.
 *
 * @param options - How long to wait, and how to renew credentials.
 */
export function createSocketCalls(options: SocketOptions): SocketCalls {
  const { lineTimeoutMs = 10_000, timeoutMs = 30_000, clock = systemClock } = options
  const unsent = new Set<Waiting<OpenSocket>>()
  const unanswered = new Map<string, Waiting<void> & { readonly what: string }>()
  let line: OpenSocket | undefined
  let failure: TransportError | undefined
  let count = 0

  /** Waits for one thing, but not for ever. */
  function within<Value>(
    limitMs: number,
    late: TransportError,
    begin: (waiting: Waiting<Value>) => () => void,
  ): Promise<Value> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        cancelTimer()
        forget()
      }
      const waiting: Waiting<Value> = {
        resolve: (value) => {
          settle()
          resolve(value)
        },
        reject: (error) => {
          settle()
          reject(error)
        },
      }
      const cancelTimer = clock.schedule(() => waiting.reject(late), limitMs)
      const forget = begin(waiting)
    })
  }

  function untilLine(what: string, deadline: number): Promise<OpenSocket> {
    if (line !== undefined) return Promise.resolve(line)
    if (failure !== undefined) return Promise.reject(failure)
    const late = new TransportError(
      'offline',
      `${what} was not sent: there was no connection within ${lineTimeoutMs} ms.`,
      { isUnsent: true },
    )
    return within(deadline - clock.now(), late, (waiting: Waiting<OpenSocket>) => {
      unsent.add(waiting)
      return () => unsent.delete(waiting)
    })
  }

  async function exchange(what: string, compose: ComposeCall): Promise<void> {
    const deadline = clock.now() + lineTimeoutMs
    count += 1
    const ref = `c${count}`
    let socket = await untilLine(what, deadline)
    // A socket may be closing before its end is told: nothing went out then, so the next one gets it.
    while (!socket.send(compose(socket, ref))) {
      if (line === socket) line = undefined
      socket = await untilLine(what, deadline)
    }
    if (socket.isPlain) return
    const late = new TransportError(
      'timeout',
      `${what} was not acknowledged within ${timeoutMs} ms; it may have had its effect.`,
    )
    await within(timeoutMs, late, (waiting: Waiting<void>) => {
      unanswered.set(ref, { ...waiting, what })
      return () => unanswered.delete(ref)
    })
  }

  async function call(what: string, compose: ComposeCall): Promise<void> {
    let isRepeat = false
    await withRenewal(options.onUnauthorized, async () => {
      if (isRepeat) await reintroduce()
      isRepeat = true
      return exchange(what, compose)
    })
  }

  /** The server refused the credentials it had: it is told the fresh ones. */
  async function reintroduce(): Promise<void> {
    const token = await options.auth?.()
    if (token !== undefined) line?.send({ kind: 'auth', token })
  }

  return {
    call,
    lineUp: (socket) => {
      line = socket
      failure = undefined
      for (const waiting of [...unsent]) waiting.resolve(socket)
    },
    lineDown: (state) => {
      line = undefined
      failure = state.phase === 'failed' ? state.cause : undefined
      const cause = 'cause' in state ? state.cause : undefined
      for (const waiting of [...unanswered.values()]) {
        const message = `The connection was lost before it acknowledged ${waiting.what.toLowerCase()}, which may have had its effect.`
        waiting.reject(new TransportError('closed', message, { cause }))
      }
      if (state.phase !== 'failed' && state.phase !== 'closed') return
      const words = 'not sent: the connection was closed.'
      for (const waiting of [...unsent]) {
        waiting.reject(failure ?? new TransportError('aborted', `The message was ${words}`))
      }
    },
    answered: ({ kind, ref, status, detail }) => {
      const waiting = typeof ref === 'string' ? unanswered.get(ref) : undefined
      if (waiting === undefined) return
      if (kind === 'ack') waiting.resolve()
      else
        waiting.reject(statusError(waiting.what, typeof status === 'number' ? status : 500, detail))
    },
  }
}
