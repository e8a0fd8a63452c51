import { isJsonObject, type JsonObject, type ToolCallBlock } from '../../protocol/index.js'
import type { ConfirmResult } from '../../protocol/index.js'
import type { Output } from './Output.js'
import { readCall, readInput, readResult } from './readBlock.js'
import { parseJson, readField, readObject, readObjects, readText } from './readField.js'
import { type Call, type Run, waitingCalls } from './Run.js'
import {
  adoptCall,
  callIdOf,
  finishWriting,
  learnCall,
  tellCall,
  toolNameOf,
} from './trackCalls.js'
import { clearOutput, tellEnd } from './trackResults.js'

/**
 * The agent asks a person, or hands calls to the client.
 *
 * @param out - Hears of it.
 * @param run - The run.
 * @param frame - `REQUIRE_USER_CONFIRM`, `REQUIRE_EXTERNAL_EXECUTION`, the article's `PERMISSION_REQUEST`, or a task's
 *   `pendingConfirms`.
 * @param kind - What is wanted.
 */
export function ask(out: Output, run: Run, frame: JsonObject, kind: 'confirm' | 'external'): void {
  const replyId = readText(frame, 'replyId')
  if (replyId !== undefined && replyId !== '') run.asks.add(replyId)
  const taskId = readText(readObject(frame, 'metadata'), 'taskId')
  const blocks: ToolCallBlock[] = []
  for (const value of askedCalls(run, frame)) {
    const wireId = readText(value, 'id', 'toolCallId') ?? out.frameId
    const block = readCall(value, wireId)
    const call = learnCall(out, run, wireId, block)
    finishWriting(out, run, call)
    if (call.result === 'ended') continue
    if (kind === 'external') clearOutput(out, run, call)
    call.waits = kind
    call.isHandedOut = kind === 'external'
    call.isDenied = false
    const task = taskId === undefined ? {} : { task_id: taskId }
    const state = kind === 'confirm' ? 'asking' : 'submitted'
    blocks.push({ ...block, id: call.id, name: block.name || call.name, state, ...task })
  }
  if (blocks.length === 0) {
    out.report('malformed-event', 'A question that names no call.', frame)
    return
  }
  // What was called together with it and is not asked for was decided by a rule: of a denial the stream says nothing.
  const segment = run.calls.get(run.lastCall ?? '')?.segment
  for (const call of run.calls.values()) {
    const isLeft = call.result === 'none' && call.waits === undefined && call.segment === segment
    if (kind === 'confirm' && isLeft) call.isDenied = true
  }
  const type = kind === 'confirm' ? 'REQUIRE_USER_CONFIRM' : 'REQUIRE_EXTERNAL_EXECUTION'
  out.tell(run, { type, tool_calls: blocks })
}

/** Hands out what was suspended without a word: servers before 2.0.3 leave it at that. */
export function handOut(out: Output, run: Run): void {
  const left = waitingCalls(run).filter(([, { waits, isHandedOut }]) => {
    return waits === 'external' && !isHandedOut
  })
  if (left.length === 0) return
  const tool_calls = left.map(([, call]): ToolCallBlock => {
    clearOutput(out, run, call)
    call.isHandedOut = true
    return { ...blockOf(call), state: 'submitted' }
  })
  out.tell(run, { type: 'REQUIRE_EXTERNAL_EXECUTION', tool_calls })
}

/**
 * A person decided. Of a call that was denied no result comes, so its end is told when the agent goes on.
 *
 * @param out - Hears of it.
 * @param run - The run that goes on.
 * @param frame - `USER_CONFIRM_RESULT`, or the article's `PERMISSION_RESPONSE`.
 */
export function takeDecisions(out: Output, run: Run, frame: JsonObject): void {
  const confirm_results = readDecisions(run, frame).map(
    ({ confirmed, block, rules }): ConfirmResult => {
      const call = learnCall(out, run, block.id, block)
      call.waits = undefined
      call.isApproved = confirmed
      call.isDenied = !confirmed
      return { confirmed, tool_call: { ...block, id: call.id }, rules }
    },
  )
  if (confirm_results.length === 0) return
  out.tell(run, { type: 'USER_CONFIRM_RESULT', confirm_results })
  for (const { confirmed, tool_call } of confirm_results) {
    const call = [...run.calls.values()].find(({ id }) => id === tool_call.id)
    if (confirmed && call !== undefined) tellEdited(out, run, call, tool_call.input)
  }
}

/** Java runs and stores what the person made of the arguments. A new decoder does not know what they were. */
function tellEdited(out: Output, run: Run, call: Call, input: string): void {
  if (call.isTold && isSameInput(call.input, input)) return
  call.input = input
  call.createdAt ??= out.createdAt
  call.finishedAt ??= out.createdAt
  tellCall(out, run, call, 'allowed')
}

