import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from 'idb'
import { openDB } from 'idb'
import type { MessageMarks } from './Kept.js'

/** Raised when what is written means something else from then on. What another version kept is let go: it is a copy. */
const VERSION = 1

/** What is known of a conversation. While it is there, the conversation is kept. */
export interface ConversationRecord {
  /** The backend's key. */
  readonly key: string
  /** When it was opened or written last, in milliseconds since the epoch. */
  readonly savedAt: number
  /** How much its batches and messages take, in characters. */
  readonly size: number
  /** Its messages. */
  readonly marks: MessageMarks
}

/** What was written at once. */
interface BatchRecord {
  readonly key: string
  readonly writer: string
  /** A list of `Kept` as JSON: text is copied faster than objects, and its size is known. */
  readonly items: string
}

/** A message of history. */
interface MessageRecord {
  readonly key: string
  readonly id: string
  /** The message as JSON. */
  readonly message: string
}

/** What is in the database. */
interface JournalSchema extends DBSchema {
  conversations: { key: string; value: ConversationRecord; indexes: { savedAt: number } }
  /** The keys count up, so they tell the order of writing, whichever tab wrote. */
  batches: { key: number; value: BatchRecord; indexes: { key: string } }
  messages: { key: [key: string, id: string]; value: MessageRecord }
}

type StoreName = StoreNames<JournalSchema>

/** A transaction over the whole database: what belongs together is written together, or not at all. */
export type JournalTransaction = IDBPTransaction<JournalSchema, StoreName[], 'readwrite'>

/** A connection to a journal's database. */
export interface JournalDatabase {
  /**
   * Runs something in one transaction, which starts at once when the database is open already. Rejects when there is no
   * database, or when it cannot be done; then nothing is done.
   */
  readonly run: <Result>(work: (tx: JournalTransaction) => Promise<Result>) => Promise<Result>
}

/**
 * Makes a connection, which opens with the first transaction.
 *
 * @param name - The database's name.
 * @param version - What its content means.
 */
export function createJournalDatabase(name: string, version: number = VERSION): JournalDatabase {
  let opening: Promise<IDBPDatabase<JournalSchema>> | null = null

  function open(): Promise<IDBPDatabase<JournalSchema>> {
    return new Promise((resolve, reject) => {
      const opened = openDB<JournalSchema>(name, version, {
        upgrade: createStores,
        // A tab with an older version does not let go. To wait for it would hold up the chat.
        blocked() {
          reject(new Error('Another tab uses an older version of the journal.'))
          close()
        },
        // A newer version, or the person, wants the database: whatever is written from here on fails.
        blocking: close,
        terminated: () => {
          opening = null
        },
      })
      function close(): void {
        opened.then((database) => database.close()).catch(ignore)
      }
      opened.then(resolve, reject)
    })
  }

  return {
    async run(work) {
      opening ??= open()
      const database = await opening
      const tx = database.transaction(['conversations', 'batches', 'messages'], 'readwrite')
      try {
        const [result] = await Promise.all([abortIfFailed(tx, work), tx.done])
        return result
      } catch (error) {
        // What a request says is often only that its transaction was aborted.
        throw tx.error ?? error
      }
    },
  }
}

async function abortIfFailed<Result>(
  tx: JournalTransaction,
  work: (tx: JournalTransaction) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(tx)
  } catch (error) {
    abort(tx)
    throw error
  }
}

function ignore(): void {}

function abort(tx: JournalTransaction): void {
  try {
    tx.abort()
  } catch {
    // It is over already.
  }
}

function createStores(database: IDBPDatabase<JournalSchema>): void {
  for (const name of [...database.objectStoreNames]) database.deleteObjectStore(name)
  const conversations = database.createObjectStore('conversations', { keyPath: 'key' })
  conversations.createIndex('savedAt', 'savedAt')
  const batches = database.createObjectStore('batches', { autoIncrement: true })
  batches.createIndex('key', 'key')
  database.createObjectStore('messages', { keyPath: ['key', 'id'] })
}
