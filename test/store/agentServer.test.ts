// @vitest-environment node
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { agentServiceBackend, agentServiceDirectory } from '../../src/backends/index.js'
import { equalsStored } from '../../src/fold/index.js'
import type { PendingRequest } from '../../src/fold/index.js'
import type { AgentBackend } from '../../src/protocol/index.js'
import type { ChatOptions, ChatStore } from '../../src/store/index.js'
import { createChatStore, selectPhase } from '../../src/store/index.js'
import type { AgentServer } from '../../src/testing/server/index.js'
import { createAgentServer } from '../../src/testing/server/index.js'

let server: AgentServer
/** Writes slowly enough that something can happen in the middle. */
let slowServer: AgentServer

beforeAll(async () => {
  server = await createAgentServer({ pace: 0.02 })
  slowServer = await createAgentServer({ pace: 0.5 })
})

afterAll(() => Promise.all([server.close(), slowServer.close()]))

const headers = { 'X-User-ID': 'me' }

async function createSession({ url }: AgentServer): Promise<AgentBackend> {
  const directory = agentServiceDirectory({ baseUrl: url, headers })
  return open(url, await directory.createSession('friday'))
}

function open(baseUrl: string, sessionId: string): AgentBackend {
  return agentServiceBackend({ baseUrl, agentId: 'friday', sessionId, headers })
}

async function connect(backend: AgentBackend, options: ChatOptions = {}): Promise<ChatStore> {
  const store = createChatStore(backend, options)
  onTestFinished(store.connect())
  await until(store, 'idle')
  return store
}

function until(store: ChatStore, phase: string): Promise<void> {
  return vi.waitFor(() => expect(selectPhase(store.getState())).toBe(phase), { timeout: 10_000 })
}

/** Waits until the agent began to say something. */
function untilAnswered(store: ChatStore): Promise<void> {
  return vi.waitFor(
    () => expect(store.getState().conversation.messages.length).toBeGreaterThan(1),
    { timeout: 10_000 },
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
    { timeout: 10_000, interval: 100 },
  )
}

/** Approves what is asked, and answers what is to be run. */
function agree(store: ChatStore, request: PendingRequest): void {
  if (request.kind === 'confirm') void store.commands.confirm({ request, approve: true })
  if (request.kind === 'external') void store.commands.submitResults({ request, output: 'Done.' })
}

describe('createChatStore with an agent server', () => {
  it.each([
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
  ])('says what the server stored when it was told "%s"', { timeout: 20_000 }, async (words) => {
    const anomalies: unknown[] = []
    const store = await connect(await createSession(server), {
      onAnomaly: (anomaly) => anomalies.push(anomaly),
      onRequest: (request) => agree(store, request),
    })
    await store.commands.send(words)
    await untilAnswered(store)
    await untilStored(store)
    expect(anomalies).toEqual([])
    expect(store.getState()).toMatchObject({ sends: {}, error: null })
  })

  it('shows what waits to a second reader, who may answer', { timeout: 20_000 }, async () => {
    const backend = await createSession(server)
    const first = await connect(backend)
    await first.commands.send('Write an e-mail')
    await until(first, 'awaiting-person')
    const [, , sessionId = ''] = backend.key.split('|')
    const second = createChatStore(open(server.url, sessionId))
    onTestFinished(second.connect())
    await until(second, 'awaiting-person')
    const [request] = second.getState().conversation.requests
    await second.commands.confirm({ request: request?.key ?? '', approve: false })
    await until(first, 'idle')
    await untilStored(first)
    await untilStored(second)
    expect(first.getState().conversation.requests).toEqual([])
    expect(second.getState().conversation.requests).toEqual([])
  })

  it('stops a reply', { timeout: 20_000 }, async () => {
    const store = await connect(await createSession(slowServer))
    await store.commands.send('Tell me a long story')
    await untilAnswered(store)
    await store.commands.interrupt()
    await until(store, 'idle')
    await untilStored(store)
    expect(store.getState().conversation.messages.at(-1)?.finished_reason).toBe('interrupted')
  })

  it('heals a reply whose stream broke in the middle', { timeout: 20_000 }, async () => {
    const store = await connect(await createSession(slowServer))
    await store.commands.send('Tell me a long story')
    await untilAnswered(store)
    // It may be back before anybody looks.
    const phases = new Set<string>()
    store.subscribe(({ connection }) => phases.add(connection.phase))
    slowServer.dropStreams()
    await vi.waitFor(() => expect(phases).toContain('waiting'), { timeout: 10_000 })
    await vi.waitFor(() => expect(store.getState().connection.phase).toBe('open'), {
      timeout: 10_000,
    })
    await untilStored(store)
  })
})
