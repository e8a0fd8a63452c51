import { joinIds } from './compactLog.js'
import type { Kept, MessageMarks } from './Kept.js'

/** Not to the limit itself, or the next batch would be over it again. */
const LEFT_SHARE = 0.75

/** A log as it is written. */
export interface WrittenLog {
  /** The log. */
  readonly log: readonly Kept[]
  /** It, as JSON. */
  readonly json: string
  /** Messages that its pages mean. */
  readonly ids: ReadonlySet<string>
  /** How much all of it takes, in characters. */
  readonly size: number
}

/**
 * Makes a log small enough. The oldest messages of history go first, since the server has them; then the oldest events, whose
 * reply is incomplete from then on until it is stored.
 *
 * @param log - The log.
 * @param marks - The messages that its pages mean.
 * @param limit - How much it may take, in characters.
 */
export function trimLog(log: readonly Kept[], marks: MessageMarks, limit: number): WrittenLog {
  const whole = measure(log, marks)
  if (whole.size <= limit) return whole
  let excess = whole.size - limit * LEFT_SHARE
  const gone = new Set<string>()
  for (const id of oldestFirst(log)) {
    if (excess <= 0) break
    excess -= marks.get(id)?.size ?? 0
    gone.add(id)
  }
  const left: Kept[] = []
  for (const item of log) {
    if (item.type === 'page') {
      left.push({ ...item, ids: item.ids.filter((id) => !gone.has(id)) })
    } else if (excess > 0) excess -= JSON.stringify(item).length
    else left.push(item)
  }
  return measure(left, marks)
}

/** A hole in the middle would be seen as the end of a page: what goes first has to be the oldest of all pages together. */
function oldestFirst(log: readonly Kept[]): readonly string[] {
  return log.reduce<readonly string[]>((held, item) => {
    if (item.type !== 'page') return held
    const joined = new Set(joinIds({ type: 'page', ids: held }, item) ?? [...held, ...item.ids])
    return [...held.filter((id) => !joined.has(id)), ...joined]
  }, [])
}

function measure(log: readonly Kept[], marks: MessageMarks): WrittenLog {
  const ids = new Set(log.flatMap((item) => (item.type === 'page' ? item.ids : [])))
  const json = JSON.stringify(log)
  const sizes = [...ids].map((id) => marks.get(id)?.size ?? 0)
  return { log, json, ids, size: sizes.reduce((sum, size) => sum + size, json.length) }
}
