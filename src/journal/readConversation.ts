import type { ConversationInput, Msg } from '../protocol/index.js'
import type { JournalTransaction } from './createJournalDatabase.js'
import type { Kept } from './Kept.js'
import type { KeptLimits } from './writeBatch.js'
import { rewriteLog } from './writeBatch.js'

/**
 * Reads what was kept of a conversation, and begins to keep it if it was not.
 *
 * @param tx - All of it happens in there.
 * @param limits - Who reads, and will write.
 * @param maxAgeMs - What was not touched for longer is forgotten.
 */
export async function readConversation(
  tx: JournalTransaction,
  limits: KeptLimits,
  maxAgeMs: number,
): Promise<readonly ConversationInput[]> {
  const { key } = limits
  const conversations = tx.objectStore('conversations')
  const now = Date.now()
  const record = await conversations.get(key)
  if (record === undefined || record.savedAt < now - maxAgeMs) {
    // A tab's last words may have come after the conversation was forgotten.
    await forgetConversation(tx, key)
    await conversations.put({ key, savedAt: now, size: 0, marks: new Map() })
    return []
  }
  const log = await rewriteLog(tx, { ...record, savedAt: now }, limits, true)
  const records = await tx.objectStore('messages').getAll(messagesOf(key))
  const messages = new Map(records.map(({ id, message }) => [id, message]))
  return log.flatMap((item) => toInput(item, messages) ?? [])
}

/**
 * Forgets a conversation.
 *
 * @param tx - All of it happens in there.
 * @param key - The backend's key.
 */
export async function forgetConversation(tx: JournalTransaction, key: string): Promise<void> {
  const batches = tx.objectStore('batches')
  const ats = await batches.index('key').getAllKeys(key)
  await Promise.all([
    tx.objectStore('conversations').delete(key),
    tx.objectStore('messages').delete(messagesOf(key)),
    ...ats.map((at) => batches.delete(at)),
  ])
}

function messagesOf(key: string): IDBKeyRange {
  return IDBKeyRange.bound([key], [key, []])
}

function toInput(item: Kept, texts: ReadonlyMap<string, string>): ConversationInput | undefined {
  if (item.type === 'place') {
    const [message] = readMessages([item.message_id], texts)
    return message && { type: 'kit.user_message', message }
  }
  if (item.type !== 'page') return item
  const { ids, type: _type, ...rest } = item
  return { type: 'kit.snapshot', mode: 'merge', messages: readMessages(ids, texts), ...rest }
}

function readMessages(ids: readonly string[], texts: ReadonlyMap<string, string>): readonly Msg[] {
  const found = ids.flatMap((id) => texts.get(id) ?? [])
  // Written by this room as the message it was; the fold looks at messages all the same.
  return found.map((text) => JSON.parse(text) as Msg)
}
