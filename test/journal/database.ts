import { IDBFactory } from 'fake-indexeddb'
import 'fake-indexeddb/auto'
import { onTestFinished, vi } from 'vitest'
import type { IndexedDbJournalOptions } from '../../src/journal/index.js'
import { indexedDbJournal } from '../../src/journal/index.js'
import type { Anomaly, ConversationInput, Journal, Msg } from '../../src/protocol/index.js'

/** Gives a test an empty device. */
export function useEmptyDevice(): void {
  const before = globalThis.indexedDB
  globalThis.indexedDB = new IDBFactory()
  onTestFinished(() => {
    globalThis.indexedDB = before
  })
}

/** A tab: a journal with its own connection to the same database. */
export function openTab(options: IndexedDbJournalOptions = {}): Journal {
  return indexedDbJournal(options)
}

/** A conversation that a tab has open. */
export interface OpenConversation {
  readonly anomalies: Anomaly[]
  /** What was kept before it was opened. */
  readonly inputs: readonly ConversationInput[]
  readonly append: (inputs: readonly ConversationInput[]) => void
}

/** Opens a conversation and reads it. */
export async function openConversation(
  journal: Journal,
  key = 'conversation',
): Promise<OpenConversation> {
  const anomalies: Anomaly[] = []
  const kept = journal.open(key, (anomaly) => anomalies.push(anomaly))
  const inputs = await kept.read()
  return { anomalies, inputs, append: (heard) => kept.append(heard) }
}

/** What another tab would be given now. */
export async function readKept(key = 'conversation'): Promise<readonly ConversationInput[]> {
  const { inputs } = await openConversation(openTab(), key)
  return inputs
}

/** Waits until what is kept fulfils an expectation. */
export async function untilKept(
  expectation: (inputs: readonly ConversationInput[]) => void,
  key = 'conversation',
): Promise<void> {
  await vi.waitFor(async () => expectation(await readKept(key)), { timeout: 5_000, interval: 50 })
}

/** A page of history. */
export function pageOf(messages: readonly Msg[], is_running?: boolean): ConversationInput {
  return {
    type: 'kit.snapshot',
    mode: 'merge',
    messages,
    ...(is_running === undefined ? {} : { is_running }),
  }
}
