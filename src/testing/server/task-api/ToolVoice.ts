import { randomUUID } from 'node:crypto'
import type { AgentEvent, JsonObject, ToolCallBlock } from '../../../protocol/index.js'
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

/** Says what tools do: they are prepared long before they start, and `completed` when they failed, too. */
export class ToolVoice {
  /** Whether the person rejected a call here, which ends the run. */
  isRejected: boolean = false
  readonly #task: Task
  readonly #inbox: TaskInbox
  readonly #replyId: string
  readonly #tools = new Map<string, Tool>()

  /**
   * @param task - The task.
   * @param inbox - What waits for people.
   * @param replyId - The reply whose tools they are.
   */
  constructor(task: Task, inbox: TaskInbox, replyId: string) {
    this.#task = task
    this.#inbox = inbox
    this.#replyId = replyId
  }

  /** A call is written. */
  tellCall(event: CallEvent): void {
    const { tool_call_id: id } = event
    if (event.type === 'TOOL_CALL_START') {
      const { tool_call_name: name } = event
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

  /** A tool runs. */
  tellResult(event: ResultEvent): void {
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
    const isStopped = this.isRejected || this.#task.status === 'cancel_requested'
    if (tool.isDenied || isStopped) return
    const { id, name, input } = tool
    tool.executionId = `tool_${this.#tools.size}_${name}_${randomUUID().slice(0, 8)}`
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
    const [item] = this.#inbox.of(this.#replyId, callId)
    return item === undefined || item.kind === 'question' ? null : item.id
  }

  /** A call, or a plan, needs a decision. */
  askApproval(call: ToolCallBlock): void {
    const tool = this.#tools.get(call.id)
    if (tool === undefined) return
    const {
      id: approval_id,
      kind,
      record,
    } = this.#inbox.askApproval(this.#task, this.#replyId, call)
    const isPlan = kind === 'plan'
    this.#task.add(isPlan ? 'plan_approval_required' : 'tool_approval_required', {
      approval: record,
    })
    const status = isPlan ? 'awaiting_plan_approval' : 'awaiting_approval'
    const message = 'Waiting for the user.'
    this.#update(tool, status, { result: { success: false, status, approval_id, message } })
  }

  /** The client is to run a tool: all it can be asked here is questions. */
  askQuestions(call: ToolCallBlock): void {
    const tool = this.#tools.get(call.id)
    if (tool === undefined) return
    const replyId = this.#replyId
    if (call.name !== ASK_USER) {
      // The client's own tools are unknown here.
      const text = `The tool ${call.name} is not available.`
      const metadata = { code: NOT_ALLOWED }
      return submit({ task: this.#task, replyId, call }, { text, state: 'error', metadata })
    }
    const items = this.#inbox.askQuestions(this.#task, replyId, call)
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
  tellDecision(callId: string, confirmed: boolean): void {
    const decision = confirmed ? 'approved' : 'rejected'
    const tool = this.#tools.get(callId)
    const item = this.#inbox.of(this.#replyId, callId).at(-1)
    if (tool === undefined || item === undefined) return
    const isElsewhere = isPending(item.record)
    if (isElsewhere) settle(item, decision)
    tool.isDenied = !confirmed
    const { comment = null } = item.record
    if (item.kind === 'plan') {
      return this.#task.add('plan_approval_resolved', { approval_id: item.id, decision, comment })
    }
    this.isRejected ||= !confirmed && !isElsewhere
    this.#task.add('tool_approval_resolved', { approval_id: item.id, decision })
  }

  /** Questions are answered. */
  tellAnswers(callId: string): void {
    const items = this.#inbox.of(this.#replyId, callId)
    for (const item of items) if (isPending(item.record)) settle(item, 'answered')
    const batch_id = items[0]?.record['batch_id'] ?? null
    if (items.length === 0) return
    this.#task.add('user_questions_resolved', { batch_id, question_ids: items.map(({ id }) => id) })
  }
}
