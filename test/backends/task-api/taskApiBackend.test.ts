// @vitest-environment node
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { taskApiDirectory, type TaskApiOptions } from '../../../src/backends/index.js'
import type { TaskApiServerOptions as ServerOptions } from '../../../src/testing/server/index.js'
import {
  createAgentServer,
  createFaultProxy,
  hint,
  text,
  toolCall,
  type AgentScript,
  type AgentServer,
  type Scene,
  type Step,
} from '../../../src/testing/server/index.js'
import { getTextContent, UserMsg, type AgentBackend } from '../../../src/protocol/index.js'
import { createGate, type Gate } from '../../testing/server/createGate.js'
import {
  createBackend,
  createStorage,
  headers,
  messagesOf,
  openPage,
  textsOf,
  until,
  untilDone,
  untilPhase,
  untilTexts,
} from './openPage.js'

let gate: Gate
beforeEach(() => {
  gate = createGate()
})

const says = (words: string): Step => ({ kind: 'model', says: [text(words)] })

/** Repeats what it is told; some words make it do more. */
const agent: AgentScript = {
  id: 'friday',
  name: 'Friday',
  perform: ({ text: said, messages }) => {
    if (said === 'slow') {
      return {
        steps: [says('One, '), { kind: 'wait', until: gate.passed }, says('two.')],
      }
    }
    if (said === 'mail') {
      const send = toolCall('call_1', 'send', { to: 'ana' }, { needs: 'approval' })
      return { steps: [{ kind: 'model', calls: [send] }, says('Done.')] }
    }
    if (said === 'later') {
      const scene: Scene = {
        steps: [hint('background_command', '', 'It is done.'), says('By the way.')],
      }
      return {
        steps: [says('Soon.')],
        followUp: { afterMs: 30, scene },
      }
    }
    if (said === 'twice') {
      const again: Scene = { steps: [hint('compression_handoff', '', 'Go on.'), says('Again.')] }
      return { steps: [says('Once.')], followUp: { afterMs: 1, scene: again, isSameTask: true } }
    }
    if (said === 'ask') {
      const questions = ['Tea?', 'Milk?'].map((question) => ({
        question,
        options: [{ id: 'y', label: 'Yes' }],
      }))
      const asking = toolCall('call_q', 'ask_user', { questions }, { needs: 'execution' })
      return { steps: [{ kind: 'model', calls: [asking] }, says('Thanks.')] }
    }
    if (said === 'plan') {
      const plan = { plan_file: 'plan.md', summary: 'Two steps', plan_content: '# Plan' }
      const asking = toolCall('call_p', 'submit_plan', plan, { needs: 'approval' })
      return { steps: [{ kind: 'model', calls: [asking] }, says('Begun.')] }
    }
    if (said === 'look') {
      const last = messages.at(-1)?.content.map(({ type }) => type) ?? []
      return { steps: [says(last.join())] }
    }
    return { steps: [{ kind: 'model', says: [text(`You said ${said}.`)], usage: [10, 5] }] }
  },
}

async function startServer(taskApi: ServerOptions = {}): Promise<AgentServer> {
  const server = await createAgentServer({ agents: [agent], pace: 0, taskApi })
  onTestFinished(() => server.close())
  return server
}

async function converse(
  taskApi: ServerOptions = {},
): Promise<{ server: AgentServer; open: (options?: Partial<TaskApiOptions>) => AgentBackend }> {
  const server = await startServer(taskApi)
  const { token } = taskApi
  const directory = taskApiDirectory({
    baseUrl: `${server.url}/task-api`,
    headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
  })
  const conversationId = await directory.createSession('friday')
  return {
    server,
    open: (options) => createBackend(server.url, { conversationId, ...options }),
  }
}

