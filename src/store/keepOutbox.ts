import type { Msg } from '../protocol/index.js'
import { TransportError } from '../protocol/index.js'
import { CONTINUE_ID } from './ChatCommands.js'
import type { ChatCore } from './ChatCore.js'
import type { ChatState } from './ChatState.js'
import type { Sends } from './createSends.js'
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
  const { key } = core.backend()
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
    left = (await attempt(() => outbox.read(key))) ?? []
    save()
    restoreSoon()
  }

  function save(): void {
    if (left === null) return
    const entries = [...left, ...entriesOf(core.get().sends, sends)]
    void attempt(() => outbox.write(key, entries))
  }

  /** What was heard while history was read is folded right after it: the echo of an answer settles it. */
  function restoreSoon(): void {
    const { phase } = core.get().history
    if (left?.length && phase !== 'idle' && phase !== 'loading') timer ??= setTimeout(restore)
  }

  function restore(): void {
    const entries = left ?? []
    const { conversation } = core.get()
    const lastId = conversation.messages.at(-1)?.id ?? ''
    left = []
    for (const entry of entries) {
      const { message, answer, requests = [], after } = entry
      if (message) restoreMessage(message, entry)
      else if (answer) {
        const isWaiting = (id: string): boolean =>
          conversation.requests.some((request) => request.key === id) && !sends.isLocked(id)
        sends.fail({ keys: requests.filter(isWaiting), answer }, lost(), false)
      } else if (after === lastId && !isAtWork(core.get())) {
        // Nothing came after it, so the agent may never have been told.
        sends.fail({ keys: [CONTINUE_ID], message: null, after }, lost(), false)
      }
    }
    save()
  }

  function restoreMessage(message: Msg, { isHeld = false, isPartial }: OutboxEntry): void {
    const has = (): boolean => selectMessage(core.get().conversation, message.id) !== undefined
    if (has()) return
    core.fold([{ type: 'kit.user_message', message }])
    // One that is no message was not taken.
    if (!has()) return
    const job = { keys: [message.id], message }
    if (isPartial) sends.fail({ ...job, isPartial }, notKept(), isHeld)
    else if (isHeld) sends.hold({ ...job, whenFree: true })
    else sends.fail(job, lost(), false)
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
    const { message, answer, keys = [], after, isPartial } = job ?? {}
    if (message) {
      const isHeld = states[message.id]?.phase === 'held'
      return [{ message, isHeld, ...(isPartial && { isPartial }) }]
    }
    if (after !== undefined) return [{ after }]
    return answer === undefined ? [] : [{ answer, requests: keys.filter(isKept) }]
  })
}

function lost(): TransportError {
  return new TransportError('closed', 'The page was left while this was being sent.')
}
