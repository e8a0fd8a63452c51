import { isJsonObject, type JsonObject } from '../../protocol/index.js'
import type { JavaEvents } from './JavaEvents.js'
import { readField, readObject, readObjects, readText } from './readField.js'

/** Whether a frame is of a managed session. */
export function isManagedFrame(frame: JsonObject): boolean {
  const type = readText(frame, 'type') ?? ''
  return /^(agent|session|span|user|system)[.]|^event_(start|delta)$/.test(type)
}

/**
 * Reads the events of a managed session: what is stored, and previews that what is stored replaces.
 *
 * @param events - Follows the runs.
 * @returns Reads one frame.
 */
export function createManagedReader(events: JavaEvents): (frame: JsonObject) => void {
  /** Previews that are written to, with how many frames each had. */
  const counts = new Map<string, number>()
  /** Events that are stored: a preview of one comes too late. */
  const done = new Set<string>()
  /** The preview of a text that what is stored will replace. */
  let text: string | undefined
  let thought: string | undefined

  function preview(frame: JsonObject): void {
    const inner = { ...frame, ...readObject(frame, 'payload') }
    const eventId = readText(inner, 'eventId')
    if (eventId === undefined || done.has(eventId)) return
    // Told again from its beginning after a break.
    const isAgain = frame['type'] === 'event_start' && (text === eventId || thought === eventId)
    if (isAgain) counts.delete(eventId)
    const count = (counts.get(eventId) ?? 0) + 1
    counts.set(eventId, count)
    const id = `${eventId}:${count}`
    const delta = readText(inner, 'delta')
    const type = readText(inner, 'targetType', 'type') ?? ''
    if (type === 'agent.tool_use') {
      const toolCallId = /^evt_preview_tool_(.+)_\d+$/.exec(eventId)?.[1] ?? null
      events.read({
        type: 'TOOL_CALL_DELTA',
        toolCallId,
        toolCallName: '__fragment__',
        delta: delta ?? '',
        id,
      })
      return
    }
    const isThought = type === 'agent.thinking'
    const kind = isThought ? 'THINKING' : 'TEXT'
    const place = { replyId: eventId, blockId: kind.toLowerCase() }
    const open = isThought ? thought : text
    if (open !== eventId) {
      if (!isThought) endThought()
      events.read({ type: `${kind}_BLOCK_START`, ...place, id: `${id}:start` })
      if (isThought) thought = eventId
      else text = eventId
    }
    if (delta !== undefined) events.read({ type: `${kind}_BLOCK_DELTA`, ...place, delta, id })
  }

  function endThought(): void {
    if (thought === undefined) return
    events.read({ type: 'THINKING_BLOCK_END', replyId: thought, blockId: 'thinking' })
    thought = undefined
  }

  function endText(stored: JsonObject): void {
    const replyId = text ?? readText(stored, 'id') ?? ''
    events.read({ ...stored, type: 'TEXT_BLOCK_END', replyId, blockId: 'text' })
    text = undefined
  }

  function act(frame: JsonObject, payload: JsonObject): void {
    const call = readText(payload, 'toolUseId', 'toolCallId', 'id') ?? null
    if (call === null) events.read({ ...frame, type: 'AGENT_END' })
    else {
      const name = readText(payload, 'toolName', 'name') ?? ''
      const input = readField(payload, 'input', 'toolInput', 'inputPreview') ?? {}
      events.read({
        ...frame,
        type: 'REQUIRE_USER_CONFIRM',
        toolCalls: [{ id: call, name, input }],
      })
    }
  }

  return (frame) => {
    const type = readText(frame, 'type') ?? ''
    const payload =
      frame['payload'] === undefined ? { ...frame, id: null } : readObject(frame, 'payload')
    if (readText(frame, 'id') !== undefined) done.add(readText(frame, 'id') ?? '')
    const stamps = {
      id: readText(frame, 'id') ?? null,
      createdAt: readField(frame, 'createdAt') ?? null,
    }
    const call = {
      ...payload,
      ...stamps,
      toolCallId: readText(payload, 'toolUseId', 'toolCallId', 'id') ?? null,
    }
    const isPreview = readText(frame, 'eventId') !== undefined && frame['payload'] === undefined
    if (type.startsWith('event_') || isPreview) {
      preview(frame)
      return
    }
    switch (type) {
      case 'agent.message':
        endThought()
        endText({ ...stamps, fullText: textOf(payload) })
        return
      case 'agent.tool_use': {
        endThought()
        if (text !== undefined) endText({})
        const isAgain = readText(payload, 'state')?.toLowerCase() === 'pending'
        const input = isEmpty(readField(payload, 'input'))
          ? null
          : (readField(payload, 'input') ?? null)
        events.read({ ...call, input, type: 'TOOL_CALL_START' })
        if (isAgain) {
          const about = { toolCallId: call.toolCallId, input }
          events.read({ ...about, type: 'TOOL_CALL_END' })
          events.read({ ...about, type: 'TOOL_RESULT_END', state: 'running' })
        }
        return
      }
      case 'agent.tool_result':
        events.read({
          ...call,
          type:
            readText(payload, 'state')?.toLowerCase() === 'running'
              ? 'TOOL_RESULT_END'
              : 'TOOL_RESULT',
        })
        return
      case 'span.model_request_start':
      case 'span.model_request_end':
        events.read({
          ...payload,
          ...stamps,
          type: type.endsWith('start') ? 'MODEL_CALL_START' : 'MODEL_CALL_END',
        })
        return
      case 'user.message':
        events.say(stamps.id ?? '', textOf(payload), stamps)
        return
      case 'user.tool_confirmation':
        events.read({ ...call, type: 'USER_CONFIRM_RESULT' })
        return
      case 'user.tool_result':
      case 'user.custom_tool_result': {
        const result = {
          ...payload,
          id: call.toolCallId,
          output: readField(payload, 'content', 'output') ?? '',
        }
        events.read({ ...stamps, type: 'EXTERNAL_EXECUTION_RESULT', toolResults: [result] })
        return
      }
      case 'session.requires_action':
        act(stamps, payload)
        return
      case 'session.status_running':
        if (!events.isRunning) events.read({ ...stamps, type: 'AGENT_START', replyId: stamps.id })
        return
      case 'session.status_idle':
      case 'session.status_terminated': {
        endThought()
        const finishedReason = type.endsWith('idle') ? 'completed' : 'interrupted'
        events.read({ ...stamps, type: 'AGENT_END', finishedReason })
        return
      }
      case 'session.interrupted':
        if (readText(payload, 'status') !== 'interrupt_requested') {
          events.read({ ...stamps, type: 'INTERRUPT' })
        }
        return
      case 'session.error':
        events.read({ ...payload, ...stamps, type: 'ERROR' })
        return
      default:
        events.read({ ...stamps, type: 'CUSTOM', name: type, value: payload })
    }
  }
}

function textOf(payload: JsonObject): string {
  const content = readObjects(payload, 'content').map((block) => readText(block, 'text') ?? '')
  return readText(payload, 'text', 'content') ?? content.join('')
}

function isEmpty(value: unknown): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0
}
