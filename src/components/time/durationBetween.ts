/** Less is not worth a word: it would say "0 s", or what the stamps' own steps make of it. */
const SHORTEST_MS = 500

/**
 * The time between two stamps of one clock.
 *
 * @param from - ISO time, usually naive; null or missing when not known.
 * @param to - ISO time of the same clock.
 * @returns Milliseconds, or null when less than half a second, when one of the stamps is missing or unreadable, and when they are in the
 *   wrong order or of different clocks: one with a zone, the other without.
 */
export function durationBetween(
  from: string | null | undefined,
  to: string | null | undefined,
): number | null {
  const start = readStamp(from)
  const end = readStamp(to)
  if (start === null || end === null || start.hasZone !== end.hasZone) return null
  const ms = end.ms - start.ms
  return ms < SHORTEST_MS ? null : ms
}

/** Naive stamps are read as UTC: as only differences count, this spares them the reader's summer time. */
function readStamp(stamp: string | null | undefined): { ms: number; hasZone: boolean } | null {
  if (stamp === null || stamp === undefined) return null
  const isWhole = hasZone(stamp)
  const ms = Date.parse(isWhole ? stamp : `${stamp}Z`)
  return Number.isNaN(ms) ? null : { ms, hasZone: isWhole }
}

/**
 * Tells whether a stamp names its zone, so that it can be shown as the reader's own time.
 *
 * @param stamp - ISO time.
 */
export function hasZone(stamp: string): boolean {
  return /(?:z|[+-]\d{2}:?\d{2})$/i.test(stamp)
}
