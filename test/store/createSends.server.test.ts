// @vitest-environment node
import { WebSocket } from 'ws'
import { describe, expect, it, vi } from 'vitest'
import { webSocketBackend } from '../../src/backends/index.js'
import { getTextContent, UserMsg } from '../../src/protocol/index.js'
import type { AgentBackend } from '../../src/protocol/index.js'
import { selectError, selectSendBlock } from '../../src/store/index.js'
import {
  accepted,
  chat,
  createBackend,
  deleteSession,
  interruption,
  messages,
  onlyKey,
  onlySend,
  openPage,
  proxy,
  quick,
  requestKey,
  requests,
  sessionId,
  slow,
  stored,
  storedWords,
  untilIdle,
  untilPhase,
  useServer,
  within,
} from './serverPages.js'

describe('a message through faults', { timeout: 30_000 }, () => {
  it.each([
    ['the line broke', { kind: 'reset', forwarded: true }],
    ['no answer came in time', { kind: 'hang', forwarded: true }],
    ['a gateway gave up', { kind: 'answer', status: 502, forwarded: true }],
  ] as const)('is recognised in history when %s after the server acted', async (_why, fault) => {
    const page = await openPage()
    proxy.inject({ ...fault, on: chat })
    await page.store.commands.send('Hello')
    await untilIdle(page)
    expect(page.store.getState().sends).toEqual({})
    expect(page.errors).toEqual([])
    expect(requests(chat)).toBe(1)
    expect(await storedWords()).toEqual(['Hello'])
  })

  it.each([
    ['reset', { kind: 'reset' }],
    ['500', { kind: 'answer', status: 500 }],
  ] as const)('fails visibly (%s), and goes out under the same id', async (_why, fault) => {
    const page = await openPage()
    proxy.inject({ ...fault, on: chat })
    await page.store.commands.send('Hello')
    const id = onlyKey(page)
    expect(onlySend(page)).toMatchObject({ phase: 'failed', isSure: true })
    expect(page.errors).toHaveLength(1)
    await Promise.all([page.store.commands.retry(id), page.store.commands.retry(id)])
    await untilIdle(page)
    expect(requests(chat)).toBe(2)
    expect((await stored()).map((one) => one.id)).toContain(id)
    expect(await storedWords()).toEqual(['Hello'])
    expect(selectError(page.store.getState())).toBeNull()
  })

  it('is not sent a second time while nobody can tell whether it arrived', async () => {
    const page = await openPage()
    proxy.inject({ kind: 'reset', on: chat, forwarded: true })
    proxy.inject({ kind: 'answer', status: 503, on: messages, which: 'every' })
    await page.store.commands.send('Hello')
    const id = onlyKey(page)
    expect(onlySend(page)).toMatchObject({ phase: 'failed', isSure: false })
    await page.store.commands.retry(id)
    expect(onlySend(page)).toMatchObject({ phase: 'failed', isSure: false })
    expect(requests(chat)).toBe(1)
    proxy.heal()
    await page.store.commands.retry(id)
    await untilIdle(page)
    expect(requests(chat)).toBe(1)
    expect(page.store.getState()).toMatchObject({ error: null })
    expect(page.store.getState().sends).toEqual({})
    expect(await storedWords()).toEqual(['Hello'])
  })

  it('that the server calls wrong fails for certain', async () => {
    const page = await openPage()
    proxy.inject({ kind: 'answer', status: 422, on: chat })
    await page.store.commands.send('Hello')
    expect(onlySend(page)).toMatchObject({
      phase: 'failed',
      isSure: true,
      error: { reason: 'rejected' },
    })
    expect(requests(messages)).toBe(1)
  })

  it('refused because the agent was busy waits when asked to, and goes out once', async () => {
    await useServer(slow)
    const page = await openPage()
    const run = createBackend(slow.url)
    proxy.inject({ kind: 'answer', status: 409, on: chat })
    await run.send([UserMsg({ name: 'user', content: 'Tell me a long story' })])
    await page.store.commands.send('And then?')
    const id = onlyKey(page)
    expect(onlySend(page)).toMatchObject({ phase: 'failed', error: { reason: 'conflict' } })
    await page.store.commands.retry(id, { whenFree: true })
    expect(onlySend(page)?.phase).toBe('held')
    await vi.waitFor(async () => expect(await storedWords()).toContain('And then?'), within)
    await untilIdle(page)
    expect(await storedWords()).toEqual(['Tell me a long story', 'And then?'])
    expect(accepted()).toBe(1)
    expect(page.store.getState().sends).toEqual({})
  })

  it('waits for the run, one after the other, and each goes out once', async () => {
    await useServer(slow)
    const page = await openPage()
    const { send, interrupt } = page.store.commands
    await send('Tell me a long story')
    await untilPhase(page, 'streaming')
    await Promise.all([send('One', { whenFree: true }), send('Two', { whenFree: true })])
    expect(requests(chat)).toBe(1)
    const phases = Object.values(page.store.getState().sends).map(({ phase }) => phase)
    expect(phases.filter((phase) => phase === 'held')).toHaveLength(2)
    await vi.waitFor(
      () => expect(page.store.getState().conversation.messages.length).toBeGreaterThan(3),
      within,
    )
    await interrupt()
    await vi.waitFor(async () => expect(await storedWords()).toHaveLength(3), within)
    await untilIdle(page)
    expect(await storedWords()).toEqual(['Tell me a long story', 'One', 'Two'])
    expect(accepted()).toBe(3)
    expect(page.store.getState()).toMatchObject({ error: null, sends: {} })
  })

  it('that waits stays when the run parks, and goes out when the person answered', async () => {
    const page = await openPage()
    const { send, confirm } = page.store.commands
    await send('Write an e-mail')
    await send('Thanks', { whenFree: true })
    await untilPhase(page, 'awaiting-person')
    await vi.waitFor(async () => expect(await stored()).toHaveLength(2), within)
    expect(onlySend(page)?.phase).toBe('held')
    expect(requests(chat)).toBe(1)
    await confirm({ request: requestKey(page), approve: false })
    await vi.waitFor(async () => expect(await storedWords()).toHaveLength(2), within)
    await untilIdle(page)
    expect(await storedWords()).toEqual(['Write an e-mail', 'Thanks'])
  })

  it('that waits can be given up', async () => {
    const page = await openPage()
    const { send, discard, interrupt } = page.store.commands
    await send('Write an e-mail')
    await untilPhase(page, 'awaiting-person')
    await send('Never mind', { whenFree: true })
    discard(onlyKey(page))
    await interrupt()
    await untilIdle(page)
    expect(requests(chat)).toBe(1)
    expect(
      page.store.getState().conversation.messages.map((one) => getTextContent(one)),
    ).not.toContain('Never mind')
  })
})

