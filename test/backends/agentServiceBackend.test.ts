// @vitest-environment node
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { agentServiceBackend, type AgentServiceOptions } from '../../src/backends/index.js'
import {
  UserMsg,
  type AgentBackend,
  type Anomaly,
  type Answer,
  type ConnectionState,
  type ConversationInput,
  type ToolCallBlock,
} from '../../src/protocol/index.js'
import { createTestClock } from '../transports/createTestClock.js'
import { sendJson, sendStream, startServer } from '../transports/startServer.js'

const sessionPath = '/agents/sessions/s%201'

function connect(url: string, options: Partial<AgentServiceOptions> = {}): AgentBackend {
  return agentServiceBackend({
    baseUrl: `${url}/agents/`,
    agentId: 'a&1',
    sessionId: 's 1',
    headers: { 'X-User-ID': 'me' },
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

const waitFor = (check: () => void) => vi.waitFor(check, 5_000)
const event = (id: string) => ({ type: 'CUSTOM', id, name: 'tick', value: {} })
const frame = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`

describe('agentServiceBackend', () => {
  it('has a key of the place, the agent and the session', () => {
    expect(connect('http://127.0.0.1').key).toBe('agentservice:http://127.0.0.1/agents|a&1|s 1')
  })

  it('says what the service can do', () => {
    expect(connect('http://127.0.0.1', { attachments: ['image/*'] }).capabilities).toEqual({
      history: true,
      status: true,
      interrupt: true,
      resume: 'replay',
      partialAnswers: true,
      editArguments: true,
      rules: true,
      denyReason: false,
      attachments: ['image/*'],
      sendWhileRunning: 'refused',
    })
  })

  it('streams the events of the session', async () => {
    const server = await startServer((response) =>
      sendStream(response, `:\n\n${frame(event('e1'))}${frame([event('e2'), event('e3')])}`),
    )
    const { inputs, states } = open(connect(server.url))
    expect(states).toEqual([{ phase: 'connecting' }])
    await waitFor(() => expect(inputs).toEqual([event('e1'), event('e2'), event('e3')]))
    expect(states.at(-1)).toEqual({ phase: 'open' })
    expect(server.seen[0]).toMatchObject({
      method: 'GET',
      url: `${sessionPath}/stream?agent_id=a%261`,
      headers: { 'x-user-id': 'me', accept: 'text/event-stream' },
    })
  })

  it('reports odd frames and goes on', async () => {
    const server = await startServer((response) =>
      sendStream(
        response,
        `data: {"type":"REPLY_E\n\ndata:\n\n${frame({ type: 'NEWS' })}${frame(event('e1'))}`,
      ),
    )
    const { inputs, anomalies } = open(connect(server.url))
    await waitFor(() => expect(inputs).toEqual([event('e1')]))
    expect(anomalies).toMatchObject([
      { kind: 'not-json', raw: '{"type":"REPLY_E' },
      { kind: 'not-json', raw: '' },
      { kind: 'unknown-event', raw: { type: 'NEWS' } },
    ])
  })

  it('fails on a session that does not exist, and hears nothing after close', async () => {
    const server = await startServer((response) =>
      sendJson(response, { detail: "Session 's 1' not found." }, 404),
    )
    const { handle, states } = open(connect(server.url))
    await waitFor(() => expect(states.at(-1)?.phase).toBe('failed'))
    expect(states.at(-1)).toMatchObject({
      cause: { reason: 'not-found', detail: "Session 's 1' not found." },
    })
    handle.close()
    handle.retryNow()
    expect(server.seen).toHaveLength(1)
  })

  it('reconnects by the rules it was given', async () => {
    const server = await startServer((response, _, count) => {
      sendStream(response, frame(event(`e${count}`)))
      if (count === 1) response.end()
    })
    const clock = createTestClock()
    const connection = { firstDelayMs: 200, random: () => 1 }
    const { inputs, states } = open(connect(server.url, { clock, connection }))
    await waitFor(() => expect(states.at(-1)).toMatchObject({ phase: 'waiting', retryAt: 200 }))
    clock.advance(200)
    await waitFor(() => expect(inputs.map(({ id }) => id)).toEqual(['e1', 'e2']))
  })

  it('reads pages of history, repairs what is odd in them and reports it', async () => {
    const messages = [
      { id: 'm1', name: 'user', role: 'user', content: [{ type: 'text', id: 'b', text: 'Hi' }] },
      { id: 'm2', name: 'Friday', role: 'assistant', content: [null, { type: 'hologram' }] },
      null,
    ]
    const server = await startServer((response, { url }) => {
      if (url.includes('/stream')) return sendStream(response)
      sendJson(response, { messages, is_running: true, has_more: true })
    })
    const backend = connect(server.url)
    const { anomalies, states } = open(backend)
    await waitFor(() => expect(states.at(-1)?.phase).toBe('open'))
    const page = await backend.history?.({ before: 'm 3', limit: 500 })
    expect(page).toMatchObject({
      messages: [
        { id: 'm1', content: [{ type: 'text', text: 'Hi' }], usage: null },
        { id: 'm2', content: [{ type: 'kit.unknown', block: { type: 'hologram' } }] },
      ],
      hasMore: true,
      isRunning: true,
    })
    expect(anomalies.map(({ kind }) => kind)).toContain('unknown-block')
    expect(anomalies.map(({ kind }) => kind)).toContain('malformed-message')
    await backend.history?.({ limit: 0 })
    expect(server.seen.slice(1).map(({ url }) => url)).toEqual([
      `${sessionPath}/messages?agent_id=a%261&before=m+3&limit=200`,
      `${sessionPath}/messages?agent_id=a%261&limit=1`,
    ])
  })

  it('keeps the later version of a reply that the service stored twice, in its first place', async () => {
    const message = (id: string, name: string) => ({ id, name, role: 'assistant', content: [] })
    const server = await startServer((response) =>
      sendJson(response, {
        messages: [message('r1', 'parked'), message('u1', 'user'), message('r1', 'finished')],
        is_running: false,
        has_more: false,
      }),
    )
    const page = await connect(server.url).history?.({ limit: 50 })
    expect(page?.messages.map(({ id, name }) => [id, name])).toEqual([
      ['r1', 'finished'],
      ['u1', 'user'],
    ])
  })

  it.each([{}, null, [], { messages: {} }])(
    'does not take %j for an empty history',
    async (body) => {
      const server = await startServer((response) => sendJson(response, body))
      await expect(connect(server.url).history?.({ limit: 50 })).rejects.toMatchObject({
        reason: 'malformed',
      })
    },
  )

  it.each([
    ['running', 'running'],
    ['idle', 'idle'],
    ['awaiting_permission', 'awaiting-confirm'],
    ['awaiting_external_result', 'awaiting-external'],
  ])('reads the status %s', async (word, status) => {
    const server = await startServer((response) =>
      sendJson(response, { session_id: 's 1', status: word }),
    )
    expect(await connect(server.url).status?.()).toBe(status)
    expect(server.seen[0]?.url).toBe(`${sessionPath}/status?agent_id=a%261`)
  })

  it.each(['dancing', 'toString', null])(
    'does not guess what the status %j means',
    async (status) => {
      const server = await startServer((response) => sendJson(response, { status }))
      await expect(connect(server.url).status?.()).rejects.toMatchObject({ reason: 'malformed' })
    },
  )

  it('posts messages, a list of them, or null, to /chat/ with its slash', async () => {
    const server = await startServer((response) => sendJson(response, { status: 'started' }))
    const backend = connect(server.url)
    const [first, second] = ['One', 'Two'].map((content) => UserMsg({ name: 'user', content }))
    if (first === undefined || second === undefined) throw new Error('There are two.')
    await backend.send([first])
    await backend.send([first, second])
    await backend.send(null)
    const target = { agent_id: 'a&1', session_id: 's 1' }
    expect(server.seen.map(({ body }): unknown => JSON.parse(body))).toEqual([
      { ...target, input: first },
      { ...target, input: [first, second] },
      { ...target, input: null },
    ])
    for (const { method, url } of server.seen) {
      expect([method, url]).toEqual(['POST', '/agents/chat/'])
    }
  })

  it('posts every answer by itself, one after the other, under its own id', async () => {
    const server = await startServer((response) => sendJson(response, { status: 'started' }))
    const call: ToolCallBlock = {
      type: 'tool_call',
      id: 't1',
      name: 'Bash',
      input: '{"command":  "ls"}',
      state: 'asking',
      suggested_rules: [],
    }
    const rules = [
      { tool_name: 'Bash', rule_content: 'ls:*', behavior: 'allow', source: 'suggested' },
    ] as const
    const answers: Answer[] = [
      {
        kind: 'confirm',
        id: 'x1',
        reply_id: 'r1',
        results: [{ confirmed: true, tool_call: call, rules }],
      },
      {
        kind: 'external',
        id: 'x2',
        reply_id: 'r1',
        results: [
          {
            type: 'tool_result',
            id: 't2',
            name: 'ext',
            output: 'done',
            state: 'success',
            metadata: {},
          },
        ],
      },
    ]
    await connect(server.url).answer(answers)
    expect(server.seen.map(({ body }): unknown => JSON.parse(body))).toMatchObject([
      {
        input: {
          type: 'USER_CONFIRM_RESULT',
          id: 'x1',
          reply_id: 'r1',
          confirm_results: [{ confirmed: true, tool_call: call, rules }],
        },
      },
      { input: { type: 'EXTERNAL_EXECUTION_RESULT', id: 'x2', execution_results: [{ id: 't2' }] } },
    ])
  })

  it('rejects an answer that the service has no place for, and sends nothing', async () => {
    const server = await startServer((response) => sendJson(response, {}))
    const answer = { kind: 'input', id: 'x', request_id: 'q', action: 'cancel' } as const
    await expect(connect(server.url).answer([answer])).rejects.toMatchObject({ reason: 'rejected' })
    expect(server.seen).toHaveLength(0)
  })

  it.each([
    [409, { detail: "Session 's 1' already has an active chat run in this process." }, 'conflict'],
    [422, { detail: [{ loc: ['body', 'input'], msg: 'Field required' }] }, 'rejected'],
    [500, {}, 'server'],
    [503, { detail: 'down' }, 'server'],
  ])('sends once, and says why it failed: %i', async (status, body, reason) => {
    const server = await startServer((response) => sendJson(response, body, status))
    await expect(connect(server.url).send(null)).rejects.toMatchObject({ reason, status })
    expect(server.seen).toHaveLength(1)
  })

  it('sends once when the answer never comes', async () => {
    const server = await startServer(() => {})
    const clock = createTestClock()
    const sending = connect(server.url, { clock, timeoutMs: 1_000 })
      .send(null)
      .catch((error: unknown) => error)
    await waitFor(() => expect(server.seen).toHaveLength(1))
    clock.advance(1_000)
    expect(await sending).toMatchObject({ reason: 'timeout' })
    clock.advance(600_000)
    expect(server.seen).toHaveLength(1)
  })

  it('interrupts the session', async () => {
    const server = await startServer((response) => sendJson(response, { session_id: 's 1' }, 202))
    await connect(server.url).interrupt?.({ replyId: 'r1' })
    expect(server.seen[0]).toMatchObject({
      method: 'POST',
      url: `${sessionPath}/interrupt?agent_id=a%261`,
      body: '',
    })
  })

  it('asks its headers function before every request', async () => {
    const server = await startServer((response) => sendJson(response, { status: 'idle' }))
    let count = 0
    const backend = connect(server.url, {
      headers: async () => {
        count += 1
        return { authorization: `Bearer ${count}` }
      },
    })
    await backend.status?.()
    await backend.send(null)
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer 1',
      'Bearer 2',
    ])
  })
})
