// @vitest-environment node
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { agentServiceBackend, agentServiceDirectory } from '../../src/backends/index.js'
import { getTextContent, UserMsg } from '../../src/protocol/index.js'
import type { AgentBackend, Anomaly, Msg, TransportError } from '../../src/protocol/index.js'
import type { ChatOptions, ChatStore, Outbox, OutboxEntry } from '../../src/store/index.js'
import { createChatStore, selectError, selectPhase } from '../../src/store/index.js'
import type { AgentServer, FaultProxy } from '../../src/testing/server/index.js'
import { createAgentServer, createFaultProxy } from '../../src/testing/server/index.js'

const headers = { 'X-User-ID': 'me' }
const chat = { method: 'POST', path: '/chat/' }
const interruption = { method: 'POST', path: '/sessions/*/interrupt' }
const messages = { method: 'GET', path: '/sessions/*/messages' }
const within = { timeout: 15_000, interval: 20 }

/** Answers as fast as it can. */
let quick: AgentServer
/** Writes slowly enough that something can happen in the middle. */
let slow: AgentServer
let proxy: FaultProxy
let sessionId: string

beforeAll(async () => {
  quick = await createAgentServer({ pace: 0.02 })
  slow = await createAgentServer({ pace: 0.3 })
  return () => Promise.all([quick.close(), slow.close()])
})

beforeEach(async () => {
  proxy = await createFaultProxy({ target: quick.url })
  await useServer(quick)
  return () => proxy.close()
})

async function useServer({ url }: AgentServer): Promise<void> {
  proxy.target = url
  sessionId = await agentServiceDirectory({ baseUrl: url, headers }).createSession('friday')
}

function createBackend(baseUrl = proxy.url): AgentBackend {
  return agentServiceBackend({ baseUrl, agentId: 'friday', sessionId, headers, timeoutMs: 1_000 })
}

/** A page with the conversation: its store, and what the app was told. */
interface Page {
  readonly store: ChatStore
  readonly errors: TransportError[]
  readonly anomalies: Anomaly[]
  /** The page is gone: nothing of it goes on. */
  readonly leave: () => void
}

async function openPage(options: ChatOptions = {}): Promise<Page> {
  const errors: TransportError[] = []
  const anomalies: Anomaly[] = []
  const store = createChatStore(createBackend(), {
    outbox: false,
    onError: (error) => errors.push(error),
    onAnomaly: (anomaly) => anomalies.push(anomaly),
    ...options,
  })
  const leave = store.connect()
  onTestFinished(leave)
  await vi.waitFor(() => expect(store.getState().history.phase).toBe('ready'), within)
  return { store, errors, anomalies, leave }
}

/** What survives a page. */
function createMemory(): Outbox & { entries: readonly OutboxEntry[] } {
  const memory: Outbox & { entries: readonly OutboxEntry[] } = {
    entries: [],
    read: () => memory.entries,
    write(_key, entries) {
      memory.entries = JSON.parse(JSON.stringify(entries))
    },
  }
  return memory
}

function requests(on: { readonly method: string; readonly path: string }): number {
  const path = new RegExp(`^${on.path.replace('*', '[^/]+')}$`)
  return proxy.requests.filter(
    ({ method, path: asked }) => method === on.method && path.test(asked),
  ).length
}

async function stored(): Promise<readonly Msg[]> {
  const page = await createBackend(proxy.target.replace(/\/$/, '')).history?.({ limit: 200 })
  return page?.messages ?? []
}

async function storedWords(): Promise<readonly (string | null)[]> {
  return (await stored()).filter(({ role }) => role === 'user').map((one) => getTextContent(one))
}

function untilPhase({ store }: Page, phase: string): Promise<void> {
  return vi.waitFor(() => expect(selectPhase(store.getState())).toBe(phase), within)
}

/** Waits until nothing runs, here and on the server. */
async function untilIdle(page: Page): Promise<void> {
  await vi.waitFor(async () => {
    expect(selectPhase(page.store.getState())).toBe('idle')
    expect(await createBackend(proxy.target.replace(/\/$/, '')).status?.()).toBe('idle')
  }, within)
}

function onlyKey({ store }: Page): string {
  const keys = Object.keys(store.getState().sends)
  expect(keys).toHaveLength(1)
  return keys[0] ?? ''
}

function onlySend(page: Page) {
  return page.store.getState().sends[onlyKey(page)]
}

function requestKey({ store }: Page): string {
  return store.getState().conversation.requests[0]?.key ?? 'nothing waits'
}

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

