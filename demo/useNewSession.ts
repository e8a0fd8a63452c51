import { useEffect, useRef } from 'react'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import {
  sessionsQuery,
  useCreateSession,
  type AgentDirectory,
  type SessionSummary,
} from 'agentscope-react/hooks'
import { goTo, placeHref } from './usePlace.js'

/** A session is called after the moment it began until its first reply is over. */
const UNUSED = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d/

/** How long the list stands while a session runs, in ms. */
const WHILE_RUNNING = 5000

/** What a session is called here. */
export function nameOf({ name }: SessionSummary): string {
  return name === '' || UNUSED.test(name) ? 'New conversation' : name
}

/**
 * The sessions of an agent, once there is one.
 *
 * @param directory - The service.
 * @param agentId - The agent; empty while it is not known.
 */
export function useKnownSessions(
  directory: AgentDirectory,
  agentId: string,
): UseQueryResult<readonly SessionSummary[]> {
  return useQuery({
    ...sessionsQuery(directory, agentId),
    enabled: agentId !== '',
    // Nothing tells this page when a session that it does not show has ended.
    refetchInterval: ({ state }) => (state.data?.some(runs) === true ? WHILE_RUNNING : false),
  })
}

function runs({ isRunning }: SessionSummary): boolean {
  return isRunning
}

/** What `useNewSession` gives. */
export interface NewSession {
  /** Goes to a session that nobody has used yet. Settles when it is there, or when there is none. */
  readonly open: () => Promise<void>
  /** Why none could be made. */
  readonly error: Error | null
}

/**
 * Opens new conversations: by itself when the address names none, and when the person asks for one.
 *
 * @param where - The service, the agent, the session that the address names, and a way to see whether a session was used.
 */
export function useNewSession(where: {
  readonly directory: AgentDirectory
  readonly agentId: string
  readonly sessionId: string | null
  readonly isEmpty: (sessionId: string) => Promise<boolean>
}): NewSession {
  const { directory, agentId, sessionId, isEmpty } = where
  const sessions = useKnownSessions(directory, agentId)
  const create = useCreateSession(directory, agentId)
  const isBusy = useRef(false)
  const firstSession = useRef(sessionId)
  const known = sessions.data

  const open = async (how: 'push' | 'replace'): Promise<void> => {
    if (known === undefined || isBusy.current) return
    isBusy.current = true
    try {
      const unnamed = known.find(({ name, isRunning }) => UNUSED.test(name) && !isRunning)
      const isUnused = unnamed !== undefined && (await isEmpty(unnamed.id))
      const id = isUnused ? unnamed.id : await create.mutateAsync(undefined)
      goTo(placeHref(agentId, id), how)
    } catch {
      // `create.error` says what happened.
    } finally {
      isBusy.current = false
    }
  }

  useEffect(() => {
    if (known === undefined) return
    // After a restart the scripted agents have forgotten the session that a tab still names.
    const isForgotten =
      sessionId !== null &&
      sessionId === firstSession.current &&
      known.every(({ id }) => id !== sessionId)
    firstSession.current = null
    if (sessionId === null || isForgotten) void open('replace')
  })

  return { open: () => open('push'), error: create.error }
}
