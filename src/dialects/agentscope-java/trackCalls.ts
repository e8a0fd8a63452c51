import { isJsonObject, type JsonObject, type ToolCallBlock } from '../../protocol/index.js'
import { encodeCallId } from './callIds.js'
import type { Output } from './Output.js'
import { readInput } from './readBlock.js'
import { parseJson, readText } from './readField.js'
import type { Call, Run } from './Run.js'
import { closeImplied } from './trackBlocks.js'

/** The id of a call as the wire has it. A frame without one may have it as its own id. */
export function callIdOf(frame: JsonObject): string | undefined {
  return readText(frame, 'toolCallId', 'toolUseId')
}

/** The tool that a frame names; fragments and the framework's own tools have names that are none. */
export function toolNameOf(frame: JsonObject): string | undefined {
  return readText(frame, 'toolCallName', 'toolName', 'name')
}

/**
 * The model begins a call. Begun again (for its run, or after another was written in between) it is the same call.
 *
 * @param out - Hears of it.
 * @param run - The run.
 * @param frame - The event.
 */
export function startCall(out: Output, run: Run, frame: JsonObject): void {
  const id = callIdOf(frame) ?? readText(frame, 'id') ?? out.frameId
  const name = toolNameOf(frame) ?? ''
  const segment = readText(frame, 'replyId') ?? ''
  if (name.startsWith('__')) {
    run.hidden.add(id)
    return
  }
  const known = run.calls.get(id)
  // Two runs that share one may count their calls alike.
  const isOther = run.starts > 1 && known !== undefined && known.segment !== segment
  if (known !== undefined && !isOther && (known.result !== 'ended' || known.segment === segment)) {
    return
  }
  if (isOther) run.calls.set(`${id}@${known.segment}`, known)
  const call = addCall(run, id, { name, segment, createdAt: out.createdAt })
  closeImplied(out, run)
  out.tell(run, { type: 'TOOL_CALL_START', tool_call_id: call.id, tool_call_name: name })
  const input = readInput(frame)
  if (input !== '') growInput(out, run, call, input)
}

/**
 * The model writes on. Fragments have no name, and often no id: they belong to the call that was last begun.
 *
 * @param out - Hears of it.
 * @param run - The run.
 * @param frame - The event.
 */
export function growCall(out: Output, run: Run, frame: JsonObject): void {
  const delta = readText(frame, 'delta') ?? ''
  if (delta === '') return
  const id = callIdOf(frame) ?? readText(frame, 'id') ?? ''
  const name = toolNameOf(frame) ?? ''
  const isHidden = run.hidden.has(id) || (name.startsWith('__') && name !== '__fragment__')
  if (isHidden) return
  const known = findCall(run, id, frame)
  const last = run.lastCall === undefined ? undefined : run.calls.get(run.lastCall)
  const isOther =
    callIdOf(frame) && !isFragment(id) && (last === undefined || isNamedOther(name, last))
  if (known === undefined && isOther) startCall(out, run, frame)
  const call = known ?? (isOther ? run.calls.get(id) : last)
  if (call === undefined) {
    out.report('orphan-event', 'Arguments of a call that was never begun.', frame)
  } else growInput(out, run, call, delta)
}

/** The call is written. */
export function endCall(out: Output, run: Run, frame: JsonObject): void {
  const id = callIdOf(frame) ?? readText(frame, 'id') ?? ''
  const isNamed = callIdOf(frame) !== undefined && !isFragment(id)
  const call = findCall(run, id, frame) ?? (isNamed ? undefined : run.calls.get(run.lastCall ?? ''))
  if (call === undefined) return
  // Some senders tell the arguments only when they are whole.
  const input = call.input === '' ? readInput(frame) : ''
  if (input !== '') growInput(out, run, call, input)
  finishWriting(out, run, call)
}

/** Ends the writing of a call, if nobody did. */
export function finishWriting(out: Output, run: Run, call: Call): void {
  if (!call.isWriting) return
  call.isWriting = false
  call.finishedAt = out.createdAt
  out.tell(run, { type: 'TOOL_CALL_END', tool_call_id: call.id })
}

