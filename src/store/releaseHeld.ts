import type { ChatCore } from './ChatCore.js'
import type { ChatState } from './ChatState.js'
import type { Sends } from './createSends.js'
import { selectSendBlock } from './selectSendBlock.js'

/** The service refuses messages until it has stored the run, which is after its last event. */
const FIRST_DELAY_MS = 300
const LONGEST_DELAY_MS = 10_000

/**
 * Makes what sends messages that wait, one by one, once the conversation is free. One that is refused all the same waits on.
 *
 * @param core - The store.
 * @param sends - Where what is sent stands.
 * @returns To be told of each state.
 */
export function releaseHeld(core: ChatCore, sends: Sends): (state: ChatState) => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let delay = FIRST_DELAY_MS

  function next(state: ChatState): string | undefined {
    const isFree =
      state.connection.phase === 'open' &&
      selectSendBlock(state, core.backend().capabilities) === null
    if (!isFree) return undefined
    return Object.keys(state.sends).find(
      (key) => state.sends[key]?.phase === 'held' && sends.job(key)?.message,
    )
  }

  function release(): void {
    timer = undefined
    delay = Math.min(delay * 2, LONGEST_DELAY_MS)
    const job = sends.job(next(core.get()) ?? '')
    if (job !== undefined) void sends.start(job)
  }

  return (state) => {
    if (Object.keys(state.sends).length === 0) delay = FIRST_DELAY_MS
    if (next(state) === undefined) {
      clearTimeout(timer)
      timer = undefined
    } else timer ??= setTimeout(release, delay)
  }
}
