import {
  createId,
  TransportError,
  type AgentBackend,
  type Answer,
  type Capabilities,
  type HistoryPage,
  type Msg,
  type RunStatus,
  type UserInput,
} from '../protocol/index.js'
import type { PostedAnswer } from './agent/ScenePlayer.js'
import { createRhythm } from './agent/createPace.js'
import { scene } from './agent/scene.js'
import type { BackendControls } from './BackendControls.js'
import { createCallGate } from './createCallGate.js'
import { createScenario, playScenario, userMessage } from './createScenario.js'
import { createScriptedStreams } from './createScriptedStreams.js'
import type { Scenario } from './Scenario.js'
import type { ScenarioRun } from './ScenarioRun.js'

/** How a scripted backend is to be. */
export interface ScriptedBackendOptions {
  /** The backend's key; one of its own by default. */
  readonly key?: string
  /**
   * Whether the agent plays by itself, with timers: 1 = as a model would write, 0 = as fast as timers go. By default it
   * plays only when told to, by `step` and `playAll`.
   */
  readonly pace?: number
}

/** A backend without a server that a test controls. */
export interface ScriptedBackend extends Required<AgentBackend>, BackendControls {}

const CAPABILITIES: Capabilities = {
  history: true,
  status: true,
  interrupt: true,
  resume: 'replay',
  partialAnswers: true,
  editArguments: true,
  rules: true,
  denyReason: false,
  attachments: ['*/*'],
  sendWhileRunning: 'refused',
}

/**
 * Makes a backend for tests of components: no server, no network, and no timers unless asked for.
 *
 * It behaves as the AgentScope service does, since the same scripted session is behind it as behind the agent server of
 * `agentscope-react/testing/server`: a new stream is told the current run, a message while one is under way is refused
 * (409), a reply that waits ends without an event, and a reply is stored after its last event.
 *
 * @param scenario - The conversation so far; the backend goes on where it ends, also in mid-reply. Empty by default.
 * @param options - How it is to be.
 *
 * @example
 * ```tsx
 * const backend = scriptedBackend(createScenario().user('Hi').reply('Hello'))
 * render(<AgentChat backend={backend} />)
 * backend.willReply('It is **8 °C**.')
 * // … the person sends a message …
 * await backend.step(4) // the beginning of the reply
 * await backend.playAll() // the rest
 * ```
 */
export function scriptedBackend(
  scenario: Scenario = createScenario(),
  options: ScriptedBackendOptions = {},
): ScriptedBackend {
  const run = playScenario(scenario)
  const { session } = run
  const streams = createScriptedStreams(session)
  const gate = createCallGate()
  const sent: UserInput[] = []
  const answered: Answer[] = []
  const player = createPlayer(run, (most) => streams.deliver(most), options.pace)
  let interrupts = 0

  function takeSend(input: UserInput): void {
    if (session.isRunning) throw alreadyRuns(session.id)
    session.start((input ?? []).map((message) => asStored(message, run)))
    player.wake()
  }

  function takeAnswer(answer: Answer): void {
    session.answer(postedAnswer(answer, run))
    player.wake()
  }

  function statusOf(workerId: string): RunStatus {
    const status = run.workerStatus(workerId)
    if (status !== undefined) return status
    const detail = `Session '${workerId}' not found.`
    throw new TransportError('not-found', detail, { status: 404, detail })
  }

  return {
    key: options.key ?? `scripted:${createId()}`,
    capabilities: CAPABILITIES,
    sent,
    answered,
    get interrupts() {
      return interrupts
    },
    get messages() {
      return session.messages
    },
    get runStatus() {
      return run.status
    },
    get streams() {
      return streams.count
    },
    open: (sink) => {
      const handle = streams.open(sink)
      player.wake()
      return handle
    },
    history: (page) =>
      gate.pass('history', () => pageOf(session.messages, page, session.isRunning)),
    status: () => gate.pass('status', () => run.status),
    workerStatus: (worker) => gate.pass('status', () => statusOf(worker.sessionId)),
    send: (input) => {
      sent.push(input)
      return gate.pass('send', () => takeSend(input))
    },
    answer: (answers) => {
      answered.push(...answers)
      return gate.pass('answer', () => answers.forEach(takeAnswer))
    },
    interrupt: () => {
      interrupts += 1
      return gate.pass('interrupt', () => {
        session.interrupt()
        player.wake()
      })
    },
    willReply: (...parts) => run.willReply(scene(...parts)),
    wake: (...parts) => {
      session.wake(scene(...parts))
      player.wake()
    },
    step: (events = 1) => player.play(events),
    playAll: async () => {
      await player.play(Number.POSITIVE_INFINITY)
    },
    announce: (name, value) => {
      session.announce(name, value)
      streams.deliver(Number.POSITIVE_INFINITY)
    },
    sendElsewhere: (content) => takeSend([userMessage(run.marks, 'user', content)]),
    disconnect: (cause) => streams.disconnect(cause),
    reconnect: () => streams.reconnect(),
    failNext: (call, failure) => gate.failNext(call, failure),
    holdNext: (call) => gate.holdNext(call),
  }
}

