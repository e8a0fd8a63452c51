/**
 * Decides when queued inputs become state: later. It must not call `commit` before it has returned, for until then the store
 * cannot take the call back; one that wants no delay uses `queueMicrotask`.
 *
 * @param commit - To be called once, unless the call was taken back.
 * @returns Takes the call back. Called also after `commit` was, and then does nothing.
 */
export type CommitScheduler = (commit: () => void) => () => void

/** Hidden tabs get no frames, yet must answer tools: the longest a commit waits for one. */
const FRAMELESS_COMMIT_MS = 250

/**
 * Commits with the next animation frame, or after 250 ms when none comes.
 *
 * @param commit - Called once.
 * @returns Takes the call back.
 */
export function scheduleFrame(commit: () => void): () => void {
  const hasFrames = typeof requestAnimationFrame === 'function'
  const timer = setTimeout(run, FRAMELESS_COMMIT_MS)
  const frame = hasFrames ? requestAnimationFrame(run) : undefined
  function cancel(): void {
    clearTimeout(timer)
    if (frame !== undefined) cancelAnimationFrame(frame)
  }
  function run(): void {
    cancel()
    commit()
  }
  return cancel
}
