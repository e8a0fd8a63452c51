// @vitest-environment node
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import {
  agentServiceDirectory,
  shareWebSocket,
  webSocketBackend,
  type WebSocketBackendOptions,
} from '../../src/backends/index.js'
import { equalsStored } from '../../src/fold/index.js'
import type { PendingRequest } from '../../src/fold/index.js'
import type { AgentBackend } from '../../src/protocol/index.js'
import type { ChatOptions, ChatStore } from '../../src/store/index.js'
import { createChatStore, selectPhase } from '../../src/store/index.js'
import { createRandom } from '../../src/testing/index.js'
import type { AgentServer } from '../../src/testing/server/index.js'
import { createAgentServer } from '../../src/testing/server/index.js'

let server: AgentServer
/** Writes slowly enough that something can happen in the middle. */
let slowServer: AgentServer

beforeAll(async () => {
  server = await createAgentServer({ pace: 0.02 })
  slowServer = await createAgentServer({ pace: 0.3, logLimit: 100 })
})

afterAll(() => Promise.all([server.close(), slowServer.close()]))

const headers = { 'X-User-ID': 'me' }
const shapes: readonly NonNullable<WebSocketBackendOptions['protocol']>[] = [
  'plain',
  'agentscope.v1',
]

async function createSession(
  { url }: AgentServer,
  protocol: NonNullable<WebSocketBackendOptions['protocol']>,
): Promise<AgentBackend> {
  const sessionId = await agentServiceDirectory({ baseUrl: url, headers }).createSession('friday')
  return webSocketBackend({
    url: `${url.replace('http', 'ws')}/sessions/${sessionId}/socket?agent_id=friday`,
    auth: () => 'me',
    agentId: 'friday',
    sessionId,
    protocol,
    http: { baseUrl: url, headers },
    connection: { firstDelayMs: 20, maxDelayMs: 50 },
    WebSocket,
  })
}

async function connect(backend: AgentBackend, options: ChatOptions = {}): Promise<ChatStore> {
  const store = createChatStore(backend, options)
  onTestFinished(store.connect())
  await until(store, 'idle')
  await untilOpen(store)
  return store
}

function until(store: ChatStore, phase: string): Promise<void> {
  return vi.waitFor(() => expect(selectPhase(store.getState())).toBe(phase), 10_000)
}

function untilOpen(store: ChatStore): Promise<void> {
  return vi.waitFor(() => expect(store.getState().connection.phase).toBe('open'), 10_000)
}

/** Resolves with the next state without a line, however short it lasts. */
function untilLost(store: ChatStore): Promise<void> {
  return new Promise((resolve) => {
    const stop = store.subscribe(({ connection }) => {
      if (connection.phase !== 'waiting') return
      stop()
      resolve()
    })
  })
}

function untilAnswered(store: ChatStore, count = 2): Promise<void> {
  return vi.waitFor(
    () => expect(store.getState().conversation.messages.length).toBeGreaterThanOrEqual(count),
    10_000,
  )
}

/** Waits until nothing runs and every message is what the server stored. */
async function untilStored(store: ChatStore): Promise<void> {
  await vi.waitFor(
    async () => {
      expect(await store.backend.status?.()).toBe('idle')
      const page = await store.backend.history?.({ limit: 200 })
      const { messages } = store.getState().conversation
      expect(messages.map(({ id }) => id)).toEqual(page?.messages.map(({ id }) => id))
      const different = messages.filter((message, index) => {
        const stored = page?.messages[index]
        return stored === undefined || !equalsStored(message, stored)
      })
      expect(different).toEqual([])
      expect(selectPhase(store.getState())).toBe('idle')
    },
    { timeout: 20_000, interval: 100 },
  )
}

/** Approves what is asked, and answers what is to be run. */
function agree(store: ChatStore, request: PendingRequest): void {
  if (request.kind === 'confirm') void store.commands.confirm({ request, approve: true })
  if (request.kind === 'external') void store.commands.submitResults({ request, output: 'Done.' })
}

