import type { JsonObject, ToolCallBlock } from '../../protocol/index.js'
import type { Output } from './Output.js'
import { pickFields, readObject, readObjects, readText } from './readField.js'
import type { Call } from './Reply.js'
import { beginCall, beginResult, blockOf, resolveQuestions, writeInput } from './trackCalls.js'

/** Finds the call that a request is about. */
export type FindCall = (wireId: string, name: string, metadata?: JsonObject) => Call

/** What a task asked: calls by the ids of approvals and questions. */
export type Asked = Map<string, Call>

/**
 * An approval or a plan waits for a decision.
 *
 * @param out - Hears of it.
 * @param asked - What was asked.
 * @param find - Finds the call.
 * @param data - The event.
 * @param kind - What is to be approved.
 */
export function askApproval(
  out: Output,
  asked: Asked,
  find: FindCall,
  data: JsonObject,
  kind: 'approval' | 'plan',
): void {
  const given = readObject(data, 'approval')
  const approval = Object.keys(given).length > 0 ? given : data
  const id = readText(approval, 'approval_id')
  const tool = kind === 'plan' ? 'submit_plan' : ''
  const name = readText(approval, 'tool_name') ?? tool
  const known = heard(asked, id)
  const call = known ?? find(readText(approval, 'tool_call_id') ?? id ?? kind, name)
  if (call.end !== undefined) return
  if (id !== undefined) asked.set(id, call)
  const { arguments: input, preview } = approval
  if (input !== undefined && input !== null) writeInput(out, call, input)
  const plan = pickFields(approval, 'summary', 'plan_content', 'plan_file')
  const shown = kind === 'plan' ? { type: 'plan', ...plan } : preview
  const metadata = { ...pickFields(approval, 'approval_id'), kind }
  tellApproval(out, call, shown === undefined ? metadata : { ...metadata, preview: shown })
}

/** A call waits, and nothing was heard of what it asks: it is shown, and cannot be answered from here. */
export function askUnheard(
  out: Output,
  asked: Asked,
  call: Call,
  status: string,
  data: JsonObject,
): void {
  const result = readObject(data, 'result')
  const isQuestion = status === 'awaiting_user_answer'
  const id = readText(result, isQuestion ? 'question_id' : 'approval_id')
  if (call.end !== undefined || call.waits !== undefined) return
  if (call.questions.size > 0 || heard(asked, id) !== undefined) return
  if (!isQuestion && id !== undefined) asked.set(id, call)
  if (isQuestion) {
    const more = pickFields(result, 'question_id')
    beginResult(out, call)
    wait(call, 'external')
    out.tell({
      type: 'REQUIRE_EXTERNAL_EXECUTION',
      reply_id: call.reply.id,
      tool_calls: [{ ...blockOf(call, 'submitted'), name: 'ask_user' }],
      metadata: { kind: 'question', ...more, answerable: false },
    })
    return
  }
  const kind = status === 'awaiting_plan_approval' ? 'plan' : 'approval'
  tellApproval(out, call, { ...pickFields(result, 'approval_id'), kind, answerable: false })
}

/**
 * A decision was made.
 *
 * @returns Whether it is known what about.
 */
export function takeDecision(out: Output, asked: Asked, data: JsonObject): boolean {
  const call = heard(asked, readText(data, 'approval_id'))
  if (call === undefined) return false
  if (call.waits !== 'confirm') return true
  call.waits = undefined
  const { decision } = data
  const isYes = typeof decision === 'string' ? /^(auto_)?(approv|allow)/.test(decision) : decision
  const confirmed = (isYes ?? data['approved']) === true
  out.tell({
    type: 'USER_CONFIRM_RESULT',
    reply_id: call.reply.id,
    confirm_results: [{ confirmed, tool_call: blockOf(call, 'asking') }],
    metadata: pickFields(data, 'reason', 'comment'),
  })
  return true
}

/**
 * Questions wait for answers: AgentScope's way to ask a person is a tool that the client runs, one call for each question. The
 * first of a call is asked under its id.
 *
 * @param out - Hears of it.
 * @param asked - What was asked.
 * @param find - Finds the asking call.
 * @param data - The event.
 */
export function askQuestions(out: Output, asked: Asked, find: FindCall, data: JsonObject): void {
  const list = readObjects(data, 'questions')
  const batches = new Map<Call, ToolCallBlock[]>()
  for (const question of list.length > 0 ? list : [readObject(data, 'question')]) {
    const id = readText(question, 'question_id')
    if (id === undefined || heard(asked, id) !== undefined) continue
    const batch = readText(question, 'batch_id') ?? readText(data, 'batch_id') ?? id
    const wireId = readText(question, 'tool_call_id') ?? readText(data, 'tool_call_id') ?? batch
    const main = find(wireId, 'ask_user')
    if (main.end !== undefined) continue
    asked.set(id, main)
    asked.set(batchKey(batch), main)
    batches.set(main, [...(batches.get(main) ?? []), openQuestion(out, main, id, question)])
  }
  for (const [{ reply }, tool_calls] of batches) {
    const metadata = { kind: 'question', ...pickFields(data, 'batch_id') }
    out.tell({ type: 'REQUIRE_EXTERNAL_EXECUTION', reply_id: reply.id, tool_calls, metadata })
  }
}

/** Questions were answered: those named, or all of a batch. */
export function takeAnswers(out: Output, asked: Asked, data: JsonObject): void {
  const list = data['question_ids']
  const named = new Set<unknown>(Array.isArray(list) ? list : [])
  const keys = [...named, batchKey(readText(data, 'batch_id') ?? '')]
  for (const call of new Set(keys.flatMap((key) => heard(asked, String(key)) ?? []))) {
    resolveQuestions(out, call, named, 'success')
  }
}

function openQuestion(out: Output, main: Call, id: string, question: JsonObject): ToolCallBlock {
  const { reply, questions } = main
  const input = JSON.stringify(
    pickFields(
      question,
      ...['question_id', 'batch_id', 'batch_index', 'batch_total'],
      ...['question', 'context', 'options'],
    ),
  )
  const isFirst = questions.size === 0
  const own = `${main.id}#q${questions.size + 1}`
  const call = isFirst
    ? main
    : beginCall(out, reply, { id: own, wireId: own, count: 1, name: 'ask_user' })
  writeInput(out, call, input)
  if (isFirst) beginResult(out, call)
  wait(call, 'external')
  questions.set(id, call)
  return { ...blockOf(call, 'submitted'), name: 'ask_user', input }
}

/** What was asked under an id, unless it was taken back. */
function heard(asked: Asked, id = ''): Call | undefined {
  const call = asked.get(id)
  return call?.isGone === true ? undefined : call
}

function batchKey(batch: string): string {
  return `batch ${batch}`
}

function wait(call: Call, kind: 'confirm' | 'external'): void {
  call.waits = kind
  call.reply.waiting.add(call)
}

function tellApproval(out: Output, call: Call, metadata: JsonObject): void {
  wait(call, 'confirm')
  out.tell({
    type: 'REQUIRE_USER_CONFIRM',
    reply_id: call.reply.id,
    tool_calls: [{ ...blockOf(call, 'asking'), metadata }],
    metadata,
  })
}
