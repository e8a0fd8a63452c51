import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ConnectionState, StreamHandle } from '../../src/protocol/index.js'
import { openSse, type SseEvent } from '../../src/transports/index.js'
import { createTestClock } from './createTestClock.js'

const encoder = new TextEncoder()

/** A server in the page: jsdom has the page's events, and its fetch would not reach the loopback. */
function listen() {
  const clock = createTestClock()
  const frames: SseEvent[] = []
  const states: ConnectionState[] = []
  const signals: (AbortSignal | null | undefined)[] = []
  const bodies: ReadableStreamDefaultController<Uint8Array>[] = []
  let isReachable = true
  const stream: StreamHandle = openSse({
    url: '/stream',
    clock,
    random: () => 1,
    onFrame: (frame) => frames.push(frame),
    onState: (state) => states.push(state),
    fetch: async (_, { signal }) => {
      signals.push(signal)
      if (!isReachable) throw new TypeError('Failed to fetch')
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          bodies.push(controller)
        },
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
  })
  return {
    stream,
    clock,
    frames,
    signals,
    reach: (is: boolean) => {
      isReachable = is
    },
    say: (text: string) => bodies.at(-1)?.enqueue(encoder.encode(text)),
    drop: () => bodies.at(-1)?.close(),
    until: (phase: ConnectionState['phase']) =>
      vi.waitFor(() => expect(states.at(-1)?.phase).toBe(phase), 5_000),
    phase: () => states.at(-1)?.phase,
  }
}

function show(state: DocumentVisibilityState): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  document.dispatchEvent(new Event('visibilitychange'))
}

function goOnline(is: boolean): void {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(is)
  window.dispatchEvent(new Event(is ? 'online' : 'offline'))
}

afterEach(() => vi.restoreAllMocks())

describe('openSse in a page', () => {
  it('keeps its one stream while the page is hidden and shown again', async () => {
    const line = listen()
    await line.until('open')
    line.say('data: 1\n\n')
    await vi.waitFor(() => expect(line.frames).toHaveLength(1))
    show('hidden')
    line.say('data: 2\n\n')
    await vi.waitFor(() => expect(line.frames).toHaveLength(2))
    line.clock.advance(30_000)
    show('visible')
    line.say('data: 3\n\n')
    await vi.waitFor(() => expect(line.frames.map(({ data }) => data)).toEqual(['1', '2', '3']))
    expect(line.signals).toHaveLength(1)
    expect(line.signals[0]?.aborted).toBe(false)
    line.stream.close()
  })

  it('opens the stream again when it was dropped while the page was hidden', async () => {
    const line = listen()
    await line.until('open')
    show('hidden')
    line.drop()
    await line.until('waiting')
    show('visible')
    expect(line.signals).toHaveLength(1)
    line.clock.advance(1_000)
    await line.until('open')
    expect(line.signals).toHaveLength(2)
    line.stream.close()
  })

  it('looks for life as soon as the page is shown after a sleep in which timers stood still', async () => {
    const line = listen()
    await line.until('open')
    vi.spyOn(line.clock, 'now').mockReturnValue(600_000)
    show('visible')
    expect(line.phase()).toBe('waiting')
    expect(line.signals[0]?.aborted).toBe(true)
    vi.spyOn(line.clock, 'now').mockReturnValue(601_000)
    show('visible')
    await line.until('open')
    line.stream.close()
  })

  it('waits for the network while the device says it has none, and tries at once when it has', async () => {
    const line = listen()
    await line.until('open')
    goOnline(false)
    expect(line.phase()).toBe('open')
    line.reach(false)
    line.drop()
    await line.until('offline')
    line.clock.advance(600_000)
    expect(line.signals).toHaveLength(1)
    line.reach(true)
    goOnline(true)
    await line.until('open')
    expect(line.signals).toHaveLength(2)
    line.stream.close()
  })

  it('does not wait any longer when the network is back', async () => {
    const line = listen()
    await line.until('open')
    line.drop()
    await line.until('waiting')
    goOnline(true)
    await line.until('open')
    goOnline(true)
    expect(line.signals).toHaveLength(2)
    line.stream.close()
  })

  it('does not wait for a line on which nothing came since the network went', async () => {
    const line = listen()
    await line.until('open')
    line.clock.advance(10_000)
    goOnline(false)
    expect(line.phase()).toBe('open')
    goOnline(true)
    await line.until('open')
    expect(line.signals.map((signal) => signal?.aborted)).toEqual([true, false])
    line.stream.close()
  })

  it('keeps a line that was heard while the device thought it had no network', async () => {
    const line = listen()
    await line.until('open')
    goOnline(false)
    line.clock.advance(10)
    line.say('data: 1\n\n')
    await vi.waitFor(() => expect(line.frames).toHaveLength(1))
    goOnline(true)
    expect(line.signals).toHaveLength(1)
    expect(line.phase()).toBe('open')
    line.stream.close()
  })

  it('tries again when the page is shown and the network is back without having said so', async () => {
    const line = listen()
    await line.until('open')
    goOnline(false)
    line.reach(false)
    line.drop()
    await line.until('offline')
    show('visible')
    expect(line.signals).toHaveLength(1)
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true)
    line.reach(true)
    show('visible')
    await line.until('open')
    line.stream.close()
  })

  it('takes all its listeners with it', async () => {
    const listeners = new Set<string>()
    for (const target of [window, document]) {
      const add = target.addEventListener.bind(target)
      const remove = target.removeEventListener.bind(target)
      vi.spyOn(target, 'addEventListener').mockImplementation((type: string, listener) => {
        listeners.add(type)
        add(type, listener)
      })
      vi.spyOn(target, 'removeEventListener').mockImplementation((type: string, listener) => {
        listeners.delete(type)
        remove(type, listener)
      })
    }
    const line = listen()
    await line.until('open')
    expect([...listeners]).toEqual(['online', 'offline', 'visibilitychange'])
    line.stream.close()
    expect([...listeners]).toEqual([])
    expect(line.clock.waiting).toBe(0)
    goOnline(true)
    show('visible')
    expect(line.signals).toHaveLength(1)
  })
})
