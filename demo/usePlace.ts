import { useMemo, useSyncExternalStore } from 'react'
import type { Language, Transport } from './transports.js'

/** Which conversation the page shows, and what brings it here. It stands in the address, so that a reload and another tab find it again. */
export interface Place {
  /** The agent, if the address names one. */
  readonly agentId: string | null
  /** The session, if the address names one. */
  readonly sessionId: string | null
  /** What its events come by. */
  readonly transport: Transport
  /** What the agent is spoken to in. */
  readonly language: Language
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
    return {
      agentId: query.get('agent'),
      sessionId: query.get('session'),
      transport: readTransport(query.get('transport')),
      language: readLanguage(query.get('language')),
    }
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

/** The same conversation's address with another transport. */
export function transportHref(transport: Transport): string {
  const query = new URLSearchParams(location.search)
  query.set('transport', transport)
  return `?${query.toString()}`
}

/** The same conversation's address in another language. */
export function languageHref(language: Language): string {
  const query = new URLSearchParams(location.search)
  query.set('language', language)
  return `?${query.toString()}`
}

function readLanguage(name: string | null): Language {
  return name === 'java' || name === 'task-api' ? name : 'python'
}

function readTransport(name: string | null): Transport {
  return name === 'websocket' || name === 'polling' ? name : 'sse'
}

/**
 * Goes to a conversation without loading the page again.
 *
 * @param href - What `placeHref`, `transportHref` or `languageHref` gave.
 * @param how - `replace` leaves no step to go back to.
 */
export function goTo(href: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', href)
  else history.replaceState(null, '', href)
  dispatchEvent(new Event(MOVED))
}
