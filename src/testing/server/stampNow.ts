let lastMicros = 0

/**
 * The time now as the service writes it: local time without a zone, with microseconds.
 *
 * Never twice the same and never going back, so stamps order events.
 */
export function stampNow(): string {
  const now = Math.floor((performance.timeOrigin + performance.now()) * 1000)
  lastMicros = Math.max(now, lastMicros + 1)
  const time = new Date(Math.floor(lastMicros / 1000))
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  const micros = String(lastMicros % 1000).padStart(3, '0')
  return `${local.toISOString().slice(0, -1)}${micros}`
}
