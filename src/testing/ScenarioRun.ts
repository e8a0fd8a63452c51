import type {
  AgentEvent,
  ConversationInput,
  Msg,
  RunStatus,
  ToolCallBlock,
  ToolResultBlock,
} from '../protocol/index.js'
import type { Scene } from './agent/AgentScript.js'
import { AgentSession, type SessionStatus } from './agent/AgentSession.js'
import { createMarks } from './agent/createMarks.js'
import { createStepPace, type StepPace } from './agent/createStepPace.js'
import type { Marks } from './agent/Marks.js'
import type { PostedAnswer } from './agent/ScenePlayer.js'
import type { ScenarioDecision, ScenarioOptions, ScenarioRecording } from './Scenario.js'

const RUN_STATUS: Readonly<Record<SessionStatus, RunStatus>> = {
  idle: 'idle',
  running: 'running',
  awaiting_permission: 'awaiting-confirm',
  awaiting_external_result: 'awaiting-external',
}

/** Every event is kept: a scenario ends before memory does. */
const ALL = Number.MAX_SAFE_INTEGER

const NOT_SCRIPTED =
  'Nothing is scripted for this message: say what the agent replies before it is sent.'

/** A session that is being played, without a clock. */
export class ScenarioRun {
  /** The session. */
  readonly session: AgentSession
  /** Lets it go on. */
  readonly pace: StepPace = createStepPace()
  /** Makes its ids and times. */
  readonly marks: Marks
  /** What happened, for a recording. */
  readonly steps: ScenarioRecording['steps'][number][] = []
  /** What a conversation is folded from. */
  readonly inputs: ConversationInput[] = []
  /** The replies that are still to come. */
  readonly #scenes: Scene[] = []
  /** Messages that no reply answers yet. */
  #said: readonly Msg[] = []

