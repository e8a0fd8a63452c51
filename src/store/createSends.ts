import type { Conversation, ReplyInfo } from '../fold/index.js'
import type { Msg } from '../protocol/index.js'
import { TransportError } from '../protocol/index.js'
import type { ChatCore } from './ChatCore.js'
import type { ChatState, SendState } from './ChatState.js'
import type { CommittedInputs } from './createInbox.js'
import type { OutboxEntry } from './Outbox.js'
import { hasNotArrived } from './hasNotArrived.js'
import { isGone } from './isGone.js'
import { selectMessage } from './selectMessage.js'
import { selectSendBlock } from './selectSendBlock.js'
import type { Verdict } from './Verdict.js'

/**
 * Something to send, which may be sent again as it is. A message is done when a reply begins or history shows it, an answer
 * when its requests are gone. A job with neither is a decision that waits for others.
 */
export interface SendJob extends Omit<OutboxEntry, 'isHeld' | 'isUnsent'> {
  /** What is said about each request, by key; not known of an answer that an earlier page left. */
  readonly verdicts?: ReadonlyMap<string, Verdict>
  /** Whether it waits while the conversation is not free, instead of failing. */
  readonly whenFree?: boolean
}

type SendStates = ChatState['sends']

/** Keeps the `sends` of a store: what is on its way, and what failed and can be sent again. */
export interface Sends {
  /** Whether something under this key is on its way, so that nothing else may be sent for it. */
  readonly isLocked: (key: string) => boolean
  /**
   * Sends a job. The lock is taken before this returns; the promise never rejects. What may have arrived already is looked
   * for in history first, and not sent a second time when it is there.
   */
  readonly start: (job: SendJob) => Promise<void>
  /** Shows a job as waiting. */
  readonly hold: (job: SendJob) => void
  /** Shows a job as failed, and tells it; `isSure`: whether it certainly had no effect. */
  readonly fail: (job: SendJob, error: TransportError, isSure: boolean) => void
  /** The job under a key, if any. */
  readonly job: (key: string) => SendJob | undefined
  /** Resolves when no request is under way. */
  readonly posted: () => Promise<unknown>
  /** Forgets what stands under these keys. */
  readonly forget: (keys: readonly string[]) => void
  /** `sends` without what the commit shows to have arrived. */
  readonly settle: (
    sends: SendStates,
    before: Conversation,
    after: Conversation,
    why: CommittedInputs,
  ) => SendStates
  /**
   * Nothing runs, or the server will not say (an error): what it took will have no effect any more. A message that it does not
   * store, and an answer to what still waits, have failed, and may be sent again.
   */
  readonly end: (refusal: TransportError | null) => void
}

/**
 * Makes the keeper of a store's `sends`.
 *
 * @param core - The store.
 * @param readNewest - Reads and folds the newest page of history; tells whether nothing runs. Rejects when it cannot be read.
 */
