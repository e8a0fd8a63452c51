import { randomUUID } from 'node:crypto'
import type {
  ConfirmResult,
  JsonObject,
  JsonValue,
  ToolCallBlock,
  ToolResultBlock,
} from '../../../protocol/index.js'
import { createId, isJsonObject } from '../../../protocol/index.js'
import { stampNow } from '../stampNow.js'
import type { Task } from './Task.js'
import { nowSeconds } from './Task.js'
import { parseObject } from './toolPayload.js'

/** What can wait for a person. */
export type InboxKind = 'approval' | 'plan' | 'question'

/** Something that waits for a person, or did. */
export interface InboxItem {
  /** What it is. */
  readonly kind: InboxKind
  /** Its id: `approval_id` or `question_id`. */
  readonly id: string
  /** The task that asked. */
  readonly task: Task
  /** The reply that asked. */
  readonly replyId: string
  /** The call it is about. */
  readonly call: ToolCallBlock
  /** What is told of it; `status` and the answer change. */
  record: JsonObject
}

/** A question of an `ask_user` call, as the model wrote it. */
interface Question {
  readonly question: string
  readonly context: JsonValue
  readonly options: readonly JsonObject[]
}

/** What waits for people, in memory alone. */
export class TaskInbox {
  readonly #items: InboxItem[] = []

  /** Asks whether a call may run, or whether a plan is good. */
  askApproval(task: Task, replyId: string, call: ToolCallBlock): InboxItem {
    const args = parseObject(call.input) ?? {}
    const id = randomUUID()
    const common = {
      approval_id: id,
      task_id: task.id,
      conversation_id: task.init.session.id,
      tool_call_id: call.id,
      status: 'pending',
      created_at: nowSeconds(),
    }
    const isPlan = call.name === 'submit_plan'
    const record = isPlan
      ? {
          ...common,
          plan_file: args['plan_file'] ?? 'plan.md',
          plan_content: args['plan_content'] ?? '',
          summary: args['summary'] ?? '',
        }
      : { ...common, tool_name: call.name, arguments: args, preview: previewOf(call.name, args) }
    return this.#add({ kind: isPlan ? 'plan' : 'approval', id, task, replyId, call, record })
  }

  /** Asks the questions of a call. */
  askQuestions(task: Task, replyId: string, call: ToolCallBlock): readonly InboxItem[] {
    const batch = randomUUID()
    const questions = readQuestions(call)
    return questions.map(({ question, context, options }, index) => {
      const id = randomUUID()
      const record = {
        question_id: id,
        batch_id: batch,
        batch_index: index + 1,
        batch_total: questions.length,
        task_id: task.id,
        conversation_id: task.init.session.id,
        tool_call_id: call.id,
        question,
        context,
        options,
        status: 'pending',
        created_at: nowSeconds(),
      }
      return this.#add({ kind: 'question', id, task, replyId, call, record })
    })
  }

  /** Finds one by its id. */
  find(kind: InboxKind, id: string): InboxItem | undefined {
    return this.#items.find((item) => item.kind === kind && item.id === id)
  }

  /** The item that a call of a reply waits for or waited for; of a batch, all. */
  of(replyId: string, callId: string): readonly InboxItem[] {
    return this.#items.filter((item) => item.replyId === replyId && item.call.id === callId)
  }

  /** What waits, oldest first; of one conversation or of all. */
  pending(kind: InboxKind, sessionId: string | null): readonly InboxItem[] {
    return this.#items.filter(
      ({ kind: known, record, task }) =>
        known === kind &&
        isPending(record) &&
        task.isActive &&
        (sessionId === null || task.init.session.id === sessionId),
    )
  }

  /** Decides about a call or a plan; what is decided already stays. The run goes on, unless a call was rejected: that ends it. */
  decide(item: InboxItem, confirmed: boolean, comment: string | null = null): void {
    if (!isPending(item.record) || !item.task.isActive) return
    settle(item, confirmed ? 'approved' : 'rejected', { comment })
    const results: ConfirmResult[] = [{ confirmed, tool_call: item.call, rules: null }]
    item.task.init.session.answer(
      {
        ...envelope(),
        type: 'USER_CONFIRM_RESULT',
        reply_id: item.replyId,
        confirm_results: results,
      },
      item.kind === 'approval',
    )
  }

  /** Answers a question; the run goes on when the whole batch is answered. */
  reply(item: InboxItem, answer: JsonObject): void {
    if (!isPending(item.record) || !item.task.isActive) return
    settle(item, 'answered', { answer })
    const batch = this.of(item.replyId, item.call.id)
    if (batch.some(({ record }) => isPending(record))) return
    const answers = batch.map(({ id, record }) => ({
      question_id: id,
      answer: record['answer'] ?? null,
    }))
    const texts = batch.map(({ record }) => answerText(record))
    const text = texts.length === 1 ? (texts[0] ?? '') : texts.map(numbered(batch)).join('\n')
    submit(item, { text, state: 'success', metadata: { answers } })
  }

  #add(item: InboxItem): InboxItem {
    this.#items.push(item)
    return item
  }
}

