import {
  type ContentBlock,
  type DataBlock,
  isJsonObject,
  type JsonObject,
  parseBlock,
  type TextBlock,
  type ToolCallBlock,
  type ToolResultBlock,
} from '../../protocol/index.js'
import { parseJson, readField, readObject, readText } from './readField.js'
import { readData } from './readSource.js'

/** What a block of Java must have to be one of a kind, when erasure took its `type`. */
const SHAPES: readonly (readonly [string, string])[] = [
  ['thinking', 'thinking'],
  ['text', 'text'],
  ['hint', 'hint'],
  ['output', 'tool_result'],
  ['input', 'tool_use'],
  ['source', 'data'],
]

/**
 * Reads a block of AgentScope Java.
 *
 * @param value - The block; without a `type` it is known by its shape.
 * @param fallbackId - The id of a block that has none.
 * @returns Undefined for what is no object, and for data without a source.
 */
export function readBlock(value: unknown, fallbackId: string): ContentBlock | undefined {
  if (!isJsonObject(value)) return undefined
  const type = typeOf(value)
  const id = readText(value, 'id') ?? fallbackId
  switch (type) {
    case 'tool_use':
    case 'tool_call':
      return readCall(value, id)
    case 'tool_result':
      return readResult(value, id)
    case 'data':
    case 'image':
    case 'audio':
    case 'video':
      return readData(value, id)
    case 'thinking':
    case 'hint':
      return parseBlock({ ...value, type }, id)
    case 'text':
      return { type, id, text: readText(value, 'text', 'content') ?? '' }
    default:
      return parseBlock({ ...value, type }, id)
  }
}

/**
 * Reads a tool call. Its metadata stays on the block, since an approval must bring it back (thought signatures stand in it).
 *
 * @param value - A `tool_use` block, or the article's fields.
 * @param id - The call's id.
 */
export function readCall(value: JsonObject, id: string): ToolCallBlock {
  const metadata = readObject(value, 'metadata')
  const rules = readField(value, 'suggestedRules')
  const block = parseBlock(
    {
      type: 'tool_call',
      id,
      name: readText(value, 'name', 'toolName', 'toolCallName') ?? '',
      input: readInput(value),
      state: readText(value, 'state')?.toLowerCase() ?? 'pending',
      suggested_rules: Array.isArray(rules) ? rules : [],
      ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
    },
    id,
  )
  if (block?.type === 'tool_call') return block
  return { type: 'tool_call', id, name: '', input: '', state: 'pending', suggested_rules: [] }
}

/** The arguments as text: the model's own words when they are whole, else the object that Java made of them. */
export function readInput(value: JsonObject): string {
  const raw = readText(value, 'content')
  const input = readField(value, 'input', 'toolInput', 'toolInputJson', 'parameters', 'arguments')
  const written = typeof input === 'string' ? input : undefined
  if (isJsonObject(input)) {
    const isWhole = raw !== undefined && isJsonObject(parseJson(raw))
    const isEmpty = raw?.trim() === '{}' && Object.keys(input).length > 0
    return isWhole && !isEmpty ? raw : JSON.stringify(input)
  }
  return written ?? raw ?? ''
}

/** Reads a tool's result; its output is a list in Java, and a text in the article. */
export function readResult(value: JsonObject, id: string): ToolResultBlock {
  const isError = readField(value, 'isError') === true
  const state = readText(value, 'state')?.toLowerCase()
  return {
    type: 'tool_result',
    id: readText(value, 'id', 'toolCallId', 'toolUseId') ?? id,
    name: readText(value, 'name', 'toolName', 'toolCallName') ?? '',
    output: readOutput(readField(value, 'output', 'content', 'text', 'toolResult'), id),
    state: state ?? (isError ? 'error' : 'running'),
    metadata: readObject(value, 'metadata'),
  }
}

/** The pieces of a tool's output. What is neither text nor data is kept as its JSON. */
export function readOutput(
  value: unknown,
  id: string,
): string | readonly (TextBlock | DataBlock)[] {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return []
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  return items.flatMap((item, index) => readPieces(item, `${id}:${index}`))
}

function readPieces(item: unknown, id: string): readonly (TextBlock | DataBlock)[] {
  if (typeof item === 'string') return [{ type: 'text', id, text: item }]
  const block = readBlock(item, id)
  if (block?.type === 'text' || block?.type === 'data') return [block]
  if (block?.type === 'thinking') return [{ type: 'text', id, text: block.thinking }]
  if (block?.type === 'tool_result' && typeof block.output !== 'string') return block.output
  return item === null ? [] : [{ type: 'text', id, text: JSON.stringify(item) }]
}

function typeOf(value: JsonObject): string {
  const type = readText(value, 'type')?.toLowerCase()
  if (type !== undefined) return type
  return SHAPES.find(([field]) => readField(value, field) !== undefined)?.[1] ?? 'unknown'
}
