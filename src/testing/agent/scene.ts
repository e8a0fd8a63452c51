import type { ModelStep, Scene, Step, ToolCallScript, WritingScript } from './AgentScript.js'
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

function isWriting(part: Exclude<ScriptPart, string>): part is WritingScript {
  return 'kind' in part && ['text', 'thinking', 'bytes', 'link'].includes(part.kind)
}
