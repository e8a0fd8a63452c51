// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createAgentServer,
  text,
  thinking,
  toolCall,
  type AgentScript,
  type AgentServer,
} from '../../../src/testing/server/index.js'
import { createGate } from './createGate.js'
import { TestClient } from './TestClient.js'

// The contract of the service, request by request, over real HTTP.

let gate = createGate()

const agent: AgentScript = {
  id: 'a1',
  name: 'Friday',
  perform: ({ text: said, isContinue }) => {
    if (isContinue) return { steps: [{ kind: 'model', says: [text('Going on.')] }] }
    if (said === 'slow') {
      return {
        steps: [
          { kind: 'model', says: [text('one two three')] },
          { kind: 'wait', until: gate.passed },
          { kind: 'model', says: [text('four')] },
        ],
      }
    }
    if (said === 'ask') {
      const call = toolCall('c1', 'send', { to: 'ana' }, { needs: 'approval' })
      return {
        steps: [
          { kind: 'model', calls: [call] },
          { kind: 'model', says: [text('Done.')] },
        ],
      }
    }
    if (said === 'mistake') throw new Error('The script has a mistake.')
    return {
      steps: [
        { kind: 'model', says: [thinking('Hm.'), text('Hello 🌍 \u2028 there')], usage: [7, 3] },
      ],
    }
  },
}

let server: AgentServer
let client: TestClient

beforeEach(async () => {
  gate = createGate()
  server = await createAgentServer({ agents: [agent], pace: 0 })
  client = new TestClient(server.url, 'a1')
  await client.createSession('Named')
})

afterEach(async () => {
  client.close()
  await server.close()
})

