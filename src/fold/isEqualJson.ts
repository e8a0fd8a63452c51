import { isJsonObject } from '../protocol/index.js'

/** Deeper than any real value; a hostile one must not overflow the stack, and counts as different. */
const MAX_DEPTH = 500

/**
 * Tells whether two JSON values say the same. The order of keys does not count, nor does a key that is undefined.
 *
 * @param one - Any JSON.
 * @param other - Any JSON.
 */
export function isEqualJson(one: unknown, other: unknown): boolean {
  return isEqual(one, other, 0)
}

function isEqual(one: unknown, other: unknown, depth: number): boolean {
  // What cannot be written in JSON must equal itself too: sums of absurd numbers are NaN.
  if (one === other || Object.is(one, other)) return true
  if (depth > MAX_DEPTH) return false
  if (Array.isArray(one)) {
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isEqual(item, other[index], depth + 1))
    )
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...keys].every((key) => isEqual(own(one, key), own(other, key), depth + 1))
}

function own(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined
}
