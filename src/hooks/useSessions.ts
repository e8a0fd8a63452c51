'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query'
import type {
  AgentDirectory,
  AgentSummary,
  SessionSummary,
  TransportError,
} from '../protocol/index.js'
import {
  agentsQuery,
  createSessionMutation,
  deleteSessionMutation,
  renameSessionMutation,
  sessionsQuery,
} from '../queries/index.js'
import type { NewSession, SessionName } from '../queries/index.js'

/**
 * The agents one can talk to, fetched and cached. Needs a `QueryClientProvider`.
 *
 * @param directory - The server.
 */
export function useAgents(
  directory: AgentDirectory,
): UseQueryResult<readonly AgentSummary[], TransportError> {
  return useQuery(agentsQuery(directory))
}

/**
 * The sessions of one agent, fetched and cached. Needs a `QueryClientProvider`.
 *
 * @param directory - The server.
 * @param agentId - Whose sessions.
 */
export function useSessions(
  directory: AgentDirectory,
  agentId: string,
): UseQueryResult<readonly SessionSummary[], TransportError> {
  return useQuery(sessionsQuery(directory, agentId))
}

/**
 * Begins a session and gives its id; the list of sessions is read again. Needs a `QueryClientProvider`.
 *
 * @param directory - The server.
 * @param agentId - Whose session.
 */
export function useCreateSession(
  directory: AgentDirectory,
  agentId: string,
): UseMutationResult<string, TransportError, NewSession | undefined> {
  return useMutation(createSessionMutation({ directory, agentId, client: useQueryClient() }))
}

/**
 * Renames a session; the list of sessions is read again. Needs a `QueryClientProvider`.
 *
 * @param directory - The server.
 * @param agentId - Whose session.
 */
export function useRenameSession(
  directory: AgentDirectory,
  agentId: string,
): UseMutationResult<void, TransportError, SessionName> {
  return useMutation(renameSessionMutation({ directory, agentId, client: useQueryClient() }))
}

/**
 * Deletes a session with all its messages; the list of sessions is read again. Needs a `QueryClientProvider`.
 *
 * @param directory - The server.
 * @param agentId - Whose session.
 */
export function useDeleteSession(
  directory: AgentDirectory,
  agentId: string,
): UseMutationResult<void, TransportError, string> {
  return useMutation(deleteSessionMutation({ directory, agentId, client: useQueryClient() }))
}