describe.each(['v1', 'web'] as const)('taskApiBackend on the %s surface', (surface) => {
  it('begins a conversation with the first message, and tells its id', async () => {
    const { url } = await startServer()
    const ids: string[] = []
    const onConversation = (id: string): void => void ids.push(id)
    const first = openPage(createBackend(url, { surface, onConversation }))
    await untilPhase(first.store, 'idle')
    await first.store.commands.send('one')
    await untilTexts(first.store, ['one', 'You said one.'])
    await untilDone(first.store)
    expect(ids).toHaveLength(1)
    const [conversationId = ''] = ids
    const second = openPage(createBackend(url, { surface, conversationId }))
    await untilTexts(second.store, ['one', 'You said one.'])
    expect(messagesOf(second.store).map(({ id }) => id)).toEqual(
      messagesOf(first.store).map(({ id }) => id),
    )
    expect([...first.anomalies, ...second.anomalies]).toEqual([])
  })

  it('names replies as the app says, streamed and stored', async () => {
    const { open } = await converse()
    const named = { surface, agentName: 'Friday' }
    const first = openPage(open(named))
    await first.store.commands.send('one')
    await untilDone(first.store)
    const second = openPage(open(named))
    await untilTexts(second.store, ['one', 'You said one.'])
    for (const { store } of [first, second]) {
      expect(messagesOf(store).map(({ name }) => name)).toEqual(['user', 'Friday'])
    }
  })

  it('has each message and reply once, after several tasks, a look at history and a reload', async () => {
    const { open } = await converse()
    const { store, anomalies } = openPage(open({ surface }))
    const said: string[] = []
    for (const words of ['one', 'two', 'two']) {
      await store.commands.send(words)
      said.push(words, `You said ${words}.`)
      await untilTexts(store, said)
      await untilDone(store)
    }
    const before = messagesOf(store)
    store.commands.retryNow()
    const again = openPage(open({ surface }))
    await untilTexts(again.store, said)
    expect(messagesOf(again.store).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    expect(messagesOf(store)).toEqual(before)
    expect(store.getState().conversation.messages.at(-1)?.usage).toMatchObject({ input_tokens: 10 })
    expect(anomalies).toEqual([])
  })

  it('finds a task that runs after a reload, and tells it from its beginning', async () => {
    const { open } = await converse()
    const storage = createStorage()
    const first = openPage(open({ surface, storage }))
    await first.store.commands.send('one')
    await untilTexts(first.store, ['one', 'You said one.'])
    await untilDone(first.store)
    await first.store.commands.send('slow')
    await untilTexts(first.store, ['one', 'You said one.', 'slow', 'One, '])
    first.leave()
    const second = openPage(open({ surface, storage }))
    await untilTexts(second.store, ['one', 'You said one.', 'slow', 'One, '])
    await untilPhase(second.store, 'streaming')
    gate.open()
    await untilTexts(second.store, ['one', 'You said one.', 'slow', 'One, \ntwo.'])
    await untilDone(second.store)
    const third = openPage(open({ surface, storage }))
    await untilTexts(third.store, ['one', 'You said one.', 'slow', 'One, \ntwo.'])
    expect(messagesOf(third.store).map(({ id }) => id)).toEqual(
      messagesOf(second.store).map(({ id }) => id),
    )
    expect([...second.anomalies, ...third.anomalies]).toEqual([])
    await until(() => expect([...storage.entries.keys()]).toEqual([]))
  })

  it('tells everyone who opens it the task from its beginning', async () => {
    const { open } = await converse()
    const backend = open({ surface })
    const first = openPage(backend)
    await first.store.commands.send('slow')
    await untilTexts(first.store, ['slow', 'One, '])
    const second = openPage(backend)
    await untilTexts(second.store, ['slow', 'One, '])
    gate.open()
    await untilTexts(first.store, ['slow', 'One, \ntwo.'])
    await untilTexts(second.store, ['slow', 'One, \ntwo.'])
    await untilDone(first.store)
    expect(messagesOf(second.store).map(({ id }) => id)).toEqual(
      messagesOf(first.store).map(({ id }) => id),
    )
  })

  it('knows both replies of a task that goes on after its context was compressed', async () => {
    const { open } = await converse()
    const { store, anomalies } = openPage(open({ surface }))
    await store.commands.send('twice')
    await untilTexts(store, ['twice', 'Once.', 'Again.'])
    await untilDone(store)
    const again = openPage(open({ surface }))
    await untilTexts(again.store, ['twice', 'Once.', 'Again.'])
    expect(messagesOf(again.store).map(({ id }) => id)).toEqual(
      messagesOf(store).map(({ id }) => id),
    )
    expect(anomalies).toEqual([])
  })

  it('stops a task', async () => {
    const { open } = await converse()
    const { store } = openPage(open({ surface }))
    await store.commands.send('slow')
    await untilTexts(store, ['slow', 'One, '])
    await store.commands.interrupt()
    await untilDone(store)
    expect(messagesOf(store)[1]).toMatchObject({ finished_reason: 'interrupted' })
    await store.commands.send('one')
    await untilTexts(store, ['slow', 'One, ', 'one', 'You said one.'])
  })

  it('hears the last words of a task that says too early that it is over', async () => {
    const { open } = await converse({ tailRace: 6 })
    const { store, anomalies } = openPage(open({ surface }))
    await store.commands.send('one')
    await untilTexts(store, ['one', 'You said one.'])
    await untilDone(store)
    expect(messagesOf(store)[1]).toMatchObject({ finished_reason: 'completed' })
    expect(anomalies).toEqual([])
  })

  it('takes from history what became of a task that the server forgot', async () => {
    const { open } = await converse({ forgetAfterMs: 0 })
    const { store } = openPage(open({ surface }))
    await store.commands.send('slow')
    await untilTexts(store, ['slow', 'One, '])
    gate.open()
    await untilTexts(store, ['slow', 'One, \ntwo.'])
    await untilDone(store)
    await until(() => expect(store.getState().connection.phase).toBe('open'))
    const healed = { finished_reason: 'completed', error: null }
    await until(() => expect(messagesOf(store)[1]).toMatchObject(healed))
    await store.commands.send('one')
    await untilTexts(store, ['slow', 'One, \ntwo.', 'one', 'You said one.'])
  })

  it('speaks to a classic server, which tells nothing of the person’s message', async () => {
    const { open } = await converse({ version: 'classic' })
    const storage = createStorage()
    const { store, anomalies, leave } = openPage(open({ surface, storage }))
    await store.commands.send('one')
    await untilTexts(store, ['one', 'You said one.'])
    await untilDone(store)
    await store.commands.send('slow')
    await untilTexts(store, ['one', 'You said one.', 'slow', 'One, '])
    leave()
    const again = openPage(open({ surface, storage }))
    await untilTexts(again.store, ['one', 'You said one.', 'slow', 'One, '])
    gate.open()
    await untilTexts(again.store, ['one', 'You said one.', 'slow', 'One, \ntwo.'])
    await untilDone(again.store)
    expect(messagesOf(again.store).map(({ id }) => id)).toEqual(
      messagesOf(store).map(({ id }) => id),
    )
    expect(anomalies).toEqual([])
  })

  it('heals a reply whose beginning the server did not keep', async () => {
    const { open } = await converse({ bufferSize: 4 })
    const { store } = openPage(open({ surface }))
    await store.commands.send('one')
    await untilTexts(store, ['one', 'You said one.'])
    await untilDone(store)
    await until(() => {
      const replies = Object.values(store.getState().conversation.replies)
      expect(replies).toMatchObject([{ isComplete: true }])
    })
  })

  it('sends pictures as files', async () => {
    const { server, open } = await converse()
    const proxy = await createFaultProxy({ target: server.url })
    onTestFinished(() => proxy.close())
    const backend = open({ surface, baseUrl: `${proxy.url}/task-api` })
    const { store } = openPage(backend)
    await untilPhase(store, 'idle')
    const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw==' } as const
    await store.commands.send([
      { type: 'text', text: 'look' },
      { type: 'data', source, name: 'a.png' },
    ])
    await untilTexts(store, ['look', 'text,data'])
    await untilDone(store)
    const before = messagesOf(store)
    expect(before[0]?.content[1]).toMatchObject({ type: 'data', source })
    store.commands.retryNow()
    expect(messagesOf(store)).toEqual(before)
    expect(proxy.requests.some(({ url }) => url.endsWith('/upload'))).toBe(true)
  })

  it('says what the server says when it refuses', async () => {
    const { open } = await converse()
    const { store } = openPage(open({ surface, taskDefaults: { run_mode: 'wild' } }))
    await untilPhase(store, 'idle')
    await store.commands.send('one')
    expect(store.getState().error).toMatchObject({
      reason: 'rejected',
      detail: 'run_mode must be fast, thinking or deep.',
    })
  })

  it('renews credentials that are refused', async () => {
    const { open } = await converse({ token: 'fresh' })
    let token = 'stale'
    let renewals = 0
    const backend = open({
      surface,
      headers: () => ({ ...headers, authorization: `Bearer ${token}` }),
      onUnauthorized: async () => {
        renewals += 1
        token = 'fresh'
      },
    })
    const { store } = openPage(backend)
    await untilPhase(store, 'idle')
    await store.commands.send('one')
    await untilTexts(store, ['one', 'You said one.'])
    expect(renewals).toBe(1)
  })

  it('shows that the server cannot be reached, and goes on when it can', async () => {
    const { server, open } = await converse()
    const proxy = await createFaultProxy({ target: server.url })
    onTestFinished(() => proxy.close())
    const { store } = openPage(open({ surface, baseUrl: `${proxy.url}/task-api` }))
    await untilPhase(store, 'idle')
    await store.commands.send('slow')
    await untilTexts(store, ['slow', 'One, '])
    const on = { method: 'GET', path: '/task-api/**' }
    const mend = proxy.inject({ kind: 'reset', which: 'every', on })
    await until(() => expect(store.getState().connection.phase).toBe('waiting'))
    gate.open()
    mend()
    await untilTexts(store, ['slow', 'One, \ntwo.'])
    await untilDone(store)
  })

  it('waits with a message while somebody else’s task runs, and sends it then', async () => {
    const { open } = await converse()
    const other = openPage(open({ surface }))
    const { store } = openPage(open({ surface }))
    await untilPhase(store, 'idle')
    await other.store.commands.send('slow')
    await untilTexts(other.store, ['slow', 'One, '])
    await store.commands.send('one', { whenFree: true })
    expect(Object.values(store.getState().sends)).toMatchObject([{ phase: 'held' }])
    gate.open()
    await until(() => expect(textsOf(store).at(-1)).toBe('You said one.'))
    await untilDone(store)
    await untilTexts(store, ['slow', 'One, \ntwo.', 'one', 'You said one.'])
  })

  it('can neither go on without a message nor take an answer to a form', async () => {
    const { open } = await converse()
    const backend = open({ surface })
    await expect(backend.send(null)).rejects.toMatchObject({ reason: 'rejected' })
    const answer = { kind: 'input', id: 'a', request_id: 'q', action: 'decline' } as const
    await expect(backend.answer([answer])).rejects.toMatchObject({ reason: 'rejected' })
    const link = { type: 'url', url: 'https://example.com/a.png', media_type: 'image/png' } as const
    const message = UserMsg({ name: 'me', content: [{ type: 'data', source: link, name: null }] })
    await expect(backend.send([message])).rejects.toMatchObject({ reason: 'rejected' })
  })
})

describe('taskApiBackend on the web surface alone', () => {
  it('sends decisions, each to its record, and asks at once what came of it', async () => {
    const { open } = await converse()
    const { store } = openPage(open())
    await store.commands.send('mail')
    await untilPhase(store, 'awaiting-person')
    expect(await store.backend.status?.()).toBe('awaiting-confirm')
    const [request] = store.getState().conversation.requests
    await store.commands.confirm({ request: request?.key ?? '', approve: true })
    await untilDone(store)
    expect(textsOf(store)).toEqual(['mail', 'Done.'])
  })

  it('answers each question of a batch', async () => {
    const { open } = await converse()
    const { store } = openPage(open())
    await store.commands.send('ask')
    await untilPhase(store, 'awaiting-person')
    await until(() => expect(store.getState().conversation.requests).toHaveLength(2))
    const [tea, milk] = store.getState().conversation.requests
    const metadata = { selected_option_id: 'y' }
    await store.commands.submitResults({ request: milk?.key ?? '', output: 'Yes', metadata })
    await store.commands.submitResults({ request: tea?.key ?? '', output: 'Green, please.' })
    await untilDone(store)
    expect(textsOf(store)).toEqual(['ask', 'Thanks.'])
    const result = messagesOf(store)[1]?.content.find(({ type }) => type === 'tool_result')
    expect(JSON.stringify(result)).toContain('Green, please.')
  })

  it('does not ask again what was answered before a reload or in another page', async () => {
    const { open } = await converse()
    const first = openPage(open())
    await first.store.commands.send('ask')
    await until(() => expect(first.store.getState().conversation.requests).toHaveLength(2))
    const [, milk] = first.store.getState().conversation.requests
    await first.store.commands.submitResults({ request: milk?.key ?? '', output: 'No milk.' })
    first.leave()
    const { store } = openPage(open())
    await until(() =>
      expect(store.getState().conversation.requests).toMatchObject([
        { toolCall: { input: expect.stringContaining('Tea?') } },
      ]),
    )
    const [tea] = store.getState().conversation.requests
    await store.commands.submitResults({ request: tea?.key ?? '', output: 'Green, please.' })
    await untilDone(store)
    expect(textsOf(store)).toEqual(['ask', 'Thanks.'])
    expect(JSON.stringify(messagesOf(store)[1])).toContain('No milk.')
    const results = messagesOf(store)[1]?.content.filter(({ type }) => type === 'tool_result')
    expect(results).toHaveLength(2)
  })

  it('approves a plan', async () => {
    const { open } = await converse()
    const { store } = openPage(open())
    await store.commands.send('plan')
    await untilPhase(store, 'awaiting-person')
    const [request] = store.getState().conversation.requests
    expect(request).toMatchObject({ metadata: { kind: 'plan' } })
    await store.commands.confirm({ request: request?.key ?? '', approve: true })
    await untilDone(store)
    expect(textsOf(store)).toEqual(['plan', 'Begun.'])
  })

  it.each([true, false])(
    'sends what is said to a plan as a comment, approved: %s',
    async (approve) => {
      const { open } = await converse()
      const answers: unknown[] = []
      const { store } = openPage(
        open({
          fetch: (url, init) => {
            if (url.includes('/plan-approvals/') && typeof init?.body === 'string') {
              answers.push(JSON.parse(init.body))
            }
            return fetch(url, init)
          },
        }),
      )
      await store.commands.send('plan')
      await untilPhase(store, 'awaiting-person')
      const [request] = store.getState().conversation.requests
      const reason = 'Mind the roots.'
      await store.commands.confirm({ request: request?.key ?? '', approve, reason })
      await untilDone(store)
      expect(answers).toEqual([{ approved: approve, comment: reason }])
    },
  )

  it('says why the server takes no answer from this person, and lets it be given again', async () => {
    const { server, open } = await converse()
    const proxy = await createFaultProxy({ target: server.url })
    onTestFinished(() => proxy.close())
    proxy.inject({
      kind: 'answer',
      status: 403,
      body: JSON.stringify({ success: false, error: 'Only owners may decide.' }),
      headers: { 'content-type': 'application/json' },
      on: { method: 'POST', path: '/**/decision' },
    })
    const { store } = openPage(open({ baseUrl: `${proxy.url}/task-api` }))
    await store.commands.send('mail')
    await untilPhase(store, 'awaiting-person')
    const [request] = store.getState().conversation.requests
    const key = request?.key ?? ''
    await store.commands.confirm({ request: key, approve: true })
    const error = { reason: 'unauthorized', status: 403, detail: 'Only owners may decide.' }
    expect(store.getState()).toMatchObject({
      sends: { [key]: { phase: 'failed', isSure: true, error } },
      error,
      conversation: { requests: [{ key }] },
    })
    await store.commands.retry(key)
    await untilDone(store)
    expect(textsOf(store)).toEqual(['mail', 'Done.'])
    expect(store.getState().error).toBeNull()
  })

  it('asks again after a reload', async () => {
    const { open } = await converse()
    const first = openPage(open())
    await first.store.commands.send('mail')
    await untilPhase(first.store, 'awaiting-person')
    first.leave()
    const second = openPage(open())
    await untilPhase(second.store, 'awaiting-person')
    const [request] = second.store.getState().conversation.requests
    await second.store.commands.confirm({ request: request?.key ?? '', approve: false })
    await untilDone(second.store)
    expect(messagesOf(second.store)[1]?.content.at(-1)).toMatchObject({ state: 'denied' })
    expect(messagesOf(second.store)).toHaveLength(2)
  })

  it('says that nobody waits for an answer any more, and finds the record of one that still does', async () => {
    const { open } = await converse()
    const { store } = openPage(open())
    await store.commands.send('mail')
    await untilPhase(store, 'awaiting-person')
    const [request] = store.getState().conversation.requests
    if (request === undefined || request.kind === 'input') throw new Error('Nothing is asked.')
    const { metadata: _, ...tool_call } = request.toolCall
    const answer = { kind: 'confirm', id: 'a', reply_id: request.replyId } as const
    const results = [{ confirmed: true, tool_call: { ...tool_call, id: 'another' } }]
    const another = open()
    await expect(another.answer([{ ...answer, results }])).rejects.toMatchObject({
      reason: 'rejected',
      message: expect.stringContaining('Nobody waits'),
    })
    await another.answer([{ ...answer, results: [{ confirmed: true, tool_call }] }])
    await untilDone(store)
    expect(textsOf(store)).toEqual(['mail', 'Done.'])
  })

  it('hears what the agent begins by itself when something in the background is done', async () => {
    const { open } = await converse()
    const { store, anomalies } = openPage(open())
    await store.commands.send('later')
    await until(() => expect(textsOf(store).at(-1)).toBe('By the way.'))
    await untilDone(store)
    expect(messagesOf(store).map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant'])
    const again = openPage(open())
    await untilTexts(again.store, textsOf(store))
    expect(messagesOf(again.store).map(({ id }) => id)).toEqual(
      messagesOf(store).map(({ id }) => id),
    )
    expect(anomalies).toEqual([])
  })
})

describe('taskApiBackend on the v1 surface alone', () => {
  it('looks for the reply to a message whose answer was lost in what is stored', async () => {
    const { server, open } = await converse()
    const proxy = await createFaultProxy({ target: server.url })
    onTestFinished(() => proxy.close())
    const backend = open({ surface: 'v1', baseUrl: `${proxy.url}/task-api` })
    const { store } = openPage(backend)
    await untilPhase(store, 'idle')
    proxy.inject({ kind: 'reset', on: { method: 'POST', path: '/**/messages' }, forwarded: true })
    await store.commands.send('slow')
    expect(store.getState()).toMatchObject({ sends: {}, error: null })
    expect(await backend.history?.({ limit: 9 })).toMatchObject({ isRunning: true })
    gate.open()
    await until(async () => {
      const page = await backend.history?.({ limit: 9 })
      expect(page).toMatchObject({ isRunning: false })
      expect(page?.messages.map((message) => getTextContent(message))).toEqual([
        'slow',
        'One, \ntwo.',
      ])
    })
    expect(proxy.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  it('shows what asks as something that cannot be answered here', async () => {
    const { open } = await converse()
    const { store } = openPage(open({ surface: 'v1' }))
    await store.commands.send('mail')
    await untilPhase(store, 'awaiting-person')
    const [request] = store.getState().conversation.requests
    expect(request).toMatchObject({ metadata: { answerable: false } })
    await store.commands.confirm({ request: request?.key ?? '', approve: true })
    expect(store.getState().error).toMatchObject({
      reason: 'rejected',
      message: expect.stringContaining('takes no answers'),
    })
    await store.commands.interrupt()
    await untilDone(store)
  })
})
