// @vitest-environment node
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Anomaly, ConnectionState } from '../../src/protocol/index.js'
import { TransportError } from '../../src/protocol/index.js'
import {
  openWebSocket,
  type OpenSocket,
  type WebSocketOptions,
} from '../../src/transports/index.js'
import { createTestClock } from './createTestClock.js'
import { startSocketServer } from './startSocketServer.js'

/** Holds a socket open for the running test, with a clock that stands still and the longest jitter. */
function listen(url: WebSocketOptions['url'], options: Partial<WebSocketOptions> = {}) {
  const clock = createTestClock()
  const frames: unknown[] = []
  const anomalies: Anomaly[] = []
  const states: ConnectionState[] = []
  const sockets: OpenSocket[] = []
  const stream = openWebSocket({
    url,
    WebSocket,
    clock,
    random: () => 1,
    onOpen: (socket) => sockets.push(socket),
    onFrame: (frame) => frames.push(frame),
    onAnomaly: (what) => anomalies.push(what),
    onState: (state) => states.push(state),
    ...options,
  })
  onTestFinished(() => stream.close())
  return {
    ...stream,
    clock,
    frames,
    anomalies,
    states,
    sockets,
    phases: () => states.map((state) => state.phase),
    until: (phase: ConnectionState['phase']) =>
      vi.waitFor(() => {
        const last = states.at(-1)
        if (last?.phase !== phase) throw new Error(`still ${last?.phase}`)
        return last
      }, 5_000),
  }
}

