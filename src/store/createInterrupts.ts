import type { Conversation } from '../fold/index.js'
import type { ChatCommands } from './ChatCommands.js'
import type { ChatCore } from './ChatCore.js'
import type { ChatState } from './ChatState.js'
import { toTransportError } from './createSends.js'
import { isAtWork } from './selectPhase.js'

/** Stops replies, and knows when they have stopped. */
export interface Interrupts extends Pick<ChatCommands, 'interrupt'> {
  /** Whether the stop that was asked for is still under way in this conversation. */
  readonly isPending: (conversation: Conversation) => boolean
}

/**
 * Makes the command that stops replies.
 *
 * @param core - The store.
 */
export function createInterrupts(core: ChatCore): Interrupts {
  /** The replies meant: those that ran, else those that waited. Null when something was sent and nothing heard yet. */
  let targets: { readonly wasRunning: boolean; readonly replyIds: readonly string[] } | null = null

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
    const replyId = targets?.replyIds[0]
    try {
      await core.backend().interrupt?.(replyId === undefined ? {} : { replyId })
      if (core.get().error !== null) core.set({ error: null })
    } catch (cause) {
      const error = toTransportError(cause)
      core.set({ isInterrupting: false, error })
      core.taps.error(error)
    }
  }

  function isPending(conversation: Conversation): boolean {
    targets ??= findTargets(conversation)
    if (targets === null) return true
    const { wasRunning, replyIds } = targets
    return replyIds.some((replyId) => {
      const isRunning = conversation.replies[replyId]?.phase === 'running'
      return isRunning || (!wasRunning && isWaiting(conversation, replyId))
    })
  }

  return { interrupt, isPending }
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
