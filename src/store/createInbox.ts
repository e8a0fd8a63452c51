import type { Conversation } from '../fold/index.js'
import { applyEvents } from '../fold/index.js'
import type { Anomaly, ConversationInput } from '../protocol/index.js'
import type { CommitScheduler } from './CommitScheduler.js'

/** What an inbox needs from its store. */
export interface InboxOptions {
  /** The conversation of the latest commit. */
  readonly get: () => Conversation
  /** When queued inputs become state. */
  readonly schedule: CommitScheduler
  /** Publishes a commit: the backend's inputs and the store's own are already folded. */
  readonly commit: (next: Conversation, inputs: CommittedInputs) => void
}

/** What made a commit. */
export interface CommittedInputs {
  /** Inputs that the backend delivered. */
  readonly heard: readonly ConversationInput[]
  /** Operations of the store's own, and what its journal kept; folded after them. */
  readonly own: readonly ConversationInput[]
  /** What was odd about them. */
  readonly anomalies: readonly Anomaly[]
}

/** Queues inputs and folds them, many at a time. */
export interface Inbox {
  /** Takes inputs of the backend; they become state with the next frame, urgent ones at once. */
  readonly receive: (batch: readonly ConversationInput[]) => void
  /** Folds operations of the store's own at once, after what is queued (unless it is held back). */
  readonly fold: (inputs: readonly ConversationInput[]) => void
  /** Holds back what is received from now on, until history is here. */
  readonly hold: () => void
  /** Folds what is queued and held back, at once. */
  readonly release: () => void
}

/** What a person waits for, or must see without delay. */
const URGENT: ReadonlySet<string> = new Set([
  'REPLY_END',
  'REQUIRE_USER_CONFIRM',
  'REQUIRE_EXTERNAL_EXECUTION',
  'USER_CONFIRM_RESULT',
  'EXTERNAL_EXECUTION_RESULT',
  'USER_INTERRUPT',
  'EXCEED_MAX_ITERS',
  'kit.user_message',
  'kit.remove_message',
  'kit.snapshot',
  'kit.input_request',
  'kit.input_resolved',
])

/**
 * Makes the queue between a backend and the fold: one commit per frame, however many inputs come.
 *
 * @param options - The store's side.
 */
export function createInbox(options: InboxOptions): Inbox {
  let queue: ConversationInput[] = []
  let own: ConversationInput[] = []
  let isHeld = false
  let isCommitting = false
  let cancel: (() => void) | undefined

  /** A tap may send or receive: its inputs wait until the commit it was told of is over, so that taps hear in order. */
  function commitAll(): void {
    cancel?.()
    cancel = undefined
    if (isCommitting) return
    isCommitting = true
    try {
      while (own.length > 0 || (queue.length > 0 && !isHeld)) commitOnce()
    } finally {
      isCommitting = false
    }
  }

  function commitOnce(): void {
    const anomalies: Anomaly[] = []
    const inputs = { heard: isHeld ? [] : queue, own, anomalies }
    if (!isHeld) queue = []
    own = []
    const next = applyEvents(options.get(), [...inputs.heard, ...inputs.own], (anomaly) => {
      anomalies.push(anomaly)
    })
    options.commit(next, inputs)
  }

  return {
    receive(batch) {
      for (const input of batch) queue.push(input)
      if (isHeld || batch.length === 0) return
      if (batch.some(({ type }) => URGENT.has(type))) commitAll()
      else if (!isCommitting) cancel ??= options.schedule(commitAll)
    },
    fold(inputs) {
      own = [...own, ...inputs]
      commitAll()
    },
    hold() {
      commitAll()
      isHeld = true
    },
    release() {
      isHeld = false
      commitAll()
    },
  }
}
