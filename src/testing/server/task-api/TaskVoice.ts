import { randomUUID } from 'node:crypto'
import type { AgentEvent, JsonObject, ReplyError } from '../../../protocol/index.js'
import type { Aside } from '../../index.js'
import { readHint } from './readHint.js'
import type { Task } from './Task.js'
import { isPending, settle, submit, type TaskInbox } from './TaskInbox.js'
import {
  ASK_USER,
  monitorSnapshot,
  NOT_ALLOWED,
  parseObject,
  pathOf,
  toolPayload,
} from './toolPayload.js'

/** What a voice needs to know of its conversation. */
export interface VoicePlace {
  /** What waits for people. */
  readonly inbox: TaskInbox
  /** Adds the tokens of a call of the model, and gives those of the whole conversation. */
  readonly count: (input: number, output: number, cached: number) => JsonObject
  /** What runs in the background. */
  readonly background: () => JsonObject
}

type End = Extract<AgentEvent, { type: 'REPLY_END' }>
type CallEvent = Extract<
  AgentEvent,
  { type: 'TOOL_CALL_START' | 'TOOL_CALL_DELTA' | 'TOOL_CALL_END' }
>
type ResultEvent = Extract<
  AgentEvent,
  {
    type:
      'TOOL_RESULT_START' | 'TOOL_RESULT_TEXT_DELTA' | 'TOOL_RESULT_DATA_DELTA' | 'TOOL_RESULT_END'
  }
>

/** What is known of a call of a tool. */
interface Tool {
  readonly id: string
  readonly name: string
  input: string
  intent: string | null
  /** Its id as an execution; null before it ran. */
  executionId: string | null
  text: string
  readonly files: string[]
  isDenied: boolean
}

const MAX_ATTEMPTS = 5

/** What the model's service said, by the kind of failure. */
const STATUS: Readonly<Record<string, number>> = {
  authentication: 401,
  permission: 403,
  rate_limit: 429,
  invalid_request: 400,
  upstream: 503,
}

/**
 * Says one task as the Task API does: a beginning for the whole turn, a request per call of the model, thoughts that end only when
 * text begins or the call is over, tools that are prepared long before they start, `completed` for what failed too.
 */
export class TaskVoice {
  readonly #task: Task
  readonly #place: VoicePlace
  readonly #tools = new Map<string, Tool>()
  #replyId: string | undefined
  /** The turn's beginning is still to be told: what woke the agent comes first. */
  #isBeginning = false
  #goesOn = false
  #attempt = 1
  #text: string | null = null
  #thoughts: string | null = null
  #isThinking = false
  #chunks = 0
  #textSince = 0
  #iterations = 0
  #calls = 0
  #end: End | undefined
  #isRejected = false

  /**
   * @param task - The task.
   * @param place - Its conversation.
   */
  constructor(task: Task, place: VoicePlace) {
    this.#task = task
    this.#place = place
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
      return this.#task.add('user_message', readHint(event.hint, event.source))
    if (this.#isBeginning) this.#task.add('ai_message_start')
    this.#isBeginning = false
    this.#tell(event)
  }

  /** Says what has no event of AgentScope's. */
  overhear(aside: Aside): void {
    switch (aside.kind) {
      case 'lost-chunk':
        return aside.writing === 'text' ? this.#write(aside.chunk) : this.#think(aside.chunk)
      case 'attempt-failed':
        return this.#fail(aside)
      case 'attempt':
        this.#attempt = aside.attempt
        return this.#request()
      case 'follow-up':
        this.#goesOn = aside.isSameTask
        if (!this.#goesOn) return
        return this.#task.add('compression_state', {
          in_progress: true,
          mode: 'deep',
          stage: 'run',
        })
    }
  }

