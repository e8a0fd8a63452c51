import type { SendState } from './ChatState.js'

/**
 * Tells whether something that the person sent certainly did not arrive: it waits, or its failure is certain.
 *
 * @param state - Where it stands; null or undefined when nothing is on its way.
 */
export function hasNotArrived(state: SendState | null | undefined): boolean {
  return state?.phase === 'held' || (state?.phase === 'failed' && state.isSure)
}