export function createSends(core: ChatCore, readNewest: () => Promise<boolean>): Sends {
  const jobs = new Map<string, SendJob>()
  /** Requests under way. */
  const posting = new Map<SendJob, Promise<void>>()

  function phaseOf(key: string): SendState['phase'] | undefined {
    return core.get().sends[key]?.phase
  }

  /** Whether history knows what arrived. */
  function canTell(): boolean {
    return core.backend().history !== undefined
  }

  function isLocked(key: string): boolean {
    const phase = phaseOf(key)
    return phase === 'sending' || phase === 'sent'
  }

  function start(job: SendJob): Promise<void> {
    const before = job.keys.map((key) => core.get().sends[key])
    const isDoubtful = before.some((state) => mayHaveArrived(job, state))
    // It stays where it was shown while history is looked at.
    if (job.message && before.some(hasNotArrived)) moveToEnd(job.message)
    mark(job, job.keys, { phase: 'sending' })
    const attempt = run(job, isDoubtful).finally(() => posting.delete(job))
    posting.set(job, attempt)
    return attempt
  }

  async function run(job: SendJob, isDoubtful: boolean): Promise<void> {
    let error: TransportError
    let arrived: boolean | null = isDoubtful ? null : false
    try {
      if (isDoubtful) arrived = await hasArrived(job)
      if (arrived === true) return
      if (arrived === null) throw notFree('is busy')
      await post(job)
      // From here on a reply that begins is its effect, also one that begins at once.
      posting.delete(job)
      return taken(job)
    } catch (cause) {
      error = toTransportError(cause)
    }
    // What was refused or never went out had no effect; anything else may have had one although no answer came.
    const mayHaveActed = error.canRetry && !error.isUnsent
    if (arrived === false && mayHaveActed) arrived = await hasArrived(job).catch(() => null)
    if (arrived !== true) fail(job, error, arrived === false)
    if (isGone(error)) await readNewest().catch(() => null)
  }

  async function post({ message, answer, isPartial }: SendJob): Promise<void> {
    const backend = core.backend()
    const { connection } = core.get()
    if (connection.phase === 'failed' && isGone(connection.cause)) throw connection.cause
    if (answer !== undefined) return backend.answer([answer])
    if (!message) return backend.send(null)
    if (isPartial) throw notKept()
    if (selectSendBlock(core.get(), backend.capabilities) === 'awaiting-person') {
      throw notFree('waits for an answer and would never see the message: answer first')
    }
    moveToEnd(message)
    return backend.send([message])
  }

  /** The server will store it after what was said meanwhile. */
  function moveToEnd(message: Msg): void {
    if (core.get().conversation.messages.at(-1)?.id === message.id) return
    core.fold([
      { type: 'kit.remove_message', message_id: message.id },
      { type: 'kit.user_message', message },
    ])
  }

  function taken(job: SendJob): void {
    // What was heard of it already is its effect.
    const heard = job.keys.filter((key) => phaseOf(key) === 'sent')
    mark(job, job.keys.filter(isLocked), { phase: 'sent' })
    forget(heard)
    if (core.get().error !== null) core.set({ error: null })
  }

  /** Looks whether a job that may have arrived did; null when that is not known yet. Rejects when it cannot be read. */
  async function hasArrived(job: SendJob): Promise<boolean | null> {
    const isHeard = (): boolean => job.keys.every((key) => phaseOf(key) !== 'sending')
    if (!canTell()) return isHeard()
    const isQuiet = await readNewest()
    // Folding the page settled what is in it.
    if (!job.keys.some(isLocked)) return true
    // The service stores a message a moment after it took it: what runs may be its effect.
    if (job.message) return isQuiet ? false : null
    if (isQuiet && !isHeard()) return false
    // An answer and a going-on leave no message: what runs may be their effect, which the stream will tell.
    mark(job, job.keys.filter(isLocked), { phase: 'sent' })
    return true
  }

  function fail(job: SendJob, error: TransportError, isSure: boolean): void {
    const keys = job.keys.filter(isLocked)
    if (keys.length === 0) return
    if (job.whenFree && error.reason === 'conflict') return mark(job, keys, { phase: 'held' })
    mark(job, keys, { phase: 'failed', error, isSure })
    core.set({ error })
    core.taps.error(error)
  }

  function mark(job: SendJob, keys: readonly string[], state: SendState): void {
    if (keys.length === 0) return
    const sends = { ...core.get().sends }
    for (const key of keys) {
      jobs.set(key, job)
      const decision = job.verdicts?.get(key)?.decision
      sends[key] = decision === undefined ? state : { ...state, decision }
    }
    core.set(replaceSends(core.get(), sends))
  }

  function forget(keys: readonly string[]): void {
    if (keys.length === 0) return
    const sends = change(core.get().sends, (key, state) => (keys.includes(key) ? null : state))
    core.set(replaceSends(core.get(), sends))
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
    // Which of several it is the effect of, only history can tell.
    const said = Object.keys(sends).filter((key) => jobs.get(key)?.message !== undefined)
    const isOpen = canTell() && said.filter(isLocked).length > 1
    return change(sends, (key, state) => {
      const job = jobs.get(key)
      if (job?.message === undefined) return waiting.has(key) ? state : null
      if (stored.has(key)) return null
      // The server told it under an id of its own.
      if (job.message && isGoneFrom(after, before, key)) return null
      // The agent goes on, by whatever.
      if (hasBegun && job.message === null && state.phase === 'failed') return null
      if (!hasBegun || isOpen || !isLocked(key)) return state
      // The reply may be another one: only with the server's answer it is the effect of this message.
      return posting.has(job) ? { phase: 'sent' } : null
    })
  }

  function end(refusal: TransportError | null): void {
    let error = refusal
    const sends = change(core.get().sends, (key, state) => {
      if (state.phase !== 'sent') return state
      // Of a going-on nobody knows what was to come of it.
      if (error === null && canTell() && jobs.get(key)?.message !== null) {
        error = new TransportError('server', 'The server took it, but nothing came of it.')
      }
      return (
        error && { ...state, phase: 'failed', error, isSure: refusal === null || isGone(refusal) }
      )
    })
    const settled = replaceSends(core.get(), sends)
    core.set({ ...settled, isInterrupting: false, ...(error && { error }) })
    if (error) core.taps.error(error)
  }

  /** What is settled (null) is forgotten with its job, which may hold pictures. */
  function change(
    sends: SendStates,
    next: (key: string, state: SendState) => SendState | null,
  ): SendStates {
    let isSame = true
    const left: Record<string, SendState> = {}
    for (const [key, state] of Object.entries(sends)) {
      const changed = next(key, state)
      isSame &&= changed === state
      if (changed === null) jobs.delete(key)
      else left[key] = changed
    }
    return isSame ? sends : left
  }

  return {
    isLocked,
    start,
    hold: (job) => mark(job, job.keys, { phase: 'held' }),
    fail(job, error, isSure) {
      mark(job, job.keys, { phase: 'sending' })
      fail(job, error, isSure)
    },
    job: (key) => jobs.get(key),
    posted: () => Promise.all(posting.values()),
    forget,
    settle,
    end,
  }
}

