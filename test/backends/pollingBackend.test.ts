// @vitest-environment node
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  agentServiceDirectory,
  pollingBackend,
  type PollingBackendOptions,
} from '../../src/backends/index.js'
import { equalsStored, type PendingRequest } from '../../src/fold/index.js'
import {
  UserMsg,
  type AgentBackend,
  type Anomaly,
  type ConnectionState,
  type ConversationInput,
} from '../../src/protocol/index.js'
import { createChatStore, selectPhase, type ChatStore } from '../../src/store/index.js'
import { createAgentServer, type AgentServer } from '../../src/testing/server/index.js'
import { createTestClock } from '../transports/createTestClock.js'
import { sendJson, startServer, type Seen } from '../transports/startServer.js'

const headers = { 'X-User-ID': 'me' }
const waitFor = (check: () => void) => vi.waitFor(check, 5_000)
const event = (id: string) => ({ type: 'CUSTOM', id, name: 'tick', value: {} })

function connect(url: string, options: Partial<PollingBackendOptions> = {}): AgentBackend {
  return pollingBackend({
    baseUrl: `${url}/agents/`,
    agentId: 'a&1',
    sessionId: 's 1',
    headers,
    ...options,
  })
}

function open(backend: AgentBackend) {
  const inputs: ConversationInput[] = []
  const states: ConnectionState[] = []
  const anomalies: Anomaly[] = []
  const handle = backend.open({
    events: (batch) => inputs.push(...batch),
    connection: (state) => states.push(state),
    anomaly: (what) => anomalies.push(what),
  })
  onTestFinished(() => handle.close())
  return { handle, inputs, states, anomalies }
}

/** A page of events under consecutive numbers. */
function page(first: number, ids: readonly string[], end = first + ids.length) {
  const events = ids.map((id, index) => ({ idx: first + index, data: event(id) }))
  return { events, next_offset: end, oldest: 0, status: 'running' }
}

/** A server with one page after the other, and an answer to whatever is posted. */
function serve(...pages: readonly unknown[]) {
  let count = 0
  return startServer((response, { method }) => {
    if (method === 'POST') return sendJson(response, { status: 'started' })
    count += 1
    sendJson(response, pages[count - 1] ?? pages.at(-1))
  })
}

const polls = ({ seen }: { readonly seen: readonly Seen[] }) =>
  seen.filter(({ url }) => url.includes('/events')).map(({ url }) => url)

describe('pollingBackend', () => {
  it('has a key of its own, and a cursor', () => {
    const backend = connect('http://127.0.0.1')
    expect(backend.key).toBe('polling:http://127.0.0.1/agents|a&1|s 1')
    expect(backend.capabilities).toMatchObject({ history: true, interrupt: true, resume: 'cursor' })
  })

  it('begins where the server does, and goes on from there', async () => {
    const server = await serve(page(7, ['e1', 'e2']), page(9, ['e3']), page(10, []))
    const clock = createTestClock()
    const { inputs, states } = open(connect(server.url, { clock }))
    await waitFor(() => expect(inputs).toHaveLength(2))
    clock.advance(1_000)
    await waitFor(() => expect(inputs).toEqual([event('e1'), event('e2'), event('e3')]))
    clock.advance(1_000)
    const path = '/agents/sessions/s%201/events?agent_id=a%261'
    await waitFor(() => expect(polls(server)).toEqual([path, `${path}&from=9`, `${path}&from=10`]))
    expect(server.seen[0]).toMatchObject({ headers: { 'x-user-id': 'me' } })
    expect(states.map(({ phase }) => phase)).toEqual(['connecting', 'open'])
  })

  it('asks another address when it is given one', async () => {
    const server = await serve(page(0, ['e1']))
    const clock = createTestClock()
    const { inputs } = open(connect(server.url, { clock, eventsUrl: `${server.url}/x/events` }))
    await waitFor(() => expect(inputs).toHaveLength(1))
    clock.advance(1_000)
    await waitFor(() => expect(polls(server)).toEqual(['/x/events', '/x/events?from=1']))
  })

  it('says what was lost, and not that something was told again', async () => {
    const again = { data: event('request') }
    const rest = page(20, ['e3'])
    const server = await serve(
      page(7, ['e1']),
      { ...rest, events: [again, ...rest.events] },
      page(0, [], 2),
      page(0, ['e4']),
    )
    const clock = createTestClock()
    const { inputs } = open(connect(server.url, { clock }))
    for (const length of [1, 4, 5]) {
      await waitFor(() => expect(inputs).toHaveLength(length))
      clock.advance(1_000)
    }
    await waitFor(() =>
      expect(inputs).toEqual([
        event('e1'),
        { type: 'kit.gap', from: 8, to: 20 },
        event('request'),
        event('e3'),
        { type: 'kit.gap' },
        event('e4'),
      ]),
    )
  })

  it('reports odd events and goes on', async () => {
    const odd = { events: [7, { idx: 0 }, { idx: 1, data: { type: 'NEWS' } }], next_offset: 2 }
    const server = await serve(odd, page(2, ['e1']))
    const clock = createTestClock()
    const { inputs, anomalies } = open(connect(server.url, { clock }))
    await waitFor(() => expect(anomalies).toHaveLength(2))
    clock.advance(1_000)
    await waitFor(() => expect(inputs).toEqual([event('e1')]))
    expect(anomalies).toMatchObject([{ kind: 'not-an-event' }, { kind: 'unknown-event' }])
  })

  it('waits and asks again when an answer is no page', async () => {
    const server = await serve({ detail: 'hm' }, page(0, ['e1']))
    const clock = createTestClock()
    const { inputs, states } = open(connect(server.url, { clock }))
    await waitFor(() =>
      expect(states.at(-1)).toMatchObject({ phase: 'waiting', cause: { reason: 'malformed' } }),
    )
    clock.advance(1_000)
    await waitFor(() => expect(inputs).toEqual([event('e1')]))
  })

  it('fails on a session that does not exist, and hears nothing after close', async () => {
    const server = await startServer((response) =>
      sendJson(response, { detail: "Session 's 1' not found." }, 404),
    )
    const { handle, states } = open(connect(server.url))
    await waitFor(() => expect(states.at(-1)?.phase).toBe('failed'))
    handle.close()
    handle.retryNow()
    expect(server.seen).toHaveLength(1)
  })

  it('asks at once for the effect of what was sent, also when the server did not say that it took it', async () => {
    const server = await startServer((response, { method }, count) => {
      if (method === 'POST') sendJson(response, {}, count < 3 ? 200 : 500)
      else sendJson(response, page(0, []))
    })
    const backend = connect(server.url, { clock: createTestClock() })
    const { states } = open(backend)
    await waitFor(() => expect(states.at(-1)?.phase).toBe('open'))
    const expectPolls = (count: number) => waitFor(() => expect(polls(server)).toHaveLength(count))
    await backend.send([UserMsg({ name: 'user', content: 'Hi' })])
    await expectPolls(2)
    await expect(backend.interrupt?.({})).rejects.toMatchObject({ reason: 'server' })
    await expectPolls(3)
    await expect(
      backend.answer([{ kind: 'confirm', id: 'x1', reply_id: 'r1', results: [] }]),
    ).rejects.toMatchObject({ reason: 'server' })
    await expectPolls(4)
    expect(states).toHaveLength(2)
  })
})

