const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*/gs

/**
 * Tells whether showing the parsed value shows what was written. Not so when a number loses digits (`12345678901234567890`,
 * `1.0`) or a key is written twice: then only the raw text is honest.
 *
 * @param raw - Valid JSON.
 * @param value - What it was parsed to.
 */
export function isFaithful(raw: string, value: unknown): boolean {
  let keys = 0
  for (const [token, colon] of raw.matchAll(tokens)) {
    if (colon !== undefined) keys += 1
    else if (!token.startsWith('"') && String(Number(token)) !== token) return false
  }
  return keys === countKeys(value)
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const items: readonly unknown[] = Object.values(value)
  const own = Array.isArray(value) ? 0 : items.length
  return items.reduce<number>((sum, item) => sum + countKeys(item), own)
}
