// @vitest-environment node
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { taskApiBackend, taskApiDirectory } from '../../../src/backends/index.js'
import { isJsonObject, type JsonObject, type Msg } from '../../../src/protocol/index.js'
import { createChatStore, selectPhase, type ChatStore } from '../../../src/store/index.js'
import {
  createAgentServer,
  createFaultProxy,
  type AgentServer,
  type Fault,
  type FaultProxy,
} from '../../../src/testing/server/index.js'

// Whatever happens to the polls, in the end there is what the server has stored. That is read here without the kit.

let server: AgentServer
beforeAll(async () => {
  server = await createAgentServer({ pace: 0.02 })
})
afterAll(() => server.close())

const headers = { 'X-User-ID': 'me' }
const on = { method: 'GET', path: '/task-api/api/tasks/*' }
const connection = { fastestMs: 5, slowestMs: 20, hiddenMs: 20, firstDelayMs: 5, maxDelayMs: 20 }

async function open(options: Parameters<typeof createFaultProxy>[0] | Fault[]) {
  const faults = Array.isArray(options) ? options : []
  const proxy = await createFaultProxy({
    target: server.url,
    faults,
    ...(Array.isArray(options) ? {} : options),
  })
  onTestFinished(() => proxy.close())
  const directory = taskApiDirectory({ baseUrl: `${server.url}/task-api`, headers })
  const conversationId = await directory.createSession('friday')
  const backend = taskApiBackend({
    baseUrl: `${proxy.url}/task-api`,
    surface: 'web',
    workspaceId: 'friday',
    conversationId,
    headers,
    connection,
    timeoutMs: 300,
  })
  const store = createChatStore(backend, { outbox: false })
  onTestFinished(store.connect())
  return { proxy, store, conversationId }
}