/**
 * Makes a call known that came whole: in a question, in an answer, in the run's result.
 *
 * @param out - Hears of it.
 * @param run - The run.
 * @param wireId - The wire's id.
 * @param block - The call.
 */
export function learnCall(out: Output, run: Run, wireId: string, block: ToolCallBlock): Call {
  // A reply that was told before has its calls.
  const known = run.isResumed ? adoptCall(run, wireId, block.name) : run.calls.get(wireId)
  if (known !== undefined) {
    refreshInput(out, run, known, block)
    return known
  }
  const call = addCall(run, wireId, { name: block.name, segment: '', createdAt: out.createdAt })
  closeImplied(out, run)
  out.tell(run, { type: 'TOOL_CALL_START', tool_call_id: call.id, tool_call_name: block.name })
  if (block.input !== '') growInput(out, run, call, block.input)
  finishWriting(out, run, call)
  return call
}

/** Makes a call known whose beginning was told elsewhere: a parked reply has it already. */
export function adoptCall(run: Run, wireId: string, name: string): Call {
  const known = run.calls.get(wireId)
  if (known !== undefined) return known
  const call = addCall(run, wireId, { name, segment: '', createdAt: undefined, isTold: false })
  call.isWriting = false
  return call
}

/** Puts the call as it is known into the message, in a state. */
export function tellCall(out: Output, run: Run, call: Call, state: ToolCallBlock['state']): void {
  const block: ToolCallBlock = {
    type: 'tool_call',
    id: call.id,
    name: call.name,
    input: call.input,
    state,
    suggested_rules: [],
    created_at: call.createdAt ?? null,
    finished_at: call.isWriting ? null : (call.finishedAt ?? run.startedAt ?? ''),
  }
  out.tell(run, { type: 'kit.block_set', block })
}

/** Arguments that were not streamed, or in a way that gives no JSON, are those of the whole call. */
function refreshInput(out: Output, run: Run, call: Call, block: ToolCallBlock): void {
  const isBetter = !isJsonObject(parseJson(call.input)) && isJsonObject(parseJson(block.input))
  if (!isBetter) return
  if (!call.isTold) {
    call.input = block.input
    return
  }
  finishWriting(out, run, call)
  if (call.input === '') growInput(out, run, call, block.input)
  else {
    call.input = block.input
    tellCall(out, run, call, 'pending')
  }
}

function growInput(out: Output, run: Run, call: Call, delta: string): void {
  call.input += delta
  out.tell(run, { type: 'TOOL_CALL_DELTA', tool_call_id: call.id, delta })
}

function addCall(
  run: Run,
  wireId: string,
  init: Pick<Call, 'name' | 'segment' | 'createdAt'> & { readonly isTold?: boolean },
): Call {
  const repeats = run.ordinals.get(`call:${wireId}`) ?? 0
  run.ordinals.set(`call:${wireId}`, repeats + 1)
  const call: Call = {
    isTold: true,
    ...init,
    id: encodeCallId(wireId, repeats),
    finishedAt: undefined,
    isWriting: true,
    input: '',
    result: 'none',
    begunAt: undefined,
    held: '',
    output: [],
    metadata: undefined,
    waits: undefined,
    isHandedOut: false,
    isApproved: false,
    isDenied: false,
    isParent: false,
  }
  // A repeat goes to the end: the calls stand in the order they were made.
  run.calls.delete(wireId)
  run.calls.set(wireId, call)
  run.lastCall = wireId
  return call
}

/** A call by the wire's word; where two share it, by the model call too. */
export function findCall(run: Run, id: string, frame: JsonObject): Call | undefined {
  return run.calls.get(`${id}@${readText(frame, 'replyId') ?? ''}`) ?? run.calls.get(id)
}

function isFragment(id: string): boolean {
  return id === '' || id.startsWith('fragment_')
}

function isNamedOther(name: string, last: Call): boolean {
  return name !== '' && name !== '__fragment__' && name !== last.name
}
