import { isJsonObject, type JsonObject } from '../../protocol/index.js'
import type { JavaEvents } from './JavaEvents.js'
import { parseJson, readCount, readField, readText } from './readField.js'

/** Whether a frame is a remote task's: the agent protocol's envelope. */
export function isTaskFrame(frame: JsonObject): boolean {
  return typeof frame['seq'] === 'number' && readText(frame, 'taskId') !== undefined
}

/**
 * Reads an event of a remote task. The event itself stands as JSON in `payload`; older senders have only the flat fields.
 *
 * @param events - Follows the runs.
 * @param frame - A `RemoteAgentEvent`.
 */
export function readTask(events: JavaEvents, frame: JsonObject): void {
  const payload = readField(frame, 'payload')
  const event = typeof payload === 'string' ? parseJson(payload) : payload
  if (isJsonObject(event) && readText(event, 'type') !== undefined) {
    events.read(event, { isTask: true })
    return
  }
  const id = `${readText(frame, 'taskId') ?? ''}:${readCount(frame, 'seq')}`
  const status = readText(frame, 'status')?.toLowerCase()
  if (readText(frame, 'type') !== 'STATUS') {
    const { agentId: name = null, ...rest } = frame
    events.read({ ...rest, name: readText(frame, 'toolName') ?? name, id }, { isTask: true })
  } else if (status === 'success') events.settle(id)
  else if (status === 'cancelled') events.read({ type: 'INTERRUPT', id })
  else if (status === 'error') events.read({ ...frame, type: 'ERROR', id })
}
