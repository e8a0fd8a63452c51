import type { Journal } from '../protocol/index.js'
import { createKeptConversation } from './createKeptConversation.js'
import { createJournalDatabase } from './createJournalDatabase.js'
import { pruneJournal } from './pruneJournal.js'
import { forgetConversation } from './readConversation.js'

const DAY_MS = 86_400_000

/** Settings of `indexedDbJournal`. */
export interface IndexedDbJournalOptions {
  /**
   * The database's name; `agentscope-react` by default. Who shares a browser profile shares its databases: name it after the
   * person who is logged in, so that nobody is shown what another one heard.
   */
  readonly name?: string
  /**
   * How much one conversation may take, in characters of JSON; 8,000,000 by default. Beyond that the oldest messages go first,
   * then the oldest events.
   */
  readonly maxCharacters?: number
  /** How many conversations are kept, those opened or written last; 50 by default. */
  readonly maxConversations?: number
  /** How long a conversation is kept after it was opened or written last, in milliseconds; 7 days by default. */
  readonly maxAgeMs?: number
}

/**
 * A journal in the browser's IndexedDB: a reload in the middle of a long reply shows all that was seen, also what the server does
 * not repeat, and without a network there is something to read. See `docs/journal.md` for what is kept, and for how long.
 *
 * Make one, and give it to every conversation of the same person. Nothing is opened before a conversation connects. Where there
 * is no IndexedDB, or it fails, the chat works as without, and `onAnomaly` is told `not-kept`.
 *
 * @param options - Settings.
 *
 * @example
 * ```tsx
 * const journal = indexedDbJournal({ name: `chat-of-${user.id}` })
 * // …
 * <AgentChat backend={backend} options={{ journal }} />
 * // When the person logs out:
 * await journal.clear()
 * ```
 */
export function indexedDbJournal(options: IndexedDbJournalOptions = {}): Journal {
  const { name = 'agentscope-react', maxCharacters: maxSize = 8_000_000 } = options
  const { maxConversations = 50, maxAgeMs = 7 * DAY_MS } = options
  const database = createJournalDatabase(name)
  let isPruned = false

  /** Once per page, when a conversation is open already and nobody waits. */
  function prune(): void {
    if (isPruned) return
    isPruned = true
    database.run((tx) => pruneJournal(tx, { maxAgeMs, maxConversations })).catch(() => {})
  }

  return {
    open(key, report) {
      const parts = { database, key, maxSize, maxAgeMs, maxConversations, report }
      const kept = createKeptConversation(parts)
      return {
        append: (inputs) => kept.append(inputs),
        async read() {
          const inputs = await kept.read()
          prune()
          return inputs
        },
      }
    },
    async clear(key) {
      // Without IndexedDB nothing was kept.
      if (typeof indexedDB === 'undefined') return
      await database.run(async (tx) => {
        if (key !== undefined) return forgetConversation(tx, key)
        await Promise.all([...tx.objectStoreNames].map((store) => tx.objectStore(store).clear()))
      })
    },
  }
}
