import { isJsonObject, type JsonObject, type JsonValue } from '../../protocol/index.js'

const snakes = new Map<string, string>()

/**
 * Reads a field under the first of its names that has a value; each name counts in camelCase and in snake_case,
 * since a server may be set to either. Null counts as absent.
 *
 * @param frame - The object.
 * @param names - The names in camelCase, best first.
 */
export function readField(frame: JsonObject, ...names: readonly string[]): JsonValue | undefined {
  for (const name of names) {
    const value = frame[name] ?? frame[toSnake(name)]
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

/** The first of the fields that holds a text. */
export function readText(frame: JsonObject, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = readField(frame, name)
    if (typeof value === 'string') return value
  }
  return undefined
}

/** The first of the fields that holds a number; 0 when there is none. */
export function readCount(frame: JsonObject, ...names: readonly string[]): number {
  for (const name of names) {
    const value = readField(frame, name)
    if (typeof value === 'number' && Number.isFinite(value)) return value
  }
  return 0
}

/** The first of the fields that holds an object; an empty one when there is none. */
export function readObject(frame: JsonObject, ...names: readonly string[]): JsonObject {
  for (const name of names) {
    const value = readField(frame, name)
    if (isJsonObject(value)) return value
  }
  return {}
}

/** The objects of the first of the fields that holds a list. */
export function readObjects(frame: JsonObject, ...names: readonly string[]): readonly JsonObject[] {
  for (const name of names) {
    const value = readField(frame, name)
    if (Array.isArray(value)) return value.filter(isJsonObject)
  }
  return []
}

/** The value of a JSON text; undefined for a text that is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const ENVELOPE: ReadonlySet<string> = new Set(['type', 'id', 'created_at', 'source'])

/** What a frame says besides its envelope, under names in snake_case. */
export function toSnakeFields(frame: JsonObject): JsonObject {
  const fields = Object.entries(frame).map(([name, value]) => [toSnake(name), value] as const)
  return Object.fromEntries(fields.filter(([name]) => !ENVELOPE.has(name)))
}

function toSnake(name: string): string {
  const known = snakes.get(name)
  if (known !== undefined) return known
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  snakes.set(name, snake)
  return snake
}
