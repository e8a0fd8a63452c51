import { queryOptions } from '@tanstack/react-query'
import type { UseQueryOptions } from '@tanstack/react-query'
import type { AgentDirectory, SessionSummary, TransportError } from '../protocol/index.js'

/** The key of one agent's list of sessions. */
export type SessionsKey = readonly ['agentscope', directory: string, 'sessions', agentId: string]

/** What `useQuery` and `queryClient.fetchQuery` take to read a list of sessions. */
export type SessionsQuery = UseQueryOptions<
  readonly SessionSummary[],
  TransportError,
  readonly SessionSummary[],
  SessionsKey
> & { readonly queryKey: SessionsKey }

/**
 * How to read the sessions of one agent.
 *
 * @param directory - The server; its key is part of the query's.
 * @param agentId - Whose sessions.
 *
 * @example
 * ```ts
 * const { data: sessions } = useQuery(sessionsQuery(directory, agentId))
 * ```
 */
export function sessionsQuery(directory: AgentDirectory, agentId: string): SessionsQuery {
  return queryOptions<
    readonly SessionSummary[],
    TransportError,
    readonly SessionSummary[],
    SessionsKey
  >({
    queryKey: ['agentscope', directory.key, 'sessions', agentId],
    queryFn: () => directory.sessions(agentId),
  })
}
