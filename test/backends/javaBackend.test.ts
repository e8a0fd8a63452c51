// @vitest-environment node
import type { ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { javaBackend, type JavaBackendOptions } from '../../src/backends/index.js'
import { remoteTaskDialect } from '../../src/dialects/index.js'
import {
  getTextContent,
  UserMsg,
  type AgentBackend,
  type Answer,
  type Anomaly,
  type ConversationInput,
  type Msg,
} from '../../src/protocol/index.js'
import { createChatStore, selectPhase, type ChatStore } from '../../src/store/index.js'
import { createTestClock } from '../transports/createTestClock.js'
import { sendJson, sendStream, startServer, type Seen } from '../transports/startServer.js'

const waitFor = (check: () => void) => vi.waitFor(check, 5_000)

function connect(url: string, options: Partial<JavaBackendOptions> = {}): AgentBackend {
  return javaBackend({ baseUrl: `${url}/agent/`, sessionId: 's 1', ...options })
}

function open(backend: AgentBackend) {
  const inputs: ConversationInput[] = []
  const anomalies: Anomaly[] = []
  const phases: string[] = []
  const handle = backend.open({
    events: (batch) => inputs.push(...batch),
    connection: ({ phase }) => phases.push(phase),
    anomaly: (what) => anomalies.push(what),
  })
  onTestFinished(() => handle.close())
  return { handle, inputs, anomalies, phases }
}

function talk(backend: AgentBackend) {
  const anomalies: Anomaly[] = []
  const store = createChatStore(backend, { onAnomaly: (anomaly) => anomalies.push(anomaly) })
  const disconnect = store.connect()
  onTestFinished(disconnect)
  return { store, anomalies, disconnect }
}

const rest = (store: ChatStore) => waitFor(() => expect(selectPhase(store.getState())).toBe('idle'))

function said(store: ChatStore): readonly (string | null)[] {
  return store.getState().conversation.messages.map((message) => getTextContent(message))
}

const hello = UserMsg({ id: 'u1', name: 'user', content: 'Hello' })

let count = 0
const frame = (type: string, fields: object = {}) => {
  count += 1
  return { type, id: `e${count}`, createdAt: '2026-12-01T00:00:00.1Z', ...fields }
}
const lines = (...frames: readonly object[]) =>
  frames.map((each) => `data:${JSON.stringify(each)}\n\n`).join('')

const started = () => frame('AGENT_START', { replyId: 'R0', name: 'Friday', role: 'assistant' })
const begun = () => lines(started(), frame('MODEL_CALL_START', { replyId: 'M1' }))
const words = (delta: string) =>
  lines(frame('TEXT_BLOCK_DELTA', { replyId: 'M1', blockId: 'text', delta }))
const ended = () =>
  lines(
    frame('MODEL_CALL_END', { replyId: 'M1' }),
    frame('AGENT_RESULT', { result: javaMsg('m1', 'ASSISTANT', 'Hi there') }),
    frame('AGENT_END', { replyId: 'R0' }),
  )

function javaMsg(id: string, role: string, text: string) {
  const content = [{ type: 'text', text }]
  return { id, name: null, role, content, metadata: {}, timestamp: '2026-12-01 00:00:00.000' }
}

/** The task of the sub-agent that asked. */
function taskOf(answer: Answer): unknown {
  const [first] = answer.kind === 'confirm' ? answer.results : []
  return first !== undefined && 'task_id' in first.tool_call ? first.tool_call.task_id : undefined
}

const isMemory = ({ url }: Seen) => url.startsWith('/agent/memory')
const posts = (seen: readonly Seen[]) => seen.filter(({ method }) => method === 'POST')
const bodies = (seen: readonly Seen[]): readonly unknown[] =>
  posts(seen).map(({ body }) => JSON.parse(body))

/** A server whose memory is a list that may change, and whose turns are played by the test. */
async function serve(play: (response: ServerResponse, request: Seen, turn: number) => void) {
  const memory: unknown[] = []
  let turn = 0
  const server = await startServer((response, request) => {
    if (isMemory(request)) return sendJson(response, memory)
    turn += 1
    play(response, request, turn)
  })
  return { ...server, memory }
}

function streamWhole(response: ServerResponse): void {
  sendStream(response, begun() + words('Hi ') + words('there') + ended())
  response.end()
}

describe('javaBackend', () => {
  it('tells what its framing and its endpoints allow', () => {
    const events = connect('http://127.0.0.1')
    expect(events.key).toBe('java:http://127.0.0.1/agent|events|s 1')
    expect(events.capabilities).toEqual({
      history: true,
      status: true,
      interrupt: 'running',
      resume: 'none',
      partialAnswers: true,
      editArguments: true,
      rules: true,
      denyReason: false,
      attachments: ['*/*'],
      sendWhileRunning: 'refused',
    })
    const text = connect('http://127.0.0.1', { framing: 'text' })
    expect(text.capabilities).toMatchObject({
      history: false,
      interrupt: 'running',
      attachments: [],
    })
    expect(text.capabilities).toMatchObject({ partialAnswers: false, editArguments: false })
    expect('history' in text).toBe(false)
    const dataAgent = connect('http://127.0.0.1', { framing: 'data-agent' })
    expect(dataAgent.capabilities).toMatchObject({ interrupt: false, rules: false })
    expect('interrupt' in dataAgent).toBe(false)
    const own = { confirm: false, capabilities: { attachments: ['image/*'] } } as const
    expect(connect('http://127.0.0.1', own).capabilities).toMatchObject({
      editArguments: false,
      attachments: ['image/*'],
    })
  })

  it('posts a message as Java reads it, and hears the run under an id that history has too', async () => {
    const { url, seen } = await serve(streamWhole)
    const backend = connect(url, { headers: () => ({ authorization: 'Bearer t' }) })
    const { inputs, phases, anomalies } = open(backend)
    await waitFor(() => expect(phases).toEqual(['open']))
    await backend.send([hello])
    expect(seen[0]).toMatchObject({
      method: 'POST',
      url: '/agent/chat',
      headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
    })
    const content = [{ type: 'text', text: 'Hello' }]
    const message = { id: 'u1', name: 'user', role: 'USER', content, metadata: {} }
    expect(bodies(seen)).toEqual([{ sessionId: 's 1', messages: [message] }])
    await waitFor(() => expect(inputs.at(-1)).toMatchObject({ type: 'REPLY_END' }))
    const ids = new Set(inputs.flatMap((input) => ('reply_id' in input ? [input.reply_id] : [])))
    expect([...ids]).toEqual(['u1:reply'])
    const notice = inputs.find((input) => input.type === 'CUSTOM')
    expect(notice).toMatchObject({ name: 'agent_result', value: { reply_id: 'u1:reply' } })
    expect(anomalies).toEqual([])
  })

  it('has sent something as soon as the answer begins, and goes on hearing it', async () => {
    const answers: ServerResponse[] = []
    const { url } = await serve((response) => {
      sendStream(response, begun())
      answers.push(response)
    })
    const backend = connect(url)
    const { inputs } = open(backend)
    await backend.send([hello])
    expect(await backend.status?.()).toBe('running')
    answers[0]?.end(words('Hi ') + words('there') + ended())
    await waitFor(() => expect(inputs.at(-1)).toMatchObject({ finished_reason: 'completed' }))
    await waitFor(async () => expect(await backend.status?.()).toBe('idle'))
  })

  it('rejects what the server refuses, and posts it once', async () => {
    const { url, seen } = await serve((response) => sendJson(response, { detail: 'Busy.' }, 409))
    await expect(connect(url).send([hello])).rejects.toMatchObject({
      name: 'TransportError',
      reason: 'conflict',
      detail: 'Busy.',
    })
    expect(posts(seen)).toHaveLength(1)
  })

  it('rejects an answer that is no stream', async () => {
    const { url } = await serve((response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Sign in</title>')
    })
    await expect(connect(url).send([hello])).rejects.toMatchObject({ reason: 'not-a-stream' })
  })

  it('renews credentials that were refused, and posts once more', async () => {
    let token = 'old'
    const { url, seen } = await serve((response, { headers }) => {
      if (headers.authorization === 'new') streamWhole(response)
      else sendJson(response, {}, 401)
    })
    const backend = connect(url, {
      headers: () => ({ authorization: token }),
      onUnauthorized: async () => {
        token = 'new'
      },
    })
    await backend.send([hello])
    expect(posts(seen).map(({ headers }) => headers.authorization)).toEqual(['old', 'new'])
  })

  it.each([
    ['a JSON value per line', 'application/x-ndjson', '\n', ['', '']],
    ['a list', 'application/json', ',', ['[', ']']],
  ] as const)('reads %s', async (_, type, separator, [start, end]) => {
    const frames = (begun() + words('Hi 你好') + ended())
      .split('\n\n')
      .flatMap((line) => (line === '' ? [] : [line.slice('data:'.length)]))
    const bytes = Buffer.from(`${start}${frames.join(separator)}${end}`)
    const { url } = await serve((response) => {
      response.writeHead(200, { 'content-type': type })
      // Cut inside of a character.
      const cut = bytes.indexOf(Buffer.from('你')) + 1
      response.write(bytes.subarray(0, cut))
      setImmediate(() => response.end(bytes.subarray(cut)))
    })
    const { store, anomalies } = talk(connect(url))
    await store.commands.send('Hello')
    await waitFor(() => expect(said(store)[1]).toContain('Hi 你好'))
    await rest(store)
    expect(anomalies).toEqual([])
  })

  it('reads an event that lacks its blank line at the end', async () => {
    const { url } = await serve((response) => {
      sendStream(response, begun() + words('Hi there') + ended().trimEnd())
      response.end()
    })
    const { inputs } = open(connect(url))
    const backend = connect(url)
    const heard = open(backend)
    await backend.send([hello])
    await waitFor(() => expect(heard.inputs.at(-1)).toMatchObject({ type: 'REPLY_END' }))
    expect(inputs).toEqual([])
  })

  it('keeps the spaces of bare text, which it asks for in the query', async () => {
    const { url, seen } = await startServer((response) => {
      // Spring writes no space after the colon.
      sendStream(response, 'data:Hi\n\ndata: there\n\ndata:{"a":1}\n\n')
      response.end()
    })
    const { store } = talk(connect(url, { framing: 'text' }))
    await store.commands.send('Hello & bye')
    await waitFor(() => expect(said(store)).toEqual(['Hello & bye', 'Hi there{"a":1}']))
    await rest(store)
    expect(seen[0]).toMatchObject({
      method: 'GET',
      url: '/agent/chat?sessionId=s+1&message=Hello+%26+bye',
    })
    await expect(connect(url, { framing: 'text' }).send(null)).rejects.toMatchObject({
      reason: 'rejected',
    })
  })

  it('speaks with the data-agent example', async () => {
    const { url, seen } = await startServer((response) => {
      sendStream(
        response,
        'event:tool_call\ndata:{"type":"tool_call","toolName":"run_sql","toolInput":"{\\"q\\":1}"}\n\n' +
          'event:token\ndata:{"type":"token","data":"42 rows"}\n\n' +
          'event:done\ndata:{"type":"done","sessionKey":"s 1"}\n\n',
      )
      response.end()
    })
    const { store } = talk(connect(url, { framing: 'data-agent', baseUrl: `${url}/api/agents/a1` }))
    await store.commands.send('Count')
    await waitFor(() => expect(said(store)).toEqual(['Count', '42 rows']))
    await rest(store)
    expect(seen[0]?.url).toBe('/api/agents/a1/chat/stream')
    expect(bodies(seen)).toEqual([{ message: 'Count', sessionKey: 's 1' }])
  })

  it('lets the app say where things go and what is sent', async () => {
    const { url, seen } = await startServer((response) => streamWhole(response))
    const backend = connect(url, {
      chat: ({ input, sessionId, encoded }) => ({
        path: `/v2/${encodeURIComponent(sessionId)}`,
        query: { stream: 'full', none: undefined },
        method: 'PUT',
        body: { count: input?.length ?? 0, ...encoded, messages: null },
      }),
      history: false,
    })
    expect('history' in backend).toBe(false)
    await backend.send([hello])
    expect(seen[0]).toMatchObject({ method: 'PUT', url: '/agent/v2/s%201?stream=full' })
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ count: 1, messages: null })
  })

  it('reports frames that cannot be read and goes on', async () => {
    const { url } = await serve((response) => {
      sendStream(response, `${begun()}data:{"type":\n\ndata:7\n\n${words('Hi there')}${ended()}`)
      response.end()
    })
    const { store, anomalies } = talk(connect(url))
    await store.commands.send('Hello')
    await waitFor(() => expect(said(store)).toEqual(['Hello', 'Hi there']))
    await rest(store)
    expect(anomalies.map(({ kind }) => kind)).toEqual(['not-json', 'not-an-event'])
  })

  it('keeps what was said before the line broke, says that it broke, and posts nothing again', async () => {
    const { url, seen, memory } = await serve((response, request) => {
      memory.push(...storedUser(request))
      sendStream(response, begun() + words('Hi '))
      setTimeout(() => response.destroy(), 20)
    })
    const { store } = talk(connect(url))
    await rest(store)
    await store.commands.send('Hello')
    await waitFor(() =>
      expect(lastMessage(store)).toMatchObject({
        finished_reason: 'error',
        error: { type: 'connection' },
      }),
    )
    await waitFor(() => expect(seen.filter(isMemory).length).toBeGreaterThan(1))
    await rest(store)
    expect(said(store)).toEqual(['Hello', 'Hi '])
    expect(posts(seen)).toHaveLength(1)
  })

  it('takes from history what a broken line did not bring', async () => {
    const { url, seen, memory } = await serve((response, request) => {
      memory.push(...storedUser(request), javaMsg('m1', 'ASSISTANT', 'Hi there, whole'))
      sendStream(response, begun() + words('Hi '))
      setTimeout(() => response.destroy(), 20)
    })
    const { store } = talk(connect(url))
    await rest(store)
    await store.commands.send('Hello')
    await waitFor(() => expect(said(store)).toEqual(['Hello', 'Hi there, whole']))
    expect(lastMessage(store)).toMatchObject({ finished_reason: 'completed', error: null })
    expect(posts(seen)).toHaveLength(1)
  })

  it('leaves alone what was heard whole, whatever Java made of it', async () => {
    const { url, seen, memory } = await serve((response, request) => {
      memory.push(...storedUser(request), javaMsg('m1', 'ASSISTANT', 'Hithere'))
      streamWhole(response)
    })
    const { store, anomalies } = talk(connect(url))
    await rest(store)
    await store.commands.send('Hello')
    await waitFor(() => expect(seen.filter(isMemory).length).toBeGreaterThan(1))
    await rest(store)
    expect(said(store)).toEqual(['Hello', 'Hi there'])
    expect(anomalies).toEqual([])
    const { store: later } = talk(connect(url))
    await waitFor(() => expect(said(later)).toEqual(['Hello', 'Hithere']))
    const ids = ({ conversation }: ReturnType<ChatStore['getState']>) =>
      conversation.messages.map(({ id }) => id)
    expect(ids(later.getState())).toEqual(ids(store.getState()))
  })

  it('gives whoever comes later what was heard before', async () => {
    const { url, memory } = await serve((response, request) => {
      memory.push(...storedUser(request), javaMsg('m1', 'ASSISTANT', 'Hi there'))
      streamWhole(response)
    })
    const backend = connect(url)
    const first = talk(backend)
    await rest(first.store)
    await first.store.commands.send('Hello')
    await waitFor(() => expect(said(first.store)).toEqual(['Hello', 'Hi there']))
    await rest(first.store)
    const beside = talk(backend)
    await waitFor(() => expect(said(beside.store)).toEqual(['Hello', 'Hi there']))
    first.disconnect()
    beside.disconnect()
    const later = talk(backend)
    await waitFor(() => expect(said(later.store)).toEqual(['Hello', 'Hi there']))
    expect(later.anomalies).toEqual([])
  })

  it('gives whoever comes in the middle of a run the whole reply once it is stored', async () => {
    let answer: ServerResponse | undefined
    const { url, memory } = await serve((response, request) => {
      memory.push(...storedUser(request))
      sendStream(response, begun() + words('Hi '))
      answer = response
    })
    const backend = connect(url)
    const first = talk(backend)
    await rest(first.store)
    await first.store.commands.send('Hello')
    await waitFor(() => expect(said(first.store)).toEqual(['Hello', 'Hi ']))
    const beside = talk(backend)
    await waitFor(() => expect(said(beside.store)).toEqual(['Hello']))
    memory.push(javaMsg('m1', 'ASSISTANT', 'Hi there'))
    answer?.end(words('there') + ended())
    await waitFor(() => expect(said(beside.store)).toEqual(['Hello', 'Hi there']))
    await rest(beside.store)
    expect(said(first.store)).toEqual(['Hello', 'Hi there'])
  })

  it('knows what it sent also under an id that the server made up', async () => {
    const { url, seen, memory } = await serve((response, _, turn) => {
      memory.push(
        javaMsg(`x${turn}`, 'USER', 'Hello'),
        javaMsg(`y${turn}`, 'ASSISTANT', 'Hi there'),
      )
      streamWhole(response)
    })
    memory.push(javaMsg('x0', 'USER', 'Hello'), javaMsg('y0', 'ASSISTANT', 'Before'))
    const { store } = talk(connect(url))
    await waitFor(() => expect(said(store)).toEqual(['Hello', 'Before']))
    for (const turn of [1, 2]) {
      const looks = seen.filter(isMemory).length
      await store.commands.send('Hello')
      await waitFor(() => expect(seen.filter(isMemory).length).toBeGreaterThan(looks))
      await rest(store)
      expect(said(store)).toHaveLength(2 + 2 * turn)
    }
    expect(said(store)).toEqual(['Hello', 'Before', 'Hello', 'Hi there', 'Hello', 'Hi there'])
  })

  it('takes nothing from history of a reply whose stream is about to come', async () => {
    const answers: ServerResponse[] = []
    const { url, memory } = await serve((response, request) => {
      memory.push(...storedUser(request), javaMsg('m1', 'ASSISTANT', 'Hi there'))
      answers.push(response)
    })
    const backend = connect(url)
    const sending = backend.send([hello])
    await waitFor(() => expect(answers).toHaveLength(1))
    const page = await backend.history?.({ limit: 50 })
    expect(page).toMatchObject({ isRunning: true })
    expect(page?.messages).toEqual([hello])
    answers[0]?.writeHead(503).end()
    await expect(sending).rejects.toMatchObject({ reason: 'server' })
    expect(idsOf((await backend.history?.({ limit: 50 }))?.messages)).toEqual(['u1', 'u1:reply'])
  })

  it.each([
    { metadata: { agentscope_synthetic: true } },
    { metadata: { agentscope_reminder_kind: 'task_plan' } },
  ])('names a reply after what the person said, not after a reminder: %j', async (reminder) => {
    const { url, memory } = await serve(streamWhole)
    memory.push(
      javaMsg('u1', 'USER', 'Hello'),
      { ...javaMsg('n1', 'USER', 'Mind the plan.'), ...reminder },
      javaMsg('a1', 'ASSISTANT', 'Hi there'),
    )
    const page = await connect(url).history?.({ limit: 50 })
    expect(idsOf(page?.messages)).toEqual(['u1', 'u1:reply'])
  })

  it('gives history page by page, though the server gives all', async () => {
    const { url, memory, seen } = await serve(streamWhole)
    for (let turn = 1; turn <= 3; turn += 1) {
      memory.push(javaMsg(`u${turn}`, 'USER', `q${turn}`), javaMsg(`a${turn}`, 'ASSISTANT', 'a'))
    }
    const backend = connect(url)
    const page = await backend.history?.({ limit: 3 })
    expect(idsOf(page?.messages)).toEqual(['u2:reply', 'u3', 'u3:reply'])
    expect(page).toMatchObject({ hasMore: true, isRunning: false })
    const older = await backend.history?.({ limit: 3, before: 'u2:reply' })
    expect(idsOf(older?.messages)).toEqual(['u1', 'u1:reply', 'u2'])
    expect(older?.hasMore).toBe(false)
    expect(await backend.history?.({ limit: 3, before: 'gone' })).toMatchObject({ messages: [] })
    expect(seen[0]?.url).toBe('/agent/memory?sessionId=s+1')
  })

  it('leaves the turn when the stream is closed, and hears nothing after', async () => {
    let wasLeft = false
    const { url } = await serve((response) => {
      response.once('close', () => {
        wasLeft = true
      })
      sendStream(response, begun() + words('Hi '))
    })
    const backend = connect(url)
    const { handle, inputs } = open(backend)
    await backend.send([hello])
    await waitFor(() => expect(inputs.length).toBeGreaterThan(2))
    const heard = inputs.length
    handle.close()
    handle.close()
    await waitFor(() => expect(wasLeft).toBe(true))
    await waitFor(async () => expect(await backend.status?.()).toBe('idle'))
    expect(inputs).toHaveLength(heard)
  })

  it('gives up a line that is silent for too long', async () => {
    const clock = createTestClock()
    const { url } = await serve((response) => sendStream(response, begun() + words('Hi ')))
    const backend = connect(url, { clock, silenceMs: 60_000 })
    const { inputs } = open(backend)
    await backend.send([hello])
    await waitFor(() => expect(inputs.length).toBeGreaterThan(2))
    clock.advance(59_000)
    expect(inputs.at(-1)?.type).not.toBe('REPLY_END')
    clock.advance(2_000)
    await waitFor(() => expect(inputs.at(-1)).toMatchObject({ finished_reason: 'error' }))
    expect(clock.waiting).toBe(0)
  })

  it('says when a turn gets no answer in time', async () => {
    const clock = createTestClock()
    const { url, seen } = await serve(() => undefined)
    const sending = connect(url, { clock }).send([hello])
    await waitFor(() => expect(posts(seen)).toHaveLength(1))
    clock.advance(300_000)
    await expect(sending).rejects.toMatchObject({ reason: 'timeout', canRetry: true })
  })

  it('stops a run by its endpoint, and leaves a run that does not stop', async () => {
    const clock = createTestClock()
    const { url, seen } = await serve((response, request) => {
      if (request.url === '/agent/interrupt') sendJson(response, {})
      else sendStream(response, begun() + words('Hi '))
    })
    const backend = connect(url, { clock, silenceMs: Infinity })
    const { inputs } = open(backend)
    await expect(backend.interrupt?.({})).rejects.toMatchObject({ reason: 'rejected' })
    await backend.send([hello])
    await backend.interrupt?.({})
    expect(bodies(seen)[1]).toEqual({ sessionId: 's 1' })
    clock.advance(15_000)
    await waitFor(() => expect(inputs.at(-1)).toMatchObject({ finished_reason: 'interrupted' }))
  })

  it('stops a run by leaving it where there is no endpoint', async () => {
    const { url, seen } = await startServer((response) => sendStream(response, 'data:Hi\n\n'))
    const backend = connect(url, { framing: 'text' })
    const { inputs } = open(backend)
    await backend.send([hello])
    await waitFor(() => expect(inputs.length).toBeGreaterThan(0))
    await backend.interrupt?.({})
    expect(inputs.at(-1)).toMatchObject({ type: 'REPLY_END', finished_reason: 'interrupted' })
    expect(seen).toHaveLength(1)
  })

  it('posts one turn after the other', async () => {
    const answers: ServerResponse[] = []
    const { url, seen } = await serve((response) => {
      sendStream(response, begun())
      answers.push(response)
    })
    const backend = connect(url)
    open(backend)
    await backend.send([hello])
    const second = backend.send([UserMsg({ name: 'user', content: 'Again' })])
    await waitFor(() => expect(answers).toHaveLength(1))
    expect(posts(seen)).toHaveLength(1)
    answers[0]?.end(words('Hi there') + ended())
    await second
    expect(posts(seen)).toHaveLength(2)
  })

  it('answers a remote sub-agent at once, while the turn that waits for it goes on', async () => {
    const asks = frame('REQUIRE_USER_CONFIRM', {
      replyId: 'A9',
      source: 's1/scout',
      metadata: { taskId: 't 1' },
      toolCalls: [{ type: 'tool_use', id: 'c1', name: 'rm', input: {}, content: '{}' }],
    })
    let turn: ServerResponse | undefined
    const service = await serve((response, { url }) => {
      if (url.startsWith('/agent/tasks')) return sendJson(response, {})
      turn = response
      sendStream(response, begun() + lines(asks))
    })
    const backend = connect(service.url, {
      confirm: ({ input }) => ({
        path: `/tasks/${encodeURIComponent(String(taskOf(input)))}/resume`,
        body: remoteTaskDialect.encode.answer(input),
      }),
    })
    const { store } = talk(backend)
    await store.commands.send('Hello')
    await waitFor(() => expect(store.getState().conversation.requests).toHaveLength(1))
    const [request] = store.getState().conversation.requests
    await store.commands.confirm({ request: request?.key ?? '', approve: true })
    expect(posts(service.seen).at(-1)?.url).toBe('/agent/tasks/t%201/resume')
    expect(bodies(service.seen).at(-1)).toEqual({
      decisions: [{ toolCallId: 'c1', approved: true }],
    })
    await waitFor(() => expect(store.getState().conversation.requests).toEqual([]))
    turn?.end(words('Hi there') + ended())
    await rest(store)
    const { messages, runs, notices } = store.getState().conversation
    const nested = runs[0]?.messages[0]?.id ?? ''
    expect(notices[`subagent_started:${nested}`]).toEqual({ reply_id: messages[1]?.id })
    expect(said(store)).toEqual(['Hello', 'Hi there'])
  })

  it('refuses answers that its backend has no place for', async () => {
    const answer = { kind: 'confirm', id: 'a1', reply_id: 'r1', results: [] } as const
    const refusal = { reason: 'rejected' }
    const text = connect('http://127.0.0.1:9', { framing: 'text' })
    await expect(text.answer([answer])).rejects.toMatchObject(refusal)
    const input = { kind: 'input', id: 'a1', request_id: 'q1', action: 'cancel' } as const
    await expect(connect('http://127.0.0.1:9').answer([input])).rejects.toMatchObject(refusal)
  })
})

function lastMessage(store: ChatStore): Msg | undefined {
  return store.getState().conversation.messages.at(-1)
}

function idsOf(messages: readonly Msg[] = []): readonly string[] {
  return messages.map(({ id }) => id)
}

/** What Java remembers of a post: the messages as they are. */
function storedUser({ body }: Seen): readonly unknown[] {
  const { messages } = JSON.parse(body)
  return messages
}
