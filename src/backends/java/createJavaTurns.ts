import type { Anomaly, ConversationInput, Dialect, JsonObject } from '../../protocol/index.js'
import { TransportError } from '../../protocol/index.js'
import {
  requestStream,
  type Clock,
  type HttpTarget,
  type StreamAnswer,
} from '../../transports/index.js'
import type { JavaRequest } from './JavaRequest.js'
import type { JavaMemory } from './createJavaMemory.js'
import { readTurn } from './readTurn.js'

/** What a session's turns have in common. */
export interface JavaTurnsInit {
  /** Whose frames they are. */
  readonly dialect: Dialect
  /** Whether a frame is text as it is. */
  readonly isText: boolean
  /** The session. */
  readonly sessionId: string
  /** Silence after which a stream counts as dead. */
  readonly silenceMs: number | undefined
  /** The time. */
  readonly clock: Clock
  /** Where a request goes. */
  readonly target: (asked: JavaRequest) => HttpTarget
  /** Hears what the frames say. */
  readonly onInputs: (inputs: readonly ConversationInput[]) => void
  /** Hears what was odd. */
  readonly onAnomaly: (anomaly: Anomaly) => void
  /** Knows where each reply stands. */
  readonly memory: Pick<JavaMemory, 'noteReply' | 'outcomeOf'>
}

/** One turn. */
export interface TurnInput {
  /** The request that begins it. */
  readonly asked: JavaRequest
  /** Unique for what was posted. */
  readonly seed?: string
  /** The reply's id in the kit, for a new one. */
  readonly replyId?: string
  /** The reply that goes on. */
  readonly resumes?: string
  /** What was answered, in the wire's words. */
  readonly echo?: JsonObject
}

/** The turns of a session, one after the other. */
export interface JavaTurns {
  /** Whether one is under way. */
  readonly isRunning: boolean
  /** Begins a turn once the one before is over. Resolves when the server took it; what it streams comes by and by. */
  run(turn: TurnInput): Promise<void>
  /** Leaves the turn that is under way, and gives up those that wait. Resolves when they are over. */
  abort(): Promise<void>
  /** Leaves the turn that is under way now, if it is still after a while. */
  abortLater(delayMs: number): void
}

/**
 * Makes what runs a session's turns. Java takes one at a time.
 *
 * @param init - What they have in common.
 */
export function createJavaTurns(init: JavaTurnsInit): JavaTurns {
  let aborter = new AbortController()
  let count = 0
  let turns = 0
  /** The end of the turn begun last. Never rejects. */
  let last: Promise<unknown> = Promise.resolve()

  async function begin(turn: TurnInput, signal: AbortSignal): Promise<StreamAnswer> {
    if (signal.aborted)
      throw new TransportError('aborted', 'It was not sent: the stream was closed.')
    const { silenceMs, isText, clock, target, memory } = init
    const replyId = replyIdOf(turn)
    const before = memory.outcomeOf(replyId)
    // From now on the stream tells of it, whatever is stored already.
    memory.noteReply(replyId, 'running')
    try {
      return await requestStream({
        ...target(turn.asked),
        signal,
        isText,
        clock,
        ...(silenceMs !== undefined && { silenceMs }),
      })
    } catch (error) {
      // What got no answer may have had its effect all the same.
      const isRefused = error instanceof TransportError && !error.canRetry
      memory.noteReply(replyId, isRefused ? before : 'broken')
      throw error
    }
  }

  async function read(turn: TurnInput, answer: StreamAnswer): Promise<void> {
    const { asked: _, seed = `turn-${turns}:`, ...known } = turn
    init.memory.noteReply(replyIdOf(turn), await readTurn(answer, { ...init, ...known, seed }))
  }

  function run(turn: TurnInput): Promise<void> {
    const { signal } = aborter
    count += 1
    turns += 1
    const begun = last.then(() => begin(turn, signal))
    last = begun.then((answer) => read(turn, answer)).then(over, over)
    return begun.then(() => {})
  }

  function over(): void {
    count -= 1
  }

  async function abort(): Promise<void> {
    aborter.abort()
    aborter = new AbortController()
    await last
  }

  return {
    get isRunning() {
      return count > 0
    },
    run,
    abort,
    abortLater: (delayMs) => {
      const ending = last
      const mine = aborter
      const cancel = init.clock.schedule(() => {
        if (aborter !== mine) return
        aborter = new AbortController()
        mine.abort()
      }, delayMs)
      void ending.then(cancel)
    },
  }
}

function replyIdOf({ resumes, replyId }: TurnInput): string {
  return resumes ?? replyId ?? ''
}
