import type { Conversation } from '../fold/index.js'
import type { HistoryPage, TransportError } from '../protocol/index.js'
import type { ChatCore } from './ChatCore.js'
import type { HistoryState } from './ChatState.js'
import { checkWorkers } from './checkWorkers.js'
import { toTransportError } from './createSends.js'
import type { Lifetime } from './createLifetime.js'
import { selectMessage } from './selectMessage.js'

/** What history works with. */
export interface HistoryParts {
  /** While the stream is open. */
  readonly lifetime: Lifetime
  /** Messages per page. */
  readonly pageSize: number
  /** Rises with all that is heard or sent: what was read before that does not know of it. */
  readonly pulse: () => number
  /** Whether a reply was heard to end, and is looked for. */
  readonly isDue: (replyId: string) => boolean
  /** The newest page was read and folded. */
  readonly onNewest: (isStored: (replyId: string) => boolean) => void
}

/** Reads stored messages into the conversation. */
export interface History {
  /**
   * Reads the newest page once and folds it. Rejects when it cannot be read.
   *
   * @returns Whether nothing runs, and nothing was heard or sent while the page was read. False when the stream was closed meanwhile.
   */
  readonly readNewest: () => Promise<boolean>
  /**
   * Whether the newest page said that something runs, and not because of a reply that was just looked for; or whether a
   * sub-agent runs whose question stands.
   */
  readonly isAwaiting: () => boolean
  /** Reads the page before the oldest stored message. Never rejects. */
  readonly loadOlder: () => Promise<void>
  /** Shows that the first page is on its way. */
  readonly show: () => void
  /** Shows and tells that the newest page could not be read; what is shown already stays. */
  readonly fail: (error: TransportError) => void
}

/**
 * Makes the reader of a store's history.
 *
 * @param core - The store.
 * @param parts - What it works with.
 */
export function createHistory(core: ChatCore, parts: HistoryParts): History {
  const { lifetime, pageSize, pulse, isDue, onNewest } = parts
  let oldestId: string | undefined
  let isAwaiting = false

  function patch(change: Partial<HistoryState>): void {
    core.set({ history: { ...core.get().history, ...change } })
  }

  async function readNewest(): Promise<boolean> {
    const isAlive = lifetime.watch()
    const before = pulse()
    const [page, areWorkersRunning] = await Promise.all([
      core.backend().history?.({ limit: pageSize }),
      checkWorkers(core),
    ])
    if (page === undefined || !isAlive()) return false
    const isFresh = before === pulse()
    core.fold([
      {
        type: 'kit.snapshot',
        mode: 'merge',
        messages: page.messages,
        ...(isFresh ? { is_running: page.isRunning } : {}),
      },
    ])
    noteOldest(page)
    const isQuiet = isFresh && !page.isRunning
    const isAgentRunning = page.isRunning && !isDue(page.messages.at(-1)?.id ?? '')
    isAwaiting = isAgentRunning || areWorkersRunning
    onNewest((replyId) => isQuiet || isEndStored(page, core.get().conversation, replyId))
    return isQuiet
  }

  /** Where older pages begin: at the first page read, or at one so much newer that the fold let go of all before. */
  function noteOldest({ messages, hasMore }: HistoryPage): void {
    const { conversation, history } = core.get()
    const isHeld = oldestId !== undefined && selectMessage(conversation, oldestId) !== undefined
    if (!isHeld) oldestId = messages[0]?.id
    const isSame = isHeld || hasMore === history.hasMore
    if (isSame && history.phase === 'ready' && history.error === null) return
    patch({ phase: 'ready', error: null, ...(isHeld ? {} : { hasMore }) })
  }

  async function loadOlder(): Promise<void> {
    const backend = core.backend()
    const { phase, hasMore, isLoadingOlder } = core.get().history
    if (backend.history === undefined || phase !== 'ready' || !hasMore || isLoadingOlder) return
    if (oldestId === undefined) return
    const isAlive = lifetime.watch()
    const before = oldestId
    patch({ isLoadingOlder: true })
    try {
      const { messages, hasMore: more } = await backend.history({ before, limit: pageSize })
      if (!isAlive()) return
      oldestId = messages[0]?.id ?? oldestId
      core.fold([{ type: 'kit.snapshot', mode: 'merge', messages, before }])
      patch({ isLoadingOlder: false, hasMore: more && messages.length > 0, error: null })
    } catch (cause) {
      if (!isAlive()) return
      const error = toTransportError(cause)
      patch({ isLoadingOlder: false, error })
      core.taps.error(error)
    }
  }

  function show(): void {
    if (core.get().history.phase !== 'ready') patch({ phase: 'loading', error: null })
  }

  function fail(error: TransportError): void {
    const { phase, error: shown } = core.get().history
    patch({ phase: phase === 'ready' ? 'ready' : 'failed', error })
    if (shown === null) core.taps.error(error)
  }

  return { readNewest, isAwaiting: () => isAwaiting, loadOlder, show, fail }
}

/** Whether a page has a reply as it was when it ended last; one that was taken up again may be stored with an earlier end. */
function isEndStored(page: HistoryPage, { replies }: Conversation, replyId: string): boolean {
  const finishedAt = page.messages.find(({ id }) => id === replyId)?.finished_at ?? ''
  return finishedAt > (replies[replyId]?.resumedAt ?? '')
}
