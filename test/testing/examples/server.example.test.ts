// @vitest-environment node
import { afterEach, beforeEach, expect, it } from 'vitest'
import { agentServiceBackend, getTextContent } from '../../../src/entries/core.js'
import { createChatStore } from '../../../src/entries/hooks.js'
import { scene } from '../../../src/entries/testing.js'
import { createAgentServer, createFaultProxy } from '../../../src/entries/testing-server.js'

const agents = [
  { id: 'friday', name: 'Friday', perform: () => scene('one two three four five six seven') },
]

let server: Awaited<ReturnType<typeof createAgentServer>>
let proxy: Awaited<ReturnType<typeof createFaultProxy>>

beforeEach(async () => {
  server = await createAgentServer({ agents, pace: 0 })
  proxy = await createFaultProxy({ target: server.url })
})

afterEach(async () => {
  await proxy.close()
  await server.close()
})

/** A chat on a new session, through the proxy. */
async function openChat(baseUrl: string) {
  const headers = { 'X-User-ID': 'me' }
  const created = await fetch(`${server.url}/sessions/`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ agent_id: 'friday', name: 'Test' }),
  })
  const { session_id: sessionId } = await created.json()
  return createChatStore(agentServiceBackend({ baseUrl, agentId: 'friday', sessionId, headers }))
}

it('shows the whole answer though the stream lost a part of it', { timeout: 30_000 }, async () => {
  proxy.inject({ kind: 'drop', events: (event) => JSON.stringify(event).includes('three') })
  const store = await openChat(proxy.url)
  const disconnect = store.connect()
  await store.commands.send('Count')
  await expect
    .poll(() => store.getState().conversation.messages.map((message) => getTextContent(message)), {
      timeout: 20_000,
    })
    .toEqual(['Count', 'one two three four five six seven'])
  disconnect()
})

it('asks once, though the answer to a message was lost', { timeout: 30_000 }, async () => {
  proxy.inject({ kind: 'reset', on: { method: 'POST', path: '/chat/' }, forwarded: true })
  const store = await openChat(proxy.url)
  const disconnect = store.connect()
  await store.commands.send('Count')
  await expect
    .poll(() => store.getState().conversation.messages.length, { timeout: 20_000 })
    .toBe(2)
  expect(proxy.requests.filter(({ path }) => path === '/chat/')).toHaveLength(1)
  disconnect()
})

it('survives a bad day, which its seed repeats', { timeout: 60_000 }, async () => {
  const random = { seed: 7, on: { path: '/sessions/*/stream' } }
  const badDay = await createFaultProxy({ target: server.url, random })
  const store = await openChat(badDay.url)
  const disconnect = store.connect()
  await store.commands.send('Count')
  await expect
    .poll(() => store.getState().conversation.messages.map((message) => getTextContent(message)), {
      timeout: 40_000,
      message: `seed ${badDay.seed}: ${JSON.stringify(badDay.done)}`,
    })
    .toEqual(['Count', 'one two three four five six seven'])
  disconnect()
  await badDay.close()
})
