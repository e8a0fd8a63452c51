import type { JsonObject, ToolResultState } from '../../protocol/index.js'
import type { Output } from './Output.js'
import { readOutput } from './readBlock.js'
import { readField, readObject, readText } from './readField.js'
import type { Call, Run } from './Run.js'
import { adoptCall, callIdOf, findCall, finishWriting, tellCall, toolNameOf } from './trackCalls.js'

/** What a tool that the client runs says before it was run. */
const PLACEHOLDER = '[Awaiting external execution]'

/**
 * A tool begins to answer. Whether it does, or hands the call to the client, shows only when something comes: until then the
 * call is known to run, and has no result.
 *
 * @param out - Hears of it.
 * @param run - The run.
 * @param frame - The event.
 */
export function startResult(out: Output, run: Run, frame: JsonObject): void {
  const call = callOf(run, frame, 'none')
  if (call === undefined || call.result !== 'none') return
  finishWriting(out, run, call)
  if (run.stage === 'ended') run.stage = 'tools'
  call.result = 'begun'
  call.begunAt = out.createdAt
  call.isDenied = false
  if (call.waits === 'confirm') call.waits = undefined
  else if (!call.isApproved && call.isTold) tellCall(out, run, call, 'allowed')
}

/** A tool says something. */
export function growResult(out: Output, run: Run, frame: JsonObject): void {
  const call = callOf(run, frame, 'begun')
  if (call === undefined || call.result === 'ended') return
  const metadata = readObject(frame, 'metadata')
  if (Object.keys(metadata).length > 0) call.metadata = metadata
  const delta = readText(frame, 'delta', 'text') ?? ''
  if (metadata['agentscope_suspended'] === true) call.waits = 'external'
  else if (delta === PLACEHOLDER && call.result !== 'shown') call.held += delta
  else tellOutput(out, run, call, delta)
}

/** A tool brings data: a whole block in Java, single fields in the documentation. */
export function growResultData(out: Output, run: Run, frame: JsonObject): void {
  const call = callOf(run, frame, 'begun')
  if (call === undefined || call.result === 'ended') return
  const data = readField(frame, 'data')
  const isBlock = typeof data === 'object'
  const { type: _, ...fields } = frame
  const value = isBlock ? data : { ...fields, type: 'data', id: readText(frame, 'blockId') ?? null }
  tellOutput(out, run, call, value)
}

/** A tool is done. `running` is no end: the client is to run the tool. */
export function endResult(out: Output, run: Run, frame: JsonObject): void {
  const call = callOf(run, frame, 'begun')
  if (call === undefined || call.result === 'ended') return
  const metadata = readObject(frame, 'metadata')
  if (Object.keys(metadata).length > 0) call.metadata = metadata
  const state = readText(frame, 'state')?.toLowerCase() ?? stateOf(frame)
  const isSuspended = metadata['agentscope_suspended'] === true || call.waits === 'external'
  if (state === 'running' || isSuspended) call.waits = 'external'
  else {
    if (call.held !== '') tellOutput(out, run, call, '')
    tellEnd(out, run, call, state)
  }
}

/** A result that comes at once: start, output and end. */
export function tellResult(out: Output, run: Run, frame: JsonObject): void {
  const call = callOf(run, frame, 'none')
  if (call === undefined || call.result === 'ended') return
  finishWriting(out, run, call)
  tellOutput(
    out,
    run,
    call,
    readField(frame, 'output', 'content', 'delta', 'text', 'toolResult', 'data', 'error'),
  )
  tellEnd(out, run, call, readText(frame, 'state', 'status')?.toLowerCase() ?? stateOf(frame))
}

/** Ends a result in a state, and begins it first where nothing did. */
export function tellEnd(out: Output, run: Run, call: Call, state: ToolResultState): void {
  showResult(out, run, call)
  const { metadata } = call
  call.result = 'ended'
  call.waits = undefined
  call.output = []
  out.tell(run, {
    type: 'TOOL_RESULT_END',
    tool_call_id: call.id,
    state,
    ...(metadata === undefined ? {} : { metadata }),
  })
}

