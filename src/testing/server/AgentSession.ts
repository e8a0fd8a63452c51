import {
  createId,
  type AgentEvent,
  type JsonObject,
  type Msg,
  type ReplyError,
} from '../../protocol/index.js'
import type { AgentScript, CallEnd, Cue, HelperStep, Scene } from './AgentScript.js'
import type { Clock } from './Clock.js'
import { PermissionRules } from './permissionRules.js'
import { Reply } from './Reply.js'
import { ScenePlayer, type Stage } from './ScenePlayer.js'
import { SequenceLog, type LogEntry } from './SequenceLog.js'
import { stampNow } from './stampNow.js'

/** What a session is made of. */
export interface AgentSessionInit {
  /** Whom it belongs to. */
  readonly userId: string
  /** The agent. */
  readonly agent: AgentScript
  /** Its name; a stamp by default, until the first reply gives it a better one. */
  readonly name?: string
  /** Its messages; none by default. */
  readonly messages?: readonly Msg[]
  /** Lets time pass. */
  readonly clock: Clock
  /** How many events a new stream is told at most. */
  readonly replayLimit: number
  /** How many events are kept for clients that say what they have. */
  readonly logLimit: number
  /** Begins the session of a helper. */
  readonly createHelper: (leader: AgentSession, step: HelperStep) => void
  /** Hears that a reply ended, and how its calls did. */
  readonly onReplyEnd?: (ends: ReadonlyMap<string, CallEnd>) => void
}

/** What one run does; gives the messages that are to be stored when it is over. */
type Run = (signal: AbortSignal) => Promise<readonly Msg[]>

/** The status words of the service. */
export type SessionStatus = 'idle' | 'running' | 'awaiting_permission' | 'awaiting_external_result'

/** An answer of a person, as it was posted and is echoed. */
export type PostedAnswer = Extract<
  AgentEvent,
  { type: 'USER_CONFIRM_RESULT' | 'EXTERNAL_EXECUTION_RESULT' }
>

const NOT_PREPARED: ReplyError = {
  type: 'setup',
  message:
    "The session could not be prepared — check the agent's model, tools and knowledge bases.",
}

/** How long the service takes to store a reply after its last event, in milliseconds at pace 1. */
const STORES_WITHIN_MS = 20

/** A conversation on the server: one run at a time, its events, its stored messages. */
export class AgentSession {
  /** Its id. */
  readonly id: string = createId()
  /** What it was made of. */
  readonly init: AgentSessionInit
  /** When it was made. */
  readonly createdAt: string = stampNow()
  /** When it last changed. */
  updatedAt: string = this.createdAt
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
  /** What told of requests of helpers that are open, by helper and reply. */
  readonly helperRequests: Map<string, LogEntry> = new Map()
  readonly #followers = new Set<(entry: LogEntry) => void>()
  readonly #life = new AbortController()
  readonly #stage: Stage
  readonly #waitingRuns: Run[] = []
  readonly #wakes: Scene[] = []
  #isNamed: boolean
  #run: AbortController | null = null
  #parked: ScenePlayer | null = null
  #lastReplyId: string = createId()
  /** The log's entry with which the replay begins. */
  #replayFrom = 0

