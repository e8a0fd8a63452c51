/** What is to be told. */
export interface LeaveListener {
  /** The page went to the background, where it may be frozen or killed without another word. */
  readonly onHide: () => void
  /** The page goes. */
  readonly onLeave: () => void
}

/**
 * Tells when the page goes to the background, or goes. Without a page it tells nothing.
 *
 * @param listener - What is to be told.
 * @returns Stops it.
 */
export function watchLeave({ onHide, onLeave }: LeaveListener): () => void {
  if (typeof document === 'undefined') return () => {}
  const hide = (): void => {
    if (document.visibilityState === 'hidden') onHide()
  }
  document.addEventListener('visibilitychange', hide)
  window.addEventListener('pagehide', onLeave)
  return () => {
    document.removeEventListener('visibilitychange', hide)
    window.removeEventListener('pagehide', onLeave)
  }
}
