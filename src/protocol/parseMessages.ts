import type { Anomaly } from './Anomaly.js'
import type { ContentBlock } from './ContentBlock.js'
import { isJsonObject, type JsonObject, type JsonValue } from './JsonValue.js'
import type { Msg, ReplyError, Role, Usage } from './Msg.js'
import { parseBlock } from './parseBlock.js'
import { readItems } from './readItems.js'

/** Stored messages made safe, and what was odd about them. */
export interface ParsedMessages {
  /** The messages, in order. */
  readonly messages: readonly Msg[]
  /** What had to be repaired or left out. */
  readonly anomalies: readonly Anomaly[]
}

/**
 * Reads stored messages, once, at the border: components may then rely on the types.
 *
 * Null content, a bare string, null entries, missing fields and unknown blocks are repaired; nothing throws.
 * A message that is as it should be comes back as the very same object.
 *
 * @param values - The `messages` of a history response; anything that is no array counts as empty.
 * @returns The messages in their order, and what was odd.
 */
export function parseMessages(values: unknown): ParsedMessages {
  const anomalies: Anomaly[] = []
  const messages = readItems(values, (value, index) =>
    parseMessage(value, `message-${index}`, anomalies),
  )
  return { messages, anomalies }
}

function parseMessage(value: unknown, fallbackId: string, anomalies: Anomaly[]): Msg | undefined {
  if (!isJsonObject(value)) {
    anomalies.push({
      kind: 'malformed-message',
      message: 'A stored message is no object.',
      raw: value,
    })
    return undefined
  }
  const id = stringOr(value['id'], fallbackId)
  return sameOr(value, {
    id,
    name: stringOr(value['name'], ''),
    role: roleOf(value['role']),
    content: parseContent(value['content'], id, anomalies),
    metadata: isJsonObject(value['metadata']) ? value['metadata'] : {},
    created_at: stringOr(value['created_at'], ''),
    usage: usageOf(value['usage']),
    finished_at: stringOrNull(value['finished_at']),
    finished_reason: stringOrNull(value['finished_reason']),
    structured_output: value['structured_output'] ?? null,
    error: errorOf(value['error']),
  })
}

/** What was given, if it holds just what was made of it. */
function sameOr<Made extends object>(given: JsonObject, made: Made): Made {
  return holdsJust(given, made) ? given : made
}

function holdsJust<Made extends object>(given: object, made: Made): given is Made {
  const fields = Object.entries(made)
  return (
    fields.length === Object.keys(given).length &&
    fields.every(([name, value]) => Reflect.get(given, name) === value)
  )
}

function parseContent(
  content: JsonValue | undefined,
  messageId: string,
  anomalies: Anomaly[],
): readonly ContentBlock[] {
  if (typeof content === 'string') return [{ type: 'text', id: `${messageId}:0`, text: content }]
  return readItems(content, (value, index) => {
    const block = parseBlock(value, `${messageId}:${index}`)
    if (block === undefined || block.type === 'kit.unknown') {
      anomalies.push({
        kind: 'unknown-block',
        message: `Block ${index} of message ${messageId} is of no known kind.`,
        raw: value,
      })
    }
    return block
  })
}

function stringOr(value: JsonValue | undefined, fallback: string): string {
  return typeof value === 'string' ? value : fallback
}

function stringOrNull(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}

function roleOf(value: JsonValue | undefined): Role {
  return value === 'user' || value === 'system' ? value : 'assistant'
}

function countOf(usage: JsonObject, name: string): number {
  const count = usage[name]
  return typeof count === 'number' ? count : 0
}

function usageOf(value: JsonValue | undefined): Usage | null {
  if (!isJsonObject(value)) return null
  return sameOr(value, {
    input_tokens: countOf(value, 'input_tokens'),
    output_tokens: countOf(value, 'output_tokens'),
    cache_input_tokens: countOf(value, 'cache_input_tokens'),
    cache_creation_input_tokens: countOf(value, 'cache_creation_input_tokens'),
  })
}

function errorOf(value: JsonValue | undefined): ReplyError | null {
  if (!isJsonObject(value)) return null
  const { type, message } = value
  return sameOr(value, { type: stringOr(type, 'unknown'), message: stringOr(message, '') })
}