/** Takes back what a suspended tool said: it was the reason, and no output. */
export function clearOutput(out: Output, run: Run, call: Call): void {
  call.held = ''
  call.metadata = undefined
  if (call.result !== 'shown') return
  call.output = []
  tellBlock(out, run, call)
}

/**
 * The call that a frame about a result means.
 *
 * @param run - The run.
 * @param frame - The event. One without an id is about the first call that has come just so far.
 * @param stage - How far the result must be for that.
 */
export function callOf(run: Run, frame: JsonObject, stage: 'none' | 'begun'): Call | undefined {
  const id = callIdOf(frame)
  const name = toolNameOf(frame)
  if (name?.startsWith('__') === true) return undefined
  if (id !== undefined && id !== '') {
    if (run.hidden.has(id)) return undefined
    const known = findCall(run, id, frame) ?? adoptCall(run, id, name ?? '')
    if (stage === 'begun' || run.starts < 2) return known
    // Of two under one id nothing tells which is meant: the first one that has no result yet.
    const first = [...run.calls].find(
      ([key, call]) => key.startsWith(`${id}@`) && call.result === 'none',
    )
    if (first === undefined) return known
    run.calls.set(`${id}@${readText(frame, 'replyId') ?? ''}`, first[1])
    return first[1]
  }
  const own = run.calls.get(readText(frame, 'id') ?? '')
  if (own !== undefined) return own
  const calls = [...run.calls.values()]
  const isMeant = ({ result }: Call): boolean =>
    stage === 'none' ? result === 'none' : result === 'begun' || result === 'shown'
  return (
    calls.find((call) => isMeant(call) && (name === undefined || call.name === name)) ??
    calls.find(isMeant) ??
    calls.find(({ result }) => result !== 'ended')
  )
}

function stateOf(frame: JsonObject): ToolResultState {
  return readField(frame, 'isError') === true ? 'error' : 'success'
}

function showResult(out: Output, run: Run, call: Call): void {
  if (call.result === 'shown' || call.result === 'ended') return
  call.result = 'shown'
  // It runs, so whatever was asked about it is answered.
  if (call.waits === 'confirm') call.waits = undefined
  out.tell(
    run,
    { type: 'TOOL_RESULT_START', tool_call_id: call.id, tool_call_name: call.name },
    call.begunAt,
  )
}

function tellOutput(out: Output, run: Run, call: Call, value: unknown): void {
  showResult(out, run, call)
  const text = call.held
  call.held = ''
  if (text !== '') tellOutput(out, run, call, text)
  const pieces = readOutput(value, `${call.id}:${call.output.length}`)
  if (typeof pieces === 'string') {
    tellResultText(out, run, call, pieces)
    return
  }
  for (const piece of pieces) {
    if (piece.type === 'text') tellResultText(out, run, call, piece.text)
    else tellPiece(out, run, call, piece)
  }
}

function tellResultText(out: Output, run: Run, call: Call, delta: string): void {
  if (delta === '') return
  const last = call.output.at(-1)
  const id = `${call.id}:${call.output.length}`
  if (last?.type === 'text') call.output.splice(-1, 1, { ...last, text: last.text + delta })
  else call.output.push({ type: 'text', id, text: delta })
  out.tell(run, { type: 'TOOL_RESULT_TEXT_DELTA', tool_call_id: call.id, delta })
}

/** The event that brings data has no place for a name, so a named piece is put in with the whole result. */
function tellPiece(out: Output, run: Run, call: Call, piece: Call['output'][number]): void {
  if (piece.type !== 'data') return
  call.output.push(piece)
  const { source, name, id: block_id } = piece
  if (name !== null) {
    tellBlock(out, run, call)
    return
  }
  const { media_type } = source
  const bytes = source.type === 'url' ? { url: source.url } : { data: source.data }
  out.tell(run, {
    type: 'TOOL_RESULT_DATA_DELTA',
    tool_call_id: call.id,
    block_id,
    media_type,
    ...bytes,
  })
}

function tellBlock(out: Output, run: Run, call: Call): void {
  const created_at = call.begunAt ?? null
  out.tell(run, {
    type: 'kit.block_set',
    block: {
      type: 'tool_result',
      id: call.id,
      name: call.name,
      output: call.output.slice(),
      state: 'running',
      metadata: {},
      created_at,
      finished_at: null,
    },
  })
}
