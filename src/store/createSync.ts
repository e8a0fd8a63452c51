import type { Conversation } from '../fold/index.js'
import type {
  AgentBackend,
  ConnectionState,
  StreamHandle,
  TransportError,
} from '../protocol/index.js'
import type { ChatCommands } from './ChatCommands.js'
import type { ChatCore } from './ChatCore.js'
import { createComparison } from './createComparison.js'
import { createHistory } from './createHistory.js'
import type { Inbox } from './createInbox.js'
import { createLifetime } from './createLifetime.js'
import { createQuietCheck } from './createQuietCheck.js'

/** A stream whose headers are held up, such as by a proxy, must not hide what is stored for longer. */
const CONNECTING_MS = 2_000

/** What a sync works with. */
export interface SyncParts {
  /** Where the backend's inputs go. */
  readonly inbox: Inbox
  /** Messages per page. */
  readonly pageSize: number
  /** Nothing runs on the server: what was sent will have no effect any more. */
  readonly onQuiet: () => void
  /** The server refuses to say whether something runs: what was sent has failed as far as can be known. */
  readonly onRefused: (error: TransportError) => void
}

/** Keeps a conversation in step with its backend: the stored message is the truth, the stream its preview. */
export interface Sync extends Pick<ChatCommands, 'loadOlder' | 'retryNow'> {
  /** Opens the stream; history follows as soon as it is open, or cannot be opened soon. */
  readonly open: () => void
  /** Closes the stream and stops all that is under way. */
  readonly close: () => void
  /** To be told of each commit of what was heard. */
  readonly committed: (before: Conversation, after: Conversation) => void
  /** To be told when something was sent, or its sending ended. */
  readonly touched: () => void
}

/**
 * Makes the keeper of a store's connection.
 *
 * @param core - The store.
 * @param parts - What it works with.
 */
export function createSync(core: ChatCore, parts: SyncParts): Sync {
  const { inbox, pageSize, onQuiet, onRefused } = parts
  const lifetime = createLifetime()
  let pulse = 0
  const getPulse = (): number => pulse
  const history = createHistory(core, { lifetime, pageSize, pulse: getPulse })
  const comparison = createComparison(history, lifetime)
  const watchQuiet = createQuietCheck(core, {
    history,
    lifetime,
    pulse: getPulse,
    onQuiet,
    onRefused,
  })
  let stream: { readonly backend: AgentBackend; readonly handle: StreamHandle } | null = null

  function open(): void {
    const backend = core.backend()
    const isAlive = lifetime.watch()
    // What comes before history waits for it; the fold then sees which of it history has already.
    if (backend.history !== undefined) inbox.hold()
    core.set({ connection: { phase: 'connecting' } })
    const handle = backend.open({
      events(batch) {
        if (!isAlive()) return
        pulse += 1
        inbox.receive(batch)
      },
      connection(state) {
        if (isAlive()) connectionChanged(state)
      },
      anomaly(what) {
        if (isAlive()) core.taps.anomaly(what)
      },
    })
    stream = { backend, handle }
    lifetime.after(CONNECTING_MS, () => {
      const { connection, history: pages } = core.get()
      if (connection.phase === 'connecting' && pages.phase === 'idle') void catchUp()
    })
  }

  function close(): void {
    if (stream === null) return
    inbox.release()
    lifetime.end()
    stream.handle.close()
    stream = null
    const { history: pages } = core.get()
    core.set({
      connection: { phase: 'closed' },
      history: {
        ...pages,
        phase: pages.phase === 'loading' ? 'idle' : pages.phase,
        isLoadingOlder: false,
      },
    })
  }

  function connectionChanged(connection: ConnectionState): void {
    core.set({ connection })
    if (connection.phase === 'waiting' || connection.phase === 'failed') {
      core.taps.error(connection.cause)
    }
    const isOpen = connection.phase === 'open'
    // What is stored can be shown although nothing new is heard; what came while nothing was heard has to be.
    const isUnread = core.get().history.phase === 'idle' && connection.phase !== 'connecting'
    if (isOpen || isUnread) void catchUp()
    if (isOpen) watchQuiet()
  }

  async function catchUp(): Promise<void> {
    const isAlive = lifetime.watch()
    const isReturn = core.get().history.phase === 'ready'
    if (isReturn) core.set({ connection: { phase: 'catching-up' } })
    await history.load()
    if (!isAlive()) return
    if (core.get().history.phase !== 'loading') inbox.release()
    compareAgain()
    if (core.get().connection.phase === 'catching-up') core.set({ connection: { phase: 'open' } })
  }

  /** Pages can be read again: what could not be compared is. */
  function compareAgain(): void {
    if (core.get().history.error === null) comparison.again()
  }

  async function loadOlder(): Promise<void> {
    await history.loadOlder()
    if (stream !== null) compareAgain()
  }

  function retryNow(): void {
    if (stream === null) return
    if (core.get().history.phase === 'failed') void history.load()
    else comparison.again()
    const { phase } = core.get().connection
    if (phase === 'failed' && stream.backend !== core.backend()) {
      // The app gave a newer backend, perhaps with fresh credentials.
      close()
      open()
    } else if (phase === 'failed' || phase === 'waiting' || phase === 'offline') {
      stream.handle.retryNow()
    }
  }

  return {
    open,
    close,
    retryNow,
    loadOlder,
    committed(before, after) {
      if (stream === null) return
      if (core.backend().history !== undefined) comparison.committed(before, after)
      watchQuiet()
    },
    touched() {
      pulse += 1
      if (stream !== null) watchQuiet()
    },
  }
}
