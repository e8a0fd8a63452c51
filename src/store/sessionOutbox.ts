import { isJsonObject } from '../protocol/index.js'
import type { Outbox, OutboxEntry } from './Outbox.js'

const PREFIX = 'agentscope-react:'

/** Longer ones, such as messages with pictures, would fill the storage: a tab has about five million characters. */
const LONGEST_ENTRY = 250_000
/** What is kept of a text in such a message. */
const LONGEST_TEXT = 10_000

/**
 * The outbox of a page: the tab's own `sessionStorage`, so that a reload finds what was being sent and another tab does not.
 * A message of more than 250,000 characters is kept without its files and with the beginning of its texts (`isPartial`); an
 * answer of that size is left out: its request is asked again. Keeps nothing where there is no page.
 */
export const sessionOutbox: Outbox = {
  read(key) {
    const entries: unknown = JSON.parse(storage()?.getItem(PREFIX + key) ?? '[]')
    return Array.isArray(entries) ? entries.filter(isEntry) : []
  },
  write(key, entries) {
    const kept = entries.flatMap(fit)
    if (kept.length === 0) storage()?.removeItem(PREFIX + key)
    else storage()?.setItem(PREFIX + key, `[${kept.join()}]`)
  },
}

/** Asked for each time: it may be forbidden, which throws, and a server has none that belongs to one person. */
function storage(): Storage | undefined {
  return typeof window === 'undefined' ? undefined : window.sessionStorage
}

/** As JSON, in a size that can be kept. Of a message too large there is enough left to show that it was not sent. */
function fit(entry: OutboxEntry): readonly string[] {
  const json = JSON.stringify(entry)
  if (json.length <= LONGEST_ENTRY) return [json]
  if (!entry.message) return []
  const content = entry.message.content.flatMap((block) =>
    block.type === 'text' ? { ...block, text: block.text.slice(0, LONGEST_TEXT) } : [],
  )
  return [JSON.stringify({ ...entry, message: { ...entry.message, content }, isPartial: true })]
}

/** Anyone may write to the storage of a page; what is inside a message or an answer is looked at where it is used. */
function isEntry(value: unknown): value is OutboxEntry {
  return isJsonObject(value) && Array.isArray(value['keys'])
}
