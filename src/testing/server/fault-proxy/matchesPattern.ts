import type { JsonValue } from '../../../protocol/index.js'
import type { EventPattern, Occurrence, RequestPattern } from './Fault.js'

/** Whether a request is one of those meant. */
export function matchesRequest(
  pattern: RequestPattern | undefined,
  method: string,
  path: string,
): boolean {
  const isMethod = pattern?.method === undefined ? method !== 'OPTIONS' : pattern.method === method
  return isMethod && (pattern?.path === undefined || matchesPath(pattern.path, path))
}

/** Whether the n-th request that fits is one of those meant. */
export function matchesOccurrence(which: Occurrence | undefined, count: number): boolean {
  if (which === 'every') return true
  if (which === undefined || which === 'next') return count === 1
  return typeof which === 'number' ? count === which : which.includes(count)
}

/** Whether an event is one of those meant. */
export function matchesEvent(pattern: EventPattern, event: JsonValue, index: number): boolean {
  if (typeof pattern === 'number') return pattern === index
  if (typeof pattern === 'function') return pattern(event, index)
  if (!isRange(pattern)) return pattern.includes(index)
  const { from = 1, to = Number.POSITIVE_INFINITY } = pattern
  return from <= index && index <= to
}

function isRange(
  pattern: Exclude<EventPattern, number | ((...args: never[]) => boolean)>,
): pattern is { readonly from?: number; readonly to?: number } {
  return !Array.isArray(pattern)
}

function matchesPath(pattern: string | RegExp, path: string): boolean {
  if (typeof pattern !== 'string') return path.search(pattern) >= 0
  const parts = pattern.split(/(\*\*|\*)/).map((part) => {
    if (part === '**') return '.*'
    return part === '*' ? '[^/]*' : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('')}$`).test(path)
}
