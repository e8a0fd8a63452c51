import { isJsonObject, type JsonObject, type JsonValue } from '../../protocol/index.js'
import { readList, readWord } from './readBody.js'

/** A place for a few words that survive a reload: `sessionStorage`, `localStorage`, or one's own. One that throws is done without. */
export type TaskApiStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** A task that was begun and is not known to be over. */
export interface KnownTask {
  /** The task. */
  readonly id: string
  /** The message that began it, under the id it was sent with. */
  readonly sent?: string | undefined
  /** The same by the server's id, once it is known. */
  readonly echo?: string | undefined
  /** The stored message after which its reply is named, by the server's id. */
  readonly opener?: string | undefined
  /** That message has its answer: one that the task tells counts more. */
  readonly isAnswered?: boolean | undefined
  /** What is needed to read on in the middle. */
  readonly primer?: readonly JsonObject[] | undefined
  /** How many of its events went into that. */
  readonly cursor?: number | undefined
}

/** A message that was sent, and of which the server's id is not known yet. */
export interface SentMessage {
  /** The id it was sent with. */
  readonly id: string
  /** Its words: by them it is found in what is stored. */
  readonly words: string
}

/** What has to be known of a conversation after a reload. */
export interface TaskMemory {
  /** The task under way. */
  task: KnownTask | null
  /** Messages without an id of the server's. */
  sent: readonly SentMessage[]
}

/** So many messages are kept, and so much of each. */
const MESSAGES = 50
const LONGEST_WORDS = 1_000

/** What is compared of a message. */
export function cutWords(words: string): string {
  return words.trim().slice(0, LONGEST_WORDS)
}

/**
 * Reads what was kept.
 *
 * @param storage - Where; null = nowhere.
 * @param key - Under which name.
 */
export function readTaskMemory(storage: TaskApiStorage | null, key: string): TaskMemory {
  let kept: unknown
  try {
    kept = JSON.parse(storage?.getItem(key) ?? '{}')
  } catch {
    // Somebody else wrote there, or reading is forbidden.
  }
  const { task, sent }: { readonly [name: string]: JsonValue } = isJsonObject(kept) ? kept : {}
  return { task: readTask(task), sent: readSent(sent) }
}

/**
 * Keeps it.
 *
 * @param storage - Where; null = nowhere.
 * @param key - Under which name.
 * @param memory - What.
 */
export function writeTaskMemory(
  storage: TaskApiStorage | null,
  key: string,
  { task, sent }: TaskMemory,
): void {
  try {
    if (task === null && sent.length === 0) storage?.removeItem(key)
    else storage?.setItem(key, JSON.stringify({ task, sent: sent.slice(-MESSAGES) }))
  } catch {
    // It is full, or forbidden: the page works on, and a reload finds less.
  }
}

/** The tab's own, where there is a page and it may be used. */
export function pageStorage(): TaskApiStorage | null {
  try {
    return typeof window === 'undefined' ? null : window.sessionStorage
  } catch {
    return null
  }
}

function readTask(value: JsonValue | undefined): KnownTask | null {
  if (!isJsonObject(value)) return null
  const id = readWord(value['id'])
  if (id === undefined) return null
  const [sent, echo, opener] = ['sent', 'echo', 'opener'].map((name) => readWord(value[name]))
  const { cursor } = value
  const isPrimed = typeof cursor === 'number'
  return { id, sent, echo, opener, ...(isPrimed && { cursor, primer: readList(value['primer']) }) }
}

function readSent(value: JsonValue | undefined): readonly SentMessage[] {
  return readList(value).flatMap(({ id, words }) =>
    typeof id === 'string' && typeof words === 'string' ? [{ id, words }] : [],
  )
}
