/** What an event did to a message. `orphan` = it is about a block that was never started; `bad-data` = bytes that could not be read. */
export type FoldOutcome = 'done' | 'orphan' | 'bad-data'
