import type { TransportError } from '../protocol/index.js'
import type { ChatCore } from './ChatCore.js'
import type { ChatState } from './ChatState.js'
import type { History } from './createHistory.js'
import type { Lifetime } from './createLifetime.js'
import { toTransportError } from './createSends.js'
import { isGone } from './isGone.js'

/** A start without a sequel, or a message without an effect: after so long a silence the server is asked. */
const QUIET_MS = 4_000
/** While the server says that it still works, it is asked less and less often. */
const QUIET_CEILING_MS = 60_000

/** What a quiet check works with. */
export interface QuietCheckParts {
  /** Reads and folds what is stored. */
  readonly history: Pick<History, 'readNewest' | 'isAwaiting'>
  /** While the stream is open. */
  readonly lifetime: Lifetime
  /** Rises with all that is heard or sent. */
  readonly pulse: () => number
  /** Nothing runs on the server: what was sent will have no effect any more. */
  readonly onQuiet: () => void
  /** The server will not say, now or later: what was sent has failed as far as can be known. */
  readonly onRefused: (error: TransportError) => void
}

/**
 * Makes what asks the server when something seems to be under way and nothing is heard: the service starts replies that never
 * are (a stop of an idle session, an answer that came too late), and takes messages it never answers.
 *
 * @param core - The store.
 * @param parts - What it works with.
 * @returns Looks whether there is something to watch; to be called when something was heard or sent.
 */
export function createQuietCheck(core: ChatCore, parts: QuietCheckParts): () => void {
  const { history, lifetime, pulse, onQuiet, onRefused } = parts
  let isWatching = (): boolean => false

  function watch(): void {
    const backend = core.backend()
    const canAsk = backend.status !== undefined || backend.history !== undefined
    if (!canAsk || isWatching() || !isBusy()) return
    isWatching = lifetime.watch()
    wait(QUIET_MS)
  }

  function wait(delayMs: number): void {
    const before = pulse()
    lifetime.after(delayMs, () => void check(before, delayMs))
  }

  async function check(before: number, delayMs: number): Promise<void> {
    const isAlive = lifetime.watch()
    if (!isBusy()) return rest()
    if (pulse() !== before) return wait(QUIET_MS)
    const answer = await settleIfIdle().catch(toTransportError)
    if (!isAlive()) return undefined
    if (pulse() !== before) return wait(QUIET_MS)
    if (typeof answer !== 'boolean' && !answer.canRetry) {
      // Asking again would be refused again: waiting on would never end.
      settleRunning(core)
      rest()
      return onRefused(answer)
    }
    if (answer === true) onQuiet()
    return isBusy() ? wait(Math.min(delayMs * 2, QUIET_CEILING_MS)) : rest()
  }

  function rest(): void {
    isWatching = () => false
  }

  /** Asks the server; when it says that nothing runs, shows what is stored instead of what seemed to run. */
  async function settleIfIdle(): Promise<boolean> {
    const backend = core.backend()
    const status = await backend.status?.().catch((cause: unknown) => {
      // The service takes messages for a session that was deleted: whether it was, a page tells.
      if (backend.history === undefined || !isGone(toTransportError(cause))) throw cause
    })
    if (status === 'running') return false
    if (backend.history === undefined) {
      settleRunning(core)
      return true
    }
    return history.readNewest()
  }

  function isBusy(): boolean {
    return history.isAwaiting() || seemsBusy(core.get())
  }

  return watch
}

/** Nothing runs: what seems to run is over. What is shown stays. */
export function settleRunning(core: ChatCore): void {
  core.fold([{ type: 'kit.snapshot', mode: 'merge', messages: [], is_running: false }])
}

function seemsBusy({ conversation, sends, isInterrupting }: ChatState): boolean {
  return (
    isInterrupting ||
    Object.values(sends).some(({ phase }) => phase === 'sent') ||
    Object.values(conversation.replies).some(
      ({ phase, agentPath }) => phase === 'running' && agentPath.length === 0,
    )
  )
}
