import type { ContentBlock, DataBlock, TextBlock, UnknownBlock } from './ContentBlock.js'
import { isJsonObject, type JsonObject, type JsonValue } from './JsonValue.js'
import { readItems } from './readItems.js'

/** A field of a block: a good value stays, anything else is repaired. */
type Repair = (value: JsonValue | undefined, blockId: string) => JsonValue | undefined

const textOr =
  (fallback: string | null): Repair =>
  (value) =>
    typeof value === 'string' ? value : fallback
const asText = textOr('')
const asTextOrNull = textOr(null)
const asStamp: Repair = (value) => (value === undefined ? value : asTextOrNull(value, ''))
const asObject: Repair = (value) => (isJsonObject(value) ? value : {})
const asObjects: Repair = (value) =>
  readItems(value, (item) => (isJsonObject(item) ? item : undefined))

const STAMPS = { created_at: asStamp, finished_at: asStamp }

const BLOCK_FIELDS: Readonly<Record<string, Readonly<Record<string, Repair>>>> = {
  text: { ...STAMPS, text: asText },
  thinking: { ...STAMPS, thinking: asText },
  data: { ...STAMPS, name: asTextOrNull },
  hint: { ...STAMPS, hint: repairPieces, source: asTextOrNull },
  tool_call: {
    ...STAMPS,
    name: asText,
    input: asText,
    state: textOr('pending'),
    suggested_rules: asObjects,
    metadata: (value, id) => (value === undefined ? value : asObject(value, id)),
  },
  tool_result: {
    ...STAMPS,
    name: asText,
    output: repairPieces,
    state: textOr('running'),
    metadata: asObject,
  },
}

/**
 * Reads a block of a stored message or of an event.
 *
 * What is missing or unusable gets its default (a null text becomes `''`); keys this version does not know stay.
 * A block that lacks nothing comes back as the very same object, so that it can be sent back untouched.
 *
 * @param value - Anything.
 * @param fallbackId - The id of a block that has none.
 * @returns The block; a `kit.unknown` block that holds an object of an unknown kind; undefined for what is no object.
 */
export function parseBlock(value: unknown, fallbackId: string): ContentBlock | undefined {
  if (!isJsonObject(value)) return undefined
  // An empty id is one, too: events find their block by it.
  const id = typeof value['id'] === 'string' ? value['id'] : fallbackId
  const block = repair(value, id)
  return isKnownBlock(block) ? block : wrapUnknown(value, id)
}

/**
 * Reads text and data blocks: what a hint or the output of a tool is made of.
 *
 * @param value - A string, an array of blocks, or anything else.
 * @param blockId - The block they belong to, for the ids of pieces that have none.
 * @returns The string, or the usable pieces; the same array when nothing had to be repaired.
 */
export function parsePieces(
  value: unknown,
  blockId: string,
): string | readonly (TextBlock | DataBlock)[] {
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return ''
  return readItems(value, (item, index) => {
    const piece = parseBlock(item, `${blockId}:${index}`)
    return piece?.type === 'text' || piece?.type === 'data' ? piece : undefined
  })
}

function repairPieces(value: JsonValue | undefined, blockId: string): JsonValue | undefined {
  const pieces = parsePieces(value, blockId)
  return isJson(pieces) ? pieces : ''
}

function repair(value: JsonObject, id: string): JsonObject {
  const fields = ownField(BLOCK_FIELDS, value['type'])
  if (fields === undefined) return value
  const repaired: Record<string, JsonValue> = {}
  if (value['id'] !== id) repaired['id'] = id
  for (const [name, repairField] of Object.entries(fields)) {
    const good = repairField(value[name], id)
    if (good !== value[name] && good !== undefined) repaired[name] = good
  }
  return Object.keys(repaired).length === 0 ? value : { ...value, ...repaired }
}

function ownField<Value>(
  table: Readonly<Record<string, Value>>,
  key: JsonValue | undefined,
): Value | undefined {
  return typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined
}

/** True for what `repair` has made whole: it filled every field of the block's kind but a data block's source. */
function isKnownBlock(block: unknown): block is ContentBlock {
  if (!isJsonObject(block)) return false
  if (block['type'] === 'data') return isSource(block['source'])
  // One that was read before, so that reading twice wraps once.
  if (block['type'] === 'kit.unknown') {
    return isJsonObject(block['block']) && typeof block['id'] === 'string'
  }
  return ownField(BLOCK_FIELDS, block['type']) !== undefined
}

function isSource(source: JsonValue | undefined): boolean {
  if (!isJsonObject(source) || typeof source['media_type'] !== 'string') return false
  return source['type'] === 'base64'
    ? typeof source['data'] === 'string'
    : source['type'] === 'url' && typeof source['url'] === 'string'
}

function wrapUnknown(block: JsonObject, id: string): UnknownBlock {
  return { type: 'kit.unknown', id, block }
}

/** Blocks are JSON by construction; their interfaces lack the index signature that would let TypeScript see it. */
function isJson(value: unknown): value is JsonValue {
  return value !== undefined
}