let server: AgentServer
/** Forgets events before they can be polled. */
let forgetful: AgentServer

beforeAll(async () => {
  server = await createAgentServer({ pace: 0.02 })
  forgetful = await createAgentServer({ pace: 0.02, logLimit: 8, replayLimit: 8 })
})

afterAll(() => Promise.all([server.close(), forgetful.close()]))

async function createSession(
  { url }: AgentServer,
  connection: PollingBackendOptions['connection'],
): Promise<AgentBackend> {
  const sessionId = await agentServiceDirectory({ baseUrl: url, headers }).createSession('friday')
  return pollingBackend({
    baseUrl: url,
    agentId: 'friday',
    sessionId,
    headers,
    ...(connection && { connection }),
  })
}

/** Waits until nothing runs and every message is what the server stored. */
async function untilStored(store: ChatStore): Promise<void> {
  await vi.waitFor(
    async () => {
      expect(await store.backend.status?.()).toBe('idle')
      const stored = (await store.backend.history?.({ limit: 200 }))?.messages ?? []
      const { messages } = store.getState().conversation
      expect(messages.length).toBeGreaterThan(1)
      expect(messages.map(({ id }) => id)).toEqual(stored.map(({ id }) => id))
      const different = messages.filter((message, index) => {
        const other = stored[index]
        return other === undefined || !equalsStored(message, other)
      })
      expect(different).toEqual([])
      expect(selectPhase(store.getState())).toBe('idle')
    },
    { timeout: 15_000, interval: 100 },
  )
}

/** Approves what is asked, and answers what is to be run. */
function agree(store: ChatStore, request: PendingRequest): void {
  if (request.kind === 'confirm') void store.commands.confirm({ request, approve: true })
  if (request.kind === 'external') void store.commands.submitResults({ request, output: 'Done.' })
}

const scenes = [
  'Hello',
  'Plan a trip to Lisbon',
  'What time is it?',
  'Write an e-mail',
  'Book a table for dinner',
  'Read it aloud',
  'Show me files',
  'Tell me a long story',
  'Write markdown',
  'Fix the bug',
  'Run the tests',
  'Read the build log',
  'Clean up the branches',
  'Ask the researcher',
  'Sales by region',
  'Search the catalogue',
  'Summarise the contract',
]

describe('pollingBackend with a store and an agent server', () => {
  it.each(scenes)('says what the server stored of "%s"', { timeout: 30_000 }, async (words) => {
    const anomalies: Anomaly[] = []
    const backend = await createSession(server, { fastestMs: 5, slowestMs: 50 })
    const store = createChatStore(backend, {
      onAnomaly: (anomaly) => anomalies.push(anomaly),
      onRequest: (request) => agree(store, request),
    })
    onTestFinished(store.connect())
    await store.commands.send(words)
    await untilStored(store)
    expect(anomalies).toEqual([])
    expect(store.getState()).toMatchObject({ sends: {}, error: null })
  })

  it.each(scenes)(
    'says what the server stored of "%s" though it forgot events',
    { timeout: 30_000 },
    async (words) => {
      const kinds = new Set<string>()
      const backend = await createSession(forgetful, { fastestMs: 40, slowestMs: 100 })
      const store = createChatStore(backend, {
        onAnomaly: ({ kind }) => kinds.add(kind),
        onRequest: (request) => agree(store, request),
      })
      onTestFinished(store.connect())
      await store.commands.send(words)
      await untilStored(store)
      expect(kinds).toContain('gap')
      expect(store.getState()).toMatchObject({ sends: {}, error: null })
    },
  )
})
