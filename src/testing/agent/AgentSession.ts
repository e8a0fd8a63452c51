import type { AgentEvent, JsonObject, Msg, ToolCallBlock } from '../../protocol/index.js'
import type { AgentScript, CallEnd, HintStep, Scene, WorkerStep } from './AgentScript.js'
import type { Aside } from './Aside.js'
import { Listeners } from './Listeners.js'
import type { Marks } from './Marks.js'
import { chooseScene } from './chooseScene.js'
import { cueOf, titleOf } from './cueOf.js'
import { passTime, type Pace, type Play, type Playing } from './Pace.js'
import { PermissionRules } from './permissionRules.js'
import { Reply } from './Reply.js'
import { ScenePlayer, type PostedAnswer, type Stage } from './ScenePlayer.js'
import { SequenceLog, type LogEntry } from './SequenceLog.js'
import { tellLeader } from './tellLeader.js'

/** What a session is made of. */
export interface AgentSessionInit {
  /** Its id; a new one by default. */
  readonly id?: string
  /** Whom it belongs to. */
  readonly userId: string
  /** The agent. */
  readonly agent: AgentScript
  /** Its name; a stamp by default, until the first reply gives it a better one. */
  readonly name?: string
  /** Its messages; none by default. */
  readonly messages?: readonly Msg[]
  /** Lets time pass. */
  readonly pace: Pace
  /** Gives ids and times. */
  readonly marks: Marks
  /** How many events a new stream is told at most. */
  readonly replayLimit: number
  /** How many events are kept for clients that say what they have. */
  readonly logLimit: number
  /** Hears that a worker's session began. */
  readonly onWorker?: (worker: AgentSession) => void
  /** Hears that a reply ended, and how its calls did. */
  readonly onReplyEnd?: (ends: ReadonlyMap<string, CallEnd>) => void
}

/** What one run does, at once or by and by; gives the messages that are to be stored when it is over. */
type Run = () => Play<readonly Msg[]> | readonly Msg[]

/** The status words of the service. */
export type SessionStatus = 'idle' | 'running' | 'awaiting_permission' | 'awaiting_external_result'

/** How long the service takes to store a reply after its last event, in milliseconds at pace 1. */
const STORES_WITHIN_MS = 20

/** A conversation on the server: one run at a time, its events, its stored messages. */
export class AgentSession {
  /** Its id. */
  readonly id: string
  /** What it was made of. */
  readonly init: AgentSessionInit
  /** When it was made. */
  readonly createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Its name. */
  name: string
  /** What is stored, oldest first. */
  messages: readonly Msg[]
  /** The entry of the log up to which `messages` is complete; null before anything was stored by a run. */
  storedUpTo: number | null = null
  /** What may run without asking. */
  readonly rules: PermissionRules = new PermissionRules()
  /** The newest events. */
  readonly log: SequenceLog
  /** The sessions of its workers, in the order in which they began. */
  readonly workers: AgentSession[] = []
  /** What told of requests of workers that are open, by worker and reply. */
  readonly workerRequests: Map<string, LogEntry> = new Map()
  /** What told that such requests are settled. */
  readonly workerAnswers: Map<string, LogEntry> = new Map()
  readonly #followers = new Listeners<LogEntry>()
  readonly #asides = new Listeners<Aside>()
  readonly #overListeners: (() => void)[] = []
  readonly #stage: Stage
  readonly #waitingRuns: Run[] = []
  readonly #wakes: Scene[] = []
  /** What plays, be it a run or the time before one. */
  readonly #playing = new Set<Playing>()
  #run: Playing | null = null
  #isRunning = false
  #isDisposed = false
  #isNamed: boolean
  #parked: ScenePlayer | null = null
  /** What plays or is parked. */
  #player: ScenePlayer | null = null
  #lastReplyId: string
  /** The log's entry with which the replay begins. */
  #replayFrom = 0

