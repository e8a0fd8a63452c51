const STAMP = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d+))?\s*(z|[+-]\d\d:?\d\d)?$/i

/**
 * A stamp as the fold compares them: as text. Java leaves out trailing zeros (`10:00:00.1Z` is before `10:00:00.15Z`, as text it
 * is after), so all get six digits.
 *
 * @param value - What Java wrote: `Instant.toString()`, `yyyy-MM-dd HH:mm:ss.SSS`, or milliseconds.
 * @param offsetMinutes - What a stamp without a zone is ahead of UTC; such a stamp stays without one when this is not known.
 * @returns ISO time, or undefined for what is none.
 */
export function readStamp(value: unknown, offsetMinutes?: number): string | undefined {
  if (typeof value === 'number') return toIso(value)
  const match = typeof value === 'string' ? STAMP.exec(value.trim()) : null
  if (match === null) return undefined
  const [, date = '', time = '', digits = '', zone] = match
  const clock = time.length === 5 ? `${time}:00` : time
  const fraction = digits.slice(0, 6).padEnd(6, '0')
  if (zone === undefined && offsetMinutes === undefined) return `${date}T${clock}.${fraction}`
  if (zone !== undefined && /^z$/i.test(zone)) return `${date}T${clock}.${fraction}Z`
  const ahead = zone === undefined ? (offsetMinutes ?? 0) : minutesOf(zone)
  const second = toIso(Date.parse(`${date}T${clock}Z`) - ahead * 60_000)
  return second?.replace(/[.]\d+Z$/, `.${fraction}Z`)
}

function toIso(milliseconds: number): string | undefined {
  const date = new Date(milliseconds)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace('Z', '000Z')
}

function minutesOf(zone: string): number {
  const digits = zone.replace(/\D/g, '')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return zone.startsWith('-') ? -minutes : minutes
}
