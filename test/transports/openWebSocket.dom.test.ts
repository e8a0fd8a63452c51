import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { ConnectionState } from '../../src/protocol/index.js'
import { openWebSocket } from '../../src/transports/index.js'
import { createTestClock } from './createTestClock.js'
import { startSocketServer } from './startSocketServer.js'

/** Holds a socket open for the running test. Not jsdom's own: its events are none to the library it takes them from. */
function listen(url: string) {
  const clock = createTestClock()
  const frames: unknown[] = []
  const states: ConnectionState[] = []
  const stream = openWebSocket({
    url,
    WebSocket,
    clock,
    random: () => 1,
    onOpen: (socket) => socket.send({ kind: 'subscribe' }),
    onFrame: (frame) => frames.push(frame),
    onState: (state) => states.push(state),
  })
  onTestFinished(() => stream.close())
  return {
    ...stream,
    clock,
    frames,
    phase: () => states.at(-1)?.phase,
    until: (phase: ConnectionState['phase']) =>
      vi.waitFor(() => expect(states.at(-1)?.phase).toBe(phase), 5_000),
  }
}

function show(): void {
  document.dispatchEvent(new Event('visibilitychange'))
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('openWebSocket in a page', () => {
  it('finds out as soon as the page is shown that the line died in a sleep', async () => {
    const server = await startSocketServer()
    const line = listen(server.url)
    await line.until('open')
    const { socket } = await server.socket()
    socket.pause()
    line.clock.advance(15_000)
    show()
    expect(line.phase()).toBe('open')
    vi.spyOn(line.clock, 'now').mockReturnValue(615_000)
    show()
    expect(line.phase()).toBe('waiting')
    vi.spyOn(line.clock, 'now').mockReturnValue(616_000)
    show()
    await line.until('open')
    expect(server.sockets).toHaveLength(2)
  })

  it('asks a line for a sign of life when the page is shown after a while', async () => {
    const server = await startSocketServer()
    const line = listen(server.url)
    await line.until('open')
    const { heard } = await server.socket()
    vi.spyOn(line.clock, 'now').mockReturnValue(30_000)
    show()
    await vi.waitFor(() => expect(heard.at(-1)).toEqual({ kind: 'ping', t: 30_000 }), 5_000)
    show()
    server.sockets[0]?.say({ kind: 'pong', t: 30_000 }, { b: 1 })
    await vi.waitFor(() => expect(line.frames).toEqual([{ b: 1 }]), 5_000)
    expect(heard.filter((message) => JSON.stringify(message).includes('ping'))).toHaveLength(1)
    expect(line.phase()).toBe('open')
  })

  it('opens another socket when the network was away and nothing was heard since', async () => {
    const server = await startSocketServer()
    const line = listen(server.url)
    await line.until('open')
    window.dispatchEvent(new Event('offline'))
    window.dispatchEvent(new Event('online'))
    await server.socket(2)
    await line.until('open')
    await vi.waitFor(() => expect(server.sockets[0]?.closed()).toBeDefined(), 5_000)
  })
})