/** Whether a record waits. */
export function isPending(record: JsonObject): boolean {
  return record['status'] === 'pending'
}

/** Writes down how something ended that was waited for. */
export function settle(item: InboxItem, status: string, more: JsonObject = {}): void {
  item.record = { ...item.record, status, ...more, resolved_at: nowSeconds() }
}

/** Gives a call the result that the client of another protocol would bring. */
export function submit(
  { task, replyId, call: { id, name } }: Pick<InboxItem, 'task' | 'replyId' | 'call'>,
  result: {
    readonly text: string
    readonly state: 'success' | 'error'
    readonly metadata: JsonObject
  },
): void {
  const { text: output, state, metadata } = result
  const block: ToolResultBlock = { type: 'tool_result', id, name, output, state, metadata }
  task.init.session.answer({
    ...envelope(),
    type: 'EXTERNAL_EXECUTION_RESULT',
    reply_id: replyId,
    execution_results: [block],
  })
}

function envelope(): { id: string; created_at: string; metadata: JsonObject } {
  return { id: createId(), created_at: stampNow(), metadata: {} }
}

function numbered(batch: readonly InboxItem[]): (text: string, index: number) => string {
  return (text, index) => {
    const question = batch[index]?.record['question']
    return typeof question === 'string' ? `${question} ${text}` : text
  }
}

/** What the model is told of an answer. */
function answerText({ answer, options }: JsonObject): string {
  if (!isJsonObject(answer)) return ''
  const { type, text, selected_option_id: chosen } = answer
  if (type === 'dismissed') return 'The user did not want to answer.'
  const all: readonly JsonValue[] = Array.isArray(options) ? options : []
  const option = all.find((each) => isJsonObject(each) && each['id'] === chosen)
  const label = isJsonObject(option) ? option['label'] : undefined
  const words = typeof label === 'string' ? [label] : []
  return [...words, ...(typeof text === 'string' && text !== '' ? [text] : [])].join(': ')
}

function readQuestions({ input }: ToolCallBlock): readonly Question[] {
  const args = parseObject(input) ?? {}
  const { questions } = args
  const all: readonly JsonValue[] = Array.isArray(questions) ? questions : [args]
  return all.filter(isJsonObject).map(({ question, context = null, options }) => {
    const given: readonly JsonValue[] = Array.isArray(options) ? options.slice(0, 8) : []
    const text = typeof question === 'string' ? question : ''
    return { question: text, context, options: given.filter(isJsonObject) }
  })
}

/** What a person sees of a call before it runs. */
function previewOf(name: string, args: JsonObject): JsonObject {
  const { command, file_path: file, old_string: before, new_string: after, path, content } = args
  if (typeof command === 'string')
    return { type: 'command', summary: `${name}: ${command}`, command }
  if (typeof file === 'string' && typeof before === 'string') {
    const [old, fresh] = [before, typeof after === 'string' ? after : ''].map(lined)
    const context = { before: [], old: old ?? [], new: fresh ?? [], after: [] }
    return { type: 'edit', summary: `${name}: ${file}`, file_path: file, edit_context: context }
  }
  const target = typeof path === 'string' ? path : file
  if (typeof target === 'string') {
    const preview = typeof content === 'string' ? { content_preview: content.slice(0, 400) } : {}
    return { type: 'file', summary: `${name}: ${target}`, path: target, ...preview }
  }
  return { type: 'tool', summary: name }
}

function lined(text: string): readonly JsonObject[] {
  return text.split('\n').map((content, index) => ({ line_no: index + 1, content }))
}
