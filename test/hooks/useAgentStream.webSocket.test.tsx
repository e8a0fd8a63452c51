import { configure, render, screen, waitFor } from '@testing-library/react'
import { StrictMode } from 'react'
import type { ReactElement } from 'react'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { webSocketBackend } from '../../src/backends/index.js'
import { useAgentStream } from '../../src/hooks/index.js'
import { startSocketServer } from '../transports/startSocketServer.js'

// Real sockets on a busy machine take their time.
configure({ asyncUtilTimeout: 10_000 })

function Chat({ url }: { readonly url: string }): ReactElement {
  // Made anew with each render, as apps do.
  const backend = webSocketBackend({ url, WebSocket, agentId: 'a1', sessionId: 's1' })
  const { connection } = useAgentStream(backend)
  return <p>{connection.phase}</p>
}

describe('useAgentStream over a WebSocket', { timeout: 20_000 }, () => {
  it('opens one socket in StrictMode and closes it when the chat goes', async () => {
    const server = await startSocketServer({
      onMessage: (_message, { say }) => say({ kind: 'ready', seq: 0, oldest: 1 }),
    })
    const { unmount } = render(
      <StrictMode>
        <Chat url={server.url} />
      </StrictMode>,
    )
    expect(await screen.findByText('open')).toBeInTheDocument()
    expect(server.sockets.map(({ heard }) => heard.length)).toEqual([1])
    unmount()
    await waitFor(() => expect(server.sockets[0]?.closed()).toBeDefined())
    expect(server.sockets).toHaveLength(1)
  })
})
