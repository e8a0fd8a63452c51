import type { AgentEvent, JsonObject, ReplyError } from '../../../protocol/index.js'
import type { Aside } from '../../index.js'
import { ModelVoice, type CountTokens } from './ModelVoice.js'
import { readHint } from './readHint.js'
import type { Task } from './Task.js'
import type { TaskInbox } from './TaskInbox.js'
import { ToolVoice } from './ToolVoice.js'
import { pathOf } from './toolPayload.js'

/** What a voice needs to know of its conversation. */
export interface VoicePlace {
  /** What waits for people. */
  readonly inbox: TaskInbox
  /** Adds the tokens of a call of the model, and gives those of the whole conversation. */
  readonly count: CountTokens
  /** What runs in the background. */
  readonly background: () => JsonObject
}

type End = Extract<AgentEvent, { type: 'REPLY_END' }>

/** What the model's service said, by the kind of failure. */
const STATUS: Readonly<Record<string, number>> = {
  authentication: 401,
  permission: 403,
  rate_limit: 429,
  invalid_request: 400,
  upstream: 503,
}

/**
 * Says one task as the Task API does: one beginning for the whole turn however many calls of the model it takes, and a status that
 * only says that it is over.
 */
export class TaskVoice {
  readonly #task: Task
  readonly #place: VoicePlace
  readonly #model: ModelVoice
  #tools: ToolVoice
  #replyId: string | undefined
  /** The turn's beginning is still to be told: what woke the agent comes first. */
  #isBeginning = false
  #goesOn = false
  #iterations = 0
  #calls = 0
  #end: End | undefined

  /**
   * @param task - The task.
   * @param place - Its conversation.
   */
  constructor(task: Task, place: VoicePlace) {
    this.#task = task
    this.#place = place
    this.#model = new ModelVoice(task, place.count)
    this.#tools = new ToolVoice(task, place.inbox, '')
  }

  /** Whether another reply of the same task follows. */
  get goesOn(): boolean {
    return this.#goesOn
  }

  /** Says what happened. */
  hear(event: AgentEvent): void {
    if (event.type === 'CUSTOM') return this.#tellCustom(event.name, event.value ?? {})
    if (event.type === 'REPLY_START') return this.#begin(event.reply_id)
    if (event.reply_id !== this.#replyId) return
    if (event.type === 'HINT_BLOCK')
      return this.#task.add('user_message', {
        ...readHint(event.hint, event.source),
        message_id: event.block_id,
      })
    if (this.#isBeginning) this.#task.add('ai_message_start')
    this.#isBeginning = false
    this.#tell(event)
  }