describe('createAgentServer: requests', () => {
  it('lists the agents', async () => {
    const { status, json } = await client.request('GET', '/agent/')
    expect(status).toBe(200)
    expect(json).toMatchObject({ total: 1, agents: [{ id: 'a1', data: { name: 'Friday' } }] })
  })

  it('answers a missing user with 422 and an empty one with 401', async () => {
    const missing = await client.request('GET', '/agent/', undefined, {})
    expect(missing.status).toBe(422)
    expect(missing.json).toEqual({
      detail: [
        { type: 'missing', loc: ['header', 'x-user-id'], msg: 'Field required', input: null },
      ],
    })
    const empty = await client.request('GET', '/agent/', undefined, { 'X-User-ID': '' })
    expect(empty.status).toBe(401)
    expect(empty.json).toEqual({ detail: 'X-User-ID header is required.' })
  })

  it('says the same of an unknown session and of somebody else’s', async () => {
    const detail = `Session '${client.sessionId}' not found.`
    const others = await client.request('GET', client.path('/status'), undefined, {
      'X-User-ID': 'ben',
    })
    expect(others).toMatchObject({ status: 404, json: { detail } })
    const unknown = await client.request('GET', '/sessions/nope/stream?agent_id=a1')
    expect(unknown).toMatchObject({ status: 404, json: { detail: "Session 'nope' not found." } })
    expect((await client.request('GET', '/sessions/nope/status?agent_id=a2')).status).toBe(404)
  })

  it('redirects the wrong form of a path to the right one', async () => {
    const chat = await client.request('POST', '/chat', {})
    expect(chat.status).toBe(307)
    expect(chat.headers.get('location')).toBe(`${server.url}/chat/`)
    const status = await client.request('GET', `/sessions/${client.sessionId}/status/?agent_id=a1`)
    expect(status.headers.get('location')).toBe(`${server.url}${client.path('/status')}`)
    expect(await client.request('GET', '/nowhere')).toMatchObject({
      status: 404,
      json: { detail: 'Not Found' },
    })
    expect((await client.request('PUT', '/agent/')).status).toBe(405)
  })

  it('asks for agent_id on every path of a session', async () => {
    for (const what of ['/status', '/messages', '/stream']) {
      const { status, json } = await client.request('GET', `/sessions/${client.sessionId}${what}`)
      expect(status).toBe(422)
      expect(json).toMatchObject({ detail: [{ type: 'missing', loc: ['query', 'agent_id'] }] })
    }
  })

  it('refuses a body it cannot read', async () => {
    expect((await client.chat(undefined)).json).toMatchObject({
      detail: [{ type: 'missing', loc: ['body', 'input'] }],
    })
    const bare = await client.chat({ name: 'user', role: 'user', content: 'hi' })
    expect(bare.json).toMatchObject({ detail: [{ type: 'list_type' }] })
    const foreign = { type: 'tool_call', id: 'c', name: 'x', input: '' }
    const call = await client.chat({ name: 'user', role: 'user', content: [foreign] })
    expect(call).toMatchObject({ status: 422, json: { detail: [{ type: 'enum' }] } })
    expect((await client.chat({ type: 'USER_INTERRUPT', reply_id: 'r' })).status).toBe(422)
    expect((await client.chat({ type: 'USER_CONFIRM_RESULT', reply_id: 'r' })).status).toBe(422)
    expect((await client.chat([1])).status).toBe(422)
    const broken = await fetch(`${server.url}/chat/`, {
      method: 'POST',
      headers: { 'X-User-ID': 'ana' },
      body: '{"agent_id"',
    })
    expect(await broken.json()).toMatchObject({ detail: [{ type: 'json_invalid' }] })
  })

  it('creates, renames and deletes sessions', async () => {
    await client.request('DELETE', client.path())
    await client.createSession()
    await client.createSession('Second')
    const list = await client.request('GET', '/sessions/?agent_id=a1')
    expect(list.json).toMatchObject({
      total: 2,
      sessions: [
        { session: { config: { name: 'Second' } }, status: 'idle', is_running: false, team: null },
        { session: { config: { name: expect.stringMatching(/^\d{4}-\d\d-\d\d /) } } },
      ],
    })
    const renamed = await client.request('PATCH', client.path(), { name: 'Third' })
    expect(renamed.json).toMatchObject({ id: client.sessionId, config: { name: 'Third' } })
    expect((await client.request('PATCH', client.path(), { permission_mode: 'x' })).status).toBe(
      422,
    )
    expect((await client.request('DELETE', client.path())).status).toBe(204)
    expect((await client.request('GET', client.path('/status'))).status).toBe(404)
    const unknown = await client.request('POST', '/sessions/', { agent_id: 'nobody' })
    expect(unknown).toMatchObject({ status: 404, json: { detail: "Agent 'nobody' not found." } })
  })

  it('gives a session that has no name the first words said in it', async () => {
    await client.createSession()
    const stream = await client.stream()
    await client.say('Plan my week')
    await stream.until(({ type, ...event }) => type === 'CUSTOM' && 'name' in event)
    await client.untilStatus('idle')
    const list = await client.request('GET', '/sessions/?agent_id=a1')
    expect(list.json).toMatchObject({
      sessions: [{ session: { config: { name: 'Plan my week' } } }, {}],
    })
    expect(stream.frames.at(-1)).toMatchObject({
      type: 'CUSTOM',
      name: 'session_updated',
      value: {},
    })
  })

  it('lets pages of other origins ask, unless told not to', async () => {
    const preflight = await fetch(`${server.url}/chat/`, {
      method: 'OPTIONS',
      headers: { origin: 'http://x', 'access-control-request-headers': 'x-user-id,content-type' },
    })
    expect(preflight.status).toBe(200)
    expect(preflight.headers.get('access-control-allow-headers')).toBe('x-user-id,content-type')
    expect(
      (await client.request('GET', '/agent/')).headers.get('access-control-allow-origin'),
    ).toBe('*')
    const closed = await createAgentServer({ agents: [agent], cors: false })
    const answer = await new TestClient(closed.url, 'a1').request('GET', '/agent/')
    expect(answer.headers.has('access-control-allow-origin')).toBe(false)
    await closed.close()
  })

  it('rejects when the port is taken', async () => {
    await expect(createAgentServer({ port: server.port })).rejects.toThrow('EADDRINUSE')
  })
})

