import type { Conversation } from '../fold/index.js'
import type { TransportError } from '../protocol/index.js'
import type { ChatCommands } from './ChatCommands.js'
import type { ChatCore } from './ChatCore.js'
import type { ChatState } from './ChatState.js'
import type { Sends } from './createSends.js'
import { toTransportError } from './createSends.js'
import { isAtWork } from './selectPhase.js'

type Stop = Pick<ChatState, 'isInterrupting' | 'error'>
type Moment = Pick<ChatState, 'conversation' | 'sends' | 'error'>

/** Stops replies, and knows when they have stopped. */
export interface Interrupts extends Pick<ChatCommands, 'interrupt'> {
  /** Where a stop stands now: it is over when the replies meant are, and then it did not fail either. */
  readonly settle: (isInterrupting: boolean, now: Moment) => Stop
}

/**
 * Makes the command that stops replies.
 *
 * @param core - The store.
 * @param sends - Where what is sent stands.
 * @param readNewest - Reads and folds the newest page of history.
 */
export function createInterrupts(
  core: ChatCore,
  sends: Sends,
  readNewest: () => Promise<unknown>,
): Interrupts {
  /** The replies meant: those that ran, else those that waited. Null when something was sent and nothing heard yet. */
  let targets: { readonly wasRunning: boolean; readonly replyIds: readonly string[] } | null = null
  /** Why the last stop seems to have failed. */
  let failure: TransportError | null = null

  function interrupt(): Promise<void> {
    if (core.backend().interrupt === undefined) {
      throw new TypeError(
        'This backend cannot stop a reply: look at capabilities.interrupt before offering it.',
      )
    }
    return stop()
  }

  async function stop(): Promise<void> {
    const state = core.get()
    if (state.isInterrupting || !hasTarget(state)) return
    targets = findTargets(state.conversation)
    core.set({ isInterrupting: true })
    try {
      // A stop that overtakes the message it is to stop would stop nothing.
      await sends.posted()
      if (!hasTarget(core.get())) return core.set({ isInterrupting: false })
      const replyId = targets?.replyIds[0]
      await core.backend().interrupt?.(replyId === undefined ? {} : { replyId })
      if (core.get().error !== null) core.set({ error: null })
    } catch (cause) {
      await fail(toTransportError(cause))
    }
  }

  async function fail(error: TransportError): Promise<void> {
    // It may have been taken although no answer came: then nothing runs any more.
    if (error.canRetry && core.backend().history) await readNewest().catch(() => null)
    if (!core.get().isInterrupting) return
    failure = error
    core.set({ isInterrupting: false, error })
    core.taps.error(error)
  }

  function settle(isInterrupting: boolean, now: Moment): Stop {
    const { error } = now
    const hasFailed = error !== null && error === failure
    if ((!isInterrupting && !hasFailed) || isPending(now)) return { isInterrupting, error }
    return { isInterrupting: false, error: hasFailed ? null : error }
  }

  function isPending({ conversation, sends: unsettled }: Moment): boolean {
    targets ??= findTargets(conversation)
    if (targets === null) return isAtWork({ conversation, sends: unsettled })
    const { wasRunning, replyIds } = targets
    return replyIds.some((replyId) => {
      const isRunning = conversation.replies[replyId]?.phase === 'running'
      return isRunning || (!wasRunning && isWaiting(conversation, replyId))
    })
  }

  return { interrupt, settle }
}

/** The service answers a stop of nothing with a reply that never ends, so none is sent. */
function hasTarget(state: ChatState): boolean {
  return isAtWork(state) || findTargets(state.conversation) !== null
}

function findTargets(
  conversation: Conversation,
): { wasRunning: boolean; replyIds: readonly string[] } | null {
  const running = Object.values(conversation.replies)
    .filter(({ phase, agentPath }) => phase === 'running' && agentPath.length === 0)
    .map(({ replyId }) => replyId)
  if (running.length > 0) return { wasRunning: true, replyIds: running }
  const waiting = conversation.requests.flatMap((request) =>
    request.kind === 'input' || request.worker !== null ? [] : [request.replyId],
  )
  return waiting.length > 0 ? { wasRunning: false, replyIds: [...new Set(waiting)] } : null
}

function isWaiting({ requests }: Conversation, replyId: string): boolean {
  return requests.some((request) => request.kind !== 'input' && request.replyId === replyId)
}
