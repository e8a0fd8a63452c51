import { act, configure, render, screen, waitFor } from '@testing-library/react'
import { Profiler, StrictMode } from 'react'
import type { ReactElement } from 'react'
import { describe, expect, it } from 'vitest'
import { agentServiceBackend } from '../../src/backends/index.js'
import { AgentStreamProvider, useAgentStream } from '../../src/hooks/index.js'
import type { JsonValue } from '../../src/protocol/index.js'
import { getTextContent, isJsonObject } from '../../src/protocol/index.js'
import {
  asking,
  confirmResult,
  modelStart,
  parkedReply,
  replyEnd,
  replyStart,
  storedParked,
  textDelta,
  textReply,
  textStart,
} from '../store/events.js'
import type { ChatServer } from './startChatServer.js'
import { startChatServer } from './startChatServer.js'

// Real sockets on a busy machine take their time.
configure({ asyncUtilTimeout: 10_000 })

/** A plain chat: messages, a send button, a card per request. */
function Chat({ server }: { readonly server: ChatServer }): ReactElement {
  // Made anew with each render, as apps do.
  const backend = agentServiceBackend({
    baseUrl: server.url,
    agentId: 'a1',
    sessionId: 's1',
    headers: { 'X-User-ID': 'me' },
  })
  const { messages, phase, connection, sends, requests, send, confirm, retry } =
    useAgentStream(backend)
  return (
    <section data-testid="chat" data-phase={phase} data-connection={connection.phase}>
      {messages.map((message) => (
        <p key={message.id} data-send={sends[message.id]?.phase ?? 'done'}>
          {getTextContent(message) ?? '(no text)'}
          <button type="button" onClick={() => void retry(message.id)}>
            retry
          </button>
        </p>
      ))}
      <button type="button" onClick={() => void send('Hi')}>
        send
      </button>
      {requests.map((request) => (
        <button
          key={request.key}
          type="button"
          onClick={() => void confirm({ request: request.key, approve: true })}
        >
          approve
        </button>
      ))}
    </section>
  )
}

async function untilReady(): Promise<void> {
  await waitFor(() => {
    for (const chat of screen.getAllByTestId('chat')) {
      expect(chat).toHaveAttribute('data-connection', 'open')
      expect(chat.dataset['phase']).not.toBe('loading')
    }
  })
}

function click(name: string): void {
  act(() => screen.getByRole('button', { name }).click())
}

function inputOf(post: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(post) ? post['input'] : undefined
}

describe('useAgentStream over HTTP', { timeout: 20_000 }, () => {
  it('opens one stream in StrictMode and aborts it when the chat goes', async () => {
    const server = await startChatServer()
    const { unmount } = render(
      <StrictMode>
        <Chat server={server} />
      </StrictMode>,
    )
    await untilReady()
    expect(server.streams).toMatchObject({ now: 1, ever: 1 })
    unmount()
    await waitFor(() => expect(server.streams.now).toBe(0))
    expect(server.streams.ever).toBe(1)
  })

  it('keeps a message the server failed to take, and sends it again under its id', async () => {
    const server = await startChatServer()
    server.statuses.push(500)
    render(<Chat server={server} />)
    await untilReady()
    click('send')
    await waitFor(() => expect(screen.getByText('Hi')).toHaveAttribute('data-send', 'failed'))
    click('retry')
    await waitFor(() => expect(screen.getByText('Hi')).toHaveAttribute('data-send', 'sent'))
    const [first, second] = server.posts.map(inputOf)
    expect(server.posts).toHaveLength(2)
    expect(first).toEqual(second)
    act(() => server.emit(textReply('r1', 'Hello')))
    expect(await screen.findByText('Hello')).toBeInTheDocument()
    expect(screen.getByText('Hi')).toHaveAttribute('data-send', 'done')
  })

  it('posts one approval for a double click', async () => {
    const server = await startChatServer()
    render(<Chat server={server} />)
    await untilReady()
    act(() => server.emit(parkedReply('r1', 't1')))
    const approve = await screen.findByRole('button', { name: 'approve' })
    act(() => {
      approve.click()
      approve.click()
    })
    await waitFor(() => expect(server.posts).toHaveLength(1))
    expect(inputOf(server.posts[0])).toMatchObject({
      type: 'USER_CONFIRM_RESULT',
      reply_id: 'r1',
      confirm_results: [{ confirmed: true, tool_call: asking('t1') }],
    })
    act(() => approve.click())
    act(() => server.emit([confirmResult('r1', ['t1', true]), replyStart('r1'), replyEnd('r1')]))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'approve' })).toBeNull())
    expect(server.posts).toHaveLength(1)
  })

  it('shows after a reload what waits, and both tabs clear it when one answers', async () => {
    const server = await startChatServer()
    server.stored = [storedParked('r1', 't1')]
    render(
      <>
        <AgentStreamProvider>
          <Chat server={server} />
        </AgentStreamProvider>
        <AgentStreamProvider>
          <Chat server={server} />
        </AgentStreamProvider>
      </>,
    )
    await untilReady()
    expect(server.streams.now).toBe(2)
    const [first] = await screen.findAllByRole('button', { name: 'approve' })
    expect(screen.getAllByTestId('chat')[1]).toHaveAttribute('data-phase', 'awaiting-person')
    act(() => first?.click())
    await waitFor(() => expect(server.posts).toHaveLength(1))
    server.isRunning = true
    act(() => server.emit([confirmResult('r1', ['t1', true]), replyStart('r1'), modelStart('r1')]))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'approve' })).toBeNull())
    for (const chat of screen.getAllByTestId('chat')) {
      await waitFor(() => expect(chat).toHaveAttribute('data-phase', 'streaming'))
    }
  })

  it('renders a chunk of 5,000 events fewer than 30 times, to the letter', async () => {
    const server = await startChatServer()
    let renders = 0
    render(
      <Profiler id="chat" onRender={() => (renders += 1)}>
        <Chat server={server} />
      </Profiler>,
    )
    await untilReady()
    renders = 0
    const deltas = Array.from({ length: 4_997 }, (_, n) => textDelta('r1', 'b1', `${n} `))
    act(() => server.emit([replyStart('r1'), textStart('r1', 'b1'), ...deltas, replyEnd('r1')]))
    const text = Array.from({ length: 4_997 }, (_, n) => `${n} `).join('')
    await waitFor(() =>
      expect(screen.getByTestId('chat').querySelector('p')?.firstChild?.textContent).toBe(text),
    )
    expect(renders).toBeLessThan(30)
  })
})
