// @vitest-environment node
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer, type RawData } from 'ws'
import {
  createFaultProxy,
  type Fault,
  type FaultProxy,
} from '../../../../src/testing/server/index.js'
import { createGate } from '../createGate.js'

// WebSockets through the proxy: a server of the ws package behind it, a client of it before it.

let server: WebSocketServer
let proxy: FaultProxy
let clients: WebSocket[] = []
/** What the server heard. */
let heard: string[] = []
let greet: (socket: WebSocket) => void = () => {}

beforeEach(async () => {
  heard = []
  greet = (socket) => {
    for (const count of [1, 2, 3, 4]) socket.send(JSON.stringify({ id: `e${count}` }))
  }
  server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    handleProtocols: (offered) => (offered.has('agentscope.v1') ? 'agentscope.v1' : false),
  })
  server.on('connection', (socket) => {
    socket.on('message', (data) => heard.push(textOf(data)))
    greet(socket)
  })
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  proxy = await createFaultProxy({ target: `http://127.0.0.1:${port}` })
})

afterEach(async () => {
  for (const client of clients) client.terminate()
  clients = []
  await proxy.close()
  for (const socket of server.clients) socket.terminate()
  server.close()
})

/** The library gives buffers unless it is asked for something else. */
function textOf(data: RawData): string {
  return Buffer.isBuffer(data) ? data.toString('utf8') : ''
}

/** An open socket, and what it hears. */
interface Line {
  readonly socket: WebSocket
  readonly messages: string[]
  readonly pings: string[]
  readonly closed: Promise<{ code: number }>
}

function open(protocols: string[] = []): Line {
  const socket = new WebSocket(`${proxy.url.replace('http', 'ws')}/live`, protocols)
  const messages: string[] = []
  const pings: string[] = []
  socket.on('message', (data) => messages.push(textOf(data)))
  socket.on('ping', (data) => pings.push(String(data)))
  socket.on('error', () => {})
  const closed = new Promise<{ code: number }>((resolve) => {
    socket.once('close', (code) => resolve({ code }))
  })
  clients.push(socket)
  return { socket, messages, pings, closed }
}

const idsOf = ({ messages }: Line): string[] =>
  messages.flatMap((message) => [...message.matchAll(/e\d+/g)].map(([id]) => id))

