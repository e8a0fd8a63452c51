// @vitest-environment node
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import {
  shareWebSocket,
  webSocketBackend,
  type SocketSessionOptions,
  type WebSocketBackendOptions,
} from '../../src/backends/index.js'
import {
  UserMsg,
  type AgentBackend,
  type Anomaly,
  type Answer,
  type ConnectionState,
  type ConversationInput,
  type TransportErrorReason,
} from '../../src/protocol/index.js'
import { createTestClock } from '../transports/createTestClock.js'
import { sendJson, startServer } from '../transports/startServer.js'
import {
  startSocketServer,
  type ServedSocket,
  type SocketServerOptions,
} from '../transports/startSocketServer.js'

const waitFor = (check: () => void) => vi.waitFor(check, 5_000)
const event = (id: string) => ({ type: 'CUSTOM', id, name: 'tick', value: {} })
const numbered = (seq: number) => ({ kind: 'event', seq, event: event(`e${seq}`) })
const hello = UserMsg({ id: 'm1', name: 'me', content: 'Hello' })
const session = { agentId: 'a1', sessionId: 's1' }

/** Tells a new subscriber what it lacks of so many events. */
function replayTo(newest: number, oldest = 1): Required<SocketServerOptions>['onMessage'] {
  return ({ kind, after = 0 }, { say }) => {
    if (kind !== 'subscribe') return
    for (let seq = Math.max(Number(after) + 1, oldest); seq <= newest; seq += 1) say(numbered(seq))
    say({ kind: 'ready', seq: newest, oldest })
  }
}

function connect(url: string, options: Partial<WebSocketBackendOptions> = {}): AgentBackend {
  return webSocketBackend({ ...session, url, WebSocket, ...options })
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
  return {
    handle,
    inputs,
    states,
    anomalies,
    ids: () => inputs.map((input) => input.id ?? input.type),
    until: (phase: ConnectionState['phase']) =>
      waitFor(() => expect(states.at(-1)?.phase).toBe(phase)),
  }
}

async function expectFailure(call: Promise<void>, reason: TransportErrorReason): Promise<void> {
  await expect(call).rejects.toMatchObject({ reason })
}

/** A server on which sends are acknowledged as the test says. */
function startAnswering(answer: (message: Record<string, unknown>, served: ServedSocket) => void) {
  return startSocketServer({
    onMessage: (message, served) => {
      if (message['kind'] === 'subscribe') served.say({ kind: 'ready', seq: 0, oldest: 1 })
      else answer(message, served)
    },
  })
}

const acknowledge = ({ ref }: Record<string, unknown>, { say }: ServedSocket) =>
  say({ kind: 'ack', ref })

