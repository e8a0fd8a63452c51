import { queryOptions } from '@tanstack/react-query'
import type { UseQueryOptions } from '@tanstack/react-query'
import type { AgentDirectory, AgentSummary, TransportError } from '../protocol/index.js'

/** The key of a list of agents: below it no other query stands. */
export type AgentsKey = readonly ['agentscope', directory: string, 'agents']

/** What `useQuery` and `queryClient.fetchQuery` take to read a list of agents. */
export type AgentsQuery = UseQueryOptions<
  readonly AgentSummary[],
  TransportError,
  readonly AgentSummary[],
  AgentsKey
> & { readonly queryKey: AgentsKey }

/**
 * How to read the agents one can talk to.
 *
 * @param directory - The server; its key is part of the query's.
 *
 * @example
 * ```ts
 * const { data: agents } = useQuery(agentsQuery(directory))
 * ```
 */
export function agentsQuery(directory: AgentDirectory): AgentsQuery {
  return queryOptions<readonly AgentSummary[], TransportError, readonly AgentSummary[], AgentsKey>({
    queryKey: ['agentscope', directory.key, 'agents'],
    queryFn: () => directory.agents(),
  })
}
