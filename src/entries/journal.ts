export { indexedDbJournal } from '../journal/index.js'
export type { IndexedDbJournalOptions } from '../journal/index.js'
export type { Journal, KeptConversation } from '../protocol/index.js'
