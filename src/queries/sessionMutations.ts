import type { QueryClient, UseMutationOptions } from '@tanstack/react-query'
import type { AgentDirectory, TransportError } from '../protocol/index.js'
import { sessionsQuery } from './sessionsQuery.js'

/** What to call a new session. */
export interface NewSession {
  /** Its name; the server's choice by default. */
  readonly name?: string
}

/** What to call a session from now on. */
export interface SessionName {
  /** The session. */
  readonly sessionId: string
  /** Its new name. */
  readonly name: string
}

/** Whose sessions change, and where their list is cached. */
export interface SessionsTarget {
  /** The server. */
  readonly directory: AgentDirectory
  /** Whose sessions. */
  readonly agentId: string
  /** Where the list of sessions is cached; it is read again after the change. */
  readonly client: QueryClient
}

/**
 * How to begin a session; gives its id.
 *
 * @param target - Whose sessions, and where their list is cached.
 */
export function createSessionMutation(
  target: SessionsTarget,
): UseMutationOptions<string, TransportError, NewSession | undefined> {
  return {
    mutationFn: (session) => target.directory.createSession(target.agentId, session ?? {}),
    onSuccess: () => refreshSessions(target),
  }
}

/**
 * How to rename a session.
 *
 * @param target - Whose sessions, and where their list is cached.
 */
export function renameSessionMutation(
  target: SessionsTarget,
): UseMutationOptions<void, TransportError, SessionName> {
  return {
    mutationFn: ({ sessionId, name }) =>
      target.directory.renameSession(target.agentId, sessionId, name),
    onSuccess: () => refreshSessions(target),
  }
}

/**
 * How to delete a session, by its id, with all its messages.
 *
 * @param target - Whose sessions, and where their list is cached.
 */
export function deleteSessionMutation(
  target: SessionsTarget,
): UseMutationOptions<void, TransportError, string> {
  return {
    mutationFn: (sessionId) => target.directory.deleteSession(target.agentId, sessionId),
    onSuccess: () => refreshSessions(target),
  }
}

function refreshSessions({ directory, agentId, client }: SessionsTarget): Promise<void> {
  return client.invalidateQueries({ queryKey: sessionsQuery(directory, agentId).queryKey })
}
