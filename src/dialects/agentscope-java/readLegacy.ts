import { isJsonObject, type JsonObject } from '../../protocol/index.js'
import { readResult } from './readBlock.js'
import { parseJson, readField, readObject, readObjects, readText } from './readField.js'
import type { Scope } from './readScope.js'
import type { Call, Run } from './Run.js'

/** What a sub-agent of the older kind said. */
export interface LegacyEvents {
  /** The same as events of today. */
  readonly events: readonly JsonObject[]
  /** Where it ran. */
  readonly name: string
}

/**
 * Reads what an agent that is a tool says: events of version 1, as JSON in the text of the tool's result.
 *
 * @param frame - A `TOOL_RESULT_TEXT_DELTA`.
 * @returns Undefined for text that is output.
 */
export function readLegacy(frame: JsonObject): LegacyEvents | undefined {
  const metadata = readObject(frame, 'metadata')
  const flag = metadata['subagent_event']
  if (flag === undefined || flag === null || flag === false) return undefined
  const value = parseJson(readText(frame, 'delta') ?? '')
  const event = isJsonObject(value) ? value : isJsonObject(flag) ? flag : undefined
  // A piece of JSON that was cut is nothing to read.
  const isCut = /^\s*\{/.test(readText(frame, 'delta') ?? '')
  if (event === undefined) return isCut ? { events: [], name: '' } : undefined
  const id = readText(frame, 'id')
  const createdAt = readField(frame, 'createdAt') ?? null
  const events = readVersion1(event).map((told, index) => ({
    ...told,
    createdAt,
    id: id === undefined ? null : `${id}/${index}`,
  }))
  return { events, name: readText(metadata, 'subagentName', 'subagentId') ?? '' }
}

/** Where a sub-agent runs that is a tool: within its call. */
export function legacyScope(run: Run, call: Call | undefined, name: string): Scope {
  const key = JSON.stringify(['tool', run.scope, run.replyId, call?.id ?? ''])
  const path = [...run.path, name || call?.name || 'agent']
  if (call === undefined) return { key, path }
  return { key, path, parent: { reply_id: run.replyId, tool_call_id: call.id } }
}

function readVersion1(event: JsonObject): readonly JsonObject[] {
  const type = readText(event, 'type')
  if (type === 'AGENT_RESULT') return [{ type: 'AGENT_END', finishedReason: 'completed' }]
  const message = readObject(event, 'message')
  const replyId = readText(message, 'id') ?? ''
  const isLast = (readField(event, 'isLast') ?? readField(event, 'last')) === true
  const counts = { text: 0, thinking: 0 }
  return readObjects(message, 'content').flatMap((block, index): readonly JsonObject[] => {
    const kind = readText(block, 'type')
    if (kind === 'tool_use') {
      const call = {
        toolCallId: readText(block, 'id') ?? '',
        toolCallName: readText(block, 'name') ?? '',
      }
      const input = readField(block, 'input') ?? null
      const content = readField(block, 'content') ?? null
      return [
        {
          ...call,
          type: 'TOOL_CALL_START',
          replyId,
          input: isLast ? input : null,
          content: isLast ? content : null,
        },
        ...(isLast ? [{ ...call, type: 'TOOL_CALL_END', replyId, input, content }] : []),
      ]
    }
    if (kind === 'tool_result') {
      const { id, state } = readResult(block, `${replyId}:${index}`)
      const told = state === 'running' ? null : state
      return [{ ...block, type: 'TOOL_RESULT', toolCallId: id, id: null, state: told }]
    }
    const delta = readText(block, 'thinking', 'text')
    if (delta === undefined) return []
    const isThought = readText(block, 'thinking') !== undefined
    if (type === 'HINT') return [{ type: 'HINT_BLOCK', replyId, hint: delta }]
    const blockId = isThought ? 'thinking' : 'text'
    const name = blockId.toUpperCase()
    counts[blockId] += 1
    const place = { replyId, blockId: `${blockId}${counts[blockId]}` }
    // The last one brings the whole text.
    return isLast
      ? [{ type: `${name}_BLOCK_END`, ...place, fullText: delta }]
      : [{ type: `${name}_BLOCK_DELTA`, ...place, delta }]
  })
}