  /** @param init - What it is made of. */
  constructor(init: AgentSessionInit) {
    this.init = init
    this.name = init.name ?? this.createdAt.slice(0, 19).replace('T', ' ')
    this.#isNamed = init.name !== undefined
    this.messages = init.messages ?? []
    this.log = new SequenceLog(init.logLimit)
    this.#stage = {
      clock: init.clock,
      rules: this.rules,
      announce: (name, value) => this.announce(name, value),
      startHelper: (step) => init.createHelper(this, step),
    }
  }

  /** Whether a run is under way. */
  get isRunning(): boolean {
    return this.#run !== null
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

  /** Gives it a name that stays. */
  rename(name: string): void {
    this.name = name
    this.#isNamed = true
    this.updatedAt = stampNow()
  }

  /** Sends an event of the session. */
  announce(name: string, value: JsonObject = {}): LogEntry {
    return this.#publish({ ...envelope(), type: 'CUSTOM', name, value })
  }

  /** The entry with which a replay begins: that of the current run, or of the newest ones if those are too many. */
  get replayFrom(): number {
    return Math.max(this.#replayFrom, this.log.newest - this.init.replayLimit + 1)
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
    const replay = this.log.read(Math.max(after, this.replayFrom - 1))
    for (const { event } of replay) listener(event)
    for (const { event } of this.helperRequests.values()) listener({ ...event, ...envelope() })
    return stop
  }

  /**
   * Tells a follower everything from now on.
   *
   * @param follower - Hears every entry of the log.
   * @returns The way to stop.
   */
  follow(follower: (entry: LogEntry) => void): () => void {
    this.#followers.add(follower)
    return () => {
      this.#followers.delete(follower)
    }
  }

  /** Begins the reply to messages of the user, or lets the agent go on. To be called only while nothing runs. */
  start(messages: readonly Msg[]): void {
    this.#store(messages)
    this.#enqueue((signal) =>
      this.#parked === null ? this.#reply(messages, signal) : this.#refuse(),
    )
  }

  /** Begins a reply that nobody asked for, once nothing else runs or waits. */
  wake(scene: Scene): void {
    this.#wakes.push(scene)
    this.#next()
  }

  /** Takes an answer, once nothing runs. */
  answer(event: PostedAnswer): void {
    this.#enqueue(async (signal) => {
      this.#publish(event)
      const player = this.#parked
      if (player === null) return this.#phantom(event.reply_id)
      player.reply.begin()
      if (takes(player, event)) await player.play(signal)
      else player.refuse()
      return this.#settle(player)
    })
  }

  /** Stops what runs or waits. On an idle session it leaves a lone `REPLY_START`, as the service does. */
  interrupt(): void {
    if (this.#run !== null) return this.#run.abort()
    this.#enqueue(async () => {
      const player = this.#parked
      if (player === null) return this.#phantom(this.#lastReplyId)
      player.reply.begin()
      player.interrupt()
      return this.#settle(player)
    })
  }

  /** Ends everything without a word. */
  dispose(): void {
    this.#followers.clear()
    this.#life.abort()
    this.#run?.abort()
  }

  #publish(event: AgentEvent): LogEntry {
    const entry = this.log.add(event)
    for (const follower of this.#followers) follower(entry)
    return entry
  }

  #store(messages: readonly Msg[]): void {
    for (const message of messages) {
      const index = this.messages.findIndex((known) => known.id === message.id)
      this.messages = index < 0 ? [...this.messages, message] : this.messages.with(index, message)
    }
    this.updatedAt = stampNow()
  }

  #cue(messages: readonly Msg[]): Cue {
    const texts = (messages.at(-1)?.content ?? []).map((block) =>
      block.type === 'text' ? block.text : '',
    )
    const text = texts.join('\n').trim()
    return { text, isContinue: messages.length === 0, messages: this.messages }
  }

  #enqueue(run: Run): void {
    this.#waitingRuns.push(run)
    this.#next()
  }

  /** Starts what waits longest, at once, so that the caller's next look finds it running. */
  #next(): void {
    if (this.#run !== null || this.#life.signal.aborted) return
    const run = this.#waitingRuns.shift() ?? this.#wakeRun()
    if (run !== undefined) void this.#hold(run)
  }

  #wakeRun(): Run | undefined {
    const scene = this.#parked === null ? this.#wakes.shift() : undefined
    return scene && ((signal) => this.#perform(scene, signal))
  }

  /** A run is over only when its messages are stored, which is after its last event was sent. */
  async #hold(run: Run): Promise<void> {
    const controller = new AbortController()
    this.#run = controller
    const messages = await run(controller.signal)
    const upTo = this.log.newest
    this.#announceChanges()
    if (!(await this.#passes(STORES_WITHIN_MS))) return
    this.#store(messages)
    this.storedUpTo = upTo
    // The entry itself is told again, as the service's in-memory bus does.
    this.#replayFrom = upTo
    this.#run = null
    this.#next()
  }

  /** Lets time pass; `false` when the session is gone. */
  async #passes(ms: number): Promise<boolean> {
    try {
      await this.init.clock.wait(ms, this.#life.signal)
      return true
    } catch {
      return false
    }
  }

  #reply(messages: readonly Msg[], signal: AbortSignal): Promise<readonly Msg[]> {
    return this.#perform(this.#choose(this.#cue(messages)), signal)
  }

  /** A script that fails to choose gives a reply that says so. */
  #choose(cue: Cue): Scene {
    try {
      return this.init.agent.perform(cue)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      return { steps: [{ kind: 'end', reason: 'error', error: { type: 'internal', message } }] }
    }
  }

  async #perform(scene: Scene, signal: AbortSignal): Promise<readonly Msg[]> {
    const reply = this.#createReply(this.init.agent.name)
    reply.begin()
    const player = new ScenePlayer(reply, scene, this.#stage)
    await player.play(signal)
    return this.#settle(player)
  }

  #createReply(name: string): Reply {
    const reply = new Reply({
      sessionId: this.id,
      name,
      publish: (event) => this.#publish(event),
    })
    this.#lastReplyId = reply.id
    return reply
  }

  /** Looks where the reply stands, and begins what follows it. */
  #settle(player: ScenePlayer): readonly Msg[] {
    const isParked = player.awaits !== 'nothing'
    this.#parked = isParked ? player : null
    if (!isParked) {
      this.init.onReplyEnd?.(player.ends)
      if (player.scene.followUp !== undefined) void this.#follow(player.scene.followUp)
    }
    return [player.reply.toMessage()]
  }

  async #follow({ afterMs, scene }: NonNullable<Scene['followUp']>): Promise<void> {
    if (await this.#passes(afterMs)) this.wake(scene)
  }

  /** A message came while a reply waits for an answer: the service cannot prepare a second one. */
  async #refuse(): Promise<readonly Msg[]> {
    const reply = this.#createReply(this.init.agent.id)
    reply.begin()
    reply.end('error', NOT_PREPARED)
    return [reply.toMessage()]
  }

  /** What an unexpected answer or interrupt leaves behind: a beginning, and nothing stored. */
  #phantom(reply_id: string): readonly Msg[] {
    const { id: session_id } = this
    const { name } = this.init.agent
    const start = { type: 'REPLY_START', reply_id, session_id, name, role: 'assistant' } as const
    this.#publish({ ...envelope(), ...start })
    return []
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

function envelope(): { id: string; created_at: string; metadata: JsonObject } {
  return { id: createId(), created_at: stampNow(), metadata: {} }
}

function takes(player: ScenePlayer, event: PostedAnswer): boolean {
  return event.type === 'USER_CONFIRM_RESULT'
    ? player.confirm(event.confirm_results)
    : player.submit(event.execution_results)
}

function titleOf(message: Msg): string {
  const block = message.content.find((piece) => piece.type === 'text')
  const [line = ''] = (block?.text ?? '').trim().split('\n')
  return line.length > 48 ? `${line.slice(0, 47).trimEnd()}…` : line || 'New conversation'
}
