import { remoteTaskDialect } from '../../dialects/index.js'
import type { ConnectionState, JsonObject, StreamHandle, StreamSink } from '../../protocol/index.js'
import { openSse, systemClock, type Clock, type SseOptions } from '../../transports/index.js'
import { passFrame, passText } from '../agent-service/passFrame.js'

/** A stream that says nothing for so long after it opened may be of a task that is over, in milliseconds. */
const QUIET_MS = 2_000

const ENDS: ReadonlySet<string> = new Set(['success', 'error', 'cancelled'])

/** A task to follow. */
export interface TaskInit {
  /** The task. */
  readonly id: string
  /** Its stream. */
  readonly stream: Omit<SseOptions, 'onFrame' | 'onState'>
  /** Asks where it stands. */
  readonly read: () => Promise<JsonObject>
  /** The time. */
  readonly clock: Clock | undefined
  /** Hears it. */
  readonly sink: StreamSink
  /** Told when it is over. */
  readonly onOver: () => void
}

/**
 * Follows a task of the agent protocol until it is over: over lost lines, from where it was (`Last-Event-ID`).
 *
 * Whoever subscribes to a task that is over hears nothing for ever, so a stream that stays quiet is looked after.
 *
 * @param init - The task.
 */
export function followTask(init: TaskInit): StreamHandle {
  const { id: taskId, sink, clock = systemClock } = init
  const decoder = remoteTaskDialect.createDecoder({ seed: `${taskId}:` })
  let cancel = (): void => {}
  let looks = 0
  let isOver = false

  /** A run that waits has no end, so an end is the task's. */
  const own: StreamSink = {
    ...sink,
    events: (batch) => {
      sink.events(batch)
      isOver ||= batch.some((input) => input.type === 'REPLY_END' && !input.agent_path?.length)
    },
  }

  function close(): void {
    cancel()
    handle.close()
  }

  function finish(): void {
    close()
    const { inputs } = decoder.end('eof')
    if (inputs.length > 0) sink.events(inputs)
    init.onOver()
  }

  async function look(): Promise<void> {
    const { status, result, error = null, pending_confirms = [] } = await init.read()
    const tell = (frame: JsonObject): void => {
      looks -= 1
      passFrame({ taskId, seq: looks, ...frame }, decoder, own)
    }
    if (status === 'awaiting_confirm') {
      tell({ type: 'REQUIRE_CONFIRM', pendingConfirms: pending_confirms })
    }
    if (typeof status !== 'string' || !ENDS.has(status)) return
    // What was not streamed of the answer.
    if (typeof result === 'string') tell({ payload: { type: 'AGENT_RESULT', result } })
    tell({ type: 'STATUS', status, error })
    finish()
  }

  function heed(state: ConnectionState): void {
    cancel()
    if (state.phase === 'open') {
      // A failure to look is no news: the line itself tells of it.
      cancel = clock.schedule(() => void look().catch(() => {}), QUIET_MS)
    }
    sink.connection(state)
  }

  const handle = openSse({
    ...init.stream,
    onFrame: ({ data }) => {
      cancel()
      passText(data, decoder, own)
      if (isOver) finish()
    },
    onState: heed,
  })
  return { close, retryNow: () => handle.retryNow() }
}
