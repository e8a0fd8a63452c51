import { useMemo, useSyncExternalStore } from 'react'

/** Which conversation the page shows. It stands in the address, so that a reload and another tab find it again. */
export interface Place {
  /** The agent, if the address names one. */
  readonly agentId: string | null
  /** The session, if the address names one. */
  readonly sessionId: string | null
}

const MOVED = 'demo:moved'

function subscribe(onMove: () => void): () => void {
  addEventListener('popstate', onMove)
  addEventListener(MOVED, onMove)
  return () => {
    removeEventListener('popstate', onMove)
    removeEventListener(MOVED, onMove)
  }
}

/** The address's own place. Re-renders when the person goes elsewhere. */
export function usePlace(): Place {
  const search = useSyncExternalStore(subscribe, () => location.search)
  return useMemo(() => {
    const query = new URLSearchParams(search)
    return { agentId: query.get('agent'), sessionId: query.get('session') }
  }, [search])
}

/**
 * The address of a conversation; the service it names stays.
 *
 * @param agentId - The agent.
 * @param sessionId - The session; without one the page opens a new one.
 */
export function placeHref(agentId: string, sessionId?: string): string {
  const query = new URLSearchParams(location.search)
  query.set('agent', agentId)
  if (sessionId === undefined) query.delete('session')
  else query.set('session', sessionId)
  return `?${query.toString()}`
}

/**
 * Goes to a conversation without loading the page again.
 *
 * @param href - What `placeHref` gave.
 * @param how - `replace` leaves no step to go back to.
 */
export function goTo(href: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', href)
  else history.replaceState(null, '', href)
  dispatchEvent(new Event(MOVED))
}