describe('createFaultProxy: WebSockets', () => {
  it('passes messages both ways, with the protocol that was agreed upon', async () => {
    const line = open(['other', 'agentscope.v1'])
    await expect.poll(() => idsOf(line)).toEqual(['e1', 'e2', 'e3', 'e4'])
    expect(line.socket.protocol).toBe('agentscope.v1')
    line.socket.send('hello')
    line.socket.send('x'.repeat(70_000))
    await expect.poll(() => heard.map(({ length }) => length)).toEqual([5, 70_000])
    expect(proxy.requests).toEqual([{ method: 'GET', url: '/live', path: '/live', status: 101 }])
  })

  it('passes long and fragmented messages on, and both sides’ goodbyes', async () => {
    greet = (socket) => {
      socket.send('é'.repeat(200))
      socket.send('é'.repeat(40_000))
      socket.send('{"id":', { fin: false })
      socket.send('"e9"}', { fin: true })
    }
    const seen: unknown[] = []
    proxy.inject({ kind: 'drop', events: (event) => seen.push(event) < 0 })
    const line = open()
    await expect.poll(() => line.messages.map(({ length }) => length)).toEqual([200, 40_000, 11])
    expect(seen.at(-1)).toEqual({ id: 'e9' })
    for (const socket of server.clients) socket.close(4404, 'gone')
    expect(await line.closed).toEqual({ code: 4404 })
  })

  it.each<[string, Fault, string[]]>([
    ['loses one', { kind: 'drop', events: 2 }, ['e1', 'e3', 'e4']],
    ['says one twice', { kind: 'duplicate', events: 1 }, ['e1', 'e1', 'e2', 'e3', 'e4']],
    ['changes the order', { kind: 'swap', events: 3 }, ['e1', 'e2', 'e4', 'e3']],
    ['repeats an old one', { kind: 'echo', after: 4, event: 1 }, ['e1', 'e2', 'e3', 'e4', 'e1']],
  ])('%s', async (_, fault, ids) => {
    proxy.inject(fault)
    const line = open()
    await expect.poll(() => idsOf(line)).toEqual(ids)
  })

  it('counts as events only what carries one, and takes pings for heartbeats', async () => {
    greet = (socket) => {
      socket.ping('there?')
      socket.send(JSON.stringify({ kind: 'ping', t: 1 }))
      socket.send(JSON.stringify({ kind: 'event', seq: 1, event: { id: 'e1' } }))
      socket.send(JSON.stringify({ kind: 'ready', seq: 1 }))
      socket.send(JSON.stringify({ kind: 'event', seq: 2, event: { id: 'e2' } }))
    }
    const isFirst = (event: unknown): boolean => JSON.stringify(event) === '{"id":"e1"}'
    proxy.inject({ kind: 'no-heartbeats' })
    proxy.inject({ kind: 'drop', events: isFirst })
    const line = open(['agentscope.v1'])
    await expect.poll(() => line.messages).toHaveLength(2)
    expect(line.messages.join(' ')).toBe(
      '{"kind":"ready","seq":1} {"kind":"event","seq":2,"event":{"id":"e2"}}',
    )
    expect(line.pings).toEqual([])
    expect(proxy.done).toMatchObject([
      { kind: 'no-heartbeats' },
      { kind: 'no-heartbeats' },
      { kind: 'drop', event: 1 },
    ])
  })

  it.each([
    [{ kind: 'close', after: 2 }, 1012],
    [{ kind: 'close', after: 2, code: 4401 }, 4401],
    [{ kind: 'close', after: 2, how: 'reset' }, 1006],
  ] as const)('ends early: %o', async (fault, code) => {
    proxy.inject(fault)
    const line = open()
    expect(await line.closed).toEqual({ code })
    expect(idsOf(line)).toEqual(['e1', 'e2'])
  })

  it('cuts inside a message', async () => {
    proxy.inject({ kind: 'cut', at: { event: 3, byte: 5 } })
    const line = open()
    expect(await line.closed).toEqual({ code: 1006 })
    expect(idsOf(line)).toEqual(['e1', 'e2'])
  })

  it('stalls with an open line, while the server still hears the client', async () => {
    const gate = createGate()
    proxy.inject({ kind: 'stall', after: 1, until: gate.passed })
    const line = open()
    await expect.poll(() => proxy.done).toMatchObject([{ kind: 'stall', event: 1 }])
    line.socket.send('still here')
    await expect.poll(() => heard).toEqual(['still here'])
    expect(line.socket.readyState).toBe(WebSocket.OPEN)
    expect(idsOf(line)).toEqual(['e1'])
    gate.open()
    await expect.poll(() => idsOf(line)).toEqual(['e1', 'e2', 'e3', 'e4'])
  })

  it('stalls both ways, as a line that is open on one side only', async () => {
    const gate = createGate()
    proxy.inject({ kind: 'stall', after: 1, until: gate.passed, bothWays: true })
    const line = open()
    await expect.poll(() => proxy.done).toMatchObject([{ kind: 'stall', event: 1 }])
    await new Promise((resolve) => line.socket.send('still here', resolve))
    gate.open()
    await expect.poll(() => idsOf(line)).toEqual(['e1', 'e2', 'e3', 'e4'])
    expect(heard).toEqual([])
  })

  it('refuses to open, with an answer or without', async () => {
    proxy.inject({ kind: 'answer', status: 401 })
    const refused = open()
    const [error] = await once(refused.socket, 'error')
    expect(String(error)).toContain('401')
    proxy.inject({ kind: 'reset' })
    expect(await open().closed).toEqual({ code: 1006 })
    expect(heard).toEqual([])
  })

  it('passes the server’s own refusal on', async () => {
    server.options.verifyClient = () => false
    const refused = open()
    const [error] = await once(refused.socket, 'error')
    expect(String(error)).toContain('401')
  })

  it('breaks all open sockets when told so, and tells the server', async () => {
    const line = open()
    await expect.poll(() => idsOf(line)).toHaveLength(4)
    proxy.dropStreams()
    expect(await line.closed).toEqual({ code: 1006 })
    await expect.poll(() => server.clients.size).toBe(0)
  })
})
