// @vitest-environment node
import { once } from 'node:events'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  vi,
} from 'vitest'
import { WebSocket } from 'ws'
import { createAgentServer, type AgentServer } from '../../../src/testing/server/index.js'
import { TestClient } from './TestClient.js'

let server: AgentServer
let client: TestClient
const sockets: WebSocket[] = []

beforeAll(async () => {
  server = await createAgentServer({ pace: 0, logLimit: 100 })
})
afterAll(() => server.close())

beforeEach(async () => {
  client = new TestClient(server.url, 'friday')
  await client.createSession('Test')
})

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate()
})

const waitFor = (check: () => void) => vi.waitFor(check, 5_000)
const userMessage = (id: string, text: string) => ({
  id,
  name: 'user',
  role: 'user',
  content: [{ type: 'text', text }],
})

interface Message {
  readonly [field: string]: unknown
  readonly kind?: string
  readonly event?: { readonly id: string; readonly type: string }
  readonly seq?: number
}

/** Connects, numbered by default; what is heard is parsed. */
async function connect(path: string, { headers = {}, isPlain = false } = {}) {
  const url = `${server.url.replace('http', 'ws')}${path}`
  const socket = new WebSocket(url, isPlain ? [] : ['agentscope.v1'], { headers })
  sockets.push(socket)
  const heard: Message[] = []
  const closed = new Promise<number>((resolve) => {
    socket.on('close', resolve)
  })
  socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString())))
  await once(socket, 'open')
  const say = (message: unknown) => socket.send(JSON.stringify(message))
  return {
    socket,
    heard,
    say,
    subscribe: (more: object = {}) =>
      say({ kind: 'subscribe', agent_id: client.agentId, session_id: client.sessionId, ...more }),
    until: (fits: (message: Message) => boolean) =>
      vi.waitFor(() => {
        const found = heard.find(fits)
        if (found === undefined) throw new Error(JSON.stringify(heard.at(-1)))
        return found
      }, 5_000),
    closed,
  }
}

const path = () => client.path('/socket', '&user_id=ana')
const isReady = ({ kind }: Message) => kind === 'ready'
const isEnd = ({ event }: Message) => event?.type === 'REPLY_END'

