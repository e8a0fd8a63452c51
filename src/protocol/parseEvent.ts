import type { AgentEvent } from './AgentEvent.js'
import type { Anomaly, AnomalyKind } from './Anomaly.js'
import { EVENT_FIELDS, type FieldKind, type FieldSpecs } from './eventFields.js'
import type { EventType } from './EventType.js'
import { isJsonObject, type JsonObject } from './JsonValue.js'
import { parseBlock, parsePieces } from './parseBlock.js'
import { readItems } from './readItems.js'

/** An event, or the reason why there is none; both when the event had fields that were left out or are not known. */
export interface ParsedEvent {
  /** The event; undefined when the value cannot count as one. */
  readonly event: AgentEvent | undefined
  /** What was odd. */
  readonly anomalies: readonly Anomaly[]
}

const CARRIES_DATA_OR_URL: ReadonlySet<EventType> = new Set([
  'DATA_BLOCK_DELTA',
  'TOOL_RESULT_DATA_DELTA',
])

/**
 * Reads one event off the wire. Never throws.
 *
 * - An unknown type, a missing type or what is no object gives no event and one anomaly.
 * - A `kit.` type is refused: only this kit makes those.
 * - A missing or wrong required field gives no event and one anomaly that names the field.
 * - A wrong optional field is left out; unknown fields stay on the event and are named in an anomaly.
 * - Blocks inside the event are completed with their defaults, and stay the very same objects when they lack nothing.
 *
 * An event that is as it should be comes back as the very same object.
 *
 * @param value - What `JSON.parse` gave.
 * @returns The event, if it is usable, and what was odd.
 */
export function parseEvent(value: unknown): ParsedEvent {
  if (!isJsonObject(value)) return refuse('not-an-event', 'An event must be an object.', value)
  const type = value['type']
  if (typeof type !== 'string') return refuse('not-an-event', 'An event must have a type.', value)
  if (type.startsWith('kit.')) {
    return refuse(
      'reserved-type',
      `${type} is reserved to this kit; from outside it is ignored.`,
      value,
    )
  }
  if (!isEventType(type)) return refuse('unknown-event', `${type} is no event known here.`, value)
  return readFields(value, type, EVENT_FIELDS[type])
}

/**
 * Tells whether a word names an AgentScope event.
 *
 * @param type - Any word.
 * @returns `false` also for the `kit.` operations.
 */
export function isEventType(type: string): type is EventType {
  return Object.hasOwn(EVENT_FIELDS, type)
}

/**
 * Names the fields of an event that the table of fields does not have.
 *
 * @param event - The event.
 */
export function unknownFields(event: AgentEvent): readonly string[] {
  const known = EVENT_FIELDS[event.type]
  const names: string[] = []
  for (const name in event) if (!Object.hasOwn(known, name)) names.push(name)
  return names
}

function readFields(value: JsonObject, type: EventType, specs: FieldSpecs): ParsedEvent {
  const anomalies: Anomaly[] = []
  let event: Readonly<Record<string, unknown>> = value
  for (const name in specs) {
    const spec = specs[name]
    const given = value[name]
    if (spec === undefined || (given === undefined && !spec.required)) continue
    if (given === undefined) return refuse('malformed-event', `${type} lacks ${name}.`, value)
    if (given === null && spec.nullable) continue
    const read = readField(spec.kind, given, name)
    if (read === given) continue
    const { [name]: _, ...rest } = event
    event = read === undefined ? rest : { ...rest, [name]: read }
    if (read !== undefined || (given === null && !spec.required)) continue
    const message = `${name} of ${type} is not what it should be (${spec.kind}).`
    if (spec.required) return refuse('malformed-event', message, value)
    anomalies.push({ kind: 'malformed-event', message, raw: value })
  }
  if (CARRIES_DATA_OR_URL.has(type) && isString(value['data']) === isString(value['url'])) {
    return refuse('malformed-event', `${type} needs exactly one of data and url.`, value)
  }
  if (!isRead(event)) return { event: undefined, anomalies }
  const unknown = unknownFields(event)
  if (unknown.length > 0) {
    const message = `${type} has fields not known here: ${unknown.join(', ')}.`
    anomalies.push({ kind: 'unknown-fields', message, raw: value })
  }
  return { event, anomalies }
}

/** The value itself when it is right, a repaired one when it can be, undefined when it cannot. */
function readField(kind: FieldKind, value: unknown, name: string): unknown {
  switch (kind) {
    case 'string':
      return isString(value) ? value : undefined
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined
    case 'object':
      return isJsonObject(value) ? value : undefined
    case 'strings':
      return Array.isArray(value) && value.every(isString) ? value : undefined
    case 'role':
      return value === 'user' || value === 'assistant' || value === 'system' ? value : undefined
    case 'reply error':
      return readReplyError(value)
    case 'hint':
      return isString(value) || Array.isArray(value) ? parsePieces(value, name) : undefined
    case 'tool calls':
      return readList(value, (item) => readBlock(item, 'tool_call'))
    case 'tool results':
      return readList(value, (item) => readBlock(item, 'tool_result'))
    case 'confirm results':
      return readList(value, readConfirmResult)
  }
}

function readReplyError(value: unknown): unknown {
  if (isString(value)) return { type: 'unknown', message: value }
  if (!isJsonObject(value)) return undefined
  const { type, message } = value
  if (isString(type) && isString(message)) return value
  return {
    ...value,
    type: isString(type) ? type : 'unknown',
    message: isString(message) ? message : '',
  }
}

function readList(value: unknown, read: (item: unknown) => unknown): unknown {
  return Array.isArray(value) ? readItems(value, read) : undefined
}

/** A call or result without an id could never be matched, so it gets none made up. */
function readBlock(value: unknown, type: 'tool_call' | 'tool_result'): unknown {
  if (!isJsonObject(value) || !isString(value['id'])) return undefined
  const block = parseBlock(value['type'] === undefined ? { ...value, type } : value, value['id'])
  return block?.type === type ? block : undefined
}

function readConfirmResult(value: unknown): unknown {
  if (!isJsonObject(value) || typeof value['confirmed'] !== 'boolean') return undefined
  const toolCall = readBlock(value['tool_call'], 'tool_call')
  if (toolCall === undefined) return undefined
  return toolCall === value['tool_call'] ? value : { ...value, tool_call: toolCall }
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

/** `readFields` has checked every field against the table that mirrors the union; TypeScript cannot follow a table. */
function isRead(event: unknown): event is AgentEvent {
  return isJsonObject(event)
}

function refuse(kind: AnomalyKind, message: string, raw: unknown): ParsedEvent {
  return { event: undefined, anomalies: [{ kind, message, raw }] }
}
