import type { JournalTransaction } from './createJournalDatabase.js'
import { forgetConversation } from './readConversation.js'

/** How much of the journal may stay. */
export interface JournalLimits {
  /** What was not touched for longer is forgotten. */
  readonly maxAgeMs: number
  /** So many conversations stay, those touched last. */
  readonly maxConversations: number
  /** This one stays in any case. */
  readonly keep?: string
}

/**
 * Forgets conversations that are too old, or too many.
 *
 * @param tx - All of it happens in there.
 * @param limits - What may stay.
 */
export async function pruneJournal(tx: JournalTransaction, limits: JournalLimits): Promise<void> {
  const { maxAgeMs, maxConversations, keep } = limits
  const bySavedAt = tx.objectStore('conversations').index('savedAt')
  const [keys, old] = await Promise.all([
    bySavedAt.getAllKeys(),
    bySavedAt.getAllKeys(IDBKeyRange.upperBound(Date.now() - maxAgeMs)),
  ])
  const surplus = keys.slice(0, Math.max(old.length, keys.length - maxConversations))
  await Promise.all(surplus.filter((key) => key !== keep).map((key) => forgetConversation(tx, key)))
}