function isSameInput(one: string, other: string): boolean {
  return one === other || JSON.stringify(parseJson(one)) === JSON.stringify(parseJson(other))
}

/**
 * The client's results came in. One of which the stream had begun something (the words of a tool that suspended itself) is put in
 * its place.
 */
export function takeResults(out: Output, run: Run, frame: JsonObject): void {
  const values = readObjects(frame, 'toolResults', 'executionResults', 'results')
  const begun = new Set<string>()
  const stamp = out.createdAt ?? run.startedAt ?? ''
  const execution_results = values.map((value) => {
    const result = readResult(value, out.frameId)
    const call = adoptCall(run, result.id, result.name)
    if (call.result === 'shown' || !call.isTold) begun.add(call.id)
    call.result = 'ended'
    call.waits = undefined
    const state = result.state === 'running' ? 'success' : result.state
    return { ...result, id: call.id, name: result.name || call.name, state }
  })
  if (execution_results.length === 0) return
  out.tell(run, { type: 'EXTERNAL_EXECUTION_RESULT', execution_results })
  for (const result of execution_results) {
    const { id, state, metadata } = result
    if (begun.has(id)) {
      const block = { ...result, created_at: stamp, finished_at: stamp }
      out.tell(run, { type: 'kit.block_set', block })
    }
    // Nothing else of the call follows that would finish it.
    out.tell(run, { type: 'TOOL_RESULT_END', tool_call_id: id, state, metadata })
  }
}

/** The answers were not told: what was approved will run, so what asked was denied until then. */
export function takeAsDenied(run: Run): void {
  for (const [, call] of waitingCalls(run)) {
    call.isDenied ||= call.waits === 'confirm'
    call.waits = call.isDenied ? undefined : call.waits
  }
}

/** Rules denied all calls. */
export function denyAll(out: Output, run: Run, frame: JsonObject): void {
  for (const value of readObjects(frame, 'deniedToolCalls')) {
    const id = readText(value, 'id')
    if (id === undefined) continue
    const call = learnCall(out, run, id, readCall(value, id))
    if (call.result !== 'ended') tellEnd(out, run, call, 'denied')
  }
}

/** A call as a block, with the arguments that were heard. */
function blockOf({ id, name, input }: Call): ToolCallBlock {
  return { type: 'tool_call', id, name, input, state: 'pending', suggested_rules: [] }
}

function askedCalls(run: Run, frame: JsonObject): readonly JsonObject[] {
  const list = readObjects(frame, 'toolCalls', 'pendingConfirms')
  if (list.length > 0) return list
  const name = toolNameOf(frame)
  const id = callIdOf(frame) ?? readText(frame, 'id')
  if (name === undefined && (id === undefined || !run.calls.has(id))) return []
  const open = [...run.calls].findLast(
    ([key, call]) => (key === id || call.name === name) && call.result === 'none',
  )
  const asked = callIdOf(frame) ?? open?.[0] ?? id
  const input = readInput(frame) || open?.[1].input || ''
  return [{ id: asked ?? null, name: name ?? null, input }]
}

interface Decision {
  readonly confirmed: boolean
  readonly block: ToolCallBlock
  readonly rules: ConfirmResult['rules'] & {}
}

function readDecisions(run: Run, frame: JsonObject): readonly Decision[] {
  const list = readObjects(frame, 'confirmResults')
  const values = list.length > 0 ? list : [frame]
  return values.flatMap((value) => {
    const confirmed = readField(value, 'confirmed', 'approved', 'allow', 'allowed')
    if (typeof confirmed !== 'boolean') return []
    const given = readField(value, 'toolCall')
    const call = isJsonObject(given) ? given : { ...value, type: null, id: callIdOf(value) ?? null }
    const asked = waitingCalls(run).find(([, { waits }]) => waits === 'confirm')
    const id = readText(call, 'id') ?? asked?.[0]
    if (id === undefined) return []
    const known = run.calls.get(id)
    const block = isJsonObject(given) || known === undefined ? readCall(call, id) : blockOf(known)
    return [{ confirmed, block: { ...block, id }, rules: readRules(value) }]
  })
}

function readRules(value: JsonObject): Decision['rules'] {
  return readObjects(value, 'rules').map((rule) => ({
    tool_name: readText(rule, 'toolName') ?? '',
    rule_content: readText(rule, 'ruleContent') ?? null,
    behavior: readText(rule, 'behavior')?.toLowerCase() ?? 'allow',
    source: readText(rule, 'source') ?? '',
  }))
}
