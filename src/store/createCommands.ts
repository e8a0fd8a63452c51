import { UserMsg } from '../protocol/index.js'
import type { ChatCommands, MessageContent, SendOptions } from './ChatCommands.js'
import { CONTINUE_ID } from './ChatCommands.js'
import type { ChatCore } from './ChatCore.js'
import type { Interrupts } from './createInterrupts.js'
import type { SendJob, Sends } from './createSends.js'
import type { Sync } from './createSync.js'
import { createAnswers } from './createAnswers.js'
import { selectSendBlock } from './selectSendBlock.js'

/** What the commands work with. */
export interface CommandParts {
  /** Where what is sent stands. */
  readonly sends: Sends
  /** Stops replies. */
  readonly interrupts: Interrupts
  /** The connection and history. */
  readonly sync: Sync
  /** The name that the person's messages carry. */
  readonly userName: string
}

/**
 * Makes the commands of a store.
 *
 * @param core - The store.
 * @param parts - What the commands work with.
 */
export function createCommands(core: ChatCore, parts: CommandParts): ChatCommands {
  const { sends, interrupts, sync, userName } = parts

  function send(content: MessageContent | null, options: SendOptions = {}): Promise<void> {
    if (content === null) return goOn()
    const message = UserMsg({ name: userName, content })
    core.fold([{ type: 'kit.user_message', message }])
    return deliver({ keys: [message.id], message, ...options })
  }

  async function goOn(): Promise<void> {
    if (sends.isLocked(CONTINUE_ID)) return
    const after = core.get().conversation.messages.at(-1)?.id
    await sends.start({ keys: [CONTINUE_ID], message: null, ...(after && { after }) })
  }

  async function deliver(job: SendJob): Promise<void> {
    const block = selectSendBlock(core.get(), core.backend().capabilities)
    if (job.whenFree && block !== null && block !== 'gone') sends.hold(job)
    else await sends.start(job)
  }

  async function retry(id: string, options: SendOptions = {}): Promise<void> {
    const job = restingJob(id)
    const isWhole = job?.answer !== undefined || job?.message !== undefined
    if (!isWhole || job.keys.some(sends.isLocked)) return
    await deliver({ ...job, whenFree: false, ...options })
  }

  function discard(id: string): void {
    const job = restingJob(id)
    if (job === undefined) return
    sends.forget(job.keys)
    if (job.message) core.fold([{ type: 'kit.remove_message', message_id: id }])
  }

  function restingJob(id: string): SendJob | undefined {
    return sends.isLocked(id) ? undefined : sends.job(id)
  }

  return {
    ...createAnswers(core, sends),
    send,
    interrupt: interrupts.interrupt,
    retry,
    discard,
    loadOlder: sync.loadOlder,
    retryNow: sync.retryNow,
  }
}
