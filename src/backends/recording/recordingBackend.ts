import { agentscopeDialect } from '../../dialects/index.js'
import { TransportError, type AgentBackend, type Answer } from '../../protocol/index.js'
import { systemClock, type Clock } from '../../transports/index.js'
import { createRecordedServer } from './createRecordedServer.js'
import { playRecording, type Playback } from './playRecording.js'
import { readAnsweredCalls, readRecording, type Recording } from './Recording.js'

/** How a recording is played. */
export interface RecordingOptions {
  /** `1` (the default) is as it was, `10` ten times faster, `'instant'` all at once. */
  readonly speed?: number | 'instant'
  /** Whether stored messages and the status can be asked, as of the moment that is played; `false` by default. */
  readonly history?: boolean
  /** Waits where the recorded client answered a request until all its calls were answered; `false` by default: plays on. Whatever the answer is, what was recorded follows. */
  readonly interactive?: boolean
  /** For tests; the device's own by default. */
  readonly clock?: Clock
}

/**
 * Plays a recorded session: for stories, tests, demonstrations, and to look at what a user reports.
 *
 * Every `open` begins anew. Recorded posts of the user become `kit.user_message`; sending more is refused.
 *
 * @param recording - The recording; odd steps are passed over.
 * @param options - How to play it.
 */
export function recordingBackend(
  recording: Recording,
  options: RecordingOptions = {},
): AgentBackend {
  const { speed = 1, history = false, interactive = false, clock = systemClock } = options
  const read = readRecording(recording)
  const answered = new Map<string, string>()
  const playbacks = new Set<Playback>()
  let server = createRecordedServer(read)

  function take(answer: Answer): void {
    if (!interactive || answer.kind === 'input') {
      throw new TransportError('rejected', 'This recording is only played: it takes no answers.')
    }
    const keys = readAnsweredCalls(agentscopeDialect.encode.answer(answer))?.keys ?? []
    for (const key of keys) answered.set(key, answer.id)
  }

  return {
    key: `recording:${read.name}`,
    capabilities: {
      history,
      status: history,
      interrupt: false,
      resume: 'replay',
      partialAnswers: true,
      editArguments: interactive,
      rules: interactive,
      denyReason: false,
      attachments: [],
      sendWhileRunning: 'refused',
    },
    open: (sink) => {
      server = createRecordedServer(read)
      const playback = playRecording({
        steps: read.steps,
        speed,
        clock,
        sink,
        server,
        answered,
        isWaiting: interactive,
      })
      playbacks.add(playback)
      return {
        close: () => {
          playbacks.delete(playback)
          playback.stop()
        },
        // A recorded pause is part of what happened.
        retryNow: () => {},
      }
    },
    ...(history
      ? {
          history: async ({ before, limit }) => server.page(before, limit),
          status: async () => server.status(),
        }
      : {}),
    send: async () => {
      throw new TransportError('rejected', 'This is a recording: it takes no new messages.')
    },
    answer: async (answers) => {
      for (const answer of answers) take(answer)
      for (const playback of playbacks) playback.resume()
    },
  }
}
