import { isRecord, type JsonRecord } from './liveService.js'

/**
 * A message without what no event carries, and so what no fold can know:
 * - `created_at` of messages and blocks, and a hint's `finished_at`: the service's clock when it folded;
 * - ids and stamps of the text blocks inside a tool result's output: made up while folding;
 * - `metadata` and `structured_output` of the message: only the stored one has them.
 *
 * Everything else has to be equal: ids, order, states, stamps, usage, errors.
 */
export function normalise(message: unknown): unknown {
  if (!isRecord(message)) return message
  const { created_at: _created, metadata: _metadata, structured_output: _output, ...rest } = message
  return { ...rest, content: list(message['content']).map(normaliseBlock) }
}

function normaliseBlock(block: JsonRecord): JsonRecord {
  const { created_at: _created, ...rest } = block
  switch (block['type']) {
    case 'hint': {
      const { finished_at: _finished, ...hint } = rest
      return hint
    }
    case 'tool_result':
      return typeof block['output'] === 'string'
        ? rest
        : { ...rest, output: list(block['output']).map(normaliseOutput) }
    default:
      return rest
  }
}

function normaliseOutput(piece: JsonRecord): JsonRecord {
  const { created_at: _created, id, ...rest } = piece
  return piece['type'] === 'text' ? rest : { ...rest, id }
}

function list(value: unknown): readonly JsonRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

/** The assistant's messages, normalised. */
export function replies(messages: readonly unknown[]): readonly unknown[] {
  return messages
    .filter((message) => isRecord(message) && message['role'] === 'assistant')
    .map(normalise)
}

/** All messages by role and id, to compare their order. */
export function outline(messages: readonly unknown[]): readonly string[] {
  return messages
    .filter(isRecord)
    .map((message) => `${String(message['role'])} ${String(message['id'])}`)
}
