// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { taskApiDirectory, type TaskApiOptions } from '../../../src/backends/index.js'
import type { JsonValue } from '../../../src/protocol/index.js'
import { sendJson, startServer as startHttp, type Seen } from '../../transports/startServer.js'
import { createBackend, headers, messagesOf, openPage, untilDone, untilTexts } from './openPage.js'

type Answer = readonly [status: number, body: JsonValue]

/** A server that answers by path; the last answer of a path stays. */
async function startServer(answers: Readonly<Record<string, readonly Answer[]>>) {
  const counts = new Map<string, number>()
  return startHttp((response, { method, url }: Seen) => {
    const key = `${method} ${url.replace('/task-api/api', '').replace(/[?].*$/, '')}`
    const list = answers[key] ?? [[404, { success: false, error: `No ${key}.` }]]
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    const [status, body] = list[Math.min(count, list.length - 1)] ?? [500, {}]
    sendJson(response, body, status)
  })
}

const event = (idx: number, type: string, data: JsonValue = {}): JsonValue => ({
  ...{ idx, type, data, ts: 1_769_000_000 + idx },
})

const reply = (words: string): JsonValue[] => [
  event(0, 'ai_message_start'),
  event(1, 'api_request_start', { attempt: 1, max_attempts: 5 }),
  event(2, 'text_start'),
  event(3, 'text_chunk', { content: words, index: 1, elapsed: 0 }),
  event(4, 'text_end', { full_content: words }),
]

const stored = (words: readonly string[]): JsonValue => ({
  success: true,
  data: {
    id: 'c1',
    messages: words.map((content, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content,
    })),
  },
})

const CONVERSATION = 'GET /v1/workspaces/friday/conversations/c1'
const CREATE = 'POST /v1/workspaces/friday/messages'

function open(url: string, options: Partial<TaskApiOptions> = {}) {
  const own = { surface: 'v1', conversationId: 'c1', storage: null } as const
  return openPage(createBackend(url, { ...own, ...options }))
}

describe('taskApiBackend', () => {
  it('reads answers with their fields at the top, and a status it does not know', async () => {
    const { url } = await startServer({
      [CONVERSATION]: [
        [200, stored([])],
        [200, stored(['Hi', 'Hello'])],
      ],
      [CREATE]: [[202, { success: true, data: { task_id: 't1', status: 'pending' } }]],
      'GET /v1/tasks/t1': [
        [200, { status: 'running', events: reply('Hello'), next_offset: 5 }],
        [200, { status: 'retired', events: [event(5, 'task_complete')], next_offset: 6 }],
        [200, { status: 'retired', events: [], next_offset: 6 }],
      ],
    })
    const { store, anomalies } = open(url)
    await store.commands.send('Hi')
    await untilTexts(store, ['Hi', 'Hello'])
    await untilDone(store)
    expect(messagesOf(store)).toHaveLength(2)
    expect(anomalies).toEqual([])
  })

  it.each([404, 410])('shows what is stored when a task is gone: %i', async (status) => {
    const { url, seen } = await startServer({
      [CONVERSATION]: [
        [200, stored([])],
        [200, stored(['Hi', 'Hello, all of it'])],
      ],
      [CREATE]: [[202, { success: true, task_id: 't1', conversation_id: 'c1' }]],
      'GET /v1/tasks/t1': [
        [200, { success: true, data: { status: 'running', events: reply('Hel'), next_offset: 5 } }],
        [status, { success: false, error: 'Unknown task.' }],
      ],
    })
    const { store } = open(url)
    await store.commands.send('Hi')
    await untilTexts(store, ['Hi', 'Hello, all of it'])
    await untilDone(store)
    expect(store.getState().connection).toEqual({ phase: 'open' })
    expect(seen.filter(({ url: path }) => path.includes('/tasks/'))).toHaveLength(2)
  })

  it('goes on under another id when the conversation does', async () => {
    const ids: string[] = []
    const { url, seen } = await startServer({
      [CONVERSATION]: [[200, stored(['Before', 'Yes'])]],
      'GET /v1/workspaces/friday/conversations/c2': [[200, stored([])]],
      [CREATE]: [[202, { success: true, task_id: 't1', conversation_id: 'c1' }]],
      'GET /v1/tasks/t1': [
        [
          200,
          {
            status: 'running',
            events: [event(0, 'compression_finished', { conversation_id: 'c2' })],
            next_offset: 1,
          },
        ],
        [200, { status: 'succeeded', events: [], next_offset: 1 }],
      ],
    })
    const { store } = open(url, { onConversation: (id) => ids.push(id) })
    await untilTexts(store, ['Before', 'Yes'])
    await store.commands.send('Hi')
    await expect.poll(() => ids).toEqual(['c2'])
    await untilDoneOrFailed(store)
    expect(messagesOf(store).length).toBeGreaterThanOrEqual(2)
    await store.backend.history?.({ limit: 10 })
    expect(seen.some(({ url: path }) => path.includes('/conversations/c2'))).toBe(true)
    await store.commands.send('More').catch(() => {})
    await expect
      .poll(() => seen.findLast(({ method }) => method === 'POST')?.body)
      .toContain('"conversation_id":"c2"')
  })

  it('reads what was done in the background between two looks', async () => {
    const BOOTSTRAP = 'GET /conversations/c1/bootstrap'
    const { url } = await startServer({
      [BOOTSTRAP]: [
        [200, stored([])],
        [200, stored([])],
        [200, stored(['Hi', 'Soon'])],
        [200, stored(['Hi', 'Soon', '[notify] Done', 'It is done'])],
      ],
      'POST /tasks': [[202, { success: true, data: { task_id: 't1', conversation_id: 'c1' } }]],
      'GET /tasks/t1': [
        [200, { status: 'running', events: reply('Soon'), next_offset: 5 }],
        [
          200,
          {
            status: 'succeeded',
            events: [event(5, 'task_complete', { has_running_background_commands: true })],
            next_offset: 6,
          },
        ],
        [200, { status: 'succeeded', events: [], next_offset: 6 }],
      ],
    })
    const { store } = open(url, { surface: 'web' })
    await store.commands.send('Hi')
    await expect.poll(() => messagesOf(store).length, { timeout: 4_000 }).toBe(4)
  })

  it('says that a conversation is gone', async () => {
    const { url } = await startServer({})
    const { store } = open(url)
    await expect
      .poll(() => store.getState().connection)
      .toMatchObject({ phase: 'failed', cause: { reason: 'not-found' } })
  })
})

