import { isJsonObject, type JsonObject } from '../../protocol/index.js'

/** The first of the fields that holds a text that is not empty. */
export function readText(data: JsonObject, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = data[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

/** A field that holds an object; an empty one when it holds none. */
export function readObject(data: JsonObject, name: string): JsonObject {
  const value = data[name]
  return isJsonObject(value) ? value : {}
}

/** The objects of a field that holds a list. */
export function readObjects(data: JsonObject, name: string): readonly JsonObject[] {
  const value = data[name]
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** A field that holds a number. */
export function readNumber(data: JsonObject, name: string): number | undefined {
  const value = data[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** The fields of these names that say something. */
export function pickFields(data: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = data[name]
      return value === undefined || value === null ? [] : [[name, value]]
    }),
  )
}

/** A position: a whole number from 0. */
export function readPosition(data: JsonObject, name: string): number | undefined {
  const value = data[name]
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

/**
 * A stamp as ISO time.
 *
 * @param value - Seconds since 1970, or ISO time, which stays as it is.
 */
export function readStamp(value: unknown): string | undefined {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)) return value
  if (typeof value !== 'number') return undefined
  const date = new Date(Math.round(value * 1000))
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