/** Plays a session into its streams. */
interface Player {
  /** Plays on until so many more events were delivered, or until nothing plays. */
  play(events: number): Promise<number>
  /** Something may be to play. */
  wake(): void
}

function createPlayer(
  { pace }: ScenarioRun,
  deliver: (most: number) => number,
  factor: number | undefined,
): Player {
  const rhythm = createRhythm()
  let isPlaying = false

  async function play(events: number): Promise<number> {
    let delivered = deliver(events)
    while (delivered < events && pace.pause !== undefined) {
      // What waits for a promise of the test goes on when that settles, however it does.
      if (typeof pace.pause === 'object') await pace.pause.catch(() => undefined)
      pace.goOn()
      delivered += deliver(events - delivered)
    }
    await settled()
    return delivered
  }

  async function playByItself(speed: number): Promise<void> {
    if (isPlaying) return
    isPlaying = true
    for (let { pause } = pace; pause !== undefined; { pause } = pace) {
      const delayMs = rhythm(pause) * speed
      await new Promise((resolve) => {
        setTimeout(resolve, delayMs)
      })
      if (typeof pause === 'object') await pause.catch(() => undefined)
      pace.goOn()
      deliver(Number.POSITIVE_INFINITY)
    }
    isPlaying = false
  }

  return {
    play,
    wake: () => {
      if (factor !== undefined) void playByItself(factor)
    },
  }
}

/** Lets a store do what it does when it hears something, such as to read what is stored: calls of this backend take no time. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve()
}

function alreadyRuns(sessionId: string): TransportError {
  const detail = `Session '${sessionId}' already has an active chat run in this process.`
  return new TransportError('conflict', detail, { status: 409, detail })
}

/** The service keeps what a client says and fills in what it leaves out. */
function asStored(message: Msg, { marks }: ScenarioRun): Msg {
  const stamps = { created_at: marks.stamp(), finished_at: null }
  return { ...message, content: message.content.map((block) => ({ ...stamps, ...block })) }
}

function postedAnswer(answer: Answer, { marks }: ScenarioRun): PostedAnswer {
  if (answer.kind === 'input') {
    throw new TransportError('rejected', 'The AgentScope service asks no questions of this kind.')
  }
  const { id, reply_id } = answer
  const envelope = { id, reply_id, created_at: marks.stamp(), metadata: {} }
  return answer.kind === 'confirm'
    ? { ...envelope, type: 'USER_CONFIRM_RESULT', confirm_results: answer.results }
    : { ...envelope, type: 'EXTERNAL_EXECUTION_RESULT', execution_results: answer.results }
}

function pageOf(
  messages: readonly Msg[],
  { before, limit }: { readonly before?: string; readonly limit: number },
  isRunning: boolean,
): HistoryPage {
  const found = messages.findIndex(({ id }) => id === before)
  const end = before === undefined ? messages.length : Math.max(0, found)
  const start = Math.max(0, end - limit)
  return { messages: messages.slice(start, end), hasMore: start > 0, isRunning }
}
