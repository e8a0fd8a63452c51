import type { AgentEvent, JsonObject, Msg } from '../../../protocol/index.js'
import { createId, parseEvent } from '../../../protocol/index.js'
import type { AgentSession } from '../../index.js'
import { stampNow } from '../stampNow.js'
import { Task, type TaskInit } from './Task.js'
import type { TaskInbox } from './TaskInbox.js'
import { taskMessages, type StoredPlace } from './taskMessages.js'
import { TaskVoice } from './TaskVoice.js'

/** What a conversation needs to know of its server. */
export interface ConversationPlace {
  /** Its workspace. */
  readonly workspaceId: string
  /** What waits for people. */
  readonly inbox: TaskInbox
  /** What all tasks share. */
  readonly tasks: Pick<TaskInit, 'bufferSize' | 'tailRace' | 'isNamedInPayloads'>
  /** Takes a task that began. */
  readonly onTask: (task: Task) => void
}

/** A session, as the Task API sees it: its work comes in tasks, one at a time. */
export class TaskConversation {
  /** The session. */
  readonly session: AgentSession
  /** Its workspace. */
  readonly workspaceId: string
  readonly #place: ConversationPlace
  #task: Task | null = null
  #voice: TaskVoice | null = null
  /** A reply that began without anybody's asking; it is a task only when something comes of it. */
  #begun: AgentEvent | null = null
  #hasBackground = false
  #modelCalls = 0
  readonly #callOf = new Map<string, number>()
  readonly #tokens = { input: 0, output: 0, cached: 0 }

