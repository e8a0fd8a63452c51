/**
 * The time between two stamps of one clock.
 *
 * @param from - ISO time, usually naive; null or missing when not known.
 * @param to - ISO time of the same clock.
 * @returns Milliseconds, or null when one of the stamps is missing or unreadable, or they are in the wrong order.
 */
export function durationBetween(
  from: string | null | undefined,
  to: string | null | undefined,
): number | null {
  const start = readStamp(from)
  const end = readStamp(to)
  return start === null || end === null || end < start ? null : end - start
}

/** Naive stamps are read as UTC: as only differences count, this spares them the reader's summer time. */
function readStamp(stamp: string | null | undefined): number | null {
  if (stamp === null || stamp === undefined) return null
  const ms = Date.parse(hasZone(stamp) ? stamp : `${stamp}Z`)
  return Number.isNaN(ms) ? null : ms
}

/**
 * Tells whether a stamp names its zone, so that it can be shown as the reader's own time.
 *
 * @param stamp - ISO time.
 */
export function hasZone(stamp: string): boolean {
  return /(?:z|[+-]\d{2}:?\d{2})$/i.test(stamp)
}
