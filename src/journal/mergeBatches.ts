import type { Kept, KeptBatch } from './Kept.js'

/** One item of the log that is being made. */
interface Place {
  readonly item: Kept
  readonly stamp: string | null
  next: Place | null
}

/**
 * Makes one log of what several tabs wrote. Each heard the same stream, and each may have missed some of it.
 *
 * An item comes after what its own writer heard before it. What two writers have both stands once, and so fixes the order around
 * it; what only one has stands before what is later by the server's stamp. A page or a message of the user has no such stamp, and
 * stands before what its writer heard next.
 *
 * @param batches - In the order in which they were written.
 */
export function mergeBatches(batches: readonly KeptBatch[]): readonly Kept[] {
  const start: Place = { item: { type: 'kit.gap' }, stamp: null, next: null }
  const known = new Map<string, Place>()
  const reached = new Map<string, Place>()
  let end = start

  function insert(from: Place | undefined, item: Kept, nextStamp: string | null): Place {
    const stamp = stampOf(item)
    // A page that was read last is the last word, also about what its reader did not hear.
    let before = item.type === 'page' ? end : (from ?? end)
    if (stamp !== null) before = lastBefore(from ?? start, (other) => other > stamp)
    else if (nextStamp !== null) before = lastBefore(from ?? start, (other) => other >= nextStamp)
    const place = { item, stamp, next: before.next }
    before.next = place
    if (before === end) end = place
    return place
  }

  const nextStamps = stampsAfter(batches)
  for (const { writer, items } of batches) {
    let at = reached.get(writer)
    for (const item of items) {
      const id = idOf(item)
      const held = id === undefined ? undefined : known.get(id)
      at = held ?? insert(at, item, nextStamps.get(item) ?? null)
      if (id !== undefined) known.set(id, at)
    }
    if (at !== undefined) reached.set(writer, at)
  }

  const log: Kept[] = []
  for (let place = start.next; place !== null; place = place.next) log.push(place.item)
  return log
}

/**
 * The id that an input is known by, if it has one.
 *
 * @param item - An item of a log.
 */
function idOf(item: Kept): string | undefined {
  return item.type === 'page' || item.type === 'place' ? undefined : item.id
}

function lastBefore(from: Place, isLater: (stamp: string) => boolean): Place {
  let place = from
  while (place.next !== null && (place.next.stamp === null || !isLater(place.next.stamp))) {
    place = place.next
  }
  return place
}

/** For each item that has no stamp, the next one that its writer heard. */
function stampsAfter(batches: readonly KeptBatch[]): ReadonlyMap<Kept, string> {
  const found = new Map<Kept, string>()
  const next = new Map<string, string>()
  for (const { writer, items } of batches.toReversed()) {
    for (const item of items.toReversed()) {
      const stamp = stampOf(item)
      const after = next.get(writer)
      if (stamp !== null) next.set(writer, stamp)
      else if (after !== undefined) found.set(item, after)
    }
  }
  return found
}

/** The server's own stamp. Answers carry the stamp of whoever gave them. */
function stampOf(item: Kept): string | null {
  if (item.type === 'page' || item.type === 'place') return null
  if (item.type === 'USER_CONFIRM_RESULT' || item.type === 'EXTERNAL_EXECUTION_RESULT') return null
  return item.type.startsWith('kit.') ? null : (item.created_at ?? null)
}
