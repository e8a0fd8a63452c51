import type {
  CallEnd,
  ModelStep,
  Scene,
  Step,
  ToolCallScript,
  WorkerStep,
  WritingScript,
} from './AgentScript.js'
import { text } from './scriptParts.js'

/** A piece of a reply: text, other writing, a tool call, or a step. */
export type ScriptPart = string | WritingScript | ToolCallScript | Step

/**
 * Makes a scene of parts, in the order in which they happen.
 *
 * @param parts - What is said and the calls that follow it are one call of the model; what is said after calls is the next.
 */
export function scene(...parts: readonly ScriptPart[]): Scene {
  const steps: Step[] = []
  let model: ModelStep | undefined
  const flush = (): void => {
    if (model !== undefined) steps.push(model)
    model = undefined
  }
  for (const part of parts) {
    const says = model?.says ?? []
    if (typeof part === 'string' || isWriting(part)) {
      if ((model?.calls ?? []).length > 0) flush()
      const writing = typeof part === 'string' ? text(part) : part
      model = { kind: 'model', says: [...(model?.says ?? []), writing] }
    } else if ('kind' in part) {
      flush()
      steps.push(part)
    } else model = { kind: 'model', says, calls: [...(model?.calls ?? []), part] }
  }
  flush()
  return { steps }
}

/**
 * A worker (a sub-agent) begins in a session of its own; the leader's stream tells only what it asks, and that it ended.
 *
 * @param name - Its name.
 * @param does - What it does.
 * @param report - What the agent says when it is done; told how the worker's calls ended.
 */
export function worker(
  name: string,
  does: readonly ScriptPart[],
  report: (ends: ReadonlyMap<string, CallEnd>) => readonly ScriptPart[],
): WorkerStep {
  return {
    kind: 'worker',
    name,
    scene: scene(...does),
    report: (ends) => scene(...report(ends)),
  }
}

function isWriting(part: Exclude<ScriptPart, string>): part is WritingScript {
  return 'kind' in part && ['text', 'thinking', 'bytes', 'link'].includes(part.kind)
}