describe('webSocketBackend', () => {
  it('has a key of the place, the agent and the session, without what may be a secret', () => {
    const backend = connect('wss://example.com/socket?token=secret')
    expect(backend.key).toBe('websocket:wss://example.com/socket|a1|s1')
  })

  it('says what can be done, with and without HTTP, numbered and plain', () => {
    const http = { baseUrl: 'http://127.0.0.1' }
    const bare = connect('ws://127.0.0.1', { attachments: ['image/*'] })
    expect(bare.capabilities).toEqual({
      history: false,
      status: false,
      interrupt: true,
      resume: 'cursor',
      partialAnswers: true,
      editArguments: true,
      rules: true,
      denyReason: false,
      attachments: ['image/*'],
      sendWhileRunning: 'refused',
    })
    expect('history' in bare).toBe(false)
    expect('status' in bare).toBe(false)
    expect(connect('ws://127.0.0.1', { http }).capabilities).toMatchObject({
      history: true,
      status: true,
    })
    const plain = connect('ws://127.0.0.1', { protocol: 'plain' })
    expect(plain.capabilities).toMatchObject({ interrupt: false, resume: 'replay' })
    expect('interrupt' in plain).toBe(false)
  })

  it('subscribes, and is open when the replay is over', async () => {
    const server = await startSocketServer()
    const line = open(connect(server.url))
    const served = await server.socket()
    await waitFor(() =>
      expect(served.heard).toEqual([{ kind: 'subscribe', agent_id: 'a1', session_id: 's1' }]),
    )
    served.say(numbered(1), numbered(2))
    await waitFor(() => expect(line.inputs).toEqual([event('e1'), event('e2')]))
    expect(line.states.at(-1)?.phase).toBe('connecting')
    served.say({ kind: 'ready', seq: 2, oldest: 1 })
    await line.until('open')
    expect(line.anomalies).toEqual([])
  })

  it('does not wait for ever for the word that the replay is over', async () => {
    const server = await startSocketServer()
    const clock = createTestClock()
    const line = open(connect(server.url, { clock }))
    await waitFor(() => expect(server.sockets[0]?.heard).toHaveLength(1))
    clock.advance(5_000)
    expect(line.states.at(-1)).toEqual({ phase: 'open' })
  })

  it('goes on after the last event it saw, and hears nothing twice', async () => {
    let newest = 3
    const server = await startSocketServer({
      onMessage: (message, served) => replayTo(newest)(message, served),
    })
    const line = open(connect(server.url, { connection: { firstDelayMs: 1 } }))
    await line.until('open')
    newest = 4
    server.sockets[0]?.say(numbered(4), numbered(4), numbered(2))
    await waitFor(() => expect(line.inputs).toHaveLength(4))
    server.sockets[0]?.socket.terminate()
    const second = await server.socket(2)
    await waitFor(() => expect(second.heard).toMatchObject([{ kind: 'subscribe', after: 4 }]))
    second.say(numbered(3), numbered(4), numbered(5))
    await waitFor(() => expect(line.inputs).toHaveLength(5))
    expect(line.ids()).toEqual(['e1', 'e2', 'e3', 'e4', 'e5'])
  })

  it('tells of a gap where the numbers jump', async () => {
    const server = await startSocketServer({ onMessage: replayTo(2) })
    const line = open(connect(server.url))
    await line.until('open')
    server.sockets[0]?.say(numbered(5), numbered(6))
    await waitFor(() => expect(line.inputs).toHaveLength(5))
    expect(line.inputs[2]).toEqual({ type: 'kit.gap', from: 3, to: 5 })
    expect(line.ids()).toEqual(['e1', 'e2', 'kit.gap', 'e5', 'e6'])
    // The fold reports it; twice would be two gaps.
    expect(line.anomalies).toEqual([])
  })

  it.each([
    ['begins behind what was seen', 40, 20, { from: 3, to: 20 }],
    ['has nothing left of what came meanwhile', 40, 41, { from: 3, to: 41 }],
  ])('tells of a gap where the replay %s', async (_case, newest, oldest, gap) => {
    let newestNow = 2
    let oldestNow = 1
    const server = await startSocketServer({
      onMessage: (message, served) => replayTo(newestNow, oldestNow)(message, served),
    })
    const line = open(connect(server.url, { connection: { firstDelayMs: 1 } }))
    await line.until('open')
    newestNow = newest
    oldestNow = oldest
    server.sockets[0]?.socket.terminate()
    await server.socket(2)
    await line.until('open')
    expect(line.inputs.filter(({ type }) => type === 'kit.gap')).toEqual([
      { type: 'kit.gap', ...gap },
    ])
    server.sockets[1]?.say(numbered(newest + 1))
    await waitFor(() => expect(line.ids().at(-1)).toBe(`e${newest + 1}`))
    expect(line.anomalies).toEqual([])
  })

  it('follows a server that was started again and counts anew', async () => {
    let newest = 9
    const server = await startSocketServer({
      onMessage: (message, served) => replayTo(newest)(message, served),
    })
    const line = open(connect(server.url, { connection: { firstDelayMs: 1 } }))
    await line.until('open')
    newest = 2
    server.sockets[0]?.socket.terminate()
    const second = await server.socket(2)
    await waitFor(() => expect(line.inputs.at(-1)).toEqual({ type: 'kit.gap' }))
    second.say({ ...numbered(3), event: event('new') })
    await waitFor(() => expect(line.ids().at(-1)).toBe('new'))
  })

  it('takes a shortened first replay for a loss only where there is no history', async () => {
    const server = await startSocketServer({ onMessage: replayTo(9, 5) })
    const bare = open(connect(server.url))
    await bare.until('open')
    expect(bare.ids()[0]).toBe('kit.gap')
    const stored = open(connect(server.url, { http: { baseUrl: 'http://127.0.0.1' } }))
    await stored.until('open')
    expect(stored.ids()).toEqual(['e5', 'e6', 'e7', 'e8', 'e9'])
    expect(stored.anomalies).toEqual([])
  })

  it('survives whatever is said', async () => {
    const server = await startSocketServer({ onMessage: replayTo(0) })
    const line = open(connect(server.url))
    await line.until('open')
    const { socket, say } = await server.socket()
    socket.send('{')
    socket.send(Buffer.from([0]))
    say(null, 7, [], {}, { type: 'CUSTOM' }, { kind: 1 }, { kind: 'future' })
    say({ kind: 'event' }, { kind: 'event', seq: 'x', event: event('odd') })
    say({ kind: 'event', seq: -1, event: event('less') }, { kind: 'event', seq: 1, event: 7 })
    say({ kind: 'ack', ref: 'unknown' }, { kind: 'error', ref: null }, { kind: 'ready', seq: 'x' })
    say({ kind: 'event', event: event('bare') }, { kind: 'event', seq: 2, event: event('e2') })
    say({ ...numbered(3), session_id: 'another' }, { ...numbered(3), session_id: 's1' })
    await waitFor(() => expect(line.ids()).toEqual(['odd', 'less', 'bare', 'e2', 'e3']))
    expect(line.anomalies.map(({ kind }) => kind)).toEqual([
      ...['not-json', 'not-json'],
      ...Array.from({ length: 6 }, () => 'not-an-event'),
      'unknown-event',
      ...['not-an-event', 'malformed-event', 'malformed-event', 'not-an-event'],
    ])
    expect(line.states.at(-1)?.phase).toBe('open')
  })

  it('fails where the server says that there is no such session, and asks again when told to', async () => {
    let isKnown = false
    const server = await startSocketServer({
      onMessage: (message, served) => {
        if (isKnown) replayTo(0)(message, served)
        else served.say({ kind: 'error', status: 404, detail: 'Session not found.' })
      },
    })
    const line = open(connect(server.url))
    await line.until('failed')
    expect(line.states.at(-1)).toMatchObject({
      cause: { reason: 'not-found', detail: 'Session not found.' },
    })
    isKnown = true
    line.handle.retryNow()
    await line.until('open')
    expect(server.sockets).toHaveLength(1)
  })

  describe('send', () => {
    it('resolves when the server took it', async () => {
      const server = await startAnswering(() => {})
      const backend = connect(server.url)
      await open(backend).until('open')
      const done = vi.fn()
      const sent = backend.send([hello]).then(done)
      const served = await server.socket()
      await waitFor(() => expect(served.heard).toHaveLength(2))
      expect(served.heard[1]).toMatchObject({ kind: 'input', input: { id: 'm1', role: 'user' } })
      expect(done).not.toHaveBeenCalled()
      acknowledge({ ref: 'c1' }, served)
      await sent
    })

    it('sends messages, going on, and answers one after the other', async () => {
      const server = await startAnswering(acknowledge)
      const backend = connect(server.url)
      await open(backend).until('open')
      const answers: Answer[] = ['q1', 'q2'].map((id) => ({
        kind: 'external',
        id,
        reply_id: 'r1',
        results: [],
      }))
      await backend.send([hello, hello])
      await backend.send(null)
      await backend.answer(answers)
      expect(server.sockets[0]?.heard.slice(1)).toMatchObject([
        { kind: 'input', ref: 'c1', input: [{ id: 'm1' }, { id: 'm1' }] },
        { kind: 'input', ref: 'c2', input: null },
        { kind: 'input', ref: 'c3', input: { type: 'EXTERNAL_EXECUTION_RESULT', id: 'q1' } },
        { kind: 'input', ref: 'c4', input: { type: 'EXTERNAL_EXECUTION_RESULT', id: 'q2' } },
      ])
    })

    it.each([
      [409, 'conflict', 'A run is under way.', 'A run is under way.'],
      [
        422,
        'rejected',
        [{ loc: ['body', 'input'], msg: 'Field required' }],
        'body.input: Field required',
      ],
      [404, 'not-found', '<b>no</b>', undefined],
      [500, 'server', undefined, undefined],
    ])('rejects when the server answers %i', async (status, reason, detail, words) => {
      const server = await startAnswering(({ ref }, { say }) =>
        say({ kind: 'error', ref, status, detail }),
      )
      const backend = connect(server.url)
      await open(backend).until('open')
      await expect(backend.send([hello])).rejects.toMatchObject({ reason, status, detail: words })
    })

    it('rejects when the line is lost before the acknowledgement, and is not sent again', async () => {
      const server = await startAnswering((_message, { socket }) => socket.terminate())
      const backend = connect(server.url, { connection: { firstDelayMs: 1 } })
      const line = open(backend)
      await line.until('open')
      await expectFailure(backend.send([hello]), 'closed')
      await server.socket(2)
      await line.until('open')
      await backend.send([hello]).catch(() => {})
      const kinds = server.sockets.map(({ heard }) => heard.length)
      expect(kinds.slice(0, 2)).toEqual([2, 2])
    })

    it('rejects when it is not acknowledged in time', async () => {
      const server = await startAnswering(() => {})
      const clock = createTestClock()
      const backend = connect(server.url, { clock, timeoutMs: 9_000 })
      await open(backend).until('open')
      const sent = expectFailure(backend.send([hello]), 'timeout')
      await waitFor(() => expect(server.sockets[0]?.heard).toHaveLength(2))
      clock.advance(9_000)
      await sent
      acknowledge({ ref: 'c1' }, await server.socket())
    })

    it('waits for a line that is coming', async () => {
      const server = await startAnswering(acknowledge)
      let admit = (_url: string): void => {}
      const url = new Promise<string>((resolve) => {
        admit = resolve
      })
      const backend = webSocketBackend({ ...session, url: () => url, WebSocket })
      open(backend)
      const sent = backend.send([hello])
      admit(server.url)
      await sent
      expect(server.sockets[0]?.heard).toMatchObject([{ kind: 'subscribe' }, { kind: 'input' }])
    })

    it('fails visibly when no line comes in time, and when none will come', async () => {
      const clock = createTestClock()
      const backend = connect('ws://127.0.0.1:1', { clock })
      const line = open(backend)
      const sent = backend.send([hello])
      const failed = sent.catch((cause: unknown) => cause)
      clock.advance(10_000)
      expect(await failed).toMatchObject({ reason: 'offline', isUnsent: true })
      const refusing = await startSocketServer({ onSocket: ({ socket }) => socket.close(4404) })
      const gone = connect(refusing.url)
      const waiting = expectFailure(gone.send([hello]), 'not-found')
      await open(gone).until('failed')
      await waiting
      await expectFailure(gone.send([hello]), 'not-found')
      const left = expectFailure(backend.send([hello]), 'aborted')
      line.handle.close()
      await left
      expect(clock.waiting).toBe(0)
    })

    it('is repeated once with renewed credentials: what was refused had no effect', async () => {
      let token = 'old'
      const server = await startAnswering(({ kind, ref }, { say, heard }) => {
        if (kind !== 'input') return
        const isFresh = JSON.stringify(heard).includes('new')
        say(isFresh ? { kind: 'ack', ref } : { kind: 'error', ref, status: 401 })
      })
      const onUnauthorized = vi.fn(async () => {
        token = 'new'
      })
      const backend = connect(server.url, { auth: () => token, onUnauthorized })
      await open(backend).until('open')
      await backend.send([hello])
      expect(onUnauthorized).toHaveBeenCalledTimes(1)
      expect(server.sockets[0]?.heard).toMatchObject([
        { kind: 'auth', token: 'old' },
        { kind: 'subscribe' },
        { kind: 'input', ref: 'c1' },
        { kind: 'auth', token: 'new' },
        { kind: 'input', ref: 'c2' },
      ])
    })
  })

  describe('on a plain line', () => {
    it('takes bare events and batches, and sends chat requests', async () => {
      const server = await startSocketServer({
        isNumbered: false,
        onSocket: ({ say }) => say(event('e1'), [event('e2'), event('e3')], { kind: 'event' }),
      })
      const backend = connect(server.url)
      const line = open(backend)
      await waitFor(() => expect(line.ids()).toEqual(['e1', 'e2', 'e3']))
      await waitFor(() => expect(line.anomalies.map(({ kind }) => kind)).toEqual(['not-an-event']))
      expect(backend.capabilities.resume).toBe('replay')
      expect(line.states.at(-1)?.phase).toBe('open')
      await backend.send([hello])
      // The first one was tried with the subprotocol, and given up.
      await waitFor(() =>
        expect(server.sockets[1]?.heard).toMatchObject([
          { agent_id: 'a1', session_id: 's1', input: { id: 'm1' } },
        ]),
      )
    })

    it('stops a run over HTTP, or says that it cannot', async () => {
      const server = await startSocketServer({ isNumbered: false })
      const service = await startServer((response) => sendJson(response, { session_id: 's1' }, 202))
      const lonely = connect(server.url)
      await open(lonely).until('open')
      await expect(lonely.interrupt?.({})).rejects.toMatchObject({ reason: 'rejected' })
      const backend = connect(server.url, { http: { baseUrl: service.url } })
      await open(backend).until('open')
      await backend.interrupt?.({})
      expect(service.seen).toMatchObject([
        { method: 'POST', url: '/sessions/s1/interrupt?agent_id=a1' },
      ])
    })
  })

  it('stops a run over a numbered line, and over HTTP while there is no line', async () => {
    const server = await startAnswering(acknowledge)
    const service = await startServer((response) => sendJson(response, {}, 202))
    const backend = connect(server.url, { http: { baseUrl: service.url } })
    await backend.interrupt?.({})
    expect(service.seen).toHaveLength(1)
    await open(backend).until('open')
    await backend.interrupt?.({})
    expect(server.sockets[0]?.heard[1]).toEqual({ kind: 'interrupt', ref: 'c1' })
    expect(service.seen).toHaveLength(1)
  })

  it('reads history and status over HTTP, and reports what is odd about them', async () => {
    const service = await startServer((response, { url }) => {
      if (url.includes('/status')) sendJson(response, { status: 'running' })
      else sendJson(response, { messages: [hello, 7], has_more: true, is_running: true })
    })
    const server = await startSocketServer({ onMessage: replayTo(0) })
    const backend = connect(server.url, { http: { baseUrl: service.url } })
    const line = open(backend)
    await line.until('open')
    expect(await backend.status?.()).toBe('running')
    expect(await backend.history?.({ limit: 5 })).toMatchObject({
      messages: [{ id: 'm1' }],
      hasMore: true,
      isRunning: true,
    })
    expect(line.anomalies.map(({ kind }) => kind)).toEqual(['malformed-message'])
  })

  it('opens one socket for whoever opens the backend, and closes it after the last', async () => {
    const server = await startSocketServer({ onMessage: replayTo(2) })
    const backend = connect(server.url)
    const first = open(backend)
    await first.until('open')
    const second = open(backend)
    await second.until('open')
    expect(second.ids()).toEqual(['e1', 'e2'])
    expect(first.ids()).toEqual(['e1', 'e2'])
    expect(server.sockets).toHaveLength(1)
    first.handle.close()
    server.sockets[0]?.say(numbered(3))
    await waitFor(() => expect(second.inputs).toHaveLength(3))
    expect(first.inputs).toHaveLength(2)
    second.handle.close()
    second.handle.close()
    await waitFor(() => expect(server.sockets[0]?.closed()).toBeDefined())
  })

  it('opens nothing for one who left before it could', async () => {
    const server = await startSocketServer({ onMessage: replayTo(0) })
    const backend = connect(server.url)
    open(backend).handle.close()
    const line = open(backend)
    await line.until('open')
    expect(server.sockets.filter(({ closed }) => closed() === undefined)).toHaveLength(1)
  })
})

