import type { Conversation, ReplyInfo } from '../fold/index.js'
import { TransportError } from '../protocol/index.js'
import type { ChatCore } from './ChatCore.js'
import type { Decision } from './ChatCommands.js'
import type { ChatState, SendState } from './ChatState.js'
import type { CommittedInputs } from './createInbox.js'

/** Something to send, which may be sent again as it is. */
interface SendJob {
  /** Its keys in `sends`: a message's id, or the keys of the requests it answers. */
  readonly keys: readonly string[]
  /** An answer is done when its requests are gone; a message when a reply begins or history shows it. */
  readonly kind: 'message' | 'answer'
  /** The person's decisions, by key. */
  readonly decisions?: ReadonlyMap<string, Decision>
  /** One attempt; rejects when it fails. */
  readonly run: () => Promise<void>
}

type SendStates = ChatState['sends']

/** Keeps the `sends` of a store: what is on its way, and what failed and can be sent again. */
export interface Sends {
  /** Whether something under this key is on its way, so that nothing else may be sent for it. */
  readonly isLocked: (key: string) => boolean
  /** Sends a job. The lock is taken before this returns; the promise never rejects. */
  readonly start: (job: SendJob) => Promise<void>
  /** Shows decisions that wait for others. */
  readonly hold: (decisions: ReadonlyMap<string, Decision | undefined>) => void
  /** The failed job under a key, if any. */
  readonly failed: (key: string) => SendJob | undefined
  /** Forgets what stands under these keys. */
  readonly forget: (keys: readonly string[]) => void
  /** `sends` without what the commit shows to have arrived. */
  readonly settle: (
    sends: SendStates,
    before: Conversation,
    after: Conversation,
    why: CommittedInputs,
  ) => SendStates
  /** `sends` without what the server took: nothing runs, so it will have no effect. */
  readonly settleSent: (sends: SendStates) => SendStates
  /** `sends` with what the server took as failed: it may be sent again. */
  readonly failSent: (sends: SendStates, error: TransportError) => SendStates
}

/**
 * Makes the keeper of a store's `sends`.
 *
 * @param core - The store.
 */
export function createSends(core: ChatCore): Sends {
  const jobs = new Map<string, SendJob>()

  function isLocked(key: string): boolean {
    const phase = core.get().sends[key]?.phase
    return phase === 'sending' || phase === 'sent'
  }

  async function start(job: SendJob): Promise<void> {
    mark(job, job.keys, () => ({ phase: 'sending' }))
    try {
      await job.run()
      mark(job, job.keys.filter(isStillSending), () => ({ phase: 'sent' }))
      if (core.get().error !== null) core.set({ error: null })
    } catch (cause) {
      fail(job, toTransportError(cause))
    }
  }

  function fail(job: SendJob, error: TransportError): void {
    const keys = job.keys.filter((key) => isStillSending(key) || isRefusal(job, error))
    // Its effect was heard meanwhile: only the answer to the request was lost.
    if (keys.length === 0) return
    mark(job, keys, () => ({ phase: 'failed', error }))
    core.set({ error })
    core.taps.error(error)
  }

  function isStillSending(key: string): boolean {
    return core.get().sends[key]?.phase === 'sending'
  }

  function mark(job: SendJob, keys: readonly string[], state: () => SendState): void {
    if (keys.length === 0) return
    const sends = { ...core.get().sends }
    for (const key of keys) {
      jobs.set(key, job)
      const decision = job.decisions?.get(key)
      sends[key] = decision === undefined ? state() : { ...state(), decision }
    }
    core.set({ sends })
  }

  function hold(decisions: ReadonlyMap<string, Decision | undefined>): void {
    const sends = { ...core.get().sends }
    for (const [key, decision] of decisions) {
      sends[key] = decision === undefined ? { phase: 'held' } : { phase: 'held', decision }
    }
    core.set({ sends })
  }

  function forget(keys: readonly string[]): void {
    const gone = new Set(keys)
    core.set({ sends: drop(core.get().sends, (key) => gone.has(key)) })
  }

  function settle(
    sends: SendStates,
    before: Conversation,
    after: Conversation,
    { own }: CommittedInputs,
  ): SendStates {
    if (Object.keys(sends).length === 0) return sends
    const stored = new Set(
      own.flatMap((input) =>
        input.type === 'kit.snapshot' ? input.messages.map(({ id }) => id) : [],
      ),
    )
    const waiting = new Set(after.requests.map(({ key }) => key))
    const hasBegun = hasReplyBegun(before, after)
    return drop(sends, (key, { phase }) => {
      if (jobs.get(key)?.kind !== 'message') return !waiting.has(key)
      return stored.has(key) || (hasBegun && phase !== 'failed')
    })
  }

  function failSent(sends: SendStates, error: TransportError): SendStates {
    const entries = Object.entries(sends).map(([key, state]): [string, SendState] => [
      key,
      state.phase === 'sent' ? { ...state, phase: 'failed', error } : state,
    ])
    return Object.fromEntries(entries)
  }

  /** What is settled is forgotten with its job, which may hold pictures. */
  function drop(sends: SendStates, isGone: (key: string, state: SendState) => boolean): SendStates {
    const entries = Object.entries(sends)
    const kept = entries.filter(([key, state]) => !isGone(key, state))
    if (kept.length === entries.length) return sends
    const left: SendStates = Object.fromEntries(kept)
    for (const [key] of entries) if (!Object.hasOwn(left, key)) jobs.delete(key)
    return left
  }

  return {
    isLocked,
    start,
    hold,
    failed: (key) => (core.get().sends[key]?.phase === 'failed' ? jobs.get(key) : undefined),
    forget,
    settle,
    settleSent: (sends) => drop(sends, (_key, { phase }) => phase === 'sent'),
    failSent,
  }
}

/** A message the server refused stays refused, though another reply began meanwhile; a decision without a request is settled. */
function isRefusal({ kind }: SendJob, { status }: TransportError): boolean {
  return kind === 'message' && status !== undefined
}

/** Whether the agent itself took up work between two commits. */
function hasReplyBegun(before: Conversation, after: Conversation): boolean {
  if (before.replies === after.replies) return false
  return Object.values(after.replies).some((reply) => {
    const known = before.replies[reply.replyId]
    if (reply === known || reply.agentPath.length > 0) return false
    if (known !== undefined && isUnderWay(known)) return false
    return isUnderWay(reply) || reply.phase !== 'running'
  })
}

function isUnderWay({ phase, hasBegun }: ReplyInfo): boolean {
  return phase === 'running' && hasBegun
}

/** A backend rejects with a `TransportError`; whatever else it throws is made one, so that state needs to know only one kind. */
export function toTransportError(cause: unknown): TransportError {
  if (cause instanceof TransportError) return cause
  const message = cause instanceof Error ? cause.message : String(cause)
  return new TransportError('malformed', `The backend failed unexpectedly: ${message}`, { cause })
}
