import type { JsonObject } from '../../protocol/index.js'
import { readText } from './readField.js'

/** A sub-agent that a person may talk to: the entry to a conversation of its own. */
export interface ExposedSubagent {
  /** The handle to send messages with. */
  readonly subagentId: string
  /** Which agent it is. */
  readonly agentId: string
  /** Its session. */
  readonly sessionId: string
  /** A name for people; empty when it has none. */
  readonly label: string
}

/**
 * The sub-agents that a conversation's agents opened to the person (`SUBAGENT_EXPOSED`), in the order of their names.
 *
 * @param notices - A conversation's `notices`: each stands there under `subagent_exposed:<its handle>`.
 */
export function readExposedSubagents(
  notices: Readonly<Record<string, JsonObject>>,
): readonly ExposedSubagent[] {
  const names = Object.keys(notices).filter((name) => name.startsWith('subagent_exposed:'))
  return names.flatMap((name) => {
    const value = notices[name] ?? {}
    const subagentId = readText(value, 'subagentId')
    if (subagentId === undefined) return []
    return {
      subagentId,
      agentId: readText(value, 'agentId') ?? '',
      sessionId: readText(value, 'sessionId') ?? '',
      label: readText(value, 'label') ?? '',
    }
  })
}
