import type { FinishedReason, JsonObject, ReplyError } from '../../protocol/index.js'
import type { Output } from './Output.js'
import { readBlock } from './readBlock.js'
import { readObject, readObjects, readText } from './readField.js'
import type { Call, Run } from './Run.js'
import { closeBlocks, tellText } from './trackBlocks.js'
import { finishWriting, learnCall } from './trackCalls.js'
import { tellEnd } from './trackResults.js'
import { ask, handOut } from './trackRequests.js'

const PARKS = /ASKING|SUSPENDED/

/**
 * Why a run stopped, in the kit's words.
 *
 * @param reason - Java's `GenerateReason`; undefined = not told.
 */
export function finishedReasonOf(reason: string | undefined): FinishedReason {
  if (reason === 'INTERRUPTED') return 'interrupted'
  return reason === 'MAX_ITERATIONS' ? 'exceed_max_iters' : 'completed'
}

/** Whether a run that ends for this reason waits, if something is asked: then it has not ended. */
export function mayPark(reason: string | undefined): boolean {
  return reason === undefined || PARKS.test(reason)
}

/**
 * The run's last message. The stream has told most of it, so it is asked only for what the stream left out: why the run stopped,
 * arguments, questions, and text and pictures that were never streamed.
 *
 * @param out - Hears of it.
 * @param run - The run.
 * @param frame - `AGENT_RESULT`.
 */
export function takeResult(out: Output, run: Run, frame: JsonObject): void {
  const message = readObject(frame, 'result', 'message')
  const metadata = readObject(message, 'metadata')
  const reason =
    readText(metadata, 'agentscope_generate_reason') ?? readText(frame, 'generateReason')
  if (reason !== undefined) run.reason = reason.toUpperCase()
  const replyId = readText(metadata, 'agentscope_confirm_request_reply_id')
  if (replyId !== undefined) run.asks.add(replyId)
  const words = readText(message, 'content') ?? readText(frame, 'result', 'message')
  const content =
    words === undefined ? readObjects(message, 'content') : [{ type: 'text', text: words }]
  // A run that goes on, and parks before a model said anything, ends with the message that asked: it was told then.
  const isAgain =
    run.isResumed && run.stage === undefined && run.reason !== undefined && mayPark(run.reason)
  const isNews = !isAgain && fillContent(out, run, message, content)
  // 2.0.0 does not say that it was interrupted: it ends with words that no model said.
  if (run.reason === undefined && isNews && (run.stage === 'open' || run.stage === 'tools')) {
    run.reason = 'INTERRUPTED'
  }
  run.hasResult = true
  askUnasked(out, run, content)
  const messageId = readText(message, 'id')
  out.note(
    'agent_result',
    {
      reply_id: run.replyId,
      ...(messageId === undefined ? {} : { message_id: messageId }),
      ...(run.reason === undefined ? {} : { generate_reason: run.reason }),
      ...('_structured_output' in metadata
        ? { structured_output: metadata['_structured_output'] ?? null }
        : {}),
    },
    run,
  )
}

/** Settles what is left of the calls when the agent goes on: it has a result of each, told or not. */
export function settleCalls(out: Output, run: Run): void {
  for (const call of run.calls.values()) {
    finishWriting(out, run, call)
    if (call.result === 'ended') continue
    // The client gave its result: a server before 2.0.3 does not repeat it.
    if (call.isHandedOut) settleHandedOut(call)
    else if (call.isDenied || call.waits === 'confirm') tellEnd(out, run, call, 'denied')
    else if (call.result === 'shown') tellEnd(out, run, call, 'success')
    // Its outcome was not told: a result that ended while running.
    else if (call.isTold) tellEnd(out, run, call, 'running')
  }
}

function settleHandedOut(call: Call): void {
  call.result = 'ended'
  call.waits = undefined
}

/**
 * Ends a run, with all that is open in it.
 *
 * @param out - Hears of it.
 * @param run - The run.
 * @param finished_reason - Why.
 * @param error - What went wrong.
 */