  /** Says what has no event of AgentScope's. */
  overhear(aside: Aside): void {
    if (aside.kind !== 'follow-up') return this.#model.overhear(aside)
    this.#goesOn = aside.isSameTask
    if (!this.#goesOn) return
    const state = { in_progress: true, mode: 'deep', stage: 'run' }
    this.#task.add('compression_state', state)
  }

  /** Says how it ended, once it is stored. */
  finish(): void {
    const task = this.#task
    const end = this.#end
    if (this.#tools.isRejected) {
      const message = 'The run was stopped since a call was rejected.'
      task.add('task_stopped', {
        message,
        reason: 'approval_rejected',
        ...this.#place.background(),
      })
      task.status = 'succeeded'
    } else if (end?.finished_reason === 'interrupted') this.#stop()
    else if (end?.error) this.#break(end.error)
    else {
      task.add('task_complete', {
        total_iterations: this.#iterations,
        total_tool_calls: this.#calls,
        auto_fix_attempts: 0,
        ...this.#place.background(),
      })
      task.status = 'succeeded'
    }
  }

  /** The loop says that it stopped, and so does the worker, after it set the status. */
  #stop(): void {
    const task = this.#task
    const message = 'The task was stopped.'
    task.add('task_stopped', { message, reason: 'user_stop', ...this.#place.background() })
    task.status = task.init.isNamedInPayloads ? 'stopped' : 'canceled'
    setImmediate(() => task.add('task_stopped', { message, reason: 'user_requested' }))
  }

  /** What the model's service refuses ends a task that "succeeded"; only a broken worker fails. */
  #break({ type, message }: ReplyError): void {
    const task = this.#task
    const isWorker = type === 'internal' || type === 'setup'
    task.add('error', {
      message,
      ...(isWorker ? {} : { status_code: STATUS[type] ?? null, error_type: type, retry: false }),
    })
    if (isWorker) task.error = message
    task.status = isWorker ? 'failed' : 'succeeded'
  }

  #begin(replyId: string): void {
    if (replyId === this.#replyId || (this.#replyId !== undefined && !this.#goesOn)) return
    if (this.#goesOn) {
      this.#task.add('compression_finished', { conversation_id: this.#task.init.session.id })
    }
    this.#replyId = replyId
    this.#isBeginning = this.#goesOn || this.#task.init.type === 'notice'
    this.#goesOn = false
    this.#end = undefined
    this.#tools = new ToolVoice(this.#task, this.#place.inbox, replyId)
    if (!this.#isBeginning) this.#task.add('ai_message_start')
  }

  #tell(event: Exclude<AgentEvent, { type: 'REPLY_START' | 'HINT_BLOCK' | 'CUSTOM' }>): void {
    switch (event.type) {
      case 'MODEL_CALL_START':
        this.#iterations += 1
        return this.#model.begin()
      case 'MODEL_CALL_END':
        return this.#model.end(event)
      case 'THINKING_BLOCK_DELTA':
        return this.#model.think(event.delta)
      case 'TEXT_BLOCK_DELTA':
        return this.#model.write(event.delta)
      case 'DATA_BLOCK_START':
        return this.#tellFile(pathOf(event.block_id, event.media_type, event.name))
      case 'TOOL_CALL_START':
        this.#calls += 1
        return this.#tools.tellCall(event)
      case 'TOOL_CALL_DELTA':
      case 'TOOL_CALL_END':
        return this.#tools.tellCall(event)
      case 'TOOL_RESULT_START':
      case 'TOOL_RESULT_TEXT_DELTA':
      case 'TOOL_RESULT_DATA_DELTA':
      case 'TOOL_RESULT_END':
        return this.#tools.tellResult(event)
      case 'REQUIRE_USER_CONFIRM':
        for (const call of event.tool_calls) this.#tools.askApproval(call)
        return
      case 'REQUIRE_EXTERNAL_EXECUTION':
        for (const call of event.tool_calls) this.#tools.askQuestions(call)
        return
      case 'USER_CONFIRM_RESULT':
        for (const { confirmed, tool_call: call } of event.confirm_results) {
          this.#tools.tellDecision(call.id, confirmed)
        }
        return
      case 'EXTERNAL_EXECUTION_RESULT':
        for (const { id } of event.execution_results) this.#tools.tellAnswers(id)
        return
      case 'EXCEED_MAX_ITERS':
        return this.#task.add('system_message', {
          content: 'The limit of rounds is reached; the work stops here.',
        })
      case 'REPLY_END':
        this.#end = event
        return
      default:
    }
  }

  #tellFile(path: string): void {
    const edited_files = [{ path, op: 'create', ts: Date.now() / 1000 }]
    this.#task.add('edited_files_updated', { edited_files })
  }

  #tellCustom(name: string, value: JsonObject): void {
    const { session } = this.#task.init
    if (name === 'session_updated') {
      const { id: conversation_id, name: title } = session
      return this.#task.add('conversation_changed', { conversation_id, title })
    }
    if (name === 'team_updated') {
      const tasks = session.workers.map(({ id, name: worker }) => ({
        agent_id: id,
        summary: worker,
      }))
      return this.#task.add('sub_agent_waiting', { count: tasks.length, tasks })
    }
    // What the service says of its own things does not exist here.
    if (!/^(subagent|team|state|session)_/.test(name)) this.#task.add(name, value)
  }
}