/** What is stored, as `fetch` gives it. */
async function storedOutline(conversationId: string): Promise<readonly string[]> {
  const path = `/task-api/api/v1/workspaces/friday/conversations/${conversationId}?full=1`
  const body: unknown = await (await fetch(`${server.url}${path}`, { headers })).json()
  const data = isJsonObject(body) && isJsonObject(body['data']) ? body['data'] : {}
  const messages: readonly JsonObject[] = Array.isArray(data['messages']) ? data['messages'] : []
  return messages.flatMap((message) => {
    const { role, content, reasoning_content: thoughts, tool_calls: calls, metadata } = message
    if (role === 'tool') return [`result ${wordsOf(message['tool_call_id'])}`]
    if (role === 'user') {
      const isOwn = isJsonObject(metadata) && metadata['message_source'] === 'user'
      return isOwn ? [`user ${wordsOf(content)}`] : ['hint']
    }
    return [
      ...(typeof thoughts === 'string' ? [`thinking ${thoughts}`] : []),
      ...(content === '' ? [] : [`text ${wordsOf(content)}`]),
      ...(Array.isArray(calls) ? calls : []).flatMap((call) =>
        isJsonObject(call) && isJsonObject(call['function'])
          ? [`call ${wordsOf(call['id'])} ${wordsOf(call['function']['arguments'])}`]
          : [],
      ),
    ]
  })
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function outline(messages: readonly Msg[]): readonly string[] {
  return messages.flatMap(({ role, content }) =>
    content.map((block) => {
      switch (block.type) {
        case 'text':
          return `${role === 'user' ? 'user' : 'text'} ${block.text}`
        case 'thinking':
          return `thinking ${block.thinking}`
        case 'tool_call':
          return `call ${block.id} ${block.input}`
        case 'tool_result':
          return `result ${block.id}`
        default:
          return block.type
      }
    }),
  )
}

async function expectStored(store: ChatStore, conversationId: string, proxy: FaultProxy) {
  const stored = await vi.waitFor(
    async () => {
      expect(selectPhase(store.getState())).toBe('idle')
      const told = await storedOutline(conversationId)
      expect(told.length).toBeGreaterThan(2)
      return told
    },
    { timeout: 12_000, interval: 10 },
  )
  // Results come in the order in which tools ended, and are stored in that of their calls or the other way round.
  const message = `seed ${proxy.seed}: ${JSON.stringify(proxy.done)}`
  await expect
    .poll(() => outline(store.getState().conversation.messages).toSorted(), {
      timeout: 12_000,
      interval: 10,
      message,
    })
    .toEqual(stored.toSorted())
  const { messages } = store.getState().conversation
  expect(messages.filter(({ role }) => role === 'assistant')).toHaveLength(1)
}

describe('taskApiBackend on a bad line', () => {
  it.each<[string, Fault[]]>([
    ['a hole', [{ kind: 'drop', on, which: 'every', events: { from: 12, to: 30 } }]],
    ['its beginning lost', [{ kind: 'drop', on, which: 'every', events: { to: 20 } }]],
    ['its end lost', [{ kind: 'drop', on, which: 'every', events: { from: 60 } }]],
    ['everything lost', [{ kind: 'drop', on, which: 'every', events: { from: 1 } }]],
    ['a hole that a second look closes', [{ kind: 'drop', on, events: { from: 4, to: 9 } }]],
    ['everything twice', [{ kind: 'duplicate', on, which: 'every', events: { from: 1 } }]],
    ['another order', [{ kind: 'swap', on, which: 'every', events: { from: 1 } }]],
    ['an old event again', [{ kind: 'echo', on, which: 'every', after: 30, event: { from: 9 } }]],
    ['answers that are errors', [{ kind: 'answer', status: 500, on, which: [1, 2, 4, 7] }]],
    ['a gateway without a server', [{ kind: 'answer', status: 502, on, which: [2, 3] }]],
    ['lines that break', [{ kind: 'reset', on, which: [1, 3, 6] }]],
    ['bodies that are cut', [{ kind: 'cut', on, which: [1, 3], at: 40 }]],
    ['bodies that are no JSON', [{ kind: 'broken-json', on, which: [2, 5] }]],
    [
      'a server beside it that does not know the task',
      [{ kind: 'answer', status: 404, on, which: 3 }],
    ],
    ['polls that nobody answers', [{ kind: 'hang', on, which: [2, 4] }]],
    ['answers that are late', [{ kind: 'delay', on, which: [2, 4], by: 60, forwarded: true }]],
  ])('ends with what is stored: %s', async (_, faults) => {
    const { proxy, store, conversationId } = await open(faults)
    await store.commands.send('Plan three days in Lisbon')
    await expectStored(store, conversationId, proxy)
    expect(proxy.done.length).toBeGreaterThan(0)
  })

  it('sends a message once, though the word that it began a task was lost', async () => {
    const create = { method: 'POST', path: '/task-api/api/tasks' }
    const { proxy, store, conversationId } = await open([
      { kind: 'reset', on: create, forwarded: true },
    ])
    await store.commands.send('Plan three days in Lisbon')
    await expectStored(store, conversationId, proxy)
    // That it was taken shows in what runs: nothing failed, and there is nothing to try again.
    expect(store.getState()).toMatchObject({ sends: {}, error: null })
    expect(proxy.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  it.each([1, 2, 3])(
    'finds what a message began though the task before was just over, %i',
    async () => {
      const { proxy, store } = await open([])
      for (const words of ['Hello', 'Plan three days in Lisbon']) {
        await store.commands.send(words)
        await vi.waitFor(
          () =>
            expect(store.getState().conversation.messages.at(-1)?.finished_reason).toBe(
              'completed',
            ),
          { timeout: 12_000, interval: 1 },
        )
        proxy.inject({
          kind: 'reset',
          on: { method: 'POST', path: '/task-api/api/tasks' },
          forwarded: true,
        })
      }
      const { sends, conversation } = store.getState()
      expect(sends).toEqual({})
      expect(conversation.messages.map(({ role }) => role).join()).toBe(
        'user,assistant,user,assistant',
      )
      expect(store.getState().error).toBeNull()
      expect(proxy.requests.filter(({ method }) => method === 'POST')).toHaveLength(2)
    },
  )

  it.each(['v1', 'web'] as const)(
    'does not know whether a conversation began whose name was lost, over %s',
    async (surface) => {
      const faults: Fault[] = [
        { kind: 'reset', on: { method: 'POST', path: '/task-api/**' }, forwarded: true },
      ]
      const proxy = await createFaultProxy({ target: server.url, faults })
      onTestFinished(() => proxy.close())
      const baseUrl = `${proxy.url}/task-api`
      const backend = taskApiBackend({
        baseUrl,
        surface,
        workspaceId: 'friday',
        headers,
        connection,
      })
      const store = createChatStore(backend, { outbox: false })
      onTestFinished(store.connect())
      await store.commands.send('Plan three days in Lisbon')
      const failed = { phase: 'failed', isSure: false }
      const [id = '', ...others] = Object.keys(store.getState().sends)
      expect(others).toEqual([])
      expect(store.getState().sends[id]).toMatchObject(failed)
      await store.commands.retry(id)
      expect(store.getState().sends[id]).toMatchObject(failed)
      expect(proxy.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
      store.commands.discard(id)
      await store.commands.send('Once more')
      expect(store.getState().sends[id]).toBeUndefined()
      await vi.waitFor(() =>
        expect(store.getState().conversation.messages.map(({ role }) => role)).toEqual([
          'user',
          'assistant',
        ]),
      )
    },
  )

  it.each([1, 2, 3])('survives a bad day, seed %i', async (seed) => {
    const intensity = { drop: 0.05, duplicate: 0.1, swap: 0.1, answer: 0.1, 'broken-json': 0.1 }
    const { proxy, store, conversationId } = await open({
      target: server.url,
      random: { seed, on, intensity },
    })
    await store.commands.send('Plan three days in Lisbon')
    await expectStored(store, conversationId, proxy)
  })
})
