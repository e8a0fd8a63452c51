import {
  TransportError,
  type AgentEvent,
  type ConnectionState,
  type StreamHandle,
  type StreamSink,
} from '../protocol/index.js'
import type { AgentSession } from './agent/AgentSession.js'
import type { LogEntry } from './agent/SequenceLog.js'

/** The streams of one session. */
export interface ScriptedStreams {
  /** How many are open. */
  readonly count: number
  /** Opens one. */
  open(sink: StreamSink): StreamHandle
  /** Sends what the session has said since; at most so many events. Gives how many. */
  deliver(most: number): number
  /** Breaks all. */
  disconnect(cause?: TransportError): void
  /** Opens the broken ones again. */
  reconnect(): void
}

/** One stream, and whether anything gets through. */
interface Stream {
  readonly sink: StreamSink
  isOpen: boolean
  /** The newest entry of the log when it was opened: what is later is sent as it is delivered. */
  openedAt: number
}

const RETRY_AFTER_MS = 5000

/**
 * Makes the streams of a session: a new one is told the current run, as by the service.
 *
 * @param session - The session.
 */
export function createScriptedStreams(session: AgentSession): ScriptedStreams {
  const streams = new Set<Stream>()
  const waiting: LogEntry[] = []
  session.follow((entry) => waiting.push(entry))

  function begin(stream: Stream): void {
    stream.sink.connection({ phase: 'connecting' })
    // Never inside `open` itself: its caller has no handle yet.
    queueMicrotask(() => {
      if (!streams.has(stream) || stream.isOpen) return
      stream.isOpen = true
      stream.openedAt = session.log.newest
      stream.sink.connection({ phase: 'open' })
      const replay = session.replay()
      if (replay.length > 0) stream.sink.events(replay)
    })
  }

  function send(event: AgentEvent, sequence: number): void {
    for (const stream of streams) {
      if (stream.isOpen && sequence > stream.openedAt) stream.sink.events([event])
    }
  }

  function reopen(stream: Stream): void {
    if (streams.has(stream) && !stream.isOpen) begin(stream)
  }

  return {
    get count() {
      return [...streams].filter(({ isOpen }) => isOpen).length
    },
    open: (sink) => {
      const stream: Stream = { sink, isOpen: false, openedAt: 0 }
      streams.add(stream)
      begin(stream)
      return {
        close: () => {
          streams.delete(stream)
        },
        retryNow: () => reopen(stream),
      }
    },
    deliver: (most) => {
      const entries = waiting.splice(0, most)
      for (const { event, sequence } of entries) send(event, sequence)
      return entries.length
    },
    disconnect: (
      cause = new TransportError('closed', 'The scripted server closed the stream.'),
    ) => {
      for (const stream of streams) {
        stream.isOpen = false
        stream.sink.connection(stateAfter(cause))
      }
    },
    reconnect: () => {
      for (const stream of streams) reopen(stream)
    },
  }
}

function stateAfter(cause: TransportError): ConnectionState {
  if (cause.reason === 'offline') return { phase: 'offline' }
  if (!cause.canRetry) return { phase: 'failed', cause }
  return { phase: 'waiting', retryAt: Date.now() + RETRY_AFTER_MS, cause }
}