export function closeRun(
  out: Output,
  run: Run,
  finished_reason: FinishedReason,
  error?: ReplyError,
): void {
  closeBlocks(out, run)
  const isCut = finished_reason === 'interrupted' || finished_reason === 'error'
  for (const call of run.calls.values()) {
    finishWriting(out, run, call)
    if (call.result === 'ended') continue
    if (call.isDenied) tellEnd(out, run, call, 'denied')
    else if (isCut && call.result !== 'none') tellEnd(out, run, call, 'interrupted')
    else if (call.result === 'shown') tellEnd(out, run, call, 'success')
    else if (call.result === 'begun') tellEnd(out, run, call, 'running')
  }
  out.tell(run, {
    type: 'REPLY_END',
    finished_reason,
    ...(error === undefined ? {} : { error }),
  })
}

/** Leaves a run waiting: what is open ends, and the reply goes on when an answer comes. */
export function parkRun(out: Output, run: Run): void {
  closeBlocks(out, run)
  for (const call of run.calls.values()) finishWriting(out, run, call)
  handOut(out, run)
}

/** Tells what the stream left out; true when that was a text from its beginning. */
function fillContent(
  out: Output,
  run: Run,
  message: JsonObject,
  content: readonly JsonObject[],
): boolean {
  let isNews = false
  const hadData = run.hasData
  const id = readText(message, 'id') ?? out.frameId
  let said = squeeze(run.said)
  for (const [index, value] of content.entries()) {
    const block = readBlock(value, `${id}:${index}`)
    if (block?.type === 'data' && !hadData) {
      closeBlocks(out, run)
      out.tell(run, { type: 'kit.block_set', block })
    }
    // A thought counts only where nothing at all was streamed: a controller may keep thoughts to itself.
    if (block?.type === 'thinking' && run.stage === undefined && run.blocks.size === 0) {
      tellText(out, run, block.thinking, 'THINKING')
    }
    if (block?.type !== 'text' || squeeze(block.text) === '') continue
    const text = squeeze(block.text)
    const position = said.indexOf(text)
    if (position < 0) isNews = tellRest(out, run, block.text) || isNews
    // What was found is not found again, so that the same words twice are told twice.
    else said = said.slice(position + text.length)
  }
  return isNews
}

/** A text that was cut off is told to its end; one that was never begun is told whole, and is news. */
function tellRest(out: Output, run: Run, text: string): boolean {
  const open = [...run.blocks.values()].findLast(({ kind, isOpen }) => kind === 'text' && isOpen)
  const isBegun = open !== undefined && run.said !== '' && text.startsWith(run.said)
  if (!isBegun) {
    closeBlocks(out, run)
    tellText(out, run, text)
    return true
  }
  const delta = text.slice(run.said.length)
  run.said = text
  out.tell(run, { type: 'TEXT_BLOCK_DELTA', block_id: open.id, delta })
  return false
}

/** Calls of the result: what the stream lacks of their arguments, and questions that it left out. */
function askUnasked(out: Output, run: Run, content: readonly JsonObject[]): void {
  const unasked = content.filter((value) => {
    const id = readText(value, 'id')
    const block = id === undefined ? undefined : readBlock(value, id)
    if (id === undefined || block?.type !== 'tool_call' || block.name.startsWith('__')) return false
    const call = run.calls.get(id)
    if (call !== undefined) learnCall(out, run, id, block)
    // What stands beside a question is allowed and will run, or was denied.
    if (call?.isDenied === true && block.state === 'allowed') call.isDenied = false
    if (call?.isDenied === true && call.result === 'none') tellEnd(out, run, call, 'denied')
    const isOpen = call === undefined || (call.waits === undefined && call.result === 'none')
    return isOpen && (run.reason === 'TOOL_SUSPENDED' || block.state === 'asking')
  })
  if (run.reason === 'TOOL_SUSPENDED') handOut(out, run)
  if (unasked.length === 0 || !mayPark(run.reason)) return
  ask(out, run, { toolCalls: unasked }, run.reason === 'TOOL_SUSPENDED' ? 'external' : 'confirm')
}

/** Texts are compared without their spaces: Java trims and joins. */
function squeeze(text: string): string {
  return text.replace(/\s+/g, '')
}

/** Reads an error: a text, or an object with a message. */
export function readError(frame: JsonObject): ReplyError {
  const details = readObject(frame, 'error', 'result')
  const message =
    readText(frame, 'errorMessage', 'message', 'error', 'text', 'data') ??
    readText(details, 'message', 'errorMessage', 'detail') ??
    ''
  return { type: readText(details, 'type')?.toLowerCase() ?? 'unknown', message }
}
