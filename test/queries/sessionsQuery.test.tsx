import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactElement, ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import {
  useAgents,
  useCreateSession,
  useDeleteSession,
  useRenameSession,
  useSessions,
} from '../../src/hooks/index.js'
import type { AgentDirectory, SessionSummary } from '../../src/protocol/index.js'
import { TransportError } from '../../src/protocol/index.js'
import { agentsQuery, sessionsQuery } from '../../src/queries/index.js'

/** A directory with one agent that keeps its sessions in memory. */
function createDirectory(key = 'memory'): AgentDirectory & { readonly lists: string[] } {
  let sessions: SessionSummary[] = []
  let made = 0
  const lists: string[] = []
  return {
    key,
    lists,
    agents: () => Promise.resolve([{ id: 'a1', name: 'Friday' }]),
    sessions(agentId) {
      lists.push(agentId)
      return Promise.resolve([...sessions])
    },
    createSession(agentId, { name = 'New' } = {}) {
      made += 1
      const id = `s${made}`
      sessions.push({ id, agentId, name, updatedAt: null, isRunning: false })
      return Promise.resolve(id)
    },
    renameSession(_agentId, sessionId, name) {
      sessions = sessions.map((one) => (one.id === sessionId ? { ...one, name } : one))
      return Promise.resolve()
    },
    deleteSession(_agentId, sessionId) {
      sessions = sessions.filter(({ id }) => id !== sessionId)
      return Promise.resolve()
    },
  }
}

function withClient(client = new QueryClient({ defaultOptions: { queries: { retry: false } } })) {
  return function Wrapper({ children }: { readonly children: ReactNode }): ReactElement {
    return <QueryClientProvider client={client}>{children}</QueryClientProvider>
  }
}

describe('agentsQuery', () => {
  it('reads the agents once for all who ask', async () => {
    const directory = createDirectory()
    const { result } = renderHook(() => [useAgents(directory), useAgents(directory)], {
      wrapper: withClient(),
    })
    await waitFor(() => expect(result.current[0]?.data).toEqual([{ id: 'a1', name: 'Friday' }]))
    expect(result.current[1]?.data).toBe(result.current[0]?.data)
  })

  it('tells why the agents cannot be read', async () => {
    const error = new TransportError('unauthorized', 'No token.', { status: 401 })
    const directory = { ...createDirectory(), agents: () => Promise.reject(error) }
    const { result } = renderHook(() => useAgents(directory), { wrapper: withClient() })
    await waitFor(() => expect(result.current.error).toBe(error))
  })

  it('has a key of its own per server', () => {
    expect(agentsQuery(createDirectory('one')).queryKey).not.toEqual(
      agentsQuery(createDirectory('two')).queryKey,
    )
  })
})

describe('sessionsQuery', () => {
  it('is read again when a session begins, is renamed or goes', async () => {
    const directory = createDirectory()
    const { result } = renderHook(
      () => ({
        list: useSessions(directory, 'a1'),
        create: useCreateSession(directory, 'a1'),
        rename: useRenameSession(directory, 'a1'),
        remove: useDeleteSession(directory, 'a1'),
      }),
      { wrapper: withClient() },
    )
    await waitFor(() => expect(result.current.list.data).toEqual([]))
    await act(async () => {
      expect(await result.current.create.mutateAsync({ name: 'Plan' })).toBe('s1')
    })
    await act(async () => {
      await result.current.create.mutateAsync(undefined)
    })
    await waitFor(() =>
      expect(result.current.list.data?.map(({ name }) => name)).toEqual(['Plan', 'New']),
    )
    await act(() => result.current.rename.mutateAsync({ sessionId: 's1', name: 'Better plan' }))
    await waitFor(() => expect(result.current.list.data?.[0]?.name).toBe('Better plan'))
    await act(() => result.current.remove.mutateAsync('s1'))
    await waitFor(() => expect(result.current.list.data).toHaveLength(1))
    expect(new Set(directory.lists)).toEqual(new Set(['a1']))
  })

  it('has a key of its own per agent', () => {
    const directory = createDirectory()
    expect(sessionsQuery(directory, 'a1').queryKey).not.toEqual(
      sessionsQuery(directory, 'a2').queryKey,
    )
  })
})
