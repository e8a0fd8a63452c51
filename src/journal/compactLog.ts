import type { Kept, KeptPage, MessageMarks } from './Kept.js'

/** Questions of sub-agents: the service asks those that still stand anew with each connection, and says nothing of the others. */
const TOLD_ANEW: ReadonlySet<string> = new Set([
  'subagent_require_user_confirm',
  'subagent_user_confirm_result',
])

/**
 * Leaves out of a log what folding it does not need: events of a reply before the page that has it finished, messages of the user
 * before the page that has them, notices before a later one of the same name, all before a snapshot that replaces all.
 *
 * @param log - In the order in which it was heard.
 * @param marks - The messages that pages may mean.
 */
export function compactLog(log: readonly Kept[], marks: MessageMarks): readonly Kept[] {
  const stored = new Set<string>()
  const names = new Set<string>()
  let isReplaced = false
  const kept: Kept[] = []
  for (const item of log.toReversed()) {
    if (item.type === 'CUSTOM') {
      if (TOLD_ANEW.has(item.name) || names.has(item.name)) continue
      names.add(item.name)
      kept.push(item)
    } else if (!isReplaced) {
      const message_id = messageIdOf(item)
      const isHeld = message_id !== undefined && stored.has(message_id) && isOld(item, marks)
      kept.push(isHeld ? { type: 'place', message_id } : item)
      if (item.type === 'page') for (const id of item.ids) stored.add(id)
      isReplaced = isReplacement(item)
    }
  }
  return joinPages(dropPlaces(kept.toReversed()))
}

function isReplacement(item: Kept): boolean {
  return (
    item.type === 'kit.snapshot' && item.mode === 'replace' && (item.agent_path ?? []).length === 0
  )
}

/** The message that an item makes, or adds to. */
function messageIdOf(item: Kept): string | undefined {
  if (item.type === 'kit.user_message') return item.message.id
  if (item.type === 'kit.remove_message' || item.type === 'place') return item.message_id
  return 'reply_id' in item ? item.reply_id : undefined
}

/**
 * Whether the kept message of a reply holds all that an input says. What is later than its end takes the reply up again.
 *
 * @param item - What was heard.
 * @param marks - The kept messages.
 */
export function isOld(item: Kept, marks: MessageMarks): boolean {
  const mark = marks.get(messageIdOf(item) ?? '')
  if (mark === undefined) return false
  if (!('reply_id' in item)) return true
  const { finishedAt } = mark
  if (finishedAt === null) return false
  if (item.type === 'USER_CONFIRM_RESULT' || item.type === 'EXTERNAL_EXECUTION_RESULT') return true
  return item.created_at === undefined || item.created_at <= finishedAt
}

/** A message's place matters only beside something that no page holds, and is told once. */
function dropPlaces(log: readonly Kept[]): readonly Kept[] {
  const needed = new Set<Kept>()
  const placed = new Set<string>()
  let before: Kept | undefined
  for (const item of log) {
    if (item.type === 'place') {
      if (placed.has(item.message_id)) continue
      placed.add(item.message_id)
    } else if (item.type === 'page' || messageIdOf(item) === undefined) continue
    if (before?.type === 'place' && item.type !== 'place') needed.add(before)
    if (before !== undefined && before.type !== 'place' && item.type === 'place') needed.add(item)
    before = item
  }
  return log.filter((item) => item.type !== 'place' || needed.has(item))
}

/** Pages with nothing between them become one; a gap is told only of replies that are still there to have it. */
function joinPages(log: readonly Kept[]): readonly Kept[] {
  const joined: Kept[] = []
  let hasReply = false
  for (const item of log) {
    const last = joined.at(-1)
    hasReply ||= 'reply_id' in item
    if (item.type === 'kit.gap' && !hasReply) continue
    const both = item.type === 'page' && last?.type === 'page' ? joinPage(last, item) : undefined
    if (both !== undefined) joined.pop()
    joined.push(both ?? item)
  }
  return joined
}

/** One page that folds as the two do, one after the other; undefined when there is none. */
function joinPage(one: KeptPage, other: KeptPage): KeptPage | undefined {
  if (other.ids.length === 0)
    return other.is_running === false ? { ...one, is_running: false } : one
  const ids = one.before === undefined ? joinIds(one, other) : undefined
  if (ids === undefined) return undefined
  const isSettled = one.is_running === false || other.is_running === false
  return { type: 'page', ids, ...(isSettled ? { is_running: false } : {}) }
}

/**
 * The messages of two pages, oldest first, as they stand when one is folded after the other.
 *
 * @param one - The page that was read first.
 * @param other - The page that was read then.
 * @returns Undefined when that is not told by their order alone.
 */
export function joinIds(one: KeptPage, other: KeptPage): readonly string[] | undefined {
  if (other.before === undefined) {
    // With no message in common, some between the two are missing: the fold lets go of the older ones too.
    return one.ids.some((id) => other.ids.includes(id)) ? join(one.ids, other.ids) : other.ids
  }
  const cut = one.ids.indexOf(other.before)
  if (cut < 0) return undefined
  const newer = new Set(one.ids.slice(cut))
  const older = join(
    one.ids.slice(0, cut),
    other.ids.filter((id) => !newer.has(id)),
  )
  return older && [...older, ...newer]
}

/** Undefined when the page lacks messages between two that it has. */
function join(held: readonly string[], page: readonly string[]): readonly string[] | undefined {
  const own = new Set(page)
  const first = held.findIndex((id) => own.has(id))
  if (first < 0) return [...held, ...page]
  const last = held.findLastIndex((id) => own.has(id))
  if (!held.slice(first, last).every((id) => own.has(id))) return undefined
  return [...held.slice(0, first), ...page, ...held.slice(last + 1)]
}