describe('createAgentServer: messages', () => {
  it('keeps the id and the time a client gave, and fills in the rest', async () => {
    const created_at = '2026-01-02T03:04:05.000Z'
    const content = [{ type: 'text', text: 'hi' }]
    await client.chat({ id: 'mine', name: 'user', role: 'user', content, created_at })
    await client.untilStatus('idle')
    const [mine] = await client.messages()
    expect(mine).toMatchObject({ id: 'mine', created_at, usage: null, finished_at: null })
    expect(mine?.content[0]).toMatchObject({ text: 'hi', finished_at: null })
    expect(mine?.content[0]?.id).toMatch(/^[0-9a-f]{32}$/)
  })

  it('replaces a message that was there, in its place', async () => {
    await client.say('first', 'same')
    await client.untilStatus('idle')
    await client.say('second', 'same')
    await client.untilStatus('idle')
    const messages = await client.messages()
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant'])
    expect(messages[0]?.content[0]).toMatchObject({ text: 'second' })
  })

  it('pages backwards from a message', async () => {
    for (const id of ['m1', 'm2', 'm3']) {
      await client.say(id, id)
      await client.untilStatus('idle')
    }
    const newest = await client.request('GET', client.path('/messages', '&limit=2'))
    expect(newest.json).toMatchObject({
      has_more: true,
      is_running: false,
      event_cursor: expect.stringMatching(/^\d+-0$/),
    })
    const page = await client.request('GET', client.path('/messages', '&limit=4&before=m3'))
    expect(page.json).toMatchObject({ has_more: false, event_cursor: null })
    const older = await client.messages('&limit=2&before=m3')
    expect(older.map(({ role, id }) => (role === 'user' ? id : role))).toEqual(['m2', 'assistant'])
    const unknown = await client.request('GET', client.path('/messages', '&before=nope'))
    expect(unknown.json).toEqual({
      messages: [],
      event_cursor: null,
      is_running: false,
      has_more: false,
    })
  })

  it('refuses a limit out of range', async () => {
    const of = (limit: string) => client.request('GET', client.path('/messages', `&limit=${limit}`))
    expect((await of('201')).json).toMatchObject({
      detail: [{ type: 'less_than_equal', ctx: { le: 200 } }],
    })
    expect((await of('0')).json).toMatchObject({ detail: [{ type: 'greater_than_equal' }] })
    expect((await of('many')).json).toMatchObject({ detail: [{ type: 'int_parsing' }] })
  })

  it('stores a reply only after its last event, and the user’s message at once', async () => {
    await client.say('slow')
    const during = await client.request('GET', client.path('/messages'))
    expect(during.json).toMatchObject({
      is_running: true,
      messages: [{ role: 'user' }],
      event_cursor: null,
    })
    gate.open()
    await client.untilStatus('idle')
    expect((await client.messages())[1]).toMatchObject({
      name: 'Friday',
      finished_reason: 'completed',
      content: [{ text: 'one two three' }, { text: 'four' }],
    })
  })
})

describe('createAgentServer: runs', () => {
  it('says that it started, whatever the session', async () => {
    expect((await client.say('hi')).json).toEqual({
      status: 'started',
      session_id: client.sessionId,
    })
    client.sessionId = 'unknown'
    expect(await client.say('hi')).toMatchObject({ status: 200, json: { session_id: 'unknown' } })
  })

  it('refuses a second message while a run is under way, and a change of the session', async () => {
    await client.say('slow')
    const detail = `Session '${client.sessionId}' already has an active chat run in this process.`
    expect(await client.say('again')).toMatchObject({ status: 409, json: { detail } })
    expect(await client.request('PATCH', client.path(), { name: 'x' })).toMatchObject({
      status: 409,
      json: { detail: 'Cannot modify session configuration while the session is running.' },
    })
    expect(await client.status()).toBe('running')
    gate.open()
    await client.untilStatus('idle')
  })

  it('goes on without a message', async () => {
    expect((await client.chat(null)).status).toBe(200)
    await client.untilStatus('idle')
    expect(await client.messages()).toMatchObject([{ content: [{ text: 'Going on.' }] }])
  })

  it('tells a mistake of a script where its author looks', async () => {
    await client.say('mistake')
    await client.untilStatus('idle')
    expect((await client.messages()).at(-1)).toMatchObject({
      finished_reason: 'error',
      error: { type: 'internal', message: 'The script has a mistake.' },
    })
  })

  it('keeps sessions apart', async () => {
    const other = new TestClient(server.url, 'a1')
    await other.createSession()
    const stream = await other.stream()
    await client.say('hi')
    await client.untilStatus('idle')
    expect(stream.frames).toEqual([])
    expect(await other.messages()).toEqual([])
    other.close()
  })
})

