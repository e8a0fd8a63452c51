import { agentscopeDialect } from '../../dialects/index.js'
import {
  isJsonObject,
  TransportError,
  type ConversationInput,
  type StreamSink,
} from '../../protocol/index.js'
import type { Clock } from '../../transports/index.js'
import type { RecordedServer } from './createRecordedServer.js'
import { readAnsweredCalls, type Step } from './Recording.js'

/** What a playback needs. */
export interface PlaybackOptions {
  /** What happened. */
  readonly steps: readonly Step[]
  /** How fast. */
  readonly speed: number | 'instant'
  /** Measures the pauses. */
  readonly clock: Clock
  /** Hears it. */
  readonly sink: StreamSink
  /** Is told of every step. */
  readonly server: RecordedServer
  /** Calls that the person has answered, with the answer's id. */
  readonly answered: ReadonlyMap<string, string>
  /** Whether to wait for the person's answers. */
  readonly isWaiting: boolean
}

/** A recording that is being played. */
export interface Playback {
  /** Ends it; the sink hears nothing more. */
  stop(): void
  /** Goes on if what it waits for has been answered. */
  resume(): void
}

/**
 * Plays steps into a sink, never inside the call itself. What happens at one moment comes as one batch.
 *
 * @param options - What, how fast and to whom.
 */
export function playRecording(options: PlaybackOptions): Playback {
  const { steps, speed, clock, sink, server, answered, isWaiting } = options
  const decoder = agentscopeDialect.createDecoder()
  const connections = new Set<unknown>()
  let batch: ConversationInput[] = []
  let index = 0
  let playedMs = 0
  let isParked = false
  let isStopped = false
  let cancelTimer = (): void => {}

  function run(): void {
    for (let step = steps[index]; step !== undefined && !isStopped; step = steps[index]) {
      const pauseMs = pauseBefore(step)
      if (pauseMs > 0) {
        flush()
        const { atMs } = step
        runLater(() => {
          playedMs = atMs
        }, pauseMs)
        return
      }
      if (
        step.kind === 'answer' &&
        isWaiting &&
        !step.calls.keys.every((key) => answered.has(key))
      ) {
        isParked = true
        playedMs = step.atMs
        server.park(
          step.calls.type === 'USER_CONFIRM_RESULT' ? 'awaiting-confirm' : 'awaiting-external',
        )
        flush()
        return
      }
      index += 1
      server.note(step)
      perform(step)
    }
    if (isStopped) return
    server.finish()
    flush()
  }

  function runLater(before: () => void, delayMs: number): void {
    cancelTimer = clock.schedule(() => {
      before()
      run()
    }, delayMs)
  }

  function pauseBefore(step: Step): number {
    const pauseMs = speed === 'instant' ? 0 : (step.atMs - playedMs) / speed
    return Number.isFinite(pauseMs) ? pauseMs : 0
  }

  function perform(step: Step): void {
    if (step.kind === 'open') open(step.conn)
    else if (step.kind === 'close') close(step.conn)
    else if (step.kind === 'frame') decode(step.event)
    else if (step.kind === 'user') {
      for (const message of step.messages) batch.push({ type: 'kit.user_message', message })
    }
  }

  /** Connections may overlap, as when a second tab was open: together they are one. */
  function open(conn: unknown): void {
    connections.add(conn)
    if (connections.size > 1) return
    flush()
    if (!isStopped) sink.connection({ phase: 'open' })
  }

  /** The last close is the end of the recording, and nothing that the reader needs to hear of. */
  function close(conn: unknown): void {
    connections.delete(conn)
    const next = steps.slice(index).find((step) => step.kind === 'open')
    if (connections.size > 0 || next === undefined) return
    flush()
    const cause = new TransportError('closed', 'Here the recorded client closed its stream.')
    const retryAt = clock.now() + Math.max(0, pauseBefore(next))
    if (!isStopped) sink.connection({ phase: 'waiting', retryAt, cause })
  }

  function decode(event: unknown): void {
    const { inputs, anomalies } = decoder.push(underAnswerId(event))
    batch.push(...inputs)
    for (const anomaly of anomalies) sink.anomaly(anomaly)
  }

  /** The echo of an answer comes back under the id that the person's answer had. */
  function underAnswerId(event: unknown): unknown {
    const key = readAnsweredCalls(event)?.keys[0]
    const id = key === undefined ? undefined : answered.get(key)
    return id === undefined || !isJsonObject(event) ? event : { ...event, id }
  }

  function flush(): void {
    const inputs = batch
    batch = []
    if (inputs.length > 0 && !isStopped) sink.events(inputs)
  }

  sink.connection({ phase: 'connecting' })
  if (!steps.some((step) => step.kind === 'open')) sink.connection({ phase: 'open' })
  runLater(() => {}, 0)
  return {
    stop: () => {
      isStopped = true
      cancelTimer()
    },
    resume: () => {
      if (!isParked || isStopped) return
      isParked = false
      runLater(() => {}, 0)
    },
  }
}
