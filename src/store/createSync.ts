import type { Conversation } from '../fold/index.js'
import type {
  AgentBackend,
  ConnectionState,
  ConversationInput,
  StreamHandle,
  TransportError,
} from '../protocol/index.js'
import type { ChatCommands } from './ChatCommands.js'
import type { ChatCore } from './ChatCore.js'
import type { ChatState } from './ChatState.js'
import { createHistory } from './createHistory.js'
import type { Inbox } from './createInbox.js'
import { createLifetime } from './createLifetime.js'
import { createQuietCheck, settleRunning } from './createQuietCheck.js'
import { createReader } from './createReader.js'
import { toTransportError } from './createSends.js'
import { findMoves, hasForeignStart } from './findMoves.js'
import { isGone } from './isGone.js'
import { withdraw } from './withdraw.js'

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
  /** Reads and folds the newest page once; tells whether nothing runs. Rejects when it cannot be read. */
  readonly readNewest: () => Promise<boolean>
  /** Opens the stream; history follows as soon as it is open, or cannot be opened soon. */
  readonly open: () => void
  /** Closes the stream and stops all that is under way. */
  readonly close: () => void
  /** To be told of each commit of what was heard. */
  readonly committed: (
    before: ChatState,
    after: Conversation,
    heard: readonly ConversationInput[],
  ) => void
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
  const history = createHistory(core, {
    lifetime,
    pageSize,
    pulse: getPulse,
    isDue: (replyId) => reader.isDue(replyId),
    onNewest: (isStored) => reader.send({ type: 'stored', isStored }),
  })
  const reader = createReader(core, { history, lifetime, onLooked, onGone })
  const quietCheck = createQuietCheck(core, {
    history: { ...history, readNewest },
    lifetime,
    pulse: getPulse,
    onQuiet,
    onRefused,
  })
  let stream: { readonly backend: AgentBackend; readonly handle: StreamHandle } | null = null
  /** Replies that ran when the stream was lost: a replay begins with what was heard of them. */
  let unproven: ReadonlySet<string> = new Set()
  /** Whether the stream was open before: only then has the backend a cursor to go on from. */
  let isBack = false

  function open(): void {
    const backend = core.backend()
    const isAlive = lifetime.watch()
    isBack = false
    core.set({ connection: { phase: 'connecting' } })
    const handle = backend.open({
      events(batch) {
        if (!isAlive()) return
        pulse += 1
        proveReplay(batch)
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
      if (connection.phase === 'connecting' && pages.phase === 'idle') look()
    })
  }

  function close(): void {
    if (stream === null) return
    shut({ phase: 'closed' })
    stream = null
  }

  function shut(connection: ConnectionState): void {
    inbox.release()
    lifetime.end()
    stream?.handle.close()
    reader.send({ type: 'closed' })
    const { history: pages } = core.get()
    core.set({
      connection,
      history: {
        ...pages,
        phase: pages.phase === 'loading' ? 'idle' : pages.phase,
        isLoadingOlder: false,
      },
    })
  }

  function connectionChanged(connection: ConnectionState): void {
    const hasFailed = connection.phase === 'waiting' || connection.phase === 'failed'
    if (hasFailed && isGone(connection.cause)) return onGone(connection.cause)
    const isOpen = connection.phase === 'open'
    const { phase } = core.get().history
    core.set({ connection: isOpen && phase === 'ready' ? { phase: 'catching-up' } : connection })
    if (hasFailed) core.taps.error(connection.cause)
    if (isOpen) expectReplay()
    // What comes before history waits for it; the fold then sees which of it history has already.
    if (isOpen && core.backend().history !== undefined) inbox.hold()
    // What is stored can be shown although nothing new is heard; what came while nothing was heard has to be.
    if (isOpen || (phase === 'idle' && connection.phase !== 'connecting')) look()
    if (isOpen) quietCheck()
  }

  function look(): void {
    if (core.backend().history !== undefined) reader.send({ type: 'wanted' })
  }

  function onLooked(): void {
    inbox.release()
    if (core.get().connection.phase === 'catching-up') core.set({ connection: { phase: 'open' } })
    quietCheck()
  }

  /** What a command wants to know. It may be the first to hear that the conversation is gone. */
  async function readNewest(): Promise<boolean> {
    try {
      const isQuiet = await history.readNewest()
      // What runs by the word of a page alone is looked at until it does not.
      if (stream !== null) quietCheck()
      return isQuiet
    } catch (cause) {
      const error = toTransportError(cause)
      if (isGone(error) && core.get().connection.phase !== 'failed') onGone(error)
      throw error
    }
  }

  /** The conversation was deleted: nothing more will come, and nothing waits. What is shown stays. */
  function onGone(cause: TransportError): void {
    shut({ phase: 'failed', cause })
    withdraw(core, core.get().conversation.requests)
    settleRunning(core)
    onRefused(cause)
  }

  function expectReplay(): void {
    const { replies } = core.get().conversation
    const running = Object.values(replies).filter(({ phase }) => phase === 'running')
    const isKept = isBack && core.backend().capabilities.resume === 'cursor'
    isBack = true
    unproven = new Set(isKept ? [] : running.map(({ replyId }) => replyId))
  }

  /** A long replay is trimmed at its beginning: if it goes on past what was heard, something between is lost. */
  function proveReplay(batch: readonly ConversationInput[]): void {
    if (unproven.size === 0) return
    const first = batch.find((input) => 'reply_id' in input && unproven.has(input.reply_id ?? ''))
    if (first === undefined) return
    unproven = new Set()
    const { id } = first
    const isKnown = id !== undefined && core.get().conversation.seen.some((ids) => ids.includes(id))
    if (!isKnown) core.fold([{ type: 'kit.gap' }])
  }

  async function loadOlder(): Promise<void> {
    await history.loadOlder()
    // Pages can be read again: what could not be compared is.
    if (stream !== null && core.get().history.error === null && reader.isStuck()) look()
  }

  function retryNow(): void {
    if (stream === null) return
    const { connection, history: pages } = core.get()
    const { phase } = connection
    const isNewer = stream.backend !== core.backend()
    if (phase === 'failed' && (isNewer || isGone(connection.cause))) {
      // The app gave a newer backend, perhaps with fresh credentials, or the conversation may be back.
      shut({ phase: 'closed' })
      return open()
    }
    if (pages.error !== null || reader.isStuck()) look()
    if (phase === 'failed' || phase === 'waiting' || phase === 'offline') {
      stream.handle.retryNow()
    }
  }

  return {
    open,
    close,
    readNewest,
    retryNow,
    loadOlder,
    committed({ conversation: before, sends }, after, heard) {
      if (stream === null) return
      if (core.backend().history !== undefined) {
        reader.send(findMoves(before, after, heard))
        const isForeign = Object.keys(sends).length === 0 && hasForeignStart(before, after)
        if (isForeign || heard.some(({ type }) => type === 'kit.gap')) look()
        // A reply that is just heard runs, whatever a page of this moment says.
        if (isForeign) pulse += 1
      }
      quietCheck()
    },
    touched() {
      pulse += 1
      if (stream !== null) quietCheck()
    },
  }
}