describe('createAgentServer by WebSocket', () => {
  it('numbers the events of a session from 1 and tells when the replay is over', async () => {
    const line = await connect(path())
    line.subscribe()
    expect(await line.until(isReady)).toEqual({ kind: 'ready', seq: 0, oldest: 1 })
    line.say({ kind: 'input', ref: 'c1', input: userMessage('m1', 'Hello') })
    await line.until(isEnd)
    const events = line.heard.filter(({ kind }) => kind === 'event')
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    expect(line.heard).toContainEqual({ kind: 'ack', ref: 'c1' })
    await client.untilStatus('idle')
    expect((await client.messages()).map(({ role }) => role)).toEqual(['user', 'assistant'])
  })

  it('replays what came after a number, also of runs that are over', async () => {
    const first = await connect(path())
    first.subscribe()
    await first.until(isReady)
    await client.say('Hello')
    await first.until(isEnd)
    await client.untilStatus('idle')
    const second = await connect(path())
    second.subscribe({ after: 3 })
    const { seq } = await second.until(isReady)
    const replayed = second.heard.filter(({ kind }) => kind === 'event')
    expect(replayed.map((message) => message.seq)).toEqual(
      Array.from({ length: Number(seq) - 3 }, (_, index) => index + 4),
    )
    expect(replayed.at(-1)).toEqual(first.heard.findLast(({ kind }) => kind === 'event'))
  })

  it('keeps a bounded number of events and says which is the oldest', async () => {
    for (const text of ['Hello', 'Hello again', 'And again']) {
      await client.say(text)
      await client.untilStatus('idle')
    }
    const line = await connect(path())
    line.subscribe({ after: 1 })
    const ready = await line.until(isReady)
    expect(Number(ready.seq)).toBeGreaterThan(100)
    expect(ready).toEqual({ kind: 'ready', seq: ready.seq, oldest: Number(ready.seq) - 99 })
    expect(line.heard[0]?.seq).toBe(Number(ready.seq) - 99)
  })

  it('refuses as POST /chat/ does', async () => {
    // The first run must still be under way when the second message comes.
    const fast = server
    const slow = await createAgentServer({ pace: 1 })
    onTestFinished(async () => {
      server = fast
      await slow.close()
    })
    server = slow
    client = new TestClient(slow.url, 'friday')
    await client.createSession('Test')
    const line = await connect(path())
    line.say({ kind: 'input', ref: 'early', input: null })
    expect(await line.until(({ ref }) => ref === 'early')).toMatchObject({
      kind: 'error',
      status: 404,
      detail: `Session '${client.sessionId}' not found.`,
    })
    line.subscribe()
    await line.until(isReady)
    line.say({ kind: 'input', ref: 'wrong', input: { role: 'user' } })
    expect(await line.until(({ ref }) => ref === 'wrong')).toMatchObject({
      kind: 'error',
      status: 422,
    })
    line.say({ kind: 'input', ref: 'first', input: userMessage('m1', 'Tell me a long story') })
    line.say({ kind: 'input', ref: 'second', input: userMessage('m2', 'Stop') })
    expect(await line.until(({ ref }) => ref === 'second')).toMatchObject({
      kind: 'error',
      status: 409,
    })
    line.say({ kind: 'interrupt', ref: 'third' })
    expect(await line.until(({ ref }) => ref === 'third')).toEqual({ kind: 'ack', ref: 'third' })
    expect(await line.until(isEnd)).toMatchObject({ event: { finished_reason: 'interrupted' } })
  })

  it('answers pings, and what it does not understand with an error', async () => {
    const line = await connect(path())
    line.say({ kind: 'ping', t: 5 })
    expect(await line.until(({ kind }) => kind === 'pong')).toEqual({ kind: 'pong', t: 5 })
    line.say({ kind: 'dance', ref: 'c1' })
    line.say([])
    line.socket.send('{')
    await waitFor(() => expect(line.heard.slice(1)).toHaveLength(3))
    expect(line.heard[1]).toMatchObject({ kind: 'error', ref: 'c1', status: 422 })
    line.socket.send(Buffer.from([1]))
    expect(await line.closed).toBe(1003)
  })

  it('speaks bare events without the subprotocol, and takes chat requests', async () => {
    const line = await connect(path(), { isPlain: true })
    const { agentId: agent_id, sessionId: session_id } = client
    line.say({ agent_id, session_id, input: { nonsense: true } })
    line.say({ agent_id, session_id, input: userMessage('m1', 'Hello') })
    await line.until(({ type }) => type === 'REPLY_END')
    expect(line.heard[0]).toMatchObject({ type: 'REPLY_START' })
    expect(line.heard.every(({ kind }) => kind === undefined)).toBe(true)
    await client.untilStatus('idle')
    expect((await client.messages())[0]).toMatchObject({ id: 'm1' })
  })

  it.each([
    ['a header', '', { 'X-User-ID': 'ana' }, undefined],
    ['the query', '&user_id=ana', {}, undefined],
    ['a first message', '', {}, 'ana'],
  ])('learns from %s who asks', async (_case, query, headers, token) => {
    const line = await connect(client.path('/socket', query), { headers })
    if (token !== undefined) line.say({ kind: 'auth', token })
    line.subscribe()
    expect(await line.until(isReady)).toMatchObject({ seq: 0 })
  })

  it('closes with 4401 where nobody says who asks, or says it twice differently', async () => {
    const silent = await connect(client.path('/socket'))
    silent.subscribe()
    expect(await silent.closed).toBe(4401)
    const empty = await connect(client.path('/socket'))
    empty.say({ kind: 'auth', token: '' })
    expect(await empty.closed).toBe(4401)
    const two = await connect(path())
    two.say({ kind: 'auth', token: 'bob' })
    expect(await two.closed).toBe(4401)
  })

  it('closes with 4404 where there is no such session, and when it is deleted', async () => {
    const unknown = await connect('/sessions/none/socket?agent_id=friday&user_id=ana')
    expect(await unknown.closed).toBe(4404)
    const anothers = await connect(client.path('/socket', '&user_id=bob'))
    expect(await anothers.closed).toBe(4404)
    const line = await connect(path())
    line.subscribe()
    await line.until(isReady)
    await client.request('DELETE', client.path())
    expect(await line.closed).toBe(4404)
  })

  it('closes the older socket of one client with 4409', async () => {
    const older = await connect(`${path()}&client=tab`)
    const other = await connect(`${path()}&client=other`)
    const newer = await connect(`${path()}&client=tab`)
    expect(await older.closed).toBe(4409)
    expect([other, newer].map(({ socket }) => socket.readyState)).toEqual([1, 1])
  })

  it('carries several sessions on one socket, each message with its session', async () => {
    const line = await connect('/socket?user_id=ana')
    line.subscribe({ session_id: 'none' })
    expect(await line.until(({ kind }) => kind === 'error')).toMatchObject({
      status: 404,
      session_id: 'none',
    })
    const first = client.sessionId
    line.subscribe()
    await client.createSession('Another')
    line.subscribe()
    const input = userMessage('m1', 'Hello')
    line.say({ kind: 'input', ref: 'c1', session_id: first, input })
    expect(await line.until(({ kind }) => kind === 'ack')).toEqual({
      kind: 'ack',
      ref: 'c1',
      session_id: first,
    })
    await line.until(isEnd)
    const events = line.heard.filter(({ kind }) => kind === 'event')
    expect(new Set(events.map(({ session_id }) => session_id))).toEqual(new Set([first]))
  })

  it('asks a silent client whether it lives, and lets go of one that does not answer', async () => {
    const impatient = await createAgentServer({ pace: 0, heartbeatMs: 20 })
    const socket = new WebSocket(`${impatient.url.replace('http', 'ws')}/socket?user_id=ana`, [
      'agentscope.v1',
    ])
    const heard: unknown[] = []
    socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString())))
    await once(socket, 'close')
    expect(heard).toMatchObject([{ kind: 'ping' }, { kind: 'ping' }])
    await impatient.close()
  })

  it('cuts sockets with the streams, says goodbye when it closes, and knows no other paths', async () => {
    const line = await connect(path())
    server.dropStreams()
    expect(await line.closed).toBe(1006)
    const closing = await createAgentServer({ pace: 0 })
    const address = closing.url.replace('http', 'ws')
    const polite = new WebSocket(`${address}/socket?user_id=ana`, ['agentscope.v1'])
    await once(polite, 'open')
    const goodbye = once(polite, 'close')
    const lost = new WebSocket(`${address}/elsewhere`)
    const [error] = await once(lost, 'error')
    expect(String(error)).toContain('404')
    await closing.close()
    expect((await goodbye)[0]).toBe(1001)
  })

  it('answers an upgrade with 501 where the package ws is missing', async () => {
    vi.doMock('ws', () => {
      throw new Error('not installed')
    })
    const bare = await createAgentServer({ pace: 0 })
    const socket = new WebSocket(`${bare.url.replace('http', 'ws')}/socket`)
    const [error] = await once(socket, 'error')
    expect(String(error)).toContain('501')
    vi.doUnmock('ws')
    await bare.close()
  })
})
