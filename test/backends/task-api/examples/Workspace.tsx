import { useMemo, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { AgentChat, sessionsQuery } from '../../../../src/entries/index.js'
import { taskApiBackend, taskApiDirectory } from '../../../../src/entries/task-api.js'

/** Conversations beside the one that is open; below a `QueryClientProvider`. */
export function Workspace({ server, token }: { readonly server: string; readonly token: string }) {
  const service = useMemo(
    () => ({ baseUrl: server, headers: { authorization: `Bearer ${token}` } }),
    [server, token],
  )
  const query = useMemo(() => sessionsQuery(taskApiDirectory(service), 'friday'), [service])
  // A title of its own comes a while after the first message.
  const { data: conversations = [] } = useQuery({ ...query, refetchInterval: 30_000 })
  const client = useQueryClient()
  const [open, setOpen] = useState<{ readonly conversationId?: string }>({})
  const backend = useMemo(
    () =>
      taskApiBackend({
        ...service,
        ...open,
        workspaceId: 'friday',
        onConversation: () => void client.invalidateQueries(query),
      }),
    [client, open, query, service],
  )
  return (
    <>
      <nav>
        <button type="button" onClick={() => setOpen({})}>
          New
        </button>
        {conversations.map(({ id, name }) => (
          <button key={id} type="button" onClick={() => setOpen({ conversationId: id })}>
            {name}
          </button>
        ))}
      </nav>
      <AgentChat backend={backend} />
    </>
  )
}
