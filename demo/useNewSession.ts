import { useEffect, useRef } from 'react'
import {
  useCreateSession,
  useSessions,
  type AgentDirectory,
  type SessionSummary,
} from 'agentscope-react/hooks'
import { goTo, placeHref } from './usePlace.js'

/** A session is called after the moment it began until its first reply is over. */
const UNUSED = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d/

/** What a session is called here. */
export function nameOf({ name }: SessionSummary): string {
  return name === '' || UNUSED.test(name) ? 'New conversation' : name
}

/** What `useNewSession` gives. */
export interface NewSession {
  /** Goes to a session that nobody has used yet. */
  readonly open: () => void
  /** Why there is none. */
  readonly error: Error | null
}

/**
 * Opens new conversations: by itself when the address names none, and when the person asks for one.
 *
 * @param where - The service, the agent, and the session that the address names.
 */
export function useNewSession(where: {
  readonly directory: AgentDirectory
  readonly agentId: string
  readonly sessionId: string | null
}): NewSession {
  const { directory, agentId, sessionId } = where
  const sessions = useSessions(directory, agentId)
  const create = useCreateSession(directory, agentId)
  const isBusy = useRef(false)
  const firstSession = useRef(sessionId)
  const known = agentId === '' ? undefined : sessions.data

  const open = (how: 'push' | 'replace'): void => {
    if (known === undefined || isBusy.current) return
    const unused = known.find((session) => UNUSED.test(session.name) && !session.isRunning)
    if (unused !== undefined) {
      goTo(placeHref(agentId, unused.id), how)
      return
    }
    isBusy.current = true
    create.mutate(undefined, {
      onSuccess: (id) => goTo(placeHref(agentId, id), how),
      onSettled: () => {
        isBusy.current = false
      },
    })
  }

  useEffect(() => {
    if (known === undefined) return
    // After a restart the scripted agents have forgotten the session that a tab still names.
    const isForgotten =
      sessionId !== null &&
      sessionId === firstSession.current &&
      known.every(({ id }) => id !== sessionId)
    firstSession.current = null
    if (sessionId === null || isForgotten) open('replace')
  })

  return {
    open: () => open('push'),
    error: agentId === '' ? null : (sessions.error ?? create.error),
  }
}
