import type { JsonObject } from '../../protocol/index.js'
import { readObject, readText } from './readField.js'
import type { Output } from './Output.js'
import type { Call, Run } from './Run.js'
import type { Scope } from './readScope.js'

/** What tools that start a sub-agent are called. */
const STARTS_AGENTS = /agent|spawn|delegate|task/i

/**
 * Says which call a sub-agent runs in: the notice `subagent_started:<its reply>`.
 *
 * @param out - Hears of it.
 * @param root - The run of the agent itself, if there is one.
 * @param run - The sub-agent's run that begins.
 * @param scope - Where it runs.
 * @param frame - What it says first.
 */
export function linkToCall(
  out: Output,
  root: Run | undefined,
  run: Run,
  { parent }: Scope,
  frame: JsonObject,
): void {
  if (root === undefined || root === run) return
  const call = parent === undefined ? findParent(root, run.path.at(-1) ?? '', frame) : undefined
  if (call !== undefined) call.isParent = true
  const found = call === undefined ? {} : { tool_call_id: call.id }
  out.note(`subagent_started:${run.replyId}`, parent ?? { reply_id: root.replyId, ...found }, run)
}

/**
 * The call that started a sub-agent. The stream does not say which it was, only when: it is one that runs just then, best one that
 * names the task or the agent, and of several alike the first that has none yet.
 */
function findParent(run: Run, name: string, frame: JsonObject): Call | undefined {
  const task = readText(readObject(frame, 'metadata'), 'taskId')
  const calls = [...run.calls.values()].filter(({ isParent }) => !isParent)
  const running = calls.filter(({ result, waits }) => result !== 'ended' && waits === undefined)
  const isNamed = (word: string | undefined) => (call: Call) =>
    word !== undefined && `${call.input}${JSON.stringify(call.metadata)}`.includes(`"${word}"`)
  return (
    calls.find(isNamed(task)) ??
    running.find(isNamed(name)) ??
    running.find((call) => STARTS_AGENTS.test(call.name)) ??
    (running.length === 1 ? running[0] : undefined) ??
    // One that works in the background: its call is over.
    calls.findLast((call) => STARTS_AGENTS.test(call.name) && isNamed(name)(call))
  )
}
