export { indexedDbJournal } from './indexedDbJournal.js'
export type { IndexedDbJournalOptions } from './indexedDbJournal.js'
