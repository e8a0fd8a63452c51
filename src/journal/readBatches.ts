import type { JournalTransaction } from './createJournalDatabase.js'
import type { Kept, KeptBatch } from './Kept.js'
import { mergeBatches } from './mergeBatches.js'

/** What all readers of a conversation wrote. */
export interface WrittenBatches {
  /** The keys of the batches. */
  readonly ats: readonly number[]
  /** Who wrote them. */
  readonly writers: ReadonlySet<string>
  /** Their items, as one log. */
  readonly log: readonly Kept[]
}

/**
 * Reads a conversation's batches, in the order in which they were written.
 *
 * @param tx - The transaction.
 * @param key - The backend's key.
 */
export async function readBatches(tx: JournalTransaction, key: string): Promise<WrittenBatches> {
  const index = tx.objectStore('batches').index('key')
  const [ats, records] = await Promise.all([index.getAllKeys(key), index.getAll(key)])
  const batches = records.map(({ writer, items }): KeptBatch => ({
    writer,
    // Only this room writes here, and another version's database is let go of as a whole.
    items: JSON.parse(items) as readonly Kept[],
  }))
  const writers = new Set(batches.map(({ writer }) => writer))
  return { ats, writers, log: mergeBatches(batches) }
}
