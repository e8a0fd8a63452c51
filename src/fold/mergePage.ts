import type { Msg } from '../protocol/index.js'

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
 * place beside its neighbours; what follows the last message that both have is newer than the page and stays at the end.
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
    return [...page, ...local.slice(local.findLastIndex(isStored) + 1)]
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
  const followers = followersOf(local.slice(first, last), isAnchor)
  const merged = page.flatMap((message) => [message, ...(followers.get(message.id) ?? [])])
  return [...local.slice(0, first), ...merged, ...local.slice(last + 1)]
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
