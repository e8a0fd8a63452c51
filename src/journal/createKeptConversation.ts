import type { Anomaly, ConversationInput, KeptConversation } from '../protocol/index.js'
import { createId } from '../protocol/index.js'
import type { JournalDatabase } from './createJournalDatabase.js'
import type { JournalLimits } from './pruneJournal.js'
import { pruneJournal } from './pruneJournal.js'
import { readConversation } from './readConversation.js'
import { watchLeave } from './watchLeave.js'
import type { KeptLimits } from './writeBatch.js'
import { writeBatch, writeLastBatch } from './writeBatch.js'

/** So many milliseconds of a stream are lost at most when a tab is killed; fewer would be more transactions. */
const BATCH_MS = 300
/** A database that hangs must not hold up the conversation for longer. */
const READ_MS = 1_500

/** What a kept conversation works with. */
export interface KeptConversationParts extends JournalLimits {
  /** Where it is kept. */
  readonly database: JournalDatabase
  /** The backend's key. */
  readonly key: string
  /** How much one conversation may take, in characters. */
  readonly maxSize: number
  /** Told once when it cannot be kept any longer. */
  readonly report: (anomaly: Anomaly) => void
}

/**
 * Makes what keeps one conversation for one reader.
 *
 * @param parts - What it works with.
 */
export function createKeptConversation(parts: KeptConversationParts): KeptConversation {
  const { database, key, maxSize, maxAgeMs, report } = parts
  const limits: KeptLimits = { key, maxSize, writer: createId() }
  const known = new Set<string>()
  let isStopped = false
  /** Set while something waits to be written. */
  let waiting: { readonly stop: () => void } | null = null
  let queue: ConversationInput[] = []
  let writing: readonly ConversationInput[] = []

  async function read(): Promise<readonly ConversationInput[]> {
    try {
      const inputs = await within(
        READ_MS,
        database.run((tx) => readConversation(tx, limits, maxAgeMs)),
      )
      for (const { id } of inputs) if (id !== undefined) known.add(id)
      return inputs
    } catch (error) {
      fail(error)
      return []
    }
  }

  function append(inputs: readonly ConversationInput[]): void {
    if (isStopped) return
    queue.push(...inputs.filter(isNew))
    if (queue.length > 0 && writing.length === 0) waiting ??= wait()
  }

  function isNew({ id }: ConversationInput): boolean {
    if (id === undefined) return true
    return known.size < known.add(id).size
  }

  function wait(): { readonly stop: () => void } {
    const timer = setTimeout(() => void flush(), BATCH_MS)
    const unwatch = watchLeave({ onHide: () => void flush(), onLeave: leave })
    return {
      stop() {
        clearTimeout(timer)
        unwatch()
      },
    }
  }

  async function flush(): Promise<void> {
    if (writing.length > 0) return
    writing = queue
    queue = []
    try {
      if (!(await write(writing))) stop()
    } catch (error) {
      fail(error)
    }
    writing = []
    waiting?.stop()
    waiting = queue.length > 0 && !isStopped ? wait() : null
  }

  async function write(batch: readonly ConversationInput[]): Promise<boolean> {
    const attempt = (): Promise<boolean> => database.run((tx) => writeBatch(tx, limits, batch))
    try {
      return await attempt()
    } catch (error) {
      if (!isQuota(error)) throw error
      // The newest conversation first: make room for it.
      await database.run((tx) => pruneJournal(tx, { maxAgeMs, maxConversations: 0, keep: key }))
      return attempt()
    }
  }

  /** The page goes: what is under way may not end, so it is written again with the rest. A merge takes each event once. */
  function leave(): void {
    const batch = [...writing, ...queue]
    database.run((tx) => writeLastBatch(tx, limits, batch)).catch(stop)
  }

  function stop(): void {
    isStopped = true
    queue = []
    known.clear()
  }

  function fail(error: unknown): void {
    if (isStopped) return
    stop()
    const reason = error instanceof Error ? error.message : String(error)
    report({
      kind: 'not-kept',
      message: `The journal on this device cannot be used, and keeps nothing from here on: ${reason}`,
    })
  }

  return { read, append }
}

function within<Value>(ms: number, value: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${ms} ms.`)), ms)
  })
  return Promise.race([value, late]).finally(() => clearTimeout(timer))
}

function isQuota(error: unknown): boolean {
  return error instanceof Error && error.name === 'QuotaExceededError'
}
