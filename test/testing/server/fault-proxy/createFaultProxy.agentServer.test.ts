// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agentServiceBackend } from '../../../../src/backends/index.js'
import { equalsStored } from '../../../../src/fold/index.js'
import { parseMessages, type Msg } from '../../../../src/protocol/index.js'
import { createChatStore, type ChatStore } from '../../../../src/store/index.js'
import {
  createAgentServer,
  createFaultProxy,
  text,
  thinking,
  toolCall,
  type AgentScript,
  type AgentServer,
  type FaultProxy,
  type RandomFaults,
} from '../../../../src/testing/server/index.js'
import { TestClient } from '../TestClient.js'

// The kit's own client, the agent server, and a bad line in between.

const essay = Array.from({ length: 40 }, (_, index) => `Sentence ${index} — naïve, 🌍. `).join('')

const agent: AgentScript = {
  id: 'a1',
  name: 'Friday',
  perform: () => ({
    steps: [
      {
        kind: 'model',
        says: [thinking('Let me see.'), text(essay)],
        calls: [toolCall('c1', 'look', { at: 'it' }, 'A line.\nAnother one.\n')],
      },
      { kind: 'model', says: [text('That was it.')] },
    ],
  }),
}

let server: AgentServer
let proxy: FaultProxy
let client: TestClient
let store: ChatStore | undefined
let disconnect = (): void => {}

beforeEach(async () => {
  server = await createAgentServer({ agents: [agent], pace: 0 })
  client = new TestClient(server.url, 'a1')
  await client.createSession('Named')
})

afterEach(async () => {
  disconnect()
  client.close()
  await proxy.close()
  await server.close()
})

async function open(random?: RandomFaults): Promise<ChatStore> {
  proxy = await createFaultProxy({ target: server.url, ...(random ? { random } : {}) })
  const backend = agentServiceBackend({
    baseUrl: proxy.url,
    agentId: 'a1',
    sessionId: client.sessionId,
    headers: { 'X-User-ID': 'ana' },
  })
  const opened = createChatStore(backend, {
    outbox: false,
    schedule: (commit) => {
      const timer = setTimeout(commit)
      return () => clearTimeout(timer)
    },
  })
  disconnect = opened.connect()
  store = opened
  return opened
}

/** Whether the store shows what the server has stored. */
async function isHealed(): Promise<boolean> {
  const stored = parseMessages(await client.messages()).messages
  const held: readonly Msg[] = store?.getState().conversation.messages ?? []
  return (
    held.length === stored.length &&
    stored.every((wanted, index) => {
      const found = held[index]
      return found !== undefined && equalsStored(found, wanted)
    })
  )
}

describe('createFaultProxy before an agent server', () => {
  it('lets a conversation through as it is', async () => {
    const { commands } = await open()
    await commands.send('Hello')
    await client.untilStatus('idle')
    await expect.poll(isHealed).toBe(true)
    expect(proxy.done).toEqual([])
  })

  it('loses the response of a message that arrived', async () => {
    const { commands, getState } = await open()
    proxy.inject({ kind: 'reset', on: { method: 'POST', path: '/chat/' }, forwarded: true })
    await commands.send('Hello')
    await client.untilStatus('idle')
    expect((await client.messages()).map(({ role }) => role)).toEqual(['user', 'assistant'])
    await expect.poll(isHealed, { timeout: 15_000 }).toBe(true)
    expect(getState().conversation.messages).toHaveLength(2)
  })

  it.each([1, 2, 3])(
    'draws faults that the client survives: seed %i',
    { timeout: 60_000 },
    async (seed) => {
      const on = { method: 'GET', path: '/sessions/*/stream' }
      const intensity = { cut: 0.6, close: 0.4, drop: 0.03, duplicate: 0.05, swap: 0.05, echo: 0.5 }
      const { commands } = await open({ seed, on, intensity })
      await commands.send('Hello')
      await client.untilStatus('idle')
      proxy.heal()
      proxy.dropStreams()
      await expect.poll(isHealed, { timeout: 30_000 }).toBe(true)
      expect(proxy.done.length).toBeGreaterThan(0)
    },
  )
})
