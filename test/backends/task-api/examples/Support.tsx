import { useState } from 'react'
import { AgentChat } from '../../../../src/entries/index.js'
import { taskApiBackend } from '../../../../src/entries/task-api.js'

/** A chat in a workspace; the first message begins the conversation. */
export function Support({ server, token }: { readonly server: string; readonly token: string }) {
  const [backend] = useState(() =>
    taskApiBackend({
      baseUrl: server,
      workspaceId: 'friday',
      headers: { authorization: `Bearer ${token}` },
    }),
  )
  return <AgentChat backend={backend} />
}
