import type { JsonObject } from '../../protocol/index.js'
import { settleCalls, takeResult } from './endRun.js'
import type { Output } from './Output.js'
import { readCount, readObject, readText } from './readField.js'
import type { Run } from './Run.js'
import { closeBlocks, endBlock, growBlock, startBlock, tellHint } from './trackBlocks.js'
import { endCall, growCall, startCall } from './trackCalls.js'
import { ask, denyAll, takeDecisions, takeResults } from './trackRequests.js'
import { endResult, growResult, growResultData, startResult, tellResult } from './trackResults.js'

/** Follows an event of a run. */
export type EventHandler = (out: Output, run: Run, frame: JsonObject) => void

/** What to do with the events of a run, by Java's name. A map, since names come from outside. */
export const eventHandlers: ReadonlyMap<string, EventHandler> = new Map<string, EventHandler>([
  ...(['text', 'thinking', 'data'] as const).flatMap((kind): [string, EventHandler][] => {
    const name = `${kind.toUpperCase()}_BLOCK`
    return [
      [`${name}_START`, (out, run, frame) => startBlock(out, run, kind, frame)],
      [`${name}_DELTA`, (out, run, frame) => growBlock(out, run, kind, frame)],
      [`${name}_END`, (out, run, frame) => endBlock(out, run, kind, frame)],
    ]
  }),
  ['MODEL_CALL_START', startModelCall],
  ['MODEL_CALL_END', endModelCall],
  ['HINT_BLOCK', tellHint],
  ['TOOL_CALL_START', startCall],
  ['TOOL_CALL_DELTA', growCall],
  ['TOOL_CALL_END', endCall],
  ['TOOL_RESULT_START', startResult],
  ['TOOL_RESULT_TEXT_DELTA', growResult],
  ['TOOL_RESULT_DATA_DELTA', growResultData],
  ['TOOL_RESULT_END', endResult],
  ['TOOL_RESULT', tellResult],
  ['REQUIRE_USER_CONFIRM', (out, run, frame) => ask(out, run, frame, 'confirm')],
  ['REQUIRE_EXTERNAL_EXECUTION', (out, run, frame) => ask(out, run, frame, 'external')],
  // A question to the person, in the call's arguments: answered like a call that the client runs.
  ['REQUIRE_USER_ASK', (out, run, frame) => ask(out, run, frame, 'external')],
  ['USER_CONFIRM_RESULT', takeDecisions],
  ['EXTERNAL_EXECUTION_RESULT', takeResults],
  ['ALL_TOOLS_DENIED', denyAll],
  ['EXCEED_MAX_ITERS', exceedIterations],
  ['USER_INTERRUPT', (out, run) => out.tell(run, { type: 'USER_INTERRUPT' })],
  ['AGENT_RESULT', takeResult],
])

function startModelCall(out: Output, run: Run, frame: JsonObject): void {
  closeBlocks(out, run)
  settleCalls(out, run)
  run.stage = 'open'
  run.said = ''
  run.hasData = false
  const model_name = readText(frame, 'modelName', 'model') ?? ''
  out.tell(run, { type: 'MODEL_CALL_START', model_name })
}

/** Java has the counts in `usage`, its documentation and others beside it. */
function endModelCall(out: Output, run: Run, frame: JsonObject): void {
  run.stage = 'ended'
  const usage = { ...frame, ...readObject(frame, 'usage') }
  const isCut = readText(frame, 'finishedReason', 'finishReason')?.toLowerCase() === 'interrupted'
  out.tell(run, {
    type: 'MODEL_CALL_END',
    input_tokens: readCount(usage, 'inputTokens', 'promptTokens'),
    output_tokens: readCount(usage, 'outputTokens', 'completionTokens'),
    cache_input_tokens: readCount(usage, 'cachedTokens', 'cacheInputTokens'),
    cache_creation_input_tokens: readCount(usage, 'cacheCreationInputTokens'),
    ...(isCut ? { finished_reason: 'interrupted' } : {}),
  })
}

function exceedIterations(out: Output, run: Run): void {
  run.reason = 'MAX_ITERATIONS'
  out.tell(run, { type: 'EXCEED_MAX_ITERS', name: run.name })
}
