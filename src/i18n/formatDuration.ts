/**
 * Writes a span of time in the units given: tenths below ten seconds, then seconds, then minutes and seconds.
 *
 * @param ms - The span in milliseconds; negative or not a number counts as zero.
 * @param units - How each unit is written, such as `' s'` and `' min '`.
 */
export function formatDuration(
  ms: number,
  units: { readonly second: string; readonly minute: string; readonly hour: string },
): string {
  const total = Number.isFinite(ms) && ms > 0 ? ms / 1000 : 0
  if (total < 9.95) return `${String(Math.round(total * 10) / 10)}${units.second}`
  const seconds = Math.round(total)
  if (seconds < 60) return `${String(seconds)}${units.second}`
  const minutes = Math.floor(seconds / 60)
  const rest = seconds % 60
  if (minutes < 60) {
    return `${String(minutes)}${units.minute}${rest === 0 ? '' : ` ${String(rest)}${units.second}`}`
  }
  const hours = Math.floor(minutes / 60)
  return `${String(hours)}${units.hour}${minutes % 60 === 0 ? '' : ` ${String(minutes % 60)}${units.minute}`}`
}
