import type { Msg } from '../protocol/index.js'
import { TransportError } from '../protocol/index.js'
import { CONTINUE_ID } from './ChatCommands.js'
import type { ChatCore } from './ChatCore.js'
import type { ChatState } from './ChatState.js'
import type { SendJob, Sends } from './createSends.js'
import { notKept } from './createSends.js'
import type { Outbox, OutboxEntry } from './Outbox.js'
import { selectMessage } from './selectMessage.js'
import { isAtWork } from './selectPhase.js'

/**
 * Keeps an outbox in step with a store's `sends`, and brings back what an earlier page left there once history is read: what
 * history has is settled, the rest is shown as failed, or as waiting when it was never sent.
 *
 * @param core - The store.
 * @param sends - Where what is sent stands.
 * @param outbox - What survives the page.
 * @returns To be told of each state.
 */
export function keepOutbox(
  core: ChatCore,
  sends: Sends,
  outbox: Outbox,
): (state: ChatState, before: ChatState) => void {
  const place = core.backend().key
  /** What the earlier page left, until it is brought back; null until it is read. */
  let left: readonly OutboxEntry[] | null = null
  let isAsked = false
  let isTold = false
  let timer: ReturnType<typeof setTimeout> | undefined

  /** A storage that refuses, such as a full one, is done without. */
  async function attempt<Value>(what: () => Value | Promise<Value>): Promise<Value | undefined> {
    try {
      return await what()
    } catch (cause) {
      const message = `Unfinished sends are not kept for a reload: ${String(cause)}`
      if (!isTold) core.taps.anomaly({ kind: 'not-kept', message })
      isTold = true
      return undefined
    }
  }

  async function read(): Promise<void> {
    isAsked = true
    left = (await attempt(() => outbox.read(place))) ?? []
    save()
    restoreSoon()
  }

  function save(): void {
    if (left === null) return
    const entries = [...left, ...entriesOf(core.get().sends, sends)]
    void attempt(() => outbox.write(place, entries))
  }

  /** What was heard while history was read is folded right after it: the echo of an answer settles it. */
  function restoreSoon(): void {
    const { phase } = core.get().history
    if (left?.length && phase !== 'idle' && phase !== 'loading') timer ??= setTimeout(restore)
  }

  function restore(): void {
    const entries = left ?? []
    const lastId = core.get().conversation.messages.at(-1)?.id
    left = []
    for (const { isHeld = false, isUnsent = false, ...job } of entries) {
      const { message } = job
      if (message && find(message) !== undefined) continue
      if (message) core.fold([{ type: 'kit.user_message', message }])
      const keys = job.keys.filter((key) => isOpen(job, key, lastId))
      if (isHeld && !job.isPartial) sends.hold({ ...job, keys, whenFree: true })
      else sends.fail({ ...job, keys }, job.isPartial ? notKept() : lost(), isUnsent)
    }
    save()
  }

  function find({ id }: Msg): Msg | undefined {
    return selectMessage(core.get().conversation, id)
  }

  /** Whether a job still makes sense. Of a going-on, when nothing came after the message that was the last one. */
  function isOpen({ message, answer, after }: SendJob, key: string, lastId?: string): boolean {
    // One that is no message was not taken.
    if (message) return key === find(message)?.id
    if (!answer) return key === CONTINUE_ID && after === lastId && !isAtWork(core.get())
    return core.get().conversation.requests.some((one) => one.key === key) && !sends.isLocked(key)
  }

  return (state, before) => {
    if (!isAsked) void read()
    if (state.sends !== before.sends) save()
    restoreSoon()
  }
}

function entriesOf(states: ChatState['sends'], sends: Sends): readonly OutboxEntry[] {
  const isKept = (key: string): boolean => (states[key]?.phase ?? 'sent') !== 'sent'
  const jobs = new Set(Object.keys(states).filter(isKept).map(sends.job))
  return [...jobs].flatMap((job): OutboxEntry[] => {
    // A decision that waits for others is asked for again.
    if (job === undefined || (job.message === undefined && job.answer === undefined)) return []
    const { verdicts: _verdicts, whenFree: _whenFree, ...entry } = job
    const keys = job.keys.filter(isKept)
    const [state] = keys.flatMap((key) => states[key] ?? [])
    const isHeld = state?.phase === 'held'
    return [
      { ...entry, keys, isHeld, isUnsent: isHeld || (state?.phase === 'failed' && state.isSure) },
    ]
  })
}

function lost(): TransportError {
  return new TransportError('closed', 'The page was left while this was being sent.')
}
