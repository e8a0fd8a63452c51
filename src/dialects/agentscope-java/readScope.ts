import type { JsonObject } from '../../protocol/index.js'
import { readObject, readText } from './readField.js'
import { isCanonical } from './trackBlocks.js'

/** Who speaks: the agent itself, or one of its sub-agents. */
export interface Scope {
  /** Tells runs apart; empty for the agent itself. */
  readonly key: string
  /** Names of the sub-agents on the way, outermost first. */
  readonly path: readonly string[]
  /** The call it runs in, where that is known: the kit's ids. */
  readonly parent?: { readonly reply_id: string; readonly tool_call_id: string }
}

/** The agent itself. */
export const ROOT: Scope = { key: '', path: [] }

/**
 * Who speaks in a frame. `source` is a path that begins with the parent's session or `main`; runs of one remote sub-agent at
 * the same time are told apart by their task.
 *
 * @param frame - The event.
 * @param name - Its name.
 */
export function readScope(frame: JsonObject, name: string): Scope {
  const given = frame['agent_path']
  if (Array.isArray(given) && given.every((part) => typeof part === 'string') && given.length > 0) {
    return { key: JSON.stringify(given), path: given }
  }
  const isSender = name === 'HINT_BLOCK' && isCanonical(frame)
  const source = (isSender ? undefined : readText(frame, 'source')) ?? ''
  const task = readText(readObject(frame, 'metadata'), 'taskId') ?? ''
  const parts = source.split('/').filter((part) => part !== '')
  // What comes first is the parent; alone, `main` is the agent itself.
  const path = parts.length > 1 || parts[0] === 'main' ? parts.slice(1) : parts
  if (path.length > 0) return { key: JSON.stringify([source, task]), path }
  return task === '' ? ROOT : { key: JSON.stringify([task]), path: [task] }
}
