import { isJsonObject } from '../protocol/index.js'
import type { Outbox, OutboxEntry } from './Outbox.js'

const PREFIX = 'agentscope-react:'

/** Longer ones, such as messages with pictures, would fill the storage: a tab has about five million characters. */
const LONGEST_ENTRY = 250_000

/**
 * The outbox of a page: the tab's own `sessionStorage`, so that a reload finds what was being sent and another tab does not.
 * Entries of more than 250,000 characters are left out. Keeps nothing where there is no page.
 */
export const sessionOutbox: Outbox = {
  read(key) {
    const entries: unknown = JSON.parse(storage()?.getItem(PREFIX + key) ?? '[]')
    return Array.isArray(entries) ? entries.filter(isEntry) : []
  },
  write(key, entries) {
    const kept = entries.map((entry) => JSON.stringify(entry))
    const short = kept.filter(({ length }) => length <= LONGEST_ENTRY)
    if (short.length === 0) storage()?.removeItem(PREFIX + key)
    else storage()?.setItem(PREFIX + key, `[${short.join()}]`)
  },
}

/** Asked for each time: it may be forbidden, which throws, and a server has none that belongs to one person. */
function storage(): Storage | undefined {
  return typeof window === 'undefined' ? undefined : window.sessionStorage
}

/** Anyone may write to the storage of a page; what is inside a message or an answer is looked at where it is used. */
function isEntry(value: unknown): value is OutboxEntry {
  return isJsonObject(value) && isJsonObject(value['message'] ?? value['answer'])
}
