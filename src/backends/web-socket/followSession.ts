import { agentscopeDialect } from '../../dialects/index.js'
import {
  isJsonObject,
  type AnomalyKind,
  type JsonObject,
  type JsonValue,
  type StreamHandle,
  type StreamSink,
} from '../../protocol/index.js'
import { statusError, systemClock, type Clock, type OpenSocket } from '../../transports/index.js'
import { passFrame } from '../agent-service/passFrame.js'
import type { SocketHub } from './createSocketHub.js'

/** One session on a socket, and how its events are to be read. */
export interface FollowedSession {
  /** The agent. */
  readonly agentId: string
  /** The session. */
  readonly sessionId: string
  /** Whether others use the socket too: what does not name the session is then nobody's. */
  readonly isShared: boolean
  /** Whether what was before the first event can be read elsewhere. */
  readonly hasHistory: boolean
  /** For tests; the device's own by default. */
  readonly clock?: Clock | undefined
}

/** A server that never says that the replay is over does not hold up the conversation for longer. */
const READY_WITHIN_MS = 5_000

/**
 * Follows one session on a socket: subscribes after the last event seen, drops what was seen, says what was lost.
 *
 * @param hub - The socket.
 * @param session - The session.
 * @param sink - Hears it.
 */
export function followSession(
  hub: SocketHub,
  session: FollowedSession,
  sink: StreamSink,
): StreamHandle {
  const { agentId, sessionId, isShared, hasHistory, clock = systemClock } = session
  const decoder = agentscopeDialect.createDecoder()
  let socket: OpenSocket | undefined
  let last = 0
  let isRefused = false
  let stopWaiting = (): void => {}

  function subscribe(opened: OpenSocket): void {
    isRefused = false
    const after = last === 0 ? {} : { after: last }
    opened.send({ kind: 'subscribe', agent_id: agentId, session_id: sessionId, ...after })
    stopWaiting()
    stopWaiting = clock.schedule(() => sink.connection({ phase: 'open' }), READY_WITHIN_MS)
  }

  function readMessage(frame: unknown): void {
    if (!isJsonObject(frame) || typeof frame['kind'] !== 'string') {
      const isBare = Array.isArray(frame) || (isJsonObject(frame) && 'type' in frame)
      const hint = isBare ? ' The server seems to send bare events: set protocol to plain.' : ''
      return report('not-an-event', `A message of the socket has no kind.${hint}`, frame)
    }
    const { session_id: about } = frame
    if (about === undefined && isShared) {
      return report('not-an-event', 'A message of a shared socket names no session.', frame)
    }
    if (about === undefined || about === sessionId) obey(frame)
  }

  function obey(frame: JsonObject): void {
    switch (frame['kind']) {
      case 'event':
        return hearEvent(frame)
      case 'ready':
        return hearReady(frame)
      case 'error':
        return hearError(frame)
      default:
        return report(
          'unknown-event',
          'A message of the socket is of a kind not known here.',
          frame,
        )
    }
  }

  function hearEvent(frame: JsonObject): void {
    const seq = readCount(frame['seq'])
    if (seq === undefined) {
      if ('seq' in frame) report('malformed-event', 'The number of an event is none.', frame)
    } else if (seq > last) {
      if (seq > last + 1) tellGap(last + 1, seq)
      last = seq
    } else {
      return
    }
    passFrame(frame['event'], decoder, sink)
  }

  function hearReady(frame: JsonObject): void {
    const seq = readCount(frame['seq'])
    const reached = Math.max(seq ?? 0, (readCount(frame['oldest']) ?? 1) - 1)
    if (seq !== undefined && seq < last) {
      // The server counts anew: it was started again, and what it numbered so far is not what we have.
      tellGap()
      last = seq
    } else if (reached > last) {
      tellGap(last + 1, reached + 1)
      last = reached
    }
    stopWaiting()
    sink.connection({ phase: 'open' })
  }

  function hearError(frame: JsonObject): void {
    const status = typeof frame['status'] === 'number' ? frame['status'] : 500
    const cause = statusError(`The session ${sessionId}`, status, frame['detail'])
    if (cause.canRetry) return report('not-an-event', cause.message, frame)
    isRefused = true
    stopWaiting()
    sink.connection({ phase: 'failed', cause })
  }

  function tellGap(from?: number, to?: number): void {
    // What was before the first event we ever get is no loss where it can be read.
    if (last === 0 && hasHistory) return
    const where = from === undefined ? {} : { from }
    // The fold tells of it as an anomaly.
    sink.events([{ type: 'kit.gap', ...where, ...(to === undefined ? {} : { to }) }])
  }

  function report(kind: AnomalyKind, message: string, raw: unknown): void {
    sink.anomaly({ kind, message, raw })
  }

  const line = hub.join({
    opened: (opened) => {
      socket = opened
      if (opened.isPlain) sink.connection({ phase: 'open' })
      else subscribe(opened)
    },
    changed: (state) => {
      socket = undefined
      stopWaiting()
      sink.connection(state)
    },
    heard: (frame) =>
      socket?.isPlain === false ? readMessage(frame) : passFrame(frame, decoder, sink),
    anomaly: (what) => sink.anomaly(what),
  })
  return {
    close: () => {
      stopWaiting()
      line.close()
    },
    retryNow: () => {
      if (!isRefused || socket === undefined) return line.retryNow()
      sink.connection({ phase: 'connecting' })
      subscribe(socket)
    },
  }
}

/** A number of events, if it is one. */
function readCount(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}
