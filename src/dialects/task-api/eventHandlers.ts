import type { JsonObject } from '../../protocol/index.js'
import type { Output } from './Output.js'
import { pickFields, readObject, readStamp, readText } from './readField.js'
import { readError, severityOf } from './readError.js'
import { createUserMessage, readUserMessage, startsWork } from './readUserMessage.js'
import { beginPiece, endPiece, growPiece, type PieceKind, rollBack } from './Reply.js'
import type { Task } from './Task.js'
import { beginResult, describeCall, endCall, writeInput } from './trackCalls.js'
import {
  askApproval,
  askQuestions,
  askUnheard,
  takeAnswers,
  takeDecision,
} from './trackRequests.js'

/** An event of a task. */
export interface TaskEvent {
  /** What it is. */
  readonly type: string
  /** What it says. */
  readonly data: JsonObject
  /** Its position. */
  readonly idx: number
}

/** Reads one event. */
type Handler = (out: Output, task: Task, event: TaskEvent) => void

/** What shows that the run goes on. */
const ALIVE =
  /^(api_request_start|ai_message_start|(thinking|text)_(start|chunk)|tool_(preparing|start))$/
const ENDS = /^(completed|cancell?ed|terminated|failed|timeout|error)$/
/** An update of a call that is no end: it runs, or waits. */
const NO_END = /^(awaiting_|running$|pending$|preparing$|queued$|started$)/

const handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['ai_message_start', (_, task) => void task.begin()],
  ['api_request_start', (_, task) => task.callModel()],
  ['stream_reset', (out, task) => task.reply && rollBack(out, task.reply)],
  ['error', takeError],
  ['task_complete', (_, task, { data }) => task.stop('completed', data)],
  ['task_stopped', (_, task, { data }) => task.stop('interrupted', data)],
  ...pieceHandlers('thinking'),
  ...pieceHandlers('text'),
  ['tool_preparing', prepareTool],
  ['tool_intent', takeIntent],
  ['tool_start', startTool],
  ['update_action', updateTool],
  ['tool_update_action', updateTool],
  ['tool_approval_required', asksFor('approval')],
  ['plan_approval_required', asksFor('plan')],
  ['tool_approval_resolved', decide],
  ['plan_approval_resolved', decide],
  ['user_questions_required', ask],
  ['user_question_required', ask],
  ['user_questions_resolved', takeAnswer],
  ['user_question_resolved', takeAnswer],
  ['token_update', countTokens],
  ['user_message', takeUserMessage],
  ['system_message', takeSystemMessage],
])

/**
 * Reads one event of a task. What has no place in the conversation's messages is a `CUSTOM` event under its own name.
 *
 * @param out - Hears what it says.
 * @param task - The task.
 * @param event - The event.
 */
export function readTaskEvent(out: Output, task: Task, event: TaskEvent): void {
  const { type, data } = event
  if (ALIVE.test(type)) task.revive()
  const handle = handlers.get(type)
  if (handle !== undefined) {
    handle(out, task, event)
    return
  }
  if (type === 'compression_finished') task.move(data)
  task.keep(keptOf(type, data))
  out.note(type, data)
}

/** What a model says comes in three steps, of which any may be missing. */
function pieceHandlers(kind: PieceKind): readonly (readonly [string, Handler])[] {
  return [
    [`${kind}_start`, (out, task) => void beginPiece(out, task.open(), kind)],
    [
      `${kind}_chunk`,
      (out, task, { data }) => growPiece(out, task.open(), kind, readText(data, 'content') ?? ''),
    ],
    [
      `${kind}_end`,
      (out, task, { data }) => endPiece(out, task.open(), kind, data['full_content']),
    ],
  ]
}

function takeError(out: Output, task: Task, { data }: TaskEvent): void {
  const severity = severityOf(data)
  if (severity === 'fatal') {
    task.open()
    task.fatal ??= readError(data)
    task.keep(pickFields(data, 'status_code', 'error_type', 'error_code', 'model_id', 'quota'))
    return
  }
  const name = severity === 'retry' ? 'retrying' : 'warning'
  if (severity === 'loose') task.loose = readError(data)
  out.note(name, data)
  task.notices.add(name)
}

