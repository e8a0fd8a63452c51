/**
 * What happens behind a reply. AgentScope has no event for it; a server of another protocol may tell.
 *
 * - `lost-chunk`: an attempt at a call of the model wrote this, and it was lost.
 * - `attempt-failed`: that attempt failed; the next one begins after a while.
 * - `attempt`: the n-th attempt begins, from 2.
 * - `follow-up`: the reply that ended will be followed by another one.
 */
export type Aside =
  | {
      readonly kind: 'lost-chunk'
      readonly writing: 'text' | 'thinking'
      readonly chunk: string
    }
  | {
      readonly kind: 'attempt-failed'
      readonly attempt: number
      readonly hasWritten: boolean
      readonly retryMs: number
      readonly error?: { readonly message: string; readonly status: number }
    }
  | { readonly kind: 'attempt'; readonly attempt: number }
  | { readonly kind: 'follow-up'; readonly isSameTask: boolean }
