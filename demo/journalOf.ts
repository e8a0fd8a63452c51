import { indexedDbJournal, type Journal } from 'agentscope-react/journal'
import type { Service } from './Service.js'

const journals = new Map<string, Journal>()

/**
 * What keeps conversations on this device: only when the address says `journal=1`, and apart for each service and user.
 *
 * @param service - The service, and who asks it.
 */
export function journalOf({ url, user }: Service): Journal | undefined {
  if (new URLSearchParams(location.search).get('journal') !== '1') return undefined
  const name = `demo ${user} ${url}`
  const journal = journals.get(name) ?? indexedDbJournal({ name })
  journals.set(name, journal)
  return journal
}
