import type { HistoryPage, TransportError } from '../protocol/index.js'
import type { ChatCore } from './ChatCore.js'
import type { HistoryState } from './ChatState.js'
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
}

/** A page that was read and folded. */
interface FoldedPage {
  /** Whether nothing was heard or sent while it was read. */
  readonly isFresh: boolean
  /** Whether the server said that a run is under way. */
  readonly isRunning: boolean
  /** Whether the page holds all that will be stored of a reply so far; `false` = look again later. */
  readonly isSettled: (replyId: string) => boolean
}

/** Reads stored messages into the conversation. */
export interface History {
  /** Shows what is stored, for the first time or after the connection was lost. Never rejects. */
  readonly load: () => Promise<void>
  /** Reads the newest page once. Rejects when it cannot be read; null when the stream was closed meanwhile. */
  readonly readNewest: () => Promise<FoldedPage | null>
  /** Reads the page before the oldest stored message. Never rejects. */
  readonly loadOlder: () => Promise<void>
  /** Shows and tells that a page could not be read after all tries; what is shown already stays. */
  readonly fail: (error: TransportError) => void
  /** A page was read after all: this failure is over. */
  readonly recover: (error: TransportError) => void
}

/**
 * Makes the reader of a store's history.
 *
 * @param core - The store.
 * @param parts - What it works with.
 */
export function createHistory(core: ChatCore, parts: HistoryParts): History {
  const { lifetime, pageSize, pulse } = parts
  let oldestId: string | undefined
  /** The load under way, and whether the stream was opened again since it began. */
  let loading: { readonly isAlive: () => boolean; isStale: boolean } | null = null

  function patch(change: Partial<HistoryState>): void {
    core.set({ history: { ...core.get().history, ...change } })
  }

  async function load(): Promise<void> {
    if (core.backend().history === undefined) return
    if (loading?.isAlive()) {
      loading.isStale = true
      return
    }
    const mine = { isAlive: lifetime.watch(), isStale: false }
    loading = mine
    await loadOnce()
    if (!mine.isAlive()) return
    loading = null
    if (mine.isStale) await load()
  }

  async function loadOnce(): Promise<void> {
    const isFirst = core.get().history.phase !== 'ready'
    const isAlive = lifetime.watch()
    if (isFirst) patch({ phase: 'loading', error: null })
    try {
      const page = await readNewest()
      if (page !== null) patch({ phase: 'ready', error: null })
    } catch (cause) {
      if (!isAlive()) return
      const error = toTransportError(cause)
      patch({ phase: isFirst ? 'failed' : 'ready', error })
      core.taps.error(error)
    }
  }

  async function readNewest(): Promise<FoldedPage | null> {
    const isAlive = lifetime.watch()
    const before = pulse()
    const page = await core.backend().history?.({ limit: pageSize })
    if (page === undefined || !isAlive()) return null
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
    return describePage(page, isFresh)
  }

  /** Where older pages begin: at the first page read, or at one so much newer that the fold let go of all before. */
  function noteOldest({ messages, hasMore }: HistoryPage): void {
    const isHeld = oldestId !== undefined && hasMessage(core, oldestId)
    if (isHeld) return
    oldestId = messages[0]?.id
    patch({ hasMore })
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

  function fail(error: TransportError): void {
    patch({ error })
    core.taps.error(error)
  }

  function recover(error: TransportError): void {
    if (core.get().history.error === error) patch({ error: null })
  }

  return { load, readNewest, loadOlder, fail, recover }
}

function describePage({ messages, isRunning }: HistoryPage, isFresh: boolean): FoldedPage {
  const finished = new Map(messages.map(({ id, finished_at }) => [id, finished_at !== null]))
  const isAll = isFresh && !isRunning
  return { isFresh, isRunning, isSettled: (replyId) => isAll || finished.get(replyId) === true }
}

function hasMessage(core: ChatCore, id: string): boolean {
  return selectMessage(core.get().conversation, id) !== undefined
}