/** A server that takes connections and never answers. */
async function startSilentServer() {
  const open: Socket[] = []
  const server = createServer()
  server.on('upgrade', (_request, socket: Socket) => {
    open.push(socket)
    socket.resume().on('error', () => socket.destroy())
    socket.on('end', () => socket.destroy())
    socket.on('close', () => open.splice(open.indexOf(socket), 1))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  const address = server.address()
  return { url: `ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, open }
}

const waitFor = (check: () => void) => vi.waitFor(check, 5_000)
const event = (seq: number) => ({ kind: 'event', seq, event: { type: 'CUSTOM' } })

describe('openWebSocket', () => {
  it('hands over what comes on a numbered line', async () => {
    const server = await startSocketServer({ onSocket: ({ say }) => say(event(1), event(2)) })
    const line = listen(server.url)
    await waitFor(() => expect(line.frames).toEqual([event(1), event(2)]))
    expect(line.phases()).toEqual(['connecting', 'open'])
    expect(line.sockets.map(({ isPlain }) => isPlain)).toEqual([false])
    expect(server.sockets).toHaveLength(1)
  })

  it('is content with bare events where the server chooses no subprotocol', async () => {
    const server = await startSocketServer({
      isNumbered: false,
      onSocket: ({ say }) => say({ type: 'CUSTOM' }, [{ type: 'CUSTOM' }]),
    })
    const line = listen(server.url)
    await waitFor(() => expect(line.frames).toEqual([{ type: 'CUSTOM' }, [{ type: 'CUSTOM' }]]))
    expect(line.phases()).toEqual(['connecting', 'open'])
    expect(line.sockets.map(({ isPlain }) => isPlain)).toEqual([true])
  })

  it('goes on asking for numbers where it got them before, although the line fails at first', async () => {
    const server = await startSocketServer()
    const line = listen(server.url)
    await line.until('open')
    await server.close()
    await line.until('waiting')
    line.clock.advance(1_000)
    await waitFor(() =>
      expect(line.phases().slice(2)).toEqual(['waiting', 'connecting', 'waiting']),
    )
    const again = await startSocketServer({ port: Number(new URL(server.url).port) })
    line.clock.advance(60_000)
    await line.until('open')
    expect(again.sockets.map(({ socket }) => socket.protocol)).toEqual(['agentscope.v1'])
  })

  it('offers nothing to a server that is known to be plain', async () => {
    const server = await startSocketServer()
    const line = listen(server.url, { protocol: 'plain' })
    await line.until('open')
    expect(server.sockets[0]?.socket.protocol).toBe('')
  })

  it('says who asks before anything else, with address and token asked anew for each attempt', async () => {
    const server = await startSocketServer()
    let count = 0
    const line = listen(async () => `${server.url}/?try=${count}`, {
      auth: async () => {
        count += 1
        return `token ${count}`
      },
      onOpen: (socket) => socket.send({ kind: 'subscribe' }),
    })
    const first = await server.socket()
    await waitFor(() => expect(first.heard).toHaveLength(2))
    first.socket.close()
    await line.until('waiting')
    line.clock.advance(1_000)
    const second = await server.socket(2)
    await waitFor(() => expect(second.heard).toHaveLength(2))
    expect(first.heard).toEqual([{ kind: 'auth', token: 'token 1' }, { kind: 'subscribe' }])
    expect(second.heard[0]).toEqual({ kind: 'auth', token: 'token 2' })
    expect(server.sockets.map(({ request }) => request.url)).toEqual(['/?try=0', '/?try=1'])
  })

  it('waits and tries again when the app has no token yet', async () => {
    const server = await startSocketServer()
    let isReady = false
    const line = listen(server.url, {
      auth: () => {
        if (!isReady) throw new Error('not signed in')
        return 'me'
      },
    })
    expect(await line.until('waiting')).toMatchObject({ cause: { reason: 'offline' } })
    expect(server.sockets).toHaveLength(0)
    isReady = true
    line.clock.advance(1_000)
    await line.until('open')
  })

  it('asks a silent numbered line whether it lives, and is content with an answer', async () => {
    const server = await startSocketServer({
      onMessage: ({ kind, t }, { say }) => {
        if (kind === 'ping') say({ kind: 'pong', t })
      },
    })
    const line = listen(server.url)
    await line.until('open')
    const { heard } = await server.socket()
    for (let count = 1; count <= 5; count += 1) {
      line.clock.advance(20_000)
      await waitFor(() => expect(heard).toHaveLength(count))
      // The answer has to be back before time goes on.
      const before = line.frames.length
      server.sockets[0]?.say({ kind: 'ack', ref: String(count) })
      await waitFor(() => expect(line.frames.length).toBe(before + 1))
    }
    expect(heard[0]).toEqual({ kind: 'ping', t: 20_000 })
    expect(line.phases()).toEqual(['connecting', 'open'])
    expect(line.frames.every((frame) => JSON.stringify(frame).includes('ack'))).toBe(true)
  })

  it('gives up a half-open line after two pings without an answer, and never hears of it again', async () => {
    const server = await startSocketServer()
    const line = listen(server.url)
    await line.until('open')
    const dead = await server.socket()
    dead.say({ kind: 'event', seq: 1, event: {} })
    await waitFor(() => expect(line.frames).toHaveLength(1))
    line.clock.advance(10_000)
    dead.socket.send('not json')
    await waitFor(() => expect(line.anomalies).toHaveLength(1))
    line.clock.advance(20_000)
    line.clock.advance(20_000)
    await waitFor(() => expect(dead.heard).toHaveLength(2))
    // From here on the peer reads nothing, not even the goodbye.
    dead.socket.pause()
    expect(line.phases()).toEqual(['connecting', 'open'])
    line.clock.advance(19_999)
    expect(line.phases()).toEqual(['connecting', 'open'])
    line.clock.advance(1)
    expect(line.states.at(-1)).toMatchObject({ phase: 'waiting', cause: { reason: 'timeout' } })
    line.clock.advance(1_000)
    await line.until('open')
    expect(server.sockets).toHaveLength(2)
    const before = line.states.length
    dead.say(event(7))
    dead.socket.terminate()
    await waitFor(() => expect(dead.closed()).toBeDefined())
    server.sockets[1]?.say(event(8))
    await waitFor(() => expect(line.frames).toHaveLength(2))
    expect(line.frames.at(-1)).toEqual(event(8))
    expect(line.states).toHaveLength(before)
    expect(server.sockets).toHaveLength(2)
  })

  it('counts as dead a line on which nothing was heard through a long sleep', async () => {
    const server = await startSocketServer()
    const line = listen(server.url)
    await line.until('open')
    const asleep = vi.spyOn(line.clock, 'now').mockReturnValue(600_000)
    line.clock.advance(20_000)
    expect(line.states.at(-1)).toMatchObject({ phase: 'waiting', cause: { reason: 'timeout' } })
    asleep.mockRestore()
  })

  it('does not take a timer that a hidden page got late for two pings without an answer', async () => {
    const server = await startSocketServer()
    const line = listen(server.url)
    await line.until('open')
    const { heard } = await server.socket()
    const late = vi.spyOn(line.clock, 'now').mockReturnValue(80_000)
    line.clock.advance(20_000)
    late.mockRestore()
    await waitFor(() => expect(heard).toEqual([{ kind: 'ping', t: 80_000 }]))
    expect(line.phases()).toEqual(['connecting', 'open'])
  })

  it('lets a plain line be silent, unless told otherwise', async () => {
    const server = await startSocketServer({ isNumbered: false })
    const patient = listen(server.url)
    const strict = listen(server.url, { watchdogMs: 45_000 })
    await patient.until('open')
    await strict.until('open')
    patient.clock.advance(3_600_000)
    expect(patient.phases()).toEqual(['connecting', 'open'])
    expect(patient.clock.waiting).toBe(0)
    strict.clock.advance(45_000)
    expect(strict.states.at(-1)).toMatchObject({ phase: 'waiting', cause: { reason: 'timeout' } })
    expect(server.sockets.flatMap(({ heard }) => heard)).toEqual([])
  })

  it("answers the server's pings and keeps them to itself", async () => {
    const server = await startSocketServer({ onSocket: ({ say }) => say({ kind: 'ping', t: 42 }) })
    const line = listen(server.url)
    const { heard } = await server.socket()
    await waitFor(() => expect(heard).toEqual([{ kind: 'pong', t: 42 }]))
    expect(line.frames).toEqual([])
  })

  it('reports what is no JSON text, and goes on', async () => {
    const server = await startSocketServer({
      onSocket: ({ socket, say }) => {
        socket.send(Buffer.from([1, 2, 3]))
        socket.send('{')
        say(event(1))
      },
    })
    const line = listen(server.url)
    await waitFor(() => expect(line.frames).toEqual([event(1)]))
    expect(line.anomalies.map(({ kind }) => kind)).toEqual(['not-json', 'not-json'])
    expect(line.anomalies[1]?.raw).toBe('{')
  })

  it.each([
    [4401, 'unauthorized'],
    [4404, 'not-found'],
    [4409, 'conflict'],
  ])('stops at close code %i, until the person asks again', async (code, reason) => {
    const server = await startSocketServer({
      onSocket: ({ socket }, count) => {
        if (count === 1) socket.close(code, 'In words.')
      },
    })
    const line = listen(server.url)
    const failed = await line.until('failed')
    expect(failed).toMatchObject({ cause: { reason, detail: 'In words.', canRetry: false } })
    line.clock.advance(600_000)
    expect(server.sockets).toHaveLength(1)
    expect(line.clock.waiting).toBe(0)
    line.retryNow()
    await line.until('open')
  })

  it.each([1000, 1001, 1011, 4000])('comes back soon after close code %i', async (code) => {
    const server = await startSocketServer({
      onSocket: ({ socket }, count) => {
        if (count === 1) socket.close(code)
      },
    })
    const line = listen(server.url)
    expect(await line.until('waiting')).toMatchObject({
      retryAt: 1_000,
      cause: { reason: 'closed' },
    })
    line.clock.advance(1_000)
    await line.until('open')
  })

  it.each([1012, 1013])(
    'comes back later, and not with all others, after close code %i',
    async (code) => {
      const server = await startSocketServer({ onSocket: ({ socket }) => socket.close(code) })
      const line = listen(server.url)
      expect(await line.until('waiting')).toMatchObject({ retryAt: 10_000 })
      const early = listen(server.url, { random: () => 0 })
      expect(await early.until('waiting')).toMatchObject({ retryAt: 5_000 })
    },
  )

  it('waits longer each time the line closes without having said anything useful', async () => {
    const server = await startSocketServer({
      onSocket: ({ say, socket }, count) => {
        say({ kind: 'ready', seq: 0, oldest: 1 })
        if (count === 3) say(event(1))
        socket.close()
      },
    })
    const line = listen(server.url)
    const waits: number[] = []
    for (let count = 1; count <= 4; count += 1) {
      const state = await line.until('waiting')
      waits.push(state.phase === 'waiting' ? state.retryAt - line.clock.now() : -1)
      line.clock.advance(waits.at(-1) ?? 0)
      await server.socket(count + 1)
    }
    expect(waits).toEqual([1_000, 2_000, 1_000, 2_000])
  })

  it('comes back with renewed credentials, once', async () => {
    const server = await startSocketServer({
      onMessage: ({ token }, { socket }) => {
        if (token === 'old') socket.close(4401)
      },
    })
    let token = 'old'
    const onUnauthorized = vi.fn(async () => {
      token = 'new'
    })
    const line = listen(server.url, { auth: () => token, onUnauthorized })
    await waitFor(() => expect(server.sockets[1]?.heard).toEqual([{ kind: 'auth', token: 'new' }]))
    await line.until('open')
    expect(onUnauthorized).toHaveBeenCalledTimes(1)
  })

  it('has failed when renewed credentials are refused too, and when they cannot be renewed', async () => {
    const server = await startSocketServer({ onSocket: ({ socket }) => socket.close(4401) })
    const renew = vi.fn(async () => {})
    const line = listen(server.url, { onUnauthorized: renew })
    expect(await line.until('failed')).toMatchObject({ cause: { reason: 'unauthorized' } })
    expect(renew).toHaveBeenCalledTimes(1)
    expect(server.sockets).toHaveLength(2)
    const broken = listen(server.url, {
      onUnauthorized: () => Promise.reject(new Error('the person gave up')),
    })
    expect(await broken.until('failed')).toMatchObject({ cause: { reason: 'unauthorized' } })
    expect(server.sockets).toHaveLength(3)
  })

  it('closes a socket that is still connecting, and says nothing more', async () => {
    const server = await startSilentServer()
    const line = listen(server.url)
    await waitFor(() => expect(server.open).toHaveLength(1))
    line.close()
    await waitFor(() => expect(server.open).toHaveLength(0))
    expect(line.phases()).toEqual(['connecting'])
    expect(line.clock.waiting).toBe(0)
  })

  it('gives up a socket that never opens', async () => {
    const server = await startSilentServer()
    const line = listen(server.url)
    await waitFor(() => expect(server.open).toHaveLength(1))
    line.clock.advance(75_000)
    expect(line.states.at(-1)).toMatchObject({ phase: 'waiting', cause: { reason: 'timeout' } })
    await waitFor(() => expect(server.open).toHaveLength(0))
  })

  it('sends nothing on a socket that is gone, and says so', async () => {
    const server = await startSocketServer()
    const line = listen(server.url)
    await line.until('open')
    expect(line.sockets[0]?.send({ kind: 'a' })).toBe(true)
    server.sockets[0]?.socket.close()
    await line.until('waiting')
    expect(line.sockets[0]?.send({ kind: 'b' })).toBe(false)
  })

  it('fails with words where there is no WebSocket, and at an address that is none', async () => {
    vi.stubGlobal('WebSocket', undefined)
    onTestFinished(() => {
      vi.unstubAllGlobals()
    })
    const clock = createTestClock()
    const states: ConnectionState[] = []
    const bare = openWebSocket({
      url: 'ws://127.0.0.1:1',
      clock,
      onOpen: () => {},
      onFrame: () => {},
      onState: (state) => states.push(state),
    })
    await waitFor(() => expect(states.at(-1)).toMatchObject({ phase: 'failed' }))
    bare.close()
    const line = listen('ftp://x')
    const failed = await line.until('failed')
    expect('cause' in failed && failed.cause).toBeInstanceOf(TransportError)
    expect(failed).toMatchObject({ cause: { reason: 'rejected' } })
  })

  it('leaves nothing behind: no timer, no socket', async () => {
    const server = await startSocketServer()
    const line = listen(server.url)
    await line.until('open')
    expect(line.clock.waiting).toBe(1)
    line.close()
    line.close()
    expect(line.clock.waiting).toBe(0)
    await waitFor(() => expect(server.sockets[0]?.closed()).toBeDefined())
    line.retryNow()
    line.clock.advance(600_000)
    expect(server.sockets).toHaveLength(1)
    expect(line.phases()).toEqual(['connecting', 'open'])
  })
})