function prepareTool(out: Output, task: Task, { data, idx }: TaskEvent): void {
  const words = pickFields(data, 'intent', 'message')
  const call = task.prepare(readText(data, 'id') ?? `${idx}`, readText(data, 'name') ?? '', words)
  describeCall(out, call, words)
}

function takeIntent(out: Output, task: Task, { type, data }: TaskEvent): void {
  const id = readText(data, 'id')
  const intent = readText(data, 'intent')
  if (id === undefined || intent === undefined) {
    out.note(type, data)
    return
  }
  const call = task.find(id, readText(data, 'name') ?? '')
  out.note(type, { tool_call_id: call.id, intent })
  describeCall(out, call, { intent })
}

function startTool(out: Output, task: Task, { data, idx }: TaskEvent): void {
  const id = readText(data, 'id')
  const wireId = readText(data, 'preparing_id') ?? id ?? `${idx}`
  const call = task.prepare(wireId, readText(data, 'name') ?? '')
  task.link(id, call)
  call.snapshot = pickFields(data, 'monitor_snapshot')
  writeInput(out, call, data['arguments'] ?? {})
  beginResult(out, call)
}

function updateTool(out: Output, task: Task, { type, data }: TaskEvent): void {
  const id = readText(data, 'id')
  const result = readObject(data, 'result')
  const wireId = readText(data, 'preparing_id') ?? id ?? readText(result, 'tool_call_id')
  const status = readText(data, 'status') ?? ''
  const isEnd = ENDS.test(status) || (!NO_END.test(status) && 'result' in data)
  const isWaiting = status.startsWith('awaiting_')
  if (wireId === undefined || !(isEnd || isWaiting)) {
    out.note(type, data)
    return
  }
  const name = readText(data, 'name', 'tool') ?? readText(result, 'tool', 'tool_name') ?? ''
  const find = isWaiting ? task.prepare : task.find
  const call = task.known(id) ?? find(wireId, name)
  task.link(id, call)
  if (isWaiting) askUnheard(out, task.asked, call, status, data)
  else endCall(out, call, status, data)
}

function asksFor(kind: 'approval' | 'plan'): Handler {
  return (out, task, { data }) => askApproval(out, task.asked, task.prepare, data, kind)
}

function ask(out: Output, task: Task, { data }: TaskEvent): void {
  askQuestions(out, task.asked, task.prepare, data)
}

function takeAnswer(out: Output, task: Task, { data }: TaskEvent): void {
  takeAnswers(out, task.asked, data)
}

function decide(out: Output, task: Task, { type, data }: TaskEvent): void {
  if (!takeDecision(out, task.asked, data)) out.note(type, data)
}

function takeUserMessage(out: Output, task: Task, { data, idx }: TaskEvent): void {
  const words = readUserMessage(data)
  if (words.kind === 'own') {
    const id = readText(data, 'message_id') ?? `${task.id}:u${idx}`
    const stamp = out.createdAt ?? readStamp(data['timestamp']) ?? ''
    out.tell({ type: 'kit.user_message', message: createUserMessage(data, id, stamp) })
  }
  if (startsWork(data)) task.begin()
  if (words.kind === 'hint') addHint(out, task, idx, words.hint, words.source)
}

function takeSystemMessage(out: Output, task: Task, { data, idx }: TaskEvent): void {
  addHint(out, task, idx, readText(data, 'content', 'message') ?? '', 'system')
}

function addHint(out: Output, task: Task, idx: number, hint: string, source: string): void {
  if (hint === '') return
  const reply = task.open()
  reply.blocks += 1
  const block_id = `${reply.id}:h${idx}`
  out.tell({ type: 'HINT_BLOCK', reply_id: reply.id, block_id, hint, source })
}

function countTokens(out: Output, task: Task, { type, data }: TaskEvent): void {
  const usage = task.countTokens(data)
  if (usage !== undefined && task.reply !== undefined) {
    out.tell({ type: 'MODEL_CALL_END', reply_id: task.reply.id, ...usage })
  }
  out.note(type, data)
}

/** What is kept with the reply, since a notice holds only the latest of its name. */
function keptOf(type: string, data: JsonObject): JsonObject {
  if (type === 'edit_summary_updated') return pickFields(data, 'edit_summary')
  return type === 'edited_files_updated' ? pickFields(data, 'edited_files') : {}
}