describe('a reload in the middle', { timeout: 30_000 }, () => {
  /** Begins something that gets no answer, and leaves the page. */
  async function leaveDuring(outbox: Outbox, begin: (page: Page) => void): Promise<void> {
    const page = await openPage({ outbox })
    begin(page)
    await vi.waitFor(() => expect(requests(chat)).toBeGreaterThan(0), within)
    page.leave()
  }

  it('of a message that arrived finds it in history', async () => {
    const outbox = createMemory()
    proxy.inject({ kind: 'hang', on: chat, forwarded: true })
    await leaveDuring(outbox, ({ store }) => {
      void store.commands.send('Hello')
      expect(outbox.entries).toHaveLength(1)
    })
    await vi.waitFor(async () => expect(await storedWords()).toEqual(['Hello']), within)
    const page = await openPage({ outbox })
    await untilIdle(page)
    await vi.waitFor(() => expect(outbox.entries).toEqual([]), within)
    expect(page.store.getState().sends).toEqual({})
    expect(page.errors).toEqual([])
    expect(requests(chat)).toBe(1)
  })

  it('of a message that did not arrive shows it, and sends it once under its id', async () => {
    const outbox = createMemory()
    proxy.inject({ kind: 'hang', on: chat })
    await leaveDuring(outbox, ({ store }) => void store.commands.send('Hello'))
    const page = await openPage({ outbox })
    await vi.waitFor(() => expect(onlySend(page)?.phase).toBe('failed'), within)
    expect(onlySend(page)).toMatchObject({ isSure: false })
    const id = onlyKey(page)
    expect(outbox.entries[0]?.message?.id).toBe(id)
    await page.store.commands.retry(id)
    await untilIdle(page)
    expect(await storedWords()).toEqual(['Hello'])
    expect((await stored())[0]?.id).toBe(id)
    expect(outbox.entries).toEqual([])
  })

  it('of a message that did not arrive can be given up for good', async () => {
    const outbox = createMemory()
    proxy.inject({ kind: 'hang', on: chat })
    await leaveDuring(outbox, ({ store }) => void store.commands.send('Hello'))
    const page = await openPage({ outbox })
    await vi.waitFor(() => expect(onlySend(page)?.phase).toBe('failed'), within)
    page.store.commands.discard(onlyKey(page))
    expect(outbox.entries).toEqual([])
    expect(page.store.getState().conversation.messages).toEqual([])
    expect(page.store.getState().error).toBeNull()
  })

  it('of a message that waits keeps it waiting, and it goes out by itself', async () => {
    const outbox = createMemory()
    const first = await openPage({ outbox })
    await first.store.commands.send('Write an e-mail')
    await untilPhase(first, 'awaiting-person')
    await first.store.commands.send('Thanks', { whenFree: true })
    first.leave()
    const page = await openPage({ outbox })
    await vi.waitFor(() => expect(onlySend(page)?.phase).toBe('held'), within)
    await page.store.commands.interrupt()
    await vi.waitFor(async () => expect(await storedWords()).toHaveLength(2), within)
    await untilIdle(page)
    expect(await storedWords()).toEqual(['Write an e-mail', 'Thanks'])
    expect(outbox.entries).toEqual([])
  })

  it('of a decision that arrived leaves nothing to decide', async () => {
    const outbox = createMemory()
    const first = await openPage({ outbox })
    await first.store.commands.send('Write an e-mail')
    await untilPhase(first, 'awaiting-person')
    proxy.inject({ kind: 'hang', on: chat, forwarded: true })
    const request = requestKey(first)
    void first.store.commands.confirm({ request, approve: true })
    await vi.waitFor(() => expect(requests(chat)).toBe(2), within)
    first.leave()
    const page = await openPage({ outbox })
    await untilIdle(page)
    expect(page.store.getState().sends).toEqual({})
    await vi.waitFor(() => expect(outbox.entries).toEqual([]), within)
    expect(page.errors).toEqual([])
  })

  it('of a decision that did not arrive shows it, and sends the same under the same id', async () => {
    const outbox = createMemory()
    const first = await openPage({ outbox })
    await first.store.commands.send('Write an e-mail')
    await untilPhase(first, 'awaiting-person')
    await vi.waitFor(async () => expect(await stored()).toHaveLength(2), within)
    proxy.inject({ kind: 'hang', on: chat })
    void first.store.commands.confirm({ request: requestKey(first), approve: true })
    await vi.waitFor(() => expect(requests(chat)).toBe(2), within)
    first.leave()
    const id = outbox.entries[0]?.answer?.id
    const heard: (string | undefined)[] = []
    const page = await openPage({ outbox, onEvent: (event) => heard.push(event.id) })
    await vi.waitFor(() => expect(onlySend(page)?.phase).toBe('failed'), within)
    await page.store.commands.retry(onlyKey(page))
    await untilIdle(page)
    expect(heard).toContain(id)
    expect(outbox.entries).toEqual([])
  })

  it('goes on without an outbox that refuses, and says so once', async () => {
    const refuse = (): never => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    }
    const page = await openPage({ outbox: { read: refuse, write: refuse } })
    await page.store.commands.send('Hello')
    await untilIdle(page)
    await page.store.commands.send('Hello again')
    await untilIdle(page)
    expect(page.anomalies.map(({ kind }) => kind)).toEqual(['not-kept'])
    expect(await storedWords()).toEqual(['Hello', 'Hello again'])
  })
})

/** Messages and answers that the server took. */
function accepted(): number {
  return proxy.requests.filter(({ path, status }) => path === chat.path && status === 200).length
}