  /**
   * @param session - The session.
   * @param place - Its server.
   */
  constructor(session: AgentSession, place: ConversationPlace) {
    this.session = session
    this.workspaceId = place.workspaceId
    this.#place = place
    for (const { usage } of session.messages) {
      this.#tokens.input += usage?.input_tokens ?? 0
      this.#tokens.output += usage?.output_tokens ?? 0
      this.#tokens.cached += usage?.cache_input_tokens ?? 0
    }
    session.follow(({ event }) => this.#hear(event))
    session.overhear((aside) => {
      if (aside.kind === 'follow-up') this.#hasBackground = !aside.isSameTask
      if (this.active !== null) this.#voice?.overhear(aside)
    })
    this.#catchUp()
  }

  /** The task that is under way. */
  get active(): Task | null {
    return this.#task?.isActive === true ? this.#task : null
  }

  /** What runs beside the task. */
  get background(): JsonObject {
    const hasWorkers = this.session.workers.some(
      ({ isRunning, parkedReplyId }) => isRunning || parkedReplyId !== undefined,
    )
    return {
      has_running_sub_agents: hasWorkers,
      has_running_background_commands: this.#hasBackground,
      has_running_multi_agent: false,
    }
  }

  /** What is stored. */
  get messages(): readonly JsonObject[] {
    const place: StoredPlace = {
      callOf: (replyId, blockId) => this.#callOf.get(`${replyId}/${blockId}`),
      approvalOf: (replyId, callId) => {
        const [item] = this.#place.inbox.of(replyId, callId)
        return item === undefined || item.kind === 'question' ? null : item.id
      },
    }
    return this.session.messages.flatMap((message) => taskMessages(message, place))
  }

  /** Begins a task with a message of the person. To be called only while none is under way. */
  start(message: Msg, text: string, media: JsonObject): Task {
    const task = this.#open('chat', text)
    if (task.init.isNamedInPayloads) {
      task.add('user_message', {
        message: text,
        ...media,
        media_refs: [],
        message_id: message.id,
        message_source: 'user',
        visibility: 'chat',
        starts_work: false,
        metadata: {},
        timestamp: message.created_at,
      })
    }
    this.session.start([message])
    return task
  }

  /** Stops the task that is under way. */
  cancel(task: Task): void {
    if (task !== this.active || task.status === 'cancel_requested') return
    task.status = 'cancel_requested'
    this.session.interrupt()
  }

  #open(type: TaskInit['type'], message: string): Task {
    const { workspaceId, inbox, tasks, onTask } = this.#place
    const { session } = this
    const task = new Task({ ...tasks, session, workspaceId, message, type })
    this.#task = task
    this.#voice = new TaskVoice(task, {
      inbox,
      background: () => (tasks.isNamedInPayloads ? this.background : {}),
      count: (...tokens) => this.#count(...tokens),
    })
    onTask(task)
    this.#watch(task)
    return task
  }

  /** Looks after each run whether it was the task's last. */
  #watch(task: Task): void {
    this.session.whenOver(() => {
      const isParked = this.session.parkedReplyId !== undefined
      if (isParked || this.#voice?.goesOn === true) this.#watch(task)
      else this.#voice?.finish()
    })
  }

  /** A run may be under way already, begun by a client that speaks another language. */
  #catchUp(): void {
    const events = this.session.log.read().map(({ event }) => event)
    for (const event of events) this.#note(event)
    const { isRunning, parkedReplyId } = this.session
    if (!isRunning && parkedReplyId === undefined) return
    const begun = events.findLast(({ type }) => type === 'REPLY_START')
    if (begun?.type !== 'REPLY_START') return
    const replyId = parkedReplyId ?? begun.reply_id
    const first = events.findIndex((event) => 'reply_id' in event && event.reply_id === replyId)
    this.#open('chat', '').status = 'running'
    for (const event of events.slice(first)) this.#voice?.hear(event)
  }

  #hear(event: AgentEvent): void {
    this.#note(event)
    if (event.type === 'CUSTOM') this.#denyWorker(event.name, event.value ?? {})
    if (this.active === null && event.type === 'REPLY_START') {
      this.#begun = event
      return
    }
    if (this.active === null && this.#begun !== null && event.type !== 'CUSTOM') {
      this.#hasBackground = false
      this.#open('notice', '').status = 'running'
      this.#voice?.hear(this.#begun)
    }
    if (event.type !== 'CUSTOM') this.#begun = null
    if (this.active?.status === 'pending') this.active.status = 'running'
    if (this.active !== null) this.#voice?.hear(event)
  }

  /** Notes which call of the model wrote what. */
  #note(event: AgentEvent): void {
    switch (event.type) {
      case 'MODEL_CALL_START':
        this.#modelCalls += 1
        return
      case 'TEXT_BLOCK_START':
      case 'THINKING_BLOCK_START':
        this.#callOf.set(`${event.reply_id}/${event.block_id}`, this.#modelCalls)
        return
      case 'TOOL_CALL_START':
        this.#callOf.set(`${event.reply_id}/${event.tool_call_id}`, this.#modelCalls)
        return
      default:
    }
  }

  /** Sub-agents have no way to ask the person here, so what they ask for is not allowed. */
  #denyWorker(name: string, value: JsonObject): void {
    if (this.#task === null || name !== 'subagent_require_user_confirm') return
    const { event } = parseEvent(value['event'])
    const worker = this.session.workers.find(({ id }) => id === value['worker_session_id'])
    if (worker === undefined || event?.type !== 'REQUIRE_USER_CONFIRM') return
    const envelope = { id: createId(), created_at: stampNow(), metadata: {} }
    worker.answer({
      ...envelope,
      type: 'USER_CONFIRM_RESULT',
      reply_id: event.reply_id,
      confirm_results: event.tool_calls.map((tool_call) => ({
        confirmed: false,
        tool_call,
        rules: null,
      })),
    })
  }

  /** Tokens are told for the whole conversation. */
  #count(input: number, output: number, cached: number): JsonObject {
    const tokens = this.#tokens
    tokens.input += input
    tokens.output += output
    tokens.cached += cached
    return {
      conversation_id: this.session.id,
      cumulative_input_tokens: tokens.input,
      cumulative_output_tokens: tokens.output,
      cumulative_total_tokens: tokens.input + tokens.output,
      cumulative_cached_input_tokens: tokens.cached,
      cache_exempt_input_tokens: tokens.input - tokens.cached,
      current_context_tokens: input + output,
    }
  }
}
