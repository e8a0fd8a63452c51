import type { Msg } from '../protocol/index.js'
import { isLater, lastStampOf } from './stamps.js'

/** Where a page of history belongs, and what of it is new. */
export interface PageMerge {
  /** The messages held. */
  readonly local: readonly Msg[]
  /** The page, oldest first; messages that are held too are already the ones to keep. */
  readonly page: readonly Msg[]
  /** The page ends right before this message; undefined = it is the newest page. */
  readonly before: string | undefined
  /** Whether a message that is held came from history. */
  readonly isStored: (message: Msg) => boolean
}

/**
 * Merges a page of history into the messages held. The page's own order counts. What is held and not in the page keeps its
 * place beside its neighbours; what follows the last message that both have stays at the end, apart from answers that were over
 * before those of the page began.
 *
 * When the newest page and what came from history before have nothing in common, messages between them are missing: then
 * the older ones are let go, and can be read again page by page.
 *
 * @param merge - The two lists.
 */
export function mergePage({ local, page, before, isStored }: PageMerge): readonly Msg[] {
  if (page.length === 0) return local
  if (before === undefined) {
    const merged = mergeByAnchors(local, page)
    if (merged !== undefined) return merged
    const unstored = local.slice(local.findLastIndex(isStored) + 1)
    return [...page, ...unstored.slice(countOlder(unstored, page))]
  }
  const cut = Math.max(
    0,
    local.findIndex(({ id }) => id === before),
  )
  const newer = local.slice(cut)
  const newerIds = new Set(newer.map(({ id }) => id))
  const older = page.filter(({ id }) => !newerIds.has(id))
  const kept = new Map(page.map((message) => [message.id, message]))
  const merged = mergeByAnchors(local.slice(0, cut), older) ?? [...local.slice(0, cut), ...older]
  return [...merged, ...newer.map((message) => kept.get(message.id) ?? message)]
}

/** Undefined when the two lists have no message in common. */
function mergeByAnchors(local: readonly Msg[], page: readonly Msg[]): Msg[] | undefined {
  const pageIds = new Set(page.map(({ id }) => id))
  const isAnchor = ({ id }: Msg): boolean => pageIds.has(id)
  const first = local.findIndex(isAnchor)
  if (first < 0) return undefined
  const last = local.findLastIndex(isAnchor)
  const lastInPage = page.findIndex(({ id }) => id === local[last]?.id)
  const end = last + 1 + countOlder(local.slice(last + 1), page.slice(lastInPage + 1))
  const followers = followersOf(local.slice(first, end), isAnchor)
  const merged = page.flatMap((message) => [message, ...(followers.get(message.id) ?? [])])
  return [...local.slice(0, first), ...merged, ...local.slice(end)]
}

/**
 * How many of the messages held are older than a page, such as a reply that was heard days ago and never stored. Only answers
 * have stamps of the server's clock.
 */
function countOlder(held: readonly Msg[], page: readonly Msg[]): number {
  const begin = page.find(({ role }) => role !== 'user')?.created_at
  if (begin === undefined) return 0
  return held.findLastIndex((each) => each.role !== 'user' && isLater(begin, lastStampOf(each))) + 1
}

/** What stands after each anchor, up to the next one. */
function followersOf(
  local: readonly Msg[],
  isAnchor: (message: Msg) => boolean,
): ReadonlyMap<string, readonly Msg[]> {
  const followers = new Map<string, Msg[]>()
  let current: Msg[] = []
  for (const message of local) {
    if (isAnchor(message)) {
      current = []
      followers.set(message.id, current)
    } else current.push(message)
  }
  return followers
}
