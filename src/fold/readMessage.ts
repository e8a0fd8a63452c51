import { isJsonObject, type Msg, parseMessages } from '../protocol/index.js'

/**
 * A message that is safe to fold into: the very same object when its shape is right, a repaired one when it can be.
 *
 * Messages come parsed; this is the last guard for those that a caller made by hand.
 *
 * @param value - What should be a message.
 */
export function readMessage(value: unknown): Msg | undefined {
  if (isMessage(value)) return value
  return parseMessages([value]).messages[0]
}

/**
 * Messages that are safe to fold into, each id once: the service may list a reply twice, as it was asked and as it was
 * finished; the later one counts, at the place of the first, which is where the reply stood when it began.
 *
 * @param values - What should be messages.
 */
export function readMessages(values: unknown): readonly Msg[] {
  if (!Array.isArray(values)) return []
  const given: readonly unknown[] = values
  const messages = new Map<string, Msg>()
  for (const value of given) {
    const message = readMessage(value)
    if (message !== undefined) messages.set(message.id, message)
  }
  return [...messages.values()]
}

function isMessage(value: unknown): value is Msg {
  return (
    isJsonObject(value) &&
    typeof value['id'] === 'string' &&
    typeof value['name'] === 'string' &&
    (value['role'] === 'user' || value['role'] === 'assistant' || value['role'] === 'system') &&
    typeof value['created_at'] === 'string' &&
    value['finished_at'] !== undefined &&
    value['usage'] !== undefined &&
    Array.isArray(value['content']) &&
    value['content'].every((block) => isJsonObject(block) && isBlock(block))
  )
}

function isBlock(block: Readonly<Record<string, unknown>>): boolean {
  const { type, id } = block
  if (typeof id !== 'string') return false
  switch (type) {
    case 'text':
      return typeof block['text'] === 'string'
    case 'thinking':
      return typeof block['thinking'] === 'string'
    case 'data':
      return isJsonObject(block['source'])
    case 'hint':
      return isPieces(block['hint'])
    case 'tool_call':
      return typeof block['input'] === 'string' && Array.isArray(block['suggested_rules'])
    case 'tool_result':
      return isPieces(block['output'])
    default:
      return type === 'kit.unknown'
  }
}

function isPieces(value: unknown): boolean {
  return (
    typeof value === 'string' ||
    (Array.isArray(value) && value.every((piece) => isJsonObject(piece) && isBlock(piece)))
  )
}