async function untilDoneOrFailed(store: ReturnType<typeof open>['store']): Promise<void> {
  await expect.poll(async () => store.backend.status?.()).toBe('idle')
}

describe('taskApiDirectory', () => {
  it('lists workspaces and conversations, begins and deletes one, and renames none', async () => {
    const { url, seen } = await startServer({
      'GET /v1/workspaces': [[200, { success: true, items: [{ workspace_id: 'friday' }, {}] }]],
      'GET /v1/workspaces/friday/conversations': [
        [
          200,
          { success: true, data: [{ id: 'c1', title: 'Tea', updated_at: '2026' }, { id: 'c2' }] },
        ],
      ],
      'POST /v1/workspaces/friday/conversations': [
        [200, { success: true, conversation_id: 'c3', workspace_id: 'friday' }],
      ],
      'DELETE /v1/workspaces/friday/conversations/c3': [[200, { success: true }]],
    })
    const directory = taskApiDirectory({ baseUrl: `${url}/task-api/`, headers })
    expect(await directory.agents()).toEqual([{ id: 'friday', name: 'friday' }])
    const rest = { agentId: 'friday', isRunning: false }
    expect(await directory.sessions('friday')).toEqual([
      { ...rest, id: 'c1', name: 'Tea', updatedAt: '2026' },
      { ...rest, id: 'c2', name: 'c2', updatedAt: null },
    ])
    expect(await directory.createSession('friday')).toBe('c3')
    await directory.deleteSession('friday', 'c3')
    await expect(directory.renameSession('friday', 'c1', 'Milk')).rejects.toMatchObject({
      reason: 'rejected',
    })
    expect(seen.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST', 'DELETE'])
  })

  it('says what is wrong with an answer that is no list', async () => {
    const { url } = await startServer({ 'GET /v1/workspaces': [[200, { success: true }]] })
    const directory = taskApiDirectory({ baseUrl: `${url}/task-api`, headers })
    await expect(directory.agents()).rejects.toMatchObject({ reason: 'malformed' })
  })
})
