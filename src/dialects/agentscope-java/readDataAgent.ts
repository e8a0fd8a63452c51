import type { JsonObject } from '../../protocol/index.js'
import type { JavaEvents } from './JavaEvents.js'
import { readField, readText } from './readField.js'

const TYPES: ReadonlySet<string> = new Set(['token', 'tool_call', 'tool_result', 'done'])

/** Whether a frame is of the data-agent or paw example. */
export function isDataAgentFrame(frame: JsonObject): boolean {
  return TYPES.has(readText(frame, 'type') ?? '')
}

/**
 * Reads a frame of the data-agent or paw example. Its calls have no ids and no results: what was called has run.
 *
 * @param events - Follows the runs.
 * @param frame - `token`, `tool_call`, `tool_result` or `done`.
 */
export function readDataAgent(events: JavaEvents, frame: JsonObject): void {
  switch (readText(frame, 'type')) {
    case 'token':
      events.read({ type: 'TEXT_BLOCK_DELTA', delta: readText(frame, 'data', 'delta') ?? '' })
      break
    case 'tool_call':
      events.read({ ...frame, type: 'TOOL_CALL_START' })
      events.read({ type: 'TOOL_RESULT_START', toolName: readText(frame, 'toolName') ?? null })
      break
    case 'tool_result':
      events.read({ ...frame, type: 'TOOL_RESULT' })
      break
    default: {
      events.read({ type: 'AGENT_END', finishedReason: 'completed' })
      const session_key = readField(frame, 'sessionKey')
      if (session_key !== undefined) {
        events.read({ type: 'CUSTOM', name: 'session', value: { session_key } })
      }
    }
  }
}
