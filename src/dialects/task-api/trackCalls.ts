import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ToolCallBlock,
  type ToolResultState,
} from '../../protocol/index.js'
import type { Output } from './Output.js'
import { pickFields } from './readField.js'
import { readResultText, readState } from './readResult.js'
import type { Call, Reply } from './Reply.js'

/** Calls by the ids that the wire has for them: the model's, and that of the execution. */
export type Calls = Map<string, Call>

/**
 * The call of an id; it begins where nothing was heard of it.
 *
 * @param out - Hears of it.
 * @param calls - The calls of the task.
 * @param reply - The reply where it begins.
 * @param wireId - The model's id.
 * @param name - The tool's name.
 * @param metadata - What is said about it.
 */
export function openCall(
  out: Output,
  calls: Calls,
  reply: Reply,
  wireId: string,
  name: string,
  metadata: JsonObject = {},
): Call {
  const count = countOf(calls.get(wireId), reply) + 1
  const id = count === 1 ? wireId : `${wireId}#${count}`
  const call = beginCall(out, reply, { id, wireId, count, name }, metadata)
  calls.set(wireId, call)
  return call
}

/** How many calls of an id a reply has; the latest of that id knows, unless it was taken back. */
function countOf(latest: Call | undefined, reply: Reply): number {
  if (latest?.reply !== reply) return 0
  if (!latest.isGone) return latest.count
  return reply.calls.filter(({ wireId }) => wireId === latest.wireId).length
}

/** Begins a call under an id. */
export function beginCall(
  out: Output,
  reply: Reply,
  ids: Pick<Call, 'id' | 'wireId' | 'count' | 'name'>,
  metadata: JsonObject = {},
): Call {
  const { id, name } = ids
  const call: Call = {
    ...ids,
    reply,
    place: reply.blocks,
    createdAt: out.createdAt,
    input: undefined,
    resultPlace: undefined,
    end: undefined,
    isGone: false,
    waits: undefined,
    metadata: {},
    snapshot: {},
    questions: new Map(),
  }
  reply.isFresh = false
  reply.blocks += 1
  reply.calls.push(call)
  out.tell({
    type: 'TOOL_CALL_START',
    reply_id: reply.id,
    tool_call_id: id,
    tool_call_name: name,
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  })
  return call
}

/** What is said about a call while it is written; it stays with the call. */
export function describeCall(out: Output, call: Call, fields: JsonObject): void {
  if (Object.keys(fields).length === 0 || call.input !== undefined || call.waits) return
  call.metadata = { ...call.metadata, ...fields }
  setCall(out, call)
}

/** A call that was heard of without its name gets it. */
export function nameCall(out: Output, call: Call, name: string): void {
  if (call.name !== '' || name === '') return
  call.name = name
  if (call.input === undefined) setCall(out, call)
}

function setCall(out: Output, call: Call): void {
  const stamps = { created_at: call.createdAt ?? null, finished_at: null }
  const block = blockOf(call, call.waits === undefined ? 'pending' : 'asking')
  const known = Object.keys(call.metadata).length === 0 ? {} : { metadata: call.metadata }
  out.tell({
    type: 'kit.block_set',
    reply_id: call.reply.id,
    block: { ...block, ...stamps, ...known },
  })
}

/** The arguments are known, whole and once. */
export function writeInput(out: Output, call: Call, input: JsonValue | undefined): void {
  if (call.input !== undefined) return
  call.input = typeof input === 'string' ? input : JSON.stringify(input ?? {})
  const of = { reply_id: call.reply.id, tool_call_id: call.id }
  if (input !== undefined) out.tell({ type: 'TOOL_CALL_DELTA', ...of, delta: call.input })
  out.tell({ type: 'TOOL_CALL_END', ...of })
}

/** The tool runs. */
export function beginResult(out: Output, call: Call): void {
  if (call.resultPlace !== undefined) return
  const { reply, id, name } = call
  writeInput(out, call, undefined)
  if (call.waits === 'confirm') call.waits = undefined
  call.resultPlace = reply.blocks
  reply.blocks += 1
  out.tell({
    type: 'TOOL_RESULT_START',
    reply_id: reply.id,
    tool_call_id: id,
    tool_call_name: name,
  })
}

/** The tool is done, by the wire's word. */
export function endCall(out: Output, call: Call, status: string, data: JsonObject): void {
  if (call.end === 'told') return
  const { result = data['message'] } = data
  const state = readState(status, result)
  const more = pickFields(data, 'monitor_snapshot_after', 'message', 'awaiting_content')
  const metadata = { ...(isJsonObject(result) ? { result } : {}), ...call.snapshot, ...more }
  tellEnd(out, call, state, readResultText(result), metadata)
  call.end = 'told'
}

/** Nothing more comes: calls that are open were interrupted, but for those that may wait. */
export function interruptCalls(out: Output, reply: Reply, mayWait: boolean): void {
  for (const call of reply.calls) {
    if (call.end !== undefined || (mayWait && call.waits !== undefined)) continue
    tellEnd(out, call, 'interrupted', '', call.snapshot)
    call.end = 'implied'
  }
}

/** The questions of a call are answered, or fell away; the answers themselves are in the result of the call. */
export function resolveQuestions(
  out: Output,
  call: Call,
  ids: ReadonlySet<unknown>,
  state: ToolResultState,
): void {
  const resolved = [...call.questions].flatMap(([id, asked]) =>
    asked.waits !== undefined && (ids.size === 0 || ids.has(id)) ? [asked] : [],
  )
  if (resolved.length === 0) return
  for (const asked of resolved) {
    asked.waits = undefined
    if (asked === call) continue
    asked.end = 'told'
    asked.resultPlace = call.reply.blocks
    call.reply.blocks += 1
  }
  out.tell({
    type: 'EXTERNAL_EXECUTION_RESULT',
    reply_id: call.reply.id,
    execution_results: resolved.map(({ id }) => ({
      type: 'tool_result',
      id,
      name: 'ask_user',
      output: '',
      state,
      metadata: {},
    })),
  })
}

/** A call as a block. */
export function blockOf(call: Call, state: ToolCallBlock['state']): ToolCallBlock {
  const { id, name, input = '' } = call
  return { type: 'tool_call', id, name, input, state, suggested_rules: [] }
}

function tellEnd(
  out: Output,
  call: Call,
  state: ToolResultState,
  delta: string,
  metadata: JsonObject,
): void {
  const of = { reply_id: call.reply.id, tool_call_id: call.id }
  beginResult(out, call)
  resolveQuestions(out, call, new Set(), state)
  call.waits = undefined
  if (delta !== '') out.tell({ type: 'TOOL_RESULT_TEXT_DELTA', ...of, delta })
  out.tell({ type: 'TOOL_RESULT_END', ...of, state, metadata })
}