describe('a decision through faults', { timeout: 30_000 }, () => {
  it.each([
    ['the line broke', { kind: 'reset', forwarded: true }],
    ['no answer came in time', { kind: 'hang', forwarded: true }],
  ] as const)('is recognised by its effect when %s after the server acted', async (_why, fault) => {
    const page = await openPage()
    await page.store.commands.send('Write an e-mail')
    await untilPhase(page, 'awaiting-person')
    proxy.inject({ ...fault, on: chat })
    const request = requestKey(page)
    await Promise.all([
      page.store.commands.confirm({ request, approve: true }),
      page.store.commands.confirm({ request, approve: true }),
    ])
    await untilIdle(page)
    expect(page.store.getState()).toMatchObject({ error: null })
    expect(page.store.getState().sends).toEqual({})
    expect(page.errors).toEqual([])
    expect(requests(chat)).toBe(2)
  })

  it('fails visibly when the server never saw it, and the same goes out again', async () => {
    const page = await openPage()
    await page.store.commands.send('Write an e-mail')
    await untilPhase(page, 'awaiting-person')
    proxy.inject({ kind: 'reset', on: chat })
    await page.store.commands.confirm({ request: requestKey(page), approve: true })
    expect(onlySend(page)).toMatchObject({ phase: 'failed', decision: { approve: true } })
    await page.store.commands.retry(onlyKey(page))
    await untilIdle(page)
    expect(requests(chat)).toBe(3)
    expect(selectError(page.store.getState())).toBeNull()
  })
})

