import type { ToolCallBlock, ToolResultBlock } from '../protocol/index.js'

/** Where a tool call stands, as a person would say it. */
export type ToolPhase =
  | 'writing' // the model still writes the arguments
  | 'pending' // written, not begun
  | 'asking' // waits for a person's decision
  | 'submitted' // waits for the client to run it
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'denied'
  | 'interrupted'
  | 'not-run' // the reply is over, and it never began

/** What a phase is seen from. */
export interface ToolPhaseInput {
  /** The call; null when only its result is known. */
  readonly call: ToolCallBlock | null
  /** Its result; null when there is none yet. */
  readonly result: ToolResultBlock | null
  /** Whether its reply runs or waits: in a reply that is over nothing runs, whatever the blocks say. */
  readonly isReplyLive: boolean
}

/**
 * Where a tool call stands: the worst of its call's state, its result's state and its reply.
 * States of a newer service that are not known here count by their stamps.
 *
 * @param input - The call, its result and whether the reply is live.
 * @returns One word for all three.
 */
export function toolPhase({ call, result, isReplyLive }: ToolPhaseInput): ToolPhase {
  const settled = result === null ? null : settledPhase(result)
  if (settled !== null) return settled
  if (isReplyLive && call?.state === 'asking') return 'asking'
  if (isReplyLive && call?.state === 'submitted') return 'submitted'
  if (result !== null) return isReplyLive ? 'running' : 'interrupted'
  // Only a denial finishes a call before it has a result.
  if (call?.state === 'finished') return 'denied'
  if (!isReplyLive) return 'not-run'
  if (call?.state === 'allowed') return 'running'
  return isWritten(call) ? 'pending' : 'writing'
}

function settledPhase({ state, finished_at }: ToolResultBlock): ToolPhase | null {
  switch (state) {
    case 'success':
      return 'succeeded'
    case 'error':
      return 'failed'
    case 'denied':
      return 'denied'
    case 'interrupted':
      return 'interrupted'
    default:
      // A tool that went on in the background ends its result without leaving `running`.
      return (finished_at ?? null) === null ? null : 'succeeded'
  }
}

function isWritten(call: ToolCallBlock | null): boolean {
  return (call?.finished_at ?? null) !== null
}
