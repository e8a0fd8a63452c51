// @vitest-environment node
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  agentServiceBackend,
  agentServiceDirectory,
  javaBackend,
} from '../../src/backends/index.js'
import type { PendingRequest } from '../../src/fold/index.js'
import { getTextContent, type AgentBackend, type Msg } from '../../src/protocol/index.js'
import { createChatStore, selectPhase, type ChatStore } from '../../src/store/index.js'
import { createAgentServer, type AgentServer } from '../../src/testing/server/index.js'

let server: AgentServer
/** Writes slowly enough that something can happen in the middle. */
let slowServer: AgentServer

beforeAll(async () => {
  server = await createAgentServer({ pace: 0 })
  slowServer = await createAgentServer({ pace: 0.3 })
})
afterAll(() => Promise.all([server.close(), slowServer.close()]))

const headers = { 'X-User-ID': 'me' }
let count = 0

async function serviceSession({ url }: AgentServer): Promise<AgentBackend> {
  const directory = agentServiceDirectory({ baseUrl: url, headers })
  const sessionId = await directory.createSession('friday')
  return agentServiceBackend({ baseUrl: url, agentId: 'friday', sessionId, headers })
}

function javaSession({ url }: AgentServer, sessionId?: string): AgentBackend {
  count += 1
  const baseUrl = `${url}/java/friday`
  const clientTools = ['get_local_time']
  return javaBackend({ baseUrl, sessionId: sessionId ?? `s${count}`, headers, clientTools })
}

type React = (store: ChatStore, request: PendingRequest) => void

/** Approves what is asked, one by one, and answers what is to be run. */
const agree: React = (store, request) => {
  if (request.kind === 'confirm') void store.commands.confirm({ request, approve: true })
  if (request.kind === 'external') void store.commands.submitResults({ request, output: 'Noon.' })
}

function connect(backend: AgentBackend, react?: React) {
  const anomalies: unknown[] = []
  const store = createChatStore(backend, {
    onAnomaly: (anomaly) => anomalies.push(anomaly),
    onRequest: (request) => react?.(store, request),
  })
  const disconnect = store.connect()
  onTestFinished(disconnect)
  return { store, anomalies, disconnect }
}

function until(store: ChatStore, phase: string): Promise<void> {
  return vi.waitFor(
    () => {
      const state = store.getState()
      expect(selectPhase(state)).toBe(phase)
      expect(state.history.phase).toBe('ready')
    },
    { timeout: 10_000 },
  )
}

function messagesOf(store: ChatStore): readonly Msg[] {
  return store.getState().conversation.messages
}

/** What the agent answered first. */
function textOf(store: ChatStore): string {
  const [, reply] = messagesOf(store)
  return reply === undefined ? '' : (getTextContent(reply) ?? '')
}

/** Says something, and waits until it was answered. */
async function ask(store: ChatStore, words: string, phase = 'idle'): Promise<void> {
  await until(store, 'idle')
  const before = messagesOf(store).length
  await store.commands.send(words)
  await vi.waitFor(() => expect(messagesOf(store).length).toBe(before + 2), { timeout: 10_000 })
  await until(store, phase)
}

/** What was said and done, without what differs by nature: ids, stamps, and what Java has no place for. */
function gist(store: ChatStore): unknown {
  const omit = new Set([
    ...['id', 'created_at', 'finished_at'],
    // Java suggests no rules, has no metadata of results, and no names of pictures, sound and films.
    ...['suggested_rules', 'metadata'],
  ])
  const content = messagesOf(store).map(({ role, content: blocks, ...rest }) => ({
    role,
    name: rest.name,
    end: [rest.finished_reason, rest.error, rest.usage],
    blocks: blocks.map((block) =>
      block.type === 'data' && /^(image|audio|video)/.test(block.source.media_type)
        ? { ...block, name: null }
        : block,
    ),
  }))
  const text = JSON.stringify(content, (name, value: unknown) =>
    omit.has(name) && !Array.isArray(value) ? undefined : name === 'suggested_rules' ? [] : value,
  )
  // A hint of the demo tells the time.
  return JSON.parse(text.replaceAll(/\d{4}-\d\d-\d\dT[\d:]+/g, 'now'))
}

