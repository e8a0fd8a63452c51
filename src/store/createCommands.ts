import type { Msg } from '../protocol/index.js'
import { TransportError, UserMsg } from '../protocol/index.js'
import type { ChatCommands, MessageContent } from './ChatCommands.js'
import { CONTINUE_ID } from './ChatCommands.js'
import type { ChatCore } from './ChatCore.js'
import type { Interrupts } from './createInterrupts.js'
import type { Sends } from './createSends.js'
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

  function send(content: MessageContent | null): Promise<void> {
    if (content === null) return goOn()
    const message = UserMsg({ name: userName, content })
    core.fold([{ type: 'kit.user_message', message }])
    return deliver(message)
  }

  async function goOn(): Promise<void> {
    if (sends.isLocked(CONTINUE_ID)) return
    await sends.start({
      keys: [CONTINUE_ID],
      kind: 'message',
      run: () => core.backend().send(null),
    })
  }

  function deliver(message: Msg): Promise<void> {
    return sends.start({
      keys: [message.id],
      kind: 'message',
      run: async () => {
        if (selectSendBlock(core.get(), core.backend().capabilities) === 'awaiting-person') {
          throw new TransportError(
            'conflict',
            'The agent waits for an answer and would never see the message: answer first, then retry.',
          )
        }
        await core.backend().send([message])
      },
    })
  }

  async function retry(id: string): Promise<void> {
    const job = sends.failed(id)
    if (job === undefined || job.keys.some((key) => sends.isLocked(key))) return
    moveToEnd(id)
    await sends.start(job)
  }

  /** The server will store it after what was said meanwhile. */
  function moveToEnd(id: string): void {
    const { messages } = core.get().conversation
    const message = messages.find((candidate) => candidate.id === id)
    if (message === undefined || message === messages.at(-1)) return
    core.fold([
      { type: 'kit.remove_message', message_id: id },
      { type: 'kit.user_message', message },
    ])
  }

  function discard(id: string): void {
    const state = core.get().sends[id]
    if (state?.phase !== 'failed' && state?.phase !== 'held') return
    const job = sends.failed(id)
    sends.forget(job?.keys ?? [id])
    if (job?.kind === 'message') core.fold([{ type: 'kit.remove_message', message_id: id }])
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
