import type { TransportError } from '../protocol/index.js'
import type { ChatCore } from './ChatCore.js'
import type { History } from './createHistory.js'
import type { Lifetime } from './createLifetime.js'
import { toTransportError } from './createSends.js'
import { isGone } from './isGone.js'
import { INITIAL_SYNC, LOOK_DELAYS_MS, syncMachine } from './syncMachine.js'
import type { SyncEvent } from './syncMachine.js'

/** What a reader works with. */
export interface ReaderParts {
  /** Reads and folds what is stored. */
  readonly history: Pick<History, 'readNewest' | 'show' | 'fail'>
  /** While the stream is open. */
  readonly lifetime: Lifetime
  /** A look is over, and no other one follows at once. */
  readonly onLooked: () => void
  /** The server no longer has the conversation. */
  readonly onGone: (error: TransportError) => void
}

/** Looks at what is stored whenever there is a reason to. */
export interface Reader {
  /** Tells what happened. */
  readonly send: (event: SyncEvent) => void
  /** Whether a reply is looked for. */
  readonly isDue: (replyId: string) => boolean
  /** Whether something that ought to be compared is not looked at any more. */
  readonly isStuck: () => boolean
}

/**
 * Makes what runs the sync machine: its pauses and its looks.
 *
 * @param core - The store.
 * @param parts - What it works with.
 */
export function createReader(core: ChatCore, parts: ReaderParts): Reader {
  const { history, lifetime, onLooked, onGone } = parts
  let state = INITIAL_SYNC
  let cancelPause = (): void => {}

  function send(event: SyncEvent): void {
    const before = state
    state = syncMachine(before, event)
    const { phase, pauses } = state
    const isSame = phase === before.phase && pauses === before.pauses
    if (phase === 'waiting' && isSame) return
    cancelPause()
    if (phase === 'waiting') {
      cancelPause = lifetime.after(LOOK_DELAYS_MS[pauses] ?? 0, () => send({ type: 'time' }))
    }
    if (phase === 'reading' && (before.phase !== 'reading' || event.type === 'read')) void look()
  }

  async function look(): Promise<void> {
    const isAlive = lifetime.watch()
    if (state.isWanted && state.pauses === 0) history.show()
    const failure = await history.readNewest().then(() => null, toTransportError)
    if (!isAlive()) return
    if (failure !== null && isGone(failure)) return onGone(failure)
    send(failure === null ? { type: 'read' } : { type: 'failed', canRetry: failure.canRetry })
    // A comparison is tried again without a word; what the person waits for is not.
    if (failure !== null && (state.isWanted || state.phase === 'stuck')) history.fail(failure)
    if (failure === null && state.phase === 'stuck') reportNotStored()
    if (state.phase !== 'reading') onLooked()
  }

  function reportNotStored(): void {
    for (const reply_id of state.due) {
      const message = 'A reply ended, and is not stored after several looks.'
      core.taps.anomaly({ kind: 'not-stored', message, reply_id })
    }
  }

  return {
    send,
    isDue: (replyId) => state.due.has(replyId),
    isStuck: () => state.phase === 'stuck',
  }
}
