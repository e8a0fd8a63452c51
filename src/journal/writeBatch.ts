import type { ConversationInput, Msg } from '../protocol/index.js'
import { compactLog, isOld } from './compactLog.js'
import type { ConversationRecord, JournalTransaction } from './createJournalDatabase.js'
import type { Kept, MessageMark, MessageMarks } from './Kept.js'
import { isPage } from './Kept.js'
import { readBatches } from './readBatches.js'
import { trimLog } from './trimLog.js'

/** A picture in a stored message that is longer than this is left out: history brings it again. In characters of base64. */
const LONGEST_BINARY = 128_000

/** What several wrote is nobody's own: what each hears next finds its place by what it has in common with it. */
const NOBODY = ''

/** Whose batch it is, and how much may be kept. */
export interface KeptLimits {
  /** The backend's key. */
  readonly key: string
  /** The reader that heard the batch. */
  readonly writer: string
  /** How much one conversation may take, in characters. */
  readonly maxSize: number
}

/**
 * Writes a batch. A page of history makes what was heard before it shorter; so does a log that grew too long.
 *
 * @param tx - All of it happens in there.
 * @param limits - Whose batch it is.
 * @param inputs - The batch.
 * @returns False when the conversation was forgotten meanwhile: then nothing is written.
 */
export async function writeBatch(
  tx: JournalTransaction,
  limits: KeptLimits,
  inputs: readonly ConversationInput[],
): Promise<boolean> {
  const { key, writer, maxSize } = limits
  const record = await tx.objectStore('conversations').get(key)
  if (record === undefined) return false
  const marks = new Map(record.marks)
  const pages = inputs.filter(isPage)
  await Promise.all(
    pages.flatMap(({ messages }) => messages.map((message) => putMessage(tx, key, message, marks))),
  )
  // A tab in the background writes late, when another one may have kept the end already.
  const fresh = inputs.map(toKept).filter((item) => !isOld(item, record.marks))
  const items = JSON.stringify(fresh)
  await tx.objectStore('batches').add({ key, writer, items })
  const next = { ...record, savedAt: Date.now(), size: record.size + items.length, marks }
  if (pages.length > 0 || next.size > maxSize) await rewriteLog(tx, next, limits)
  else await tx.objectStore('conversations').put(next)
  return true
}

/**
 * Writes the last batch of a page that goes: in one step, since the page may not live to see a second one. Pages of history are
 * left out, as they would have to be compared with what is there.
 *
 * @param tx - It happens in there, and ends with it.
 * @param limits - Whose batch it is.
 * @param inputs - The batch.
 */
export async function writeLastBatch(
  tx: JournalTransaction,
  { key, writer }: KeptLimits,
  inputs: readonly ConversationInput[],
): Promise<void> {
  const items = JSON.stringify(inputs.filter((input) => !isPage(input)))
  const added = tx.objectStore('batches').add({ key, writer, items })
  tx.commit()
  await added
}

/**
 * Writes what all readers of a conversation heard as one batch, without what is not needed, and not too long.
 *
 * @param tx - All of it happens in there.
 * @param record - The conversation.
 * @param limits - Who writes.
 * @param isRead - Whether the writer folds all of it now, so that what it hears next comes after it.
 * @returns What is kept from here on.
 */
export async function rewriteLog(
  tx: JournalTransaction,
  record: ConversationRecord,
  { key, writer, maxSize }: KeptLimits,
  isRead = false,
): Promise<readonly Kept[]> {
  const batches = tx.objectStore('batches')
  const { ats, writers, log } = await readBatches(tx, key)
  const written = trimLog(compactLog(log, record.marks), record.marks, maxSize)
  const marks: MessageMarks = new Map([...record.marks].filter(([id]) => written.ids.has(id)))
  const gone = [...record.marks.keys()].filter((id) => !marks.has(id))
  const isOwn = isRead || [...writers].every((each) => each === writer)
  await Promise.all([
    ...ats.map((at) => batches.delete(at)),
    ...gone.map((id) => tx.objectStore('messages').delete([key, id])),
    batches.add({ key, writer: isOwn ? writer : NOBODY, items: written.json }),
    tx.objectStore('conversations').put({ ...record, marks, size: written.size }),
  ])
  return written.log
}

async function putMessage(
  tx: JournalTransaction,
  key: string,
  message: Msg,
  marks: Map<string, MessageMark>,
): Promise<void> {
  const { id, finished_at: finishedAt } = message
  const json = JSON.stringify(message, leaveOutBinary)
  const mark = { size: json.length, hash: hashOf(json), finishedAt }
  const held = marks.get(id)
  // Another tab may have read a later page and written it first.
  const isOlder = held !== undefined && held.finishedAt !== null && finishedAt === null
  const isSame = held?.size === mark.size && held.hash === mark.hash
  if (isOlder || isSame) return
  marks.set(id, mark)
  await tx.objectStore('messages').put({ key, id, message: json })
}

function leaveOutBinary(name: string, value: unknown): unknown {
  return name === 'data' && typeof value === 'string' && value.length > LONGEST_BINARY ? '' : value
}

function toKept(input: ConversationInput): Kept {
  if (!isPage(input)) return input
  const { before, is_running } = input
  return {
    type: 'page',
    ids: input.messages.map(({ id }) => id),
    ...(before === undefined ? {} : { before }),
    ...(is_running === undefined ? {} : { is_running }),
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x81_1c_9d_c5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93)
  }
  return hash
}