describe('javaBackend on a demo agent', () => {
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
    'Search the catalogue',
  ])('says what the service says when it is told "%s"', { timeout: 20_000 }, async (words) => {
    const service = connect(await serviceSession(server), agree)
    const java = connect(javaSession(server), agree)
    await Promise.all([ask(service.store, words), ask(java.store, words)])
    expect(gist(java.store)).toEqual(gist(service.store))
    expect(java.anomalies).toEqual([])
    expect(java.store.getState()).toMatchObject({ sends: {}, error: null })
  })

  it('ends a reply whose model failed with what it knows: that the line broke', async () => {
    const { store } = connect(javaSession(server))
    await ask(store, 'Summarise the contract')
    expect(messagesOf(store)[1]).toMatchObject({
      finished_reason: 'error',
      error: { type: 'connection' },
    })
    expect(textOf(store)).not.toBe('')
  })

  it('denies, and the agent goes on in the same reply', async () => {
    const { store, anomalies } = connect(javaSession(server), (own, request) => {
      void own.commands.confirm({ request: request.key, approve: false })
    })
    await ask(store, 'Write an e-mail')
    const [, reply] = messagesOf(store)
    expect(reply?.content.find(({ type }) => type === 'tool_result')).toMatchObject({
      state: 'denied',
    })
    expect(textOf(store)).toContain('Not sent.')
    expect(messagesOf(store)).toHaveLength(2)
    expect(anomalies).toEqual([])
  })

  it('sends edited arguments, which run', async () => {
    const { store } = connect(javaSession(server), (own, request) => {
      const input = '{"to":"bea@example.com"}'
      void own.commands.confirm({ request: request.key, approve: true, input })
    })
    await ask(store, 'Write an e-mail')
    const call = messagesOf(store)[1]?.content.find(({ type }) => type === 'tool_call')
    expect(call).toMatchObject({ input: '{"to":"bea@example.com"}', state: 'finished' })
  })

  it('asks the rest when one of two is decided', { timeout: 20_000 }, async () => {
    const { store } = connect(javaSession(server))
    await ask(store, 'Book a table for dinner', 'awaiting-person')
    const [first, second] = store.getState().conversation.requests
    await store.commands.confirm({ request: first?.key ?? '', approve: true })
    await vi.waitFor(() => expect(store.getState().conversation.requests).toHaveLength(1))
    await until(store, 'awaiting-person')
    await store.commands.confirm({ request: second?.key ?? '', approve: false })
    await until(store, 'idle')
    expect(textOf(store)).toContain('The table is **booked**, and I told nobody.')
    expect(messagesOf(store)).toHaveLength(2)
  })

  it('knows what waits after a reload, and goes on with it', { timeout: 20_000 }, async () => {
    count += 1
    const sessionId = `reload${count}`
    const before = connect(javaSession(server, sessionId))
    await ask(before.store, 'Write an e-mail', 'awaiting-person')
    before.disconnect()
    const { store } = connect(javaSession(server, sessionId))
    await until(store, 'awaiting-person')
    expect(messagesOf(store).map(({ id }) => id)).toEqual(
      messagesOf(before.store).map(({ id }) => id),
    )
    const [request] = store.getState().conversation.requests
    await store.commands.confirm({ request: request?.key ?? '', approve: true })
    await until(store, 'idle')
    expect(messagesOf(store)).toHaveLength(2)
    expect(textOf(store)).toContain('Sent. Ana will have it in a minute.')
  })

  it('knows after a reload which call waits for the client', { timeout: 20_000 }, async () => {
    count += 1
    const sessionId = `reload${count}`
    const before = connect(javaSession(server, sessionId))
    await ask(before.store, 'What time is it?', 'awaiting-person')
    before.disconnect()
    const { store } = connect(javaSession(server, sessionId))
    await until(store, 'awaiting-person')
    const [request] = store.getState().conversation.requests
    expect(request?.kind).toBe('external')
    await store.commands.submitResults({ request: request?.key ?? '', output: 'Noon.' })
    await until(store, 'idle')
    expect(messagesOf(store)).toHaveLength(2)
    expect(textOf(store)).toContain('It is **Noon.** where you are.')
  })

  it('stops a run', { timeout: 20_000 }, async () => {
    const { store } = connect(javaSession(slowServer))
    await until(store, 'idle')
    await store.commands.send('Tell me a long story')
    await vi.waitFor(() => expect(textOf(store)).not.toBe(''), 5_000)
    await store.commands.interrupt()
    await until(store, 'idle')
    expect(messagesOf(store)[1]).toMatchObject({ finished_reason: 'interrupted' })
  })

  it('takes the whole reply from history after the line broke', { timeout: 20_000 }, async () => {
    const { store } = connect(javaSession(slowServer))
    await until(store, 'idle')
    await store.commands.send('Hello')
    await vi.waitFor(() => expect(textOf(store)).not.toBe(''), 5_000)
    slowServer.dropStreams()
    await vi.waitFor(() => expect(messagesOf(store)[1]?.finished_reason).toBe('error'), 5_000)
    await vi.waitFor(
      () => {
        store.commands.retryNow()
        expect(messagesOf(store)[1]?.finished_reason).toBe('completed')
      },
      { timeout: 15_000, interval: 300 },
    )
    expect(messagesOf(store)).toHaveLength(2)
    expect(textOf(store)).toContain('a limit, a slow tool, a failure')
  })
})