  /** Says how it ended, once it is stored. */
  finish(): void {
    const task = this.#task
    const end = this.#end
    if (this.#isRejected) {
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
    this.#tools.clear()
    if (!this.#isBeginning) this.#task.add('ai_message_start')
  }

  #tell(event: Exclude<AgentEvent, { type: 'REPLY_START' | 'HINT_BLOCK' | 'CUSTOM' }>): void {
    switch (event.type) {
      case 'MODEL_CALL_START':
        this.#iterations += 1
        this.#attempt = 1
        return this.#request()
      case 'MODEL_CALL_END':
        return this.#endCall(event)
      case 'THINKING_BLOCK_DELTA':
        return this.#think(event.delta)
      case 'TEXT_BLOCK_DELTA':
        return this.#write(event.delta)
      case 'DATA_BLOCK_START':
        return this.#tellFile(pathOf(event.block_id, event.media_type, event.name))
      case 'TOOL_CALL_START':
      case 'TOOL_CALL_DELTA':
      case 'TOOL_CALL_END':
        return this.#tellCall(event)
      case 'TOOL_RESULT_START':
      case 'TOOL_RESULT_TEXT_DELTA':
      case 'TOOL_RESULT_DATA_DELTA':
      case 'TOOL_RESULT_END':
        return this.#tellResult(event)
      case 'REQUIRE_USER_CONFIRM':
        for (const call of event.tool_calls) this.#askApproval(call)
        return
      case 'REQUIRE_EXTERNAL_EXECUTION':
        for (const call of event.tool_calls) this.#askQuestions(call)
        return
      case 'USER_CONFIRM_RESULT':
        for (const { confirmed, tool_call: call } of event.confirm_results) {
          this.#tellDecision(call.id, confirmed)
        }
        return
      case 'EXTERNAL_EXECUTION_RESULT':
        for (const { id } of event.execution_results) this.#tellAnswers(id)
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

  #request(): void {
    this.#text = null
    this.#thoughts = null
    this.#isThinking = false
    this.#chunks = 0
    const attempt = { attempt: this.#attempt, max_attempts: MAX_ATTEMPTS }
    this.#task.add('api_request_start', attempt)
  }

  #fail({ attempt, hasWritten, retryMs, error }: Extract<Aside, { kind: 'attempt-failed' }>): void {
    const when = { attempt, max_attempts: MAX_ATTEMPTS, retry_in: retryMs / 1000 }
    if (error !== undefined) {
      const { message, status: status_code } = error
      this.#task.add('error', { message, status_code, retry: true, ...when })
    }
    if (!hasWritten && error !== undefined) return
    this.#task.add('stream_reset', { reason: 'stream_disconnected', ...when })
  }

  #think(content: string): void {
    if (this.#thoughts === null) {
      this.#task.add('thinking_start')
      this.#isThinking = true
    }
    this.#thoughts = `${this.#thoughts ?? ''}${content}`
    this.#task.add('thinking_chunk', { content })
  }

  #write(content: string): void {
    if (this.#text === null) {
      this.#endThinking()
      this.#task.add('text_start')
      this.#textSince = Date.now()
    }
    this.#text = `${this.#text ?? ''}${content}`
    this.#chunks += 1
    const elapsed = this.#chunks === 1 ? 0 : (Date.now() - this.#textSince) / 1000
    this.#task.add('text_chunk', { content, index: this.#chunks, elapsed })
  }

  #endThinking(): void {
    if (this.#isThinking) this.#task.add('thinking_end', { full_content: this.#thoughts ?? '' })
    this.#isThinking = false
  }

  #endCall(event: Extract<AgentEvent, { type: 'MODEL_CALL_END' }>): void {
    // Who is stopped in the middle says nothing of an end.
    if (event.finished_reason === 'interrupted') return
    this.#endThinking()
    if (this.#text !== null) this.#task.add('text_end', { full_content: this.#text })
    const { input_tokens: input, output_tokens: output, cache_input_tokens: cached = 0 } = event
    this.#task.add('token_update', this.#place.count(input, output, cached))
  }

