import type { ConversationInput, Journal, KeptConversation } from '../protocol/index.js'
import type { ChatCore } from './ChatCore.js'
import type { CommittedInputs } from './createInbox.js'
import type { Sync } from './createSync.js'

/** Keeps what a store hears in a journal. */
export interface Journaling extends Pick<Sync, 'open' | 'close'> {
  /** To be told of each commit. */
  readonly committed: (inputs: CommittedInputs) => void
}

/**
 * Makes what folds a journal before anything else, so that the stream then opens as after a lost connection, and what writes it.
 *
 * @param core - The store.
 * @param journal - Where it is kept.
 * @param sync - The store's connection.
 */
export function createJournaling(core: ChatCore, journal: Journal, sync: Sync): Journaling {
  const { key } = core.backend()
  /** Messages of the person that the server did not take yet: until then they are the outbox's. */
  const sent = new Map<string, ConversationInput>()
  let kept: KeptConversation | undefined
  let isReading = false
  let turn = 0
  core.taps.add({
    onError({ reason }) {
      // What was deleted there must not stay here.
      if (reason === 'not-found') journal.clear(key).catch(() => {})
    },
  })

  async function read(): Promise<void> {
    if (kept !== undefined) return
    kept = journal.open(key, core.taps.anomaly)
    const inputs = await kept.read()
    isReading = true
    core.fold(inputs)
    isReading = false
  }

  return {
    open() {
      turn += 1
      const mine = turn
      const start = (): void => {
        if (mine === turn) sync.open()
      }
      read().then(start, start)
    },
    close() {
      turn += 1
      sync.close()
    },
    committed({ heard, own }) {
      if (isReading) return
      const { sends } = core.get()
      const inputs: ConversationInput[] = []
      const added = own.filter(
        (input) => input.type !== 'kit.remove_message' || !sent.delete(input.message_id),
      )
      for (const [id, input] of sent) {
        // Its answer has begun: it stands before what is heard from here on.
        if ((sends[id]?.phase ?? 'sent') === 'sent' && sent.delete(id)) inputs.push(input)
      }
      inputs.push(...heard)
      for (const input of added) {
        if (input.type === 'kit.user_message') sent.set(input.message.id, input)
        else inputs.push(input)
      }
      kept?.append(inputs)
    },
  }
}