  /** @param init - What it is made of. */
  constructor(init: AgentSessionInit) {
    this.init = init
    this.id = init.id ?? init.marks.id()
    this.createdAt = init.marks.stamp()
    this.updatedAt = this.createdAt
    this.name = init.name ?? this.createdAt.slice(0, 19).replace('T', ' ')
    this.messages = init.messages ?? []
    this.log = new SequenceLog(init.logLimit)
    this.#isNamed = init.name !== undefined
    this.#lastReplyId = init.marks.id()
    this.#stage = {
      rules: this.rules,
      marks: init.marks,
      announce: (name, value) => this.announce(name, value),
      startWorker: (step) => this.#startWorker(step),
    }
  }

  /** Whether a run is under way. */
  get isRunning(): boolean {
    return this.#isRunning
  }

  /** Where it stands. */
  get status(): SessionStatus {
    if (this.isRunning) return 'running'
    const awaits = this.#parked?.awaits ?? 'nothing'
    if (awaits === 'nothing') return 'idle'
    return awaits === 'approval' ? 'awaiting_permission' : 'awaiting_external_result'
  }

  /** The reply that waits for someone, if one does. */
  get parkedReplyId(): string | undefined {
    return this.#parked?.reply.id
  }

  /** The calls that wait for someone. */
  get waitingCalls(): readonly ToolCallBlock[] {
    return this.#parked?.waitingCalls ?? []
  }

  /** Gives it a name that stays. */
  rename(name: string): void {
    this.name = name
    this.#isNamed = true
    this.#touch()
  }

  /** Sends an event of the session. */
  announce(name: string, value: JsonObject = {}): LogEntry {
    return this.#publish({ ...this.#envelope(), type: 'CUSTOM', name, value })
  }

  /** The entry with which a replay begins: that of the current run, or of the newest ones if those are too many. */
  get replayFrom(): number {
    return Math.max(this.#replayFrom, this.log.newest - this.init.replayLimit + 1)
  }

  /** The last word on each request of a worker: what a client that missed events must not miss. */
  get lastWords(): readonly LogEntry[] {
    return [...this.workerRequests.values(), ...this.workerAnswers.values()]
  }

  /**
   * Tells a listener the past, as the service's stream does, and everything from now on.
   *
   * @param listener - Hears every event.
   * @param after - Only what came after this entry of the log.
   * @returns The way to stop.
   */
  listen(listener: (event: AgentEvent) => void, after: number = 0): () => void {
    const stop = this.follow(({ event }) => listener(event))
    for (const event of this.replay(after)) listener(event)
    return stop
  }

  /** What a new stream is told of the past. */
  replay(after: number = 0): readonly AgentEvent[] {
    const entries = this.log.read(Math.max(after, this.replayFrom - 1))
    const requests = [...this.workerRequests.values()]
    return [
      ...entries.map(({ event }) => event),
      ...requests.map(({ event }) => ({ ...event, ...this.#envelope() })),
    ]
  }

  /**
   * Tells a follower everything from now on.
   *
   * @param follower - Hears every entry of the log.
   * @returns The way to stop.
   */
  follow(follower: (entry: LogEntry) => void): () => void {
    return this.#followers.add(follower)
  }

  /**
   * Tells a listener what has no event, from now on.
   *
   * @param listener - Hears every aside.
   * @returns The way to stop.
   */
  overhear(listener: (aside: Aside) => void): () => void {
    return this.#asides.add(listener)
  }

  /** Calls back once, when the run that is under way is over and stored; another one may have begun by then. */
  whenOver(listener: () => void): void {
    this.#overListeners.push(listener)
  }

  /** Begins the reply to messages of the user, or lets the agent go on. To be called only while nothing runs. */
  start(messages: readonly Msg[]): void {
    this.store(messages)
    this.#enqueue(() => {
      if (this.#parked !== null) return this.#refuse()
      return this.#perform(chooseScene(this.init.agent, cueOf(messages, this.messages)))
    })
  }

  /** Begins a reply that nobody asked for, once nothing else runs or waits. */
  wake(scene: Scene): void {
    this.#wakes.push(scene)
    this.#next()
  }

  /**
   * Takes an answer, once nothing runs; one for a worker goes to it.
   *
   * @param event - The answer.
   * @param isDenialFinal - `true` ends the reply when something is denied, which is not AgentScope's way; `false` by default.
   * @returns The session that took it.
   */
  answer(event: PostedAnswer, isDenialFinal: boolean = false): AgentSession {
    const worker = this.workers.find(({ parkedReplyId }) => parkedReplyId === event.reply_id)
    if (worker !== undefined) return worker.answer(event)
    this.#enqueue(() => this.#takeAnswer(event, isDenialFinal))
    return this
  }

  /** Tells the agent something while it replies; `false` when it does not. */
  tell(step: HintStep): boolean {
    this.#player?.reply.hint(step)
    return this.#player !== null
  }

  /** Stops what runs or waits. On an idle session it leaves a lone `REPLY_START`, as the service does. */
  interrupt(): void {
    if (this.#isRunning) this.#run?.interrupt()
    else this.#enqueue(() => this.#interruptParked())
  }

  /** Puts messages into the storage; those that are there already are replaced. */
  store(messages: readonly Msg[]): void {
    for (const message of messages) {
      const index = this.messages.findIndex((known) => known.id === message.id)
      this.messages = index < 0 ? [...this.messages, message] : this.messages.with(index, message)
    }
    this.#touch()
  }

  /** Ends everything without a word. */
  dispose(): void {
    this.#isDisposed = true
    this.#followers.clear()
    this.#asides.clear()
    for (const playing of this.#playing) playing.stop()
    for (const worker of this.workers) worker.dispose()
  }

  #touch(): void {
    this.updatedAt = this.init.marks.stamp()
  }

  #envelope(): { id: string; created_at: string; metadata: JsonObject } {
    const { marks } = this.init
    return { id: marks.id(), created_at: marks.stamp(), metadata: {} }
  }

  #publish(event: AgentEvent): LogEntry {
    const entry = this.log.add(event)
    this.#followers.tell(entry)
    return entry
  }

  #enqueue(run: Run): void {
    this.#waitingRuns.push(run)
    this.#next()
  }

  /** Starts what waits longest, at once, so that the caller's next look finds it running. */
  #next(): void {
    if (this.#isRunning || this.#isDisposed) return
    const run = this.#waitingRuns.shift() ?? this.#wakeRun()
    if (run === undefined) return
    this.#isRunning = true
    this.#run = this.#play(this.#hold(run))
  }

  #play(play: Play): Playing {
    const playing = this.init.pace.play(play)
    this.#playing.add(playing)
    return playing
  }

  #wakeRun(): Run | undefined {
    const scene = this.#parked === null ? this.#wakes.shift() : undefined
    return scene && (() => this.#perform(scene))
  }

  /** A run is over only when its messages are stored, which is after its last event was sent. */
  *#hold(run: Run): Play {
    const outcome = run()
    const messages = 'next' in outcome ? yield* outcome : outcome
    const upTo = this.log.newest
    this.#announceChanges()
    yield* passTime(STORES_WITHIN_MS)
    this.store(messages)
    this.storedUpTo = upTo
    // The entry itself is told again, as the service's in-memory bus does.
    this.#replayFrom = upTo
    this.#isRunning = false
    if (this.#run !== null) this.#playing.delete(this.#run)
    for (const tell of this.#overListeners.splice(0)) tell()
    this.#next()
  }

  *#perform(scene: Scene): Play<readonly Msg[]> {
    const reply = this.#createReply(this.init.agent.name)
    reply.begin()
    const player = new ScenePlayer(reply, scene, this.#stage)
    this.#player = player
    yield* player.play()
    return this.#settle(player)
  }

  *#takeAnswer(event: PostedAnswer, isDenialFinal: boolean): Play<readonly Msg[]> {
    this.#publish(event)
    const player = this.#parked
    if (player === null) return this.#phantom(event.reply_id)
    player.reply.begin()
    yield* player.goOn(event, isDenialFinal)
    return this.#settle(player)
  }

  #interruptParked(): readonly Msg[] {
    const player = this.#parked
    if (player === null) return this.#phantom(this.#lastReplyId)
    player.reply.begin()
    player.interrupt()
    return this.#settle(player)
  }

  #createReply(name: string): Reply {
    const reply = new Reply({
      sessionId: this.id,
      name,
      marks: this.init.marks,
      publish: (event) => this.#publish(event),
      aside: (aside) => this.#asides.tell(aside),
    })
    this.#lastReplyId = reply.id
    return reply
  }

  /** Looks where the reply stands, and begins what follows it. */
  #settle(player: ScenePlayer): readonly Msg[] {
    const isParked = player.awaits !== 'nothing'
    this.#parked = isParked ? player : null
    this.#player = this.#parked
    const { followUp } = player.scene
    if (!isParked) {
      this.init.onReplyEnd?.(player.ends)
      if (followUp !== undefined) {
        this.#asides.tell({ kind: 'follow-up', isSameTask: followUp.isSameTask === true })
        this.#play(this.#follow(followUp))
      }
    }
    return [player.reply.toMessage()]
  }

  *#follow({ afterMs, scene }: NonNullable<Scene['followUp']>): Play {
    yield* passTime(afterMs)
    this.wake(scene)
  }

  /** A message came while a reply waits for an answer: the service cannot prepare a second one. */
  #refuse(): readonly Msg[] {
    const reply = this.#createReply(this.init.agent.id)
    reply.begin()
    reply.refuse()
    return [reply.toMessage()]
  }

  /** What an unexpected answer or interrupt leaves behind: a beginning, and nothing stored. */
  #phantom(reply_id: string): readonly Msg[] {
    const { id: session_id } = this
    const { name } = this.init.agent
    const start = { type: 'REPLY_START', reply_id, session_id, name, role: 'assistant' } as const
    this.#publish({ ...this.#envelope(), ...start })
    return []
  }

  /** A worker has a session of its own; its report wakes this one. */
  #startWorker(step: WorkerStep): void {
    const { init } = this
    const agent: AgentScript = { id: init.marks.id(), name: step.name, perform: () => step.scene }
    const own = { id: init.marks.id(), agent, name: step.name, messages: [] }
    const onReplyEnd = (ends: ReadonlyMap<string, CallEnd>): void => this.wake(step.report(ends))
    const worker = new AgentSession({ ...init, ...own, onReplyEnd })
    this.workers.push(worker)
    init.onWorker?.(worker)
    const names = { sessionId: worker.id, agentId: agent.id, agentName: agent.name }
    worker.follow(({ event }) => tellLeader(this, names, event, init.marks.stamp()))
    this.announce('team_updated')
    worker.wake(step.scene)
  }

  #announceChanges(): void {
    if (this.rules.takeChange()) {
      const state = { tasks_context: { tasks: [] }, permission_context: this.rules.toContext() }
      this.announce('state_updated', state)
    }
    const first = this.messages.find((message) => message.role === 'user')
    if (this.#isNamed || first === undefined || this.#parked !== null) return
    this.#isNamed = true
    this.name = titleOf(first)
    this.announce('session_updated')
  }
}