/**
 * A state's new `sends`. A failure that is settled, or sent again, is no error any more.
 *
 * @param before - The state until now.
 * @param sends - What takes the place of its `sends`.
 */
export function replaceSends(
  { error, sends: held }: Pick<ChatState, 'error' | 'sends'>,
  sends: SendStates,
): Pick<ChatState, 'error' | 'sends'> {
  const isToldIn = (states: SendStates): boolean =>
    Object.values(states).some((state) => state.phase === 'failed' && state.error === error)
  return { sends, error: isToldIn(held) && !isToldIn(sends) ? null : error }
}

/** What was refused never arrived; a message that waits may have been sent by a copy of this tab. */
function mayHaveArrived({ message }: SendJob, state: SendState | undefined): boolean {
  if (state?.phase === 'held') return message !== undefined
  return state?.phase === 'failed' && (!state.isSure || state.error.canRetry)
}

/** The error of a message that was too large to be kept whole. */
export function notKept(): TransportError {
  return new TransportError(
    'not-kept',
    'The page was left while this was being sent, and it was too large to be kept whole.',
  )
}

function notFree(why: string): TransportError {
  return new TransportError('conflict', `The agent ${why}.`)
}

function isGoneFrom(after: Conversation, before: Conversation, id: string): boolean {
  const hasIt = (one: Conversation): boolean => selectMessage(one, id) !== undefined
  return after.messages !== before.messages && hasIt(before) && !hasIt(after)
}

/** Whether the agent itself took up work between two commits. */
function hasReplyBegun(before: Conversation, after: Conversation): boolean {
  if (before.replies === after.replies) return false
  return Object.values(after.replies).some((reply) => {
    const known = before.replies[reply.replyId]
    if (reply === known || reply.agentPath.length > 0) return false
    if (known !== undefined && isUnderWay(known)) return false
    // History tells of what is over as well, and starts nothing.
    const isOver = reply.phase !== 'running' && reply.resumedAt !== known?.resumedAt
    return isUnderWay(reply) || isOver
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