describe('shareWebSocket', () => {
  const open2 = (url: string, options: Partial<SocketSessionOptions> = {}) => {
    const socket = shareWebSocket({ url, WebSocket })
    const backends = ['s1', 's2'].map((sessionId) =>
      socket.backend({ agentId: 'a1', sessionId, ...options }),
    )
    return backends.map((backend) => ({ backend, line: open(backend) }))
  }

  it('carries several sessions on one socket, each with its own numbers', async () => {
    const server = await startSocketServer({
      onMessage: ({ kind, session_id, ref }, { say }) => {
        if (kind === 'subscribe') {
          say({ ...numbered(1), event: event(`of ${String(session_id)}`), session_id })
          say({ kind: 'ready', seq: 1, oldest: 1, session_id })
        } else {
          say({ kind: 'ack', ref, session_id })
        }
      },
    })
    const [first, second] = open2(server.url)
    await first?.line.until('open')
    await second?.line.until('open')
    expect(first?.line.ids()).toEqual(['of s1'])
    expect(second?.line.ids()).toEqual(['of s2'])
    await second?.backend.send([hello])
    await first?.backend.interrupt?.({})
    expect(server.sockets).toHaveLength(1)
    expect(server.sockets[0]?.heard).toMatchObject([
      { kind: 'subscribe', session_id: 's1' },
      { kind: 'subscribe', session_id: 's2' },
      { kind: 'input', session_id: 's2' },
      { kind: 'interrupt', session_id: 's1' },
    ])
    server.sockets[0]?.say(numbered(2))
    await waitFor(() => expect(first?.line.anomalies).toMatchObject([{ kind: 'not-an-event' }]))
    first?.line.handle.close()
    expect(server.sockets[0]?.closed()).toBeUndefined()
    second?.line.handle.close()
    await waitFor(() => expect(server.sockets[0]?.closed()).toBeDefined())
  })

  it('lets a session fail alone', async () => {
    const server = await startSocketServer({
      onMessage: ({ session_id }, { say }) =>
        say(
          session_id === 's1'
            ? { kind: 'error', status: 404, session_id }
            : { kind: 'ready', seq: 0, oldest: 1, session_id },
        ),
    })
    const [first, second] = open2(server.url)
    await first?.line.until('failed')
    await second?.line.until('open')
    expect(first?.line.states.at(-1)).toMatchObject({ cause: { reason: 'not-found' } })
  })

  it('does not do with a server that only has bare events', async () => {
    const server = await startSocketServer({ isNumbered: false })
    const [first] = open2(server.url)
    await first?.line.until('waiting')
    expect(server.sockets.filter(({ closed }) => closed() === undefined)).toEqual([])
  })
})
