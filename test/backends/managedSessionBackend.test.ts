// @vitest-environment node
import type { ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { managedSessionBackend } from '../../src/backends/index.js'
import { getTextContent } from '../../src/protocol/index.js'
import { createChatStore, selectPhase, type ChatStore } from '../../src/store/index.js'
import { sendJson, sendStream, startServer, type Seen } from '../transports/startServer.js'

const waitFor = (check: () => void) => vi.waitFor(check, 5_000)

let seq = 0
function stored(type: string, payload: object, id = `ev${seq + 1}`): string {
  seq += 1
  const event = { id, sessionId: 's1', seq, type, payload, createdAt: 1_764_547_200_000 + seq }
  return `event:${type}\ndata:${JSON.stringify(event)}\n\n`
}
function preview(event_id: string, delta: string): string {
  const event = { event_id, type: 'agent.message', delta, seq: -1 }
  return `event:event_delta\ndata:${JSON.stringify(event)}\n\n`
}

/** A service whose streams the test writes. */
async function serve() {
  seq = 0
  const streams: ServerResponse[] = []
  const server = await startServer((response, { method }) => {
    if (method === 'POST') return sendJson(response, {})
    streams.push(response)
    sendStream(response)
  })
  const write = (...frames: readonly string[]): void => {
    streams.at(-1)?.write(frames.join(''))
  }
  const posted = (): readonly unknown[] =>
    server.seen.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body))
  return { ...server, streams, write, posted }
}

async function talk(url: string): Promise<ChatStore> {
  const backend = managedSessionBackend({
    baseUrl: url,
    sessionId: 's1',
    connection: { random: () => 0 },
  })
  const store = createChatStore(backend)
  onTestFinished(store.connect())
  await waitFor(() => expect(store.getState().connection.phase).toBe('open'))
  return store
}

const said = (store: ChatStore) =>
  store.getState().conversation.messages.map((message) => getTextContent(message))

const streamUrls = (seen: readonly Seen[]) =>
  seen.filter(({ method }) => method === 'GET').map(({ url }) => url)

describe('managedSessionBackend', () => {
  it('brings what was said, and what is said', async () => {
    const service = await serve()
    const store = await talk(service.url)
    service.write(
      stored('user.message', { text: 'Before' }),
      stored('session.status_running', {}),
      stored('agent.message', { text: 'Yes?' }),
      stored('session.status_idle', {}),
    )
    await waitFor(() => expect(said(store)).toEqual(['Before', 'Yes?']))
    await store.commands.send('Hello')
    expect(service.posted()).toEqual([
      { events: [{ type: 'user.message', payload: { text: 'Hello' } }] },
    ])
    service.write(stored('user.message', { text: 'Hello' }), stored('session.status_running', {}))
    service.write(preview('m9', 'Hi '), preview('m9', 'th'))
    await waitFor(() => expect(said(store).at(-1)).toBe('Hi th'))
    service.write(
      stored('agent.message', { text: 'Hi there' }, 'm9'),
      stored('session.status_idle', {}),
    )
    await waitFor(() => expect(said(store)).toEqual(['Before', 'Yes?', 'Hello', 'Hi there']))
    await waitFor(() => expect(selectPhase(store.getState())).toBe('idle'))
  })

  it('goes on after the last stored event when the line was lost', async () => {
    const service = await serve()
    const store = await talk(service.url)
    service.write(stored('user.message', { text: 'Hello' }), stored('session.status_running', {}))
    service.write(preview('m9', 'Hi '))
    await waitFor(() => expect(said(store)).toEqual(['Hello', 'Hi ']))
    service.streams[0]?.destroy()
    await waitFor(() => expect(service.streams).toHaveLength(2))
    service.write(
      stored('agent.message', { text: 'Hi there' }, 'm9'),
      stored('session.status_idle', {}),
    )
    await waitFor(() => expect(said(store)).toEqual(['Hello', 'Hi there']))
    const path = '/api/sessions/s1/events/stream'
    expect(streamUrls(service.seen)).toEqual([
      `${path}?after=0&event_deltas=true`,
      `${path}?after=2&event_deltas=true`,
    ])
  })

  it('posts a decision per call, and a stop', async () => {
    const service = await serve()
    const store = await talk(service.url)
    service.write(
      stored('user.message', { text: 'Clean up' }),
      stored('session.status_running', {}),
      stored('agent.tool_use', { id: 'c1', name: 'rm', input: { path: '/a' } }),
      stored('session.requires_action', { tool_use_id: 'c1', name: 'rm', input: { path: '/a' } }),
      stored('session.status_requires_action', {}),
    )
    await waitFor(() => expect(store.getState().conversation.requests).toHaveLength(1))
    const [request] = store.getState().conversation.requests
    await store.commands.confirm({ request: request?.key ?? '', approve: false })
    await store.backend.interrupt?.({})
    expect(service.posted()).toEqual([
      {
        events: [{ type: 'user.tool_confirmation', payload: { tool_use_id: 'c1', allow: false } }],
      },
      { events: [{ type: 'user.interrupt', payload: {} }] },
    ])
  })
})
