import { createStore } from 'zustand/vanilla'
import type { Conversation } from '../fold/index.js'
import { createConversation } from '../fold/index.js'
import type { AgentBackend } from '../protocol/index.js'
import type { ChatCore } from './ChatCore.js'
import type { ChatOptions } from './ChatOptions.js'
import type { ChatState } from './ChatState.js'
import type { ChatStore } from './ChatStore.js'
import { scheduleFrame } from './CommitScheduler.js'
import { createCommands } from './createCommands.js'
import type { CommittedInputs } from './createInbox.js'
import { createInbox } from './createInbox.js'
import { createInterrupts } from './createInterrupts.js'
import { createJournaling } from './createJournaling.js'
import { createSends, replaceSends } from './createSends.js'
import { createSync } from './createSync.js'
import { createTaps } from './createTaps.js'
import { keepOutbox } from './keepOutbox.js'
import { releaseHeld } from './releaseHeld.js'
import { sessionOutbox } from './sessionOutbox.js'

const PAGE_SIZE = 50

/**
 * Makes the store of one conversation: it folds what the backend delivers, compares it with what is stored, and sends what the
 * person says. It opens nothing until `connect()` is called, and is garbage once nobody holds it.
 *
 * @param backend - Where the agent runs.
 * @param options - Settings and taps.
 *
 * @example
 * ```ts
 * const store = createChatStore(backend, { onError: report })
 * const disconnect = store.connect()
 * store.subscribe(({ conversation }) => print(conversation.messages))
 * await store.commands.send('Hello')
 * ```
 */
export function createChatStore(backend: AgentBackend, options: ChatOptions = {}): ChatStore {
  let latestBackend = backend
  const store = createStore<ChatState>(() => createState(backend))
  const taps = createTaps()
  taps.add(options)

  const inbox = createInbox({
    get: () => store.getState().conversation,
    schedule: options.schedule ?? scheduleFrame,
    commit,
  })
  const core: ChatCore = {
    backend: () => latestBackend,
    get: store.getState,
    set(patch) {
      store.setState(patch)
      if (patch.sends !== undefined || patch.isInterrupting !== undefined) sync.touched()
    },
    fold: inbox.fold,
    taps,
  }
  const sends = createSends(core, () => sync.readNewest())
  const interrupts = createInterrupts(core, sends, () => sync.readNewest())
  const sync = createSync(core, {
    inbox,
    pageSize: options.pageSize ?? PAGE_SIZE,
    onQuiet: () => sends.end(null),
    onRefused: (error) => sends.end(error),
  })
  const { outbox = sessionOutbox, journal } = options
  const journaling = journal && createJournaling(core, journal, sync)
  if (outbox !== false) store.subscribe(keepOutbox(core, sends, outbox))
  store.subscribe(releaseHeld(core, sends))
  const commands = createCommands(core, {
    sends,
    interrupts,
    sync,
    userName: options.userName ?? 'user',
  })

  /** The one place where the conversation changes: one new state, then the taps. */
  function commit(conversation: Conversation, inputs: CommittedInputs): void {
    const before = store.getState()
    const settled = sends.settle(before.sends, before.conversation, conversation, inputs)
    const now = { conversation, ...replaceSends(before, settled) }
    const next = { ...now, ...interrupts.settle(before.isInterrupting, now) }
    if (isChanged(before, next)) store.setState(next)
    for (const anomaly of inputs.anomalies) taps.anomaly(anomaly)
    taps.committed(inputs.heard, before.conversation, conversation)
    journaling?.committed(inputs)
    if (inputs.heard.length > 0) sync.committed(before, conversation, inputs.heard)
  }

  return {
    get backend() {
      return latestBackend
    },
    commands,
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    connect: createHold(journaling?.open ?? sync.open, journaling?.close ?? sync.close),
    addTaps: taps.add,
    adopt(newer) {
      if (newer.key !== backend.key) {
        throw new TypeError(
          `This store holds the conversation ${backend.key}, not ${newer.key}: make another store for that one.`,
        )
      }
      latestBackend = newer
    },
  }
}

function createState(backend: AgentBackend): ChatState {
  return {
    conversation: createConversation(),
    history: {
      phase: backend.history === undefined ? 'none' : 'idle',
      hasMore: false,
      isLoadingOlder: false,
      error: null,
    },
    connection: { phase: 'connecting' },
    sends: {},
    isInterrupting: false,
    error: null,
  }
}

function isChanged(before: ChatState, next: Partial<ChatState>): boolean {
  return (
    before.conversation !== next.conversation ||
    before.sends !== next.sends ||
    before.isInterrupting !== next.isInterrupting ||
    before.error !== next.error
  )
}

/** Opens with the first holder; closes one macrotask after the last, since StrictMode lets go and takes hold again at once. */
function createHold(open: () => void, close: () => void): () => () => void {
  let holders = 0
  let isOpen = false
  return () => {
    holders += 1
    if (!isOpen) {
      isOpen = true
      open()
    }
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      holders -= 1
      setTimeout(() => {
        if (holders > 0 || !isOpen) return
        isOpen = false
        close()
      }, 0)
    }
  }
}