describe('createAgentServer: the stream', () => {
  it('sends one data line of raw UTF-8 per event, each with its own id and a local stamp', async () => {
    const stream = await client.stream()
    await client.say('hi')
    await stream.until(({ type }) => type === 'REPLY_END')
    expect(stream.raw()).toContain('\u2028')
    expect(stream.raw()).toContain('🌍')
    expect(stream.raw()).not.toMatch(/^(id|event|retry):|\r/m)
    for (const frame of stream.frames) {
      expect(frame.id).toMatch(/^[0-9a-f]{32}$/)
      expect(frame.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/)
    }
    expect(new Set(stream.frames.map(({ id }) => id)).size).toBe(stream.frames.length)
    const stamps = stream.frames.map(({ created_at }) => created_at)
    expect(stamps).toEqual(stamps.toSorted())
    const now = new Date(stamps[0] ?? '')
    expect(Math.abs(now.getTime() - Date.now())).toBeLessThan(60_000)
  })

  it('orders the events of a plain answer as the service does', async () => {
    const stream = await client.stream()
    await client.say('hi')
    await stream.until(({ type }) => type === 'REPLY_END')
    const types = stream.frames.map(({ type }) => type)
    expect(types.filter((type, index) => type !== types[index - 1])).toEqual([
      'REPLY_START',
      'MODEL_CALL_START',
      'THINKING_BLOCK_START',
      'THINKING_BLOCK_DELTA',
      'THINKING_BLOCK_END',
      'TEXT_BLOCK_START',
      'TEXT_BLOCK_DELTA',
      'TEXT_BLOCK_END',
      'MODEL_CALL_END',
      'REPLY_END',
    ])
    expect(stream.frames[0]).toMatchObject({ name: 'Friday', session_id: client.sessionId })
  })

  it('replays the current run under the same ids to whoever comes later', async () => {
    const first = await client.stream()
    await client.say('slow')
    await first.until(({ type }) => type === 'MODEL_CALL_END')
    const second = await client.stream()
    await second.until(({ type }) => type === 'MODEL_CALL_END')
    expect(second.frames).toEqual(first.frames)
    gate.open()
    await second.until(({ type }) => type === 'REPLY_END')
  })

  it('replays only the last event once the run is stored, and nothing after the cursor', async () => {
    const first = await client.stream()
    await client.say('hi')
    await client.untilStatus('idle')
    const second = await client.stream()
    await second.until(({ type }) => type === 'REPLY_END')
    expect(second.frames).toHaveLength(1)
    expect(second.frames[0]?.id).toBe(first.frames.at(-1)?.id)
    const { json } = await client.request('GET', client.path('/messages'))
    const cursor = (json as { event_cursor: string }).event_cursor
    const third = await client.stream(`&after=${cursor}`)
    await client.say('slow')
    await third.until(({ type }) => type === 'MODEL_CALL_END')
    expect(third.frames[0]?.type).toBe('REPLY_START')
  })

  it('breaks off when it cannot read the cursor', async () => {
    const stream = await client.stream('&after=garbage')
    await stream.ended
    expect(stream.raw()).toBe('')
  })

  it('keeps only so many events for a replay', async () => {
    const small = await createAgentServer({ agents: [agent], pace: 0, replayLimit: 3 })
    const other = new TestClient(small.url, 'a1')
    await other.createSession()
    const first = await other.stream()
    await other.say('slow')
    await first.until(({ type }) => type === 'MODEL_CALL_END')
    const second = await other.stream()
    await second.until(({ type }) => type === 'MODEL_CALL_END')
    expect(second.frames).toEqual(first.frames.slice(-3))
    other.close()
    await small.close()
  })

  it('sends comments in silence', async () => {
    const quick = await createAgentServer({ agents: [agent], heartbeatMs: 5 })
    const other = new TestClient(quick.url, 'a1')
    await other.createSession()
    const stream = await other.stream()
    await stream.untilRaw((raw) => raw.startsWith(':\n\n:\n\n'))
    expect(stream.frames).toEqual([])
    other.close()
    await quick.close()
  })

  it('can be cut while the run goes on', async () => {
    const stream = await client.stream()
    await client.say('slow')
    await stream.until(({ type }) => type === 'MODEL_CALL_END')
    server.dropStreams()
    await stream.ended
    expect(await client.status()).toBe('running')
    const again = await client.stream()
    gate.open()
    await again.until(({ type }) => type === 'REPLY_END')
  })
})