  /** @param options - How it begins. */
  constructor(options: ScenarioOptions) {
    const { seed = 1, agentName = 'Friday', startsAt = '2026-01-05T09:00:00' } = options
    this.marks = createMarks({ seed, startsAt, elapsedMs: () => this.pace.elapsedMs })
    this.session = new AgentSession({
      userId: 'user',
      name: 'Scenario',
      agent: { id: agentName.toLowerCase(), name: agentName, perform: () => this.#nextScene() },
      pace: this.pace,
      marks: this.marks,
      replayLimit: 1000,
      logLimit: ALL,
    })
    this.note('open', { conn: 1, status: 200, content_type: 'text/event-stream; charset=utf-8' })
    this.session.follow(({ event }) => {
      this.inputs.push(event)
      this.note('frame', { conn: 1, event })
    })
  }

  /** Where it stands. */
  get status(): RunStatus {
    return RUN_STATUS[this.session.status]
  }

  /** Where a worker's own session stands; undefined when there is none of that id. */
  workerStatus(sessionId: string): RunStatus | undefined {
    const worker = this.session.workers.find(({ id }) => id === sessionId)
    return worker && RUN_STATUS[worker.status]
  }

  /** All events so far. */
  get events(): readonly AgentEvent[] {
    return this.session.log.read().map(({ event }) => event)
  }

  /** The calls that wait, a worker's too. */
  get waitingCalls(): readonly ToolCallBlock[] {
    return this.#places().flatMap(({ waitingCalls }) => waitingCalls)
  }

  /** Adds to what a recording tells. */
  note(kind: string, fields: Readonly<Record<string, unknown>>): void {
    this.steps.push({ kind, t_ms: this.pace.elapsedMs, ...fields })
  }

  /** What the agent replies next. */
  willReply(scene: Scene): void {
    this.#scenes.push(scene)
  }

  /** The person says something that the next reply answers; while one waits, the service refuses it at once. */
  say(message: Msg): void {
    if (this.session.isRunning) {
      throw new Error(
        'A reply is under way and the service would refuse the message with 409. Let it `finish()` before.',
      )
    }
    this.#said = [...this.#said, message]
    if (this.session.waitingCalls.length > 0) this.send(this.#takeSaid())
  }

  /** Posts messages; none = the agent goes on. */
  send(messages: readonly Msg[]): void {
    this.inputs.push(...messages.map((message) => ({ type: 'kit.user_message', message }) as const))
    this.#notePost(messages.length === 0 ? null : messages)
    this.session.start(messages)
  }

  /** The agent replies to what was said, or by itself. */
  reply(scene: Scene): void {
    const said = this.#takeSaid()
    if (said.length === 0) {
      this.session.wake(scene)
      return
    }
    this.willReply(scene)
    this.send(said)
  }

  /** The person lets the agent go on; while a call waits, the service refuses that. */
  goOn(scene: Scene): void {
    if (this.session.waitingCalls.length === 0) this.willReply(scene)
    this.send([])
  }

  /** What nobody answered was stored all the same. */
  settle(): void {
    const said = this.#takeSaid()
    if (said.length === 0) return
    this.inputs.push(...said.map((message) => ({ type: 'kit.user_message', message }) as const))
    this.#notePost(said)
    this.session.store(said)
  }

  /** Answers calls that ask, reply by reply. */
  decide(decisions: readonly ScenarioDecision[]): void {
    const left = new Set(decisions.map(({ id }) => id))
    for (const place of this.#places()) {
      const results = place.waitingCalls.flatMap((call) => {
        const decision = decisions.find(({ id }) => id === call.id)
        if (call.state !== 'asking' || decision === undefined) return []
        left.delete(call.id)
        const { confirmed, input = call.input, rules = null } = decision
        return [{ confirmed, tool_call: { ...call, input }, rules }]
      })
      const { parkedReplyId } = place
      if (results.length === 0 || parkedReplyId === undefined) continue
      const type = 'USER_CONFIRM_RESULT'
      this.post({ ...this.#envelope(parkedReplyId), type, confirm_results: results })
    }
    if (left.size > 0) throw new Error(`No call asks under the id ${[...left].join(', ')}.`)
  }

  /** Answers a call that was handed out. */
  submit(result: Pick<ToolResultBlock, 'id' | 'output' | 'state'>): void {
    const place = this.#places().find(({ waitingCalls }) =>
      waitingCalls.some(({ id, state }) => id === result.id && state === 'submitted'),
    )
    const call = place?.waitingCalls.find(({ id }) => id === result.id)
    if (call === undefined || place?.parkedReplyId === undefined) {
      throw new Error(`No call was handed out under the id ${result.id}.`)
    }
    const block = { type: 'tool_result', name: call.name, metadata: {}, ...result } as const
    const type = 'EXTERNAL_EXECUTION_RESULT'
    this.post({ ...this.#envelope(place.parkedReplyId), type, execution_results: [block] })
  }

  /** Posts an answer. */
  post(answer: PostedAnswer): void {
    this.#notePost(answer)
    this.session.answer(answer)
  }

  /** Stops what runs or waits. */
  interrupt(): void {
    this.note('interrupt', { status: 202, response: { session_id: this.session.id } })
    this.session.interrupt()
  }

  /** Plays on until so many events have come, or nothing plays any more. Promises are not waited for. */
  playUpTo(events: number): void {
    const { log } = this.session
    while (this.pace.pause !== undefined && log.newest < events) this.pace.goOn()
  }

  /** Plays on until nothing plays any more. */
  playAll(): void {
    this.playUpTo(ALL)
  }

  #places(): readonly AgentSession[] {
    return [this.session, ...this.session.workers]
  }

  #takeSaid(): readonly Msg[] {
    const said = this.#said
    this.#said = []
    return said
  }

  #nextScene(): Scene {
    const scene = this.#scenes.shift()
    if (scene === undefined) throw new Error(NOT_SCRIPTED)
    return scene
  }

  #envelope(reply_id: string): { id: string; created_at: string; reply_id: string } {
    return { id: this.marks.id(), created_at: this.marks.stamp(), reply_id }
  }

  #notePost(input: unknown): void {
    const { id: session_id, init } = this.session
    const body = { agent_id: init.agent.id, session_id, input }
    const response = { status: 'started', session_id }
    this.note('post', { path: '/chat/', body, status: 200, response })
  }
}
