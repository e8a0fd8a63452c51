/** Before each look at what is stored: the service stores a run after its last event, so look soon, then give it time. */
export const LOOK_DELAYS_MS: readonly number[] = [150, 400, 1_000, 3_000, 8_000]

/** Where sync stands with the stored messages. */
export interface SyncState {
  /**
   * `resting`: all that ended is known to be as stored. `waiting`: the next look is a pause away. `reading`: the newest page is
   * on its way. `stuck`: no more looks of its own accord; what is due stays due until there is a new occasion.
   */
  readonly phase: 'resting' | 'waiting' | 'reading' | 'stuck'
  /** Replies that ended or parked, and were not found stored yet. */
  readonly due: ReadonlySet<string>
  /** The page is wanted for its own sake: to show what is stored, whatever is due. */
  readonly isWanted: boolean
  /** It was wanted again while it was on its way: it may not know why. */
  readonly isStale: boolean
  /** Pauses waited since the last occasion. */
  readonly pauses: number
}

/** What moves sync. */
export type SyncEvent =
  /** The stream opened, something was lost, somebody else asked, or the person wants another try. */
  | { readonly type: 'wanted' }
  /** Replies ended or parked (`stopped`), or run again (`going`): these are not compared before they stop. */
  | {
      readonly type: 'moved'
      readonly stopped: readonly string[]
      readonly going: readonly string[]
    }
  /** The pause is over. */
  | { readonly type: 'time' }
  /** The newest page was read and folded, by whomever. */
  | { readonly type: 'stored'; readonly isStored: (replyId: string) => boolean }
  /** The look that was under way found its page. */
  | { readonly type: 'read' }
  /** The look that was under way found none. */
  | { readonly type: 'failed'; readonly canRetry: boolean }
  /** The store lets go of its stream. */
  | { readonly type: 'closed' }

/** A store that looked at nothing yet. */
export const INITIAL_SYNC: SyncState = {
  phase: 'resting',
  due: new Set(),
  isWanted: false,
  isStale: false,
  pauses: 0,
}

/**
 * When to look at what is stored. `docs/sync.md` draws it.
 *
 * @param state - Where sync stands. Entering `waiting` starts the pause `LOOK_DELAYS_MS[pauses]`, entering `reading` a look.
 * @param event - What happened.
 */
export function syncMachine(state: SyncState, event: SyncEvent): SyncState {
  const isReading = state.phase === 'reading'
  switch (event.type) {
    case 'wanted':
      return { ...state, phase: 'reading', isWanted: true, isStale: isReading, pauses: 0 }
    case 'moved': {
      const due = new Set([...state.due, ...event.stopped])
      for (const replyId of event.going) due.delete(replyId)
      if (event.stopped.length === 0) return restIfDone({ ...state, due })
      return { ...state, due, phase: isReading ? 'reading' : 'waiting', pauses: 0 }
    }
    case 'time':
      return { ...state, phase: 'reading', pauses: state.pauses + 1 }
    case 'stored': {
      const due = new Set([...state.due].filter((replyId) => !event.isStored(replyId)))
      return restIfDone({ ...state, due, isWanted: state.isWanted && isReading })
    }
    case 'read':
      if (state.isStale) return { ...state, isStale: false }
      return lookAgain({ ...state, isWanted: false })
    case 'failed':
      return event.canRetry ? lookAgain(state) : { ...state, phase: 'stuck', isStale: false }
    case 'closed':
      return restIfDone({ ...state, phase: 'stuck', isWanted: false, isStale: false })
  }
}

function restIfDone(state: SyncState): SyncState {
  const isDone = state.due.size === 0 && !state.isWanted && state.phase !== 'reading'
  return isDone ? { ...state, phase: 'resting' } : state
}

function lookAgain(state: SyncState): SyncState {
  const phase = state.pauses < LOOK_DELAYS_MS.length ? 'waiting' : 'stuck'
  return restIfDone({ ...state, phase, isStale: false })
}
