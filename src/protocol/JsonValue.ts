/** Any value that JSON can hold. State of the conversation is made of these alone, so every moment of it can be stored. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject

/** A JSON object: metadata, the value of a `CUSTOM` event, the raw form of something unknown. */
export interface JsonObject {
  /** A member, under any name: nothing about the names is promised. */
  readonly [key: string]: JsonValue
}

/**
 * Tells whether a value is an object as JSON has them (not null, not an array).
 *
 * @param value - Anything, usually what `JSON.parse` gave. Only the top level is looked at.
 * @returns `true` for a plain object.
 */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