  #tellFile(path: string): void {
    const edited_files = [{ path, op: 'create', ts: Date.now() / 1000 }]
    this.#task.add('edited_files_updated', { edited_files })
  }

  #tellCall(event: CallEvent): void {
    const { tool_call_id: id } = event
    if (event.type === 'TOOL_CALL_START') {
      const { tool_call_name: name } = event
      this.#calls += 1
      const tool = { id, name, input: '', intent: null, executionId: null, text: '', files: [] }
      this.#tools.set(id, { ...tool, isDenied: false })
      const { id: conversation_id } = this.#task.init.session
      const message = `Preparing ${name}`
      return this.#task.add('tool_preparing', { id, name, message, intent: null, conversation_id })
    }
    const tool = this.#tools.get(id)
    if (tool === undefined || event.type === 'TOOL_CALL_END') return
    tool.input += event.delta
    this.#tellIntent(tool)
  }

  /** The argument `intent` is told as far as it is written. */
  #tellIntent(tool: Tool): void {
    const written = /"intent":"((?:[^"\\]|\\.)*)/.exec(tool.input)?.[1]
    if (written === undefined || written === '' || written === tool.intent) return
    tool.intent = written
    const { id, name } = tool
    this.#task.add('tool_intent', { id, name, intent: written.replaceAll('\\"', '"') })
  }

  #tellResult(event: ResultEvent): void {
    const tool = this.#tools.get(event.tool_call_id)
    if (tool === undefined) return
    switch (event.type) {
      case 'TOOL_RESULT_START':
        return this.#startTool(tool)
      case 'TOOL_RESULT_TEXT_DELTA':
        tool.text += event.delta
        return
      case 'TOOL_RESULT_DATA_DELTA': {
        const { block_id: id = '', media_type, url } = event
        const path = typeof url === 'string' ? url : pathOf(id, media_type)
        if (!tool.files.includes(path)) tool.files.push(path)
        return
      }
      case 'TOOL_RESULT_END':
        return this.#endTool(tool, event)
    }
  }

  /** What was denied or stopped before it ran never starts. */
  #startTool(tool: Tool): void {
    const isStopped = this.#isRejected || this.#task.status === 'cancel_requested'
    if (tool.isDenied || isStopped) return
    const { id, name, input } = tool
    tool.executionId = `tool_${this.#iterations}_${name}_${randomUUID().slice(0, 8)}`
    this.#task.add('tool_start', {
      id: tool.executionId,
      name,
      arguments: parseObject(input) ?? {},
      preparing_id: id,
      monitor_snapshot: null,
    })
  }

  #endTool(tool: Tool, event: Extract<AgentEvent, { type: 'TOOL_RESULT_END' }>): void {
    const { name, text, files } = tool
    const { state, metadata = {} } = event
    const approvalId = this.#approvalOf(tool.id)
    const output = { name, state, text, files, metadata, approvalId }
    const snapshot = monitorSnapshot(output)
    this.#update(tool, state === 'interrupted' ? 'cancelled' : 'completed', {
      result: toolPayload(output),
      ...(snapshot && { monitor_snapshot_after: snapshot }),
    })
  }

  #update({ id, executionId }: Tool, status: string, more: JsonObject): void {
    const execution = executionId === null ? {} : { id: executionId }
    this.#task.add('update_action', { ...execution, preparing_id: id, status, ...more })
  }

  #approvalOf(callId: string): string | null {
    const [item] = this.#place.inbox.of(this.#replyId ?? '', callId)
    return item === undefined || item.kind === 'question' ? null : item.id
  }

  #askApproval(call: Parameters<TaskInbox['askApproval']>[2]): void {
    const tool = this.#tools.get(call.id)
    if (tool === undefined) return
    const {
      id: approval_id,
      kind,
      record,
    } = this.#place.inbox.askApproval(this.#task, this.#replyId ?? '', call)
    const isPlan = kind === 'plan'
    this.#task.add(isPlan ? 'plan_approval_required' : 'tool_approval_required', {
      approval: record,
    })
    const status = isPlan ? 'awaiting_plan_approval' : 'awaiting_approval'
    const message = 'Waiting for the user.'
    this.#update(tool, status, { result: { success: false, status, approval_id, message } })
  }

  #askQuestions(call: Parameters<TaskInbox['askQuestions']>[2]): void {
    const tool = this.#tools.get(call.id)
    if (tool === undefined) return
    const replyId = this.#replyId ?? ''
    if (call.name !== ASK_USER) {
      // The client's own tools are unknown here.
      const text = `The tool ${call.name} is not available.`
      const metadata = { code: NOT_ALLOWED }
      return submit({ task: this.#task, replyId, call }, { text, state: 'error', metadata })
    }
    const items = this.#place.inbox.askQuestions(this.#task, replyId, call)
    const [first] = items
    if (first === undefined) return
    const questions = items.map(({ record }) => record)
    const { batch_id = null } = first.record
    this.#task.add('user_questions_required', { batch_id, questions, question: first.record })
    const status = 'awaiting_user_answer'
    const message = 'Waiting for the user.'
    const result = { success: false, status, question_id: first.id, message }
    this.#update(tool, status, { result })
  }

  /** A decision may have been made elsewhere, too. */
  #tellDecision(callId: string, confirmed: boolean): void {
    const decision = confirmed ? 'approved' : 'rejected'
    const tool = this.#tools.get(callId)
    const item = this.#place.inbox.of(this.#replyId ?? '', callId).at(-1)
    if (tool === undefined || item === undefined) return
    const isElsewhere = isPending(item.record)
    if (isElsewhere) settle(item, decision)
    tool.isDenied = !confirmed
    const { comment = null } = item.record
    if (item.kind === 'plan') {
      return this.#task.add('plan_approval_resolved', { approval_id: item.id, decision, comment })
    }
    this.#isRejected ||= !confirmed && !isElsewhere
    this.#task.add('tool_approval_resolved', { approval_id: item.id, decision })
  }

  #tellAnswers(callId: string): void {
    const items = this.#place.inbox.of(this.#replyId ?? '', callId)
    for (const item of items) if (isPending(item.record)) settle(item, 'answered')
    const batch_id = items[0]?.record['batch_id'] ?? null
    if (items.length === 0) return
    this.#task.add('user_questions_resolved', { batch_id, question_ids: items.map(({ id }) => id) })
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
