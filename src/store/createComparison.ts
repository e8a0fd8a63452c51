import type { Conversation } from '../fold/index.js'
import type { TransportError } from '../protocol/index.js'
import type { History } from './createHistory.js'
import type { Lifetime } from './createLifetime.js'
import { toTransportError } from './createSends.js'

/** The service stores a run after its last event: look soon, then give it time. */
const DELAYS_MS: readonly number[] = [150, 400, 1_000, 3_000, 8_000]

/** Compares replies with what is stored of them. */
export interface Comparison {
  /** Looks at a commit of what was heard: replies that ended or parked in it are to be compared. */
  readonly committed: (before: Conversation, after: Conversation) => void
  /** Compares what is still due after pages could not be read: the person asked, or a page came again. */
  readonly again: () => void
}

/**
 * Makes what compares each reply with history once it ended or parked: the stream may have lost events without a sign.
 *
 * @param history - Reads and folds what is stored.
 * @param lifetime - While the stream is open.
 */
export function createComparison(history: History, lifetime: Lifetime): Comparison {
  const due = new Set<string>()
  let attempt = 0
  let isRunning = (): boolean => false
  /** Why the last round was given up. */
  let failure: TransportError | null = null

  function committed(before: Conversation, after: Conversation): void {
    const settled = findSettled(before, after)
    if (settled.length === 0) return
    for (const replyId of settled) due.add(replyId)
    attempt = 0
    if (!isRunning()) void compare()
  }

  function again(): void {
    if (due.size === 0 || isRunning()) return
    attempt = 0
    void compare()
  }

  async function compare(): Promise<void> {
    const isAlive = lifetime.watch()
    let isDone = false
    let cause: unknown = null
    isRunning = () => isAlive() && !isDone
    for (; due.size > 0; attempt += 1) {
      const delay = DELAYS_MS[attempt]
      if (delay === undefined) break
      await lifetime.pause(delay)
      cause = null
      // A page that cannot be read is tried again like one that is not complete.
      const page = await history.readNewest().catch((error: unknown) => {
        cause = error
        return null
      })
      if (!isAlive()) return
      if (page !== null) recover()
      for (const replyId of due) if (page?.isSettled(replyId)) due.delete(replyId)
    }
    isDone = true
    if (cause === null || due.size === 0) return due.clear()
    // The stream may have lost events of these replies: they stay due, and the person is told.
    failure = toTransportError(cause)
    history.fail(failure)
  }

  function recover(): void {
    if (failure !== null) history.recover(failure)
    failure = null
  }

  return { committed, again }
}

/** Replies of the agent itself that ended or parked, or went on while parked. */
function findSettled(before: Conversation, after: Conversation): readonly string[] {
  const written = after.messages
    .filter((message, index) => message !== before.messages[index])
    .flatMap(({ id }) => after.replies[id] ?? [])
  const changed =
    before.replies === after.replies
      ? []
      : Object.values(after.replies).filter(
          ({ replyId, phase }) => before.replies[replyId]?.phase !== phase,
        )
  const settled = [...written, ...changed].filter(
    ({ phase, hasBegun, agentPath }) => phase !== 'running' && hasBegun && agentPath.length === 0,
  )
  return settled.map(({ replyId }) => replyId)
}