describe('a stop through faults', { timeout: 30_000 }, () => {
  it('is settled by the stream or by history when its answer was lost', async () => {
    await useServer(slow)
    const page = await openPage()
    await page.store.commands.send('Tell me a long story')
    await vi.waitFor(
      () => expect(page.store.getState().conversation.messages.length).toBeGreaterThan(1),
      within,
    )
    proxy.inject({ kind: 'reset', on: interruption, forwarded: true })
    await Promise.all([page.store.commands.interrupt(), page.store.commands.interrupt()])
    await untilIdle(page)
    expect(requests(interruption)).toBe(1)
    expect(page.store.getState()).toMatchObject({ error: null, isInterrupting: false })
    expect((await stored()).at(-1)?.finished_reason).toBe('interrupted')
  })

  it('is told as failed while the reply goes on, and may be tried again', async () => {
    await useServer(slow)
    const page = await openPage()
    await page.store.commands.send('Tell me a long story')
    await vi.waitFor(
      () => expect(page.store.getState().conversation.messages.length).toBeGreaterThan(1),
      within,
    )
    proxy.inject({ kind: 'answer', status: 500, on: interruption })
    await page.store.commands.interrupt()
    expect(page.store.getState()).toMatchObject({
      isInterrupting: false,
      error: { reason: 'server' },
    })
    await page.store.commands.interrupt()
    await untilIdle(page)
    expect(requests(interruption)).toBe(2)
    expect(page.store.getState().error).toBeNull()
  })

  it('does not overtake the message that it is to stop', async () => {
    await useServer(slow)
    const page = await openPage()
    proxy.inject({ kind: 'delay', by: 300, on: chat })
    const sending = page.store.commands.send('Tell me a long story')
    await page.store.commands.interrupt()
    await sending
    await untilIdle(page)
    const order = proxy.requests.filter(({ method }) => method === 'POST').map(({ path }) => path)
    expect(order).toEqual(['/chat/', expect.stringMatching(/interrupt$/)])
    expect((await stored()).at(-1)?.finished_reason).toBe('interrupted')
  })

  it('is not sent to a session where nothing runs or waits', async () => {
    const page = await openPage()
    await page.store.commands.send('Hello')
    await untilIdle(page)
    await page.store.commands.interrupt()
    expect(requests(interruption)).toBe(0)
  })
})

describe('a conversation that is deleted while it waits', { timeout: 8_000 }, () => {
  function overSocket(protocol: 'plain' | 'agentscope.v1'): AgentBackend {
    return webSocketBackend({
      url: `${quick.url.replace('http', 'ws')}/sessions/${sessionId}/socket?agent_id=friday`,
      auth: () => 'me',
      agentId: 'friday',
      sessionId,
      protocol,
      http: { baseUrl: proxy.url, headers: { 'X-User-ID': 'me' } },
      WebSocket,
    })
  }

  it.each([
    ['events of the server', () => createBackend()],
    ['a plain socket', () => overSocket('plain')],
    ['a numbered socket', () => overSocket('agentscope.v1')],
  ] as const)('offers nothing any more, and refuses at once (over %s)', async (_what, make) => {
    const backend = make()
    const page = await openPage({}, backend)
    const { store } = page
    const { send, confirm } = store.commands
    await send('Write an e-mail')
    await untilPhase(page, 'awaiting-person')
    await vi.waitFor(async () => expect(await stored()).toHaveLength(2), within)
    const request = requestKey(page)
    await deleteSession()
    await confirm({ request, approve: true })
    await vi.waitFor(() => expect(store.getState().connection.phase).toBe('failed'), within)
    expect(store.getState()).toMatchObject({ sends: {}, conversation: { requests: [] } })
    expect(selectError(store.getState())).toMatchObject({ reason: 'not-found' })
    expect(selectSendBlock(store.getState(), backend.capabilities)).toBe('gone')
    expect(page.errors.map(({ reason }) => reason)).toContain('not-found')
    const before = proxy.requests.length
    await send('Is anybody there?', { whenFree: true })
    expect(onlySend(page)).toMatchObject({
      phase: 'failed',
      isSure: true,
      error: { reason: 'not-found' },
    })
    expect(proxy.requests.slice(before).map(({ method }) => method)).not.toContain('POST')
  })
})