/** A person who answers again when an answer got lost: on a plain line nobody can say so, and the question stays. */
function keepAgreeing(store: ChatStore): () => void {
  return store.subscribe(({ conversation, sends }) => {
    for (const request of conversation.requests) {
      if (sends[request.key] === undefined || sends[request.key]?.phase === 'failed') {
        queueMicrotask(() => agree(store, request))
      }
    }
  })
}

describe.each(shapes)('createChatStore over a WebSocket (%s)', { timeout: 60_000 }, (shape) => {
  it.each([
    'Hello',
    'What time is it?',
    'Write an e-mail',
    'Read it aloud',
    'Tell me a long story',
    'Fix the bug',
    'Ask the researcher',
  ])('says what the server stored when it was told "%s"', async (words) => {
    const anomalies: unknown[] = []
    const store = await connect(await createSession(server, shape), {
      onAnomaly: (anomaly) => anomalies.push(anomaly),
      onRequest: (request) => agree(store, request),
    })
    await store.commands.send(words)
    await untilAnswered(store)
    await untilStored(store)
    expect(anomalies).toEqual([])
    expect(store.getState()).toMatchObject({ sends: {}, error: null })
  })

  it('stops a run', async () => {
    const store = await connect(await createSession(slowServer, shape))
    await store.commands.send('Tell me a long story')
    await until(store, 'streaming')
    await store.commands.interrupt()
    await untilStored(store)
    expect(store.getState().conversation.messages.at(-1)?.finished_reason).toBe('interrupted')
  })

  it('joins a conversation that is under way, and one that is over', async () => {
    const backend = await createSession(slowServer, shape)
    const first = await connect(backend)
    await first.commands.send('Hello')
    await untilAnswered(first)
    await untilStored(first)
    await first.commands.send('Tell me a long story')
    await untilAnswered(first, 4)
    const second = createChatStore(backend)
    onTestFinished(second.connect())
    await untilStored(second)
    await untilStored(first)
    expect(second.getState().conversation.messages).toHaveLength(4)
  })

  it.each([1, 2, 3, 4])(
    'ends as stored when the line breaks at random points (seed %i)',
    async (seed) => {
      const random = createRandom(seed)
      const store = await connect(await createSession(slowServer, shape))
      onTestFinished(keepAgreeing(store))
      await store.commands.send(seed % 2 === 0 ? 'Tell me a long story' : 'Fix the bug')
      await untilAnswered(store)
      for (let cut = 0; cut < 6; cut += 1) {
        const { messages } = store.getState().conversation
        const seen = JSON.stringify(messages).length
        const enough = seen + random.between(0, 400)
        await vi.waitFor(
          () => {
            const state = store.getState()
            const isOver = selectPhase(state) === 'idle'
            const length = JSON.stringify(state.conversation.messages).length
            if (length < enough && !isOver) throw new Error('not yet')
          },
          { timeout: 10_000, interval: 5 },
        )
        await untilOpen(store)
        const lost = untilLost(store)
        slowServer.dropStreams()
        await lost
      }
      await untilStored(store)
      expect(store.getState().sends).toEqual({})
    },
  )
})

describe('createChatStore over a shared WebSocket', { timeout: 60_000 }, () => {
  it('keeps two conversations apart, also when the line breaks', async () => {
    const socket = shareWebSocket({
      url: `${slowServer.url.replace('http', 'ws')}/socket`,
      auth: () => 'me',
      connection: { firstDelayMs: 20, maxDelayMs: 50 },
      WebSocket,
    })
    const http = { baseUrl: slowServer.url, headers }
    const directory = agentServiceDirectory(http)
    const stores: ChatStore[] = []
    for (const text of ['Hello', 'Tell me a long story']) {
      const sessionId = await directory.createSession('friday')
      const store = await connect(socket.backend({ agentId: 'friday', sessionId, http }))
      await store.commands.send(text)
      await untilAnswered(store)
      stores.push(store)
      slowServer.dropStreams()
    }
    await Promise.all(stores.map(untilStored))
    expect(stores.map((store) => store.getState().conversation.messages.length)).toEqual([2, 2])
  })
})
