// @vitest-environment node
import type { ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { remoteTaskBackend } from '../../src/backends/index.js'
import type { JsonObject } from '../../src/protocol/index.js'
import { createChatStore, selectPhase, type ChatStore } from '../../src/store/index.js'
import { tellMessages } from '../dialects/tellMessages.js'
import { sendJson, sendStream, startServer } from '../transports/startServer.js'
import { createTestClock } from '../transports/createTestClock.js'

const waitFor = (check: () => void) => vi.waitFor(check, 5_000)

/** A server of tasks whose streams the test writes. */
async function serve(statusOf: () => JsonObject = () => ({ status: 'running' })) {
  const streams: ServerResponse[] = []
  let seq = 0
  const server = await startServer((response, { method, url }) => {
    if (url.endsWith('/events')) {
      streams.push(response)
      sendStream(response)
    } else if (method === 'GET') sendJson(response, statusOf())
    else sendJson(response, { status: 'pending' })
  })
  const write = (type: string, fields: JsonObject = {}): void => {
    seq += 1
    const frame = { seq, type, taskId: 't', agentId: 'researcher', ...fields }
    streams.at(-1)?.write(`id:${seq}\nevent:${type}\ndata:${JSON.stringify(frame)}\n\n`)
  }
  const posted = (): readonly unknown[] =>
    server.seen
      .filter(({ method }) => method === 'POST')
      .map(({ url, body }) => [url, JSON.parse(body)])
  return { ...server, streams, write, posted }
}

async function talk(url: string, more: object = {}): Promise<ChatStore> {
  const backend = remoteTaskBackend({
    baseUrl: url,
    agentId: 'researcher',
    sessionId: 's1',
    connection: { random: () => 0 },
    ...more,
  })
  const store = createChatStore(backend)
  onTestFinished(store.connect())
  await waitFor(() => expect(store.getState().connection.phase).toBe('open'))
  return store
}

const told = (store: ChatStore) => tellMessages(store.getState().conversation.messages)
const pendingConfirms = [{ toolCallId: 'c1', toolName: 'rm', toolInputJson: '{"p":1}' }]

describe('remoteTaskBackend', () => {
  it('makes a task of each message, and follows it until it is over', async () => {
    const service = await serve()
    const store = await talk(service.url)
    await store.commands.send('Look it up')
    const [message] = store.getState().conversation.messages
    expect(service.posted()).toEqual([
      [
        '/tasks',
        {
          task_id: message?.id,
          agent_id: 'researcher',
          input: 'Look it up',
          context: { parent_session_id: 's1', stream: true, detail: 'full' },
        },
      ],
    ])
    await waitFor(() => expect(service.streams).toHaveLength(1))
    service.write('RUN_STARTED')
    service.write('TEXT_DELTA', { text: 'It is ' })
    await waitFor(() => expect(selectPhase(store.getState())).toBe('streaming'))
    service.write('TEXT_DELTA', { text: 'so.' })
    service.write('RUN_FINISHED')
    service.write('STATUS', { status: 'success' })
    await waitFor(() => expect(selectPhase(store.getState())).toBe('idle'))
    expect(told(store)).toMatchObject([
      { name: 'user', blocks: [{ text: 'Look it up' }] },
      { name: 'researcher', blocks: [{ text: 'It is so.' }], end: 'completed' },
    ])
    await waitFor(() => expect(service.streams[0]?.destroyed).toBe(true))
    expect(store.getState().connection.phase).toBe('open')
  })

  it('goes on after the last event when the line was lost', async () => {
    const service = await serve()
    const store = await talk(service.url, { taskId: 'running' })
    service.write('RUN_STARTED')
    service.write('TEXT_DELTA', { text: 'One, ' })
    await waitFor(() => expect(told(store)).toMatchObject([{ blocks: [{ text: 'One, ' }] }]))
    service.streams[0]?.destroy()
    await waitFor(() => expect(service.streams).toHaveLength(2))
    service.write('TEXT_DELTA', { text: 'two.' })
    service.write('STATUS', { status: 'success' })
    await waitFor(() => expect(told(store)).toMatchObject([{ blocks: [{ text: 'One, two.' }] }]))
    const asked = service.seen.filter(({ url }) => url.endsWith('/events'))
    expect(asked.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '2'])
  })

  it('sends decisions as yes or no, and goes on in the same reply', async () => {
    const service = await serve()
    const store = await talk(service.url, { taskId: 'asking' })
    service.write('RUN_STARTED')
    service.write('REQUIRE_CONFIRM', { pendingConfirms })
    service.write('RUN_FINISHED')
    service.write('REQUIRE_CONFIRM', { status: 'awaiting_confirm', pendingConfirms })
    await waitFor(() => expect(store.getState().conversation.requests).toHaveLength(1))
    const [request] = store.getState().conversation.requests
    await store.commands.confirm({ request: request?.key ?? '', approve: true })
    expect(service.posted()).toEqual([
      ['/tasks/asking/resume', { decisions: [{ toolCallId: 'c1', approved: true }] }],
    ])
    expect(store.getState().conversation.requests).toEqual([])
    service.write('RUN_STARTED')
    service.write('TOOL_RESULT', { toolCallId: 'c1', toolName: 'rm', text: 'gone' })
    service.write('TEXT_DELTA', { text: 'Gone.' })
    service.write('STATUS', { status: 'success' })
    await waitFor(() => expect(selectPhase(store.getState())).toBe('idle'))
    expect(told(store)).toEqual([
      {
        name: 'researcher',
        blocks: [
          { call: 'rm', input: '{"p":1}', state: 'finished' },
          { result: 'rm', output: [{ text: 'gone' }], state: 'success' },
          { text: 'Gone.' },
        ],
        end: 'completed',
      },
    ])
  })

  it('looks after a stream that stays quiet: the task may be over', async () => {
    const clock = createTestClock()
    const service = await serve(() => ({ status: 'success', result: 'It was so.' }))
    const store = await talk(service.url, { taskId: 'over', clock })
    clock.advance(2_000)
    await waitFor(() => expect(told(store)).toMatchObject([{ blocks: [{ text: 'It was so.' }] }]))
    expect(selectPhase(store.getState())).toBe('idle')
  })

  it('asks what a task asks that was found waiting', async () => {
    const clock = createTestClock()
    const pending = { status: 'awaiting_confirm', pending_confirms: pendingConfirms }
    const service = await serve(() => pending)
    const store = await talk(service.url, { taskId: 'waiting', clock })
    clock.advance(2_000)
    await waitFor(() => expect(store.getState().conversation.requests).toHaveLength(1))
    expect(await store.backend.status?.()).toBe('awaiting-confirm')
  })

  it('stops a task', async () => {
    const service = await serve()
    const store = await talk(service.url, { taskId: 'long' })
    service.write('RUN_STARTED')
    service.write('TEXT_DELTA', { text: 'One, ' })
    await waitFor(() => expect(selectPhase(store.getState())).toBe('streaming'))
    await store.backend.interrupt?.({})
    expect(service.posted()).toEqual([['/tasks/long/cancel', {}]])
    service.write('STATUS', { status: 'cancelled' })
    await waitFor(() => expect(told(store)).toMatchObject([{ end: 'interrupted' }]))
    await expect(store.backend.interrupt?.({})).rejects.toMatchObject({ reason: 'rejected' })
  })

  it('says that a task is gone, and looks again when it is told to', async () => {
    let isThere = false
    const service = await startServer((response, { url }) => {
      if (!url.endsWith('/events')) sendJson(response, {})
      else if (isThere) sendStream(response)
      else sendJson(response, { error: 'no such task' }, 404)
    })
    const store = await talk(service.url)
    await store.commands.send('Look it up')
    const connection = () => store.getState().connection
    await waitFor(() => expect(connection()).toMatchObject({ cause: { reason: 'not-found' } }))
    isThere = true
    store.commands.retryNow()
    await waitFor(() => expect(connection()).toEqual({ phase: 'open' }))
  })

  it('refuses what has no place in a task', async () => {
    const service = await serve()
    const { backend } = await talk(service.url)
    await expect(backend.send(null)).rejects.toMatchObject({ reason: 'rejected' })
    const answer = { kind: 'external', id: 'a', reply_id: 'r', results: [] } as const
    await expect(backend.answer([answer])).rejects.toMatchObject({ reason: 'rejected' })
    expect(service.posted()).toEqual([])
  })
})
