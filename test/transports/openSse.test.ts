// @vitest-environment node
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ConnectionState } from '../../src/protocol/index.js'
import { openSse, type SseEvent, type SseOptions } from '../../src/transports/index.js'
import { createTestClock } from './createTestClock.js'
import { sendJson, sendStream, startServer } from './startServer.js'

/** Opens a stream for the running test, with a clock that stands still and the longest jitter. */
function listen(url: string, options: Partial<SseOptions> = {}) {
  const clock = createTestClock()
  const frames: SseEvent[] = []
  const states: ConnectionState[] = []
  const stream = openSse({
    url,
    clock,
    random: () => 1,
    onFrame: (frame) => frames.push(frame),
    onState: (state) => states.push(state),
    ...options,
  })
  onTestFinished(() => stream.close())
  return {
    ...stream,
    clock,
    frames,
    states,
    phases: () => states.map((state) => state.phase),
    until: (phase: ConnectionState['phase']) =>
      vi.waitFor(() => {
        const last = states.at(-1)
        if (last?.phase !== phase) throw new Error(`still ${last?.phase}`)
        return last
      }, 5_000),
  }
}

const waitFor = (check: () => void) => vi.waitFor(check, 5_000)

describe('openSse', () => {
  it('hands over events as they come, with the headers it was given', async () => {
    const server = await startServer((response) =>
      sendStream(response, 'data: a\n\nid: 1\ndata: b\n\n'),
    )
    const line = listen(`${server.url}/stream?x=1`, { headers: { 'X-User-ID': 'me' } })
    await waitFor(() => expect(line.frames).toEqual([{ data: 'a' }, { data: 'b', id: '1' }]))
    expect(line.phases()).toEqual(['connecting', 'open'])
    expect(server.seen[0]).toMatchObject({
      method: 'GET',
      url: '/stream?x=1',
      headers: { 'x-user-id': 'me', accept: 'text/event-stream' },
    })
  })

  it('posts a body where one is given', async () => {
    const server = await startServer((response) => sendStream(response))
    const line = listen(server.url, { body: { a: 1 } })
    await line.until('open')
    expect(server.seen[0]).toMatchObject({
      method: 'POST',
      body: '{"a":1}',
      headers: { 'content-type': 'application/json' },
    })
  })

  it('asks an async headers function anew before each attempt', async () => {
    const server = await startServer((response) => {
      sendStream(response)
      response.end()
    })
    let token = 0
    const line = listen(server.url, {
      headers: async () => {
        token += 1
        return { authorization: `Bearer ${token}` }
      },
    })
    await line.until('waiting')
    line.clock.advance(1_000)
    await line.until('waiting')
    expect(server.seen.map((request) => request.headers.authorization)).toEqual([
      'Bearer 1',
      'Bearer 2',
    ])
  })

  it('waits and tries again when the headers function fails, and gives up on headers that cannot be sent', async () => {
    const server = await startServer((response) => sendStream(response))
    let isReady = false
    const line = listen(server.url, {
      headers: () => {
        if (!isReady) throw new Error('no token yet')
        return {}
      },
    })
    expect(await line.until('waiting')).toMatchObject({ cause: { reason: 'offline' } })
    isReady = true
    line.clock.advance(1_000)
    await line.until('open')
    const broken = listen(server.url, { headers: { 'bad name': 'x' } })
    expect(await broken.until('failed')).toMatchObject({ cause: { reason: 'rejected' } })
    expect(server.seen).toHaveLength(1)
  })

  it('takes any spelling of the media type', async () => {
    const server = await startServer((response) =>
      sendStream(response, 'data: a\n\n', 'Text/Event-Stream;charset=UTF-8'),
    )
    const line = listen(server.url)
    await waitFor(() => expect(line.frames).toEqual([{ data: 'a' }]))
  })

  it('stops at a page instead of a stream, without trying again or reading it as events', async () => {
    const page = `<html><body>\n\ndata: Sign in\n\n${'x'.repeat(5_000)}</body></html>`
    const server = await startServer((response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.end(page)
    })
    const line = listen(server.url)
    const { cause } = await line.until('failed').then((state) => ({ cause: undefined, ...state }))
    expect(cause).toMatchObject({ reason: 'not-a-stream', status: 200, canRetry: false })
    expect(cause?.contentType).toBe('text/html; charset=utf-8')
    expect(cause?.message).not.toContain('<')
    expect(cause?.body).toBe(page.slice(0, 2_000))
    expect(line.frames).toEqual([])
    line.clock.advance(600_000)
    expect(server.seen).toHaveLength(1)
    expect(line.clock.waiting).toBe(0)
  })

  it('is closed for good by 204', async () => {
    const server = await startServer((response) => {
      response.writeHead(204)
      response.end()
    })
    const line = listen(server.url)
    await line.until('closed')
    line.retryNow()
    line.clock.advance(600_000)
    expect(line.phases()).toEqual(['connecting', 'closed'])
    expect(line.clock.waiting).toBe(0)
  })

  it.each([
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [404, 'not-found'],
    [409, 'conflict'],
    [422, 'rejected'],
  ])('gives up at %i until the person asks again', async (status, reason) => {
    let isGood = false
    const server = await startServer((response) => {
      if (isGood) sendStream(response)
      else sendJson(response, { detail: 'no' }, status)
    })
    const line = listen(server.url)
    expect(await line.until('failed')).toMatchObject({ cause: { reason, status, detail: 'no' } })
    expect(line.clock.waiting).toBe(0)
    isGood = true
    line.retryNow()
    await line.until('open')
    expect(server.seen).toHaveLength(2)
  })

  it.each([
    [500, 'server'],
    [502, 'server'],
    [429, 'rejected'],
    [408, 'timeout'],
  ])('waits and tries again after %i', async (status, reason) => {
    const server = await startServer((response, _, count) => {
      if (count > 1) sendStream(response)
      else sendJson(response, { detail: 'later' }, status)
    })
    const line = listen(server.url)
    expect(await line.until('waiting')).toMatchObject({ cause: { reason, status }, retryAt: 1_000 })
    line.clock.advance(999)
    expect(server.seen).toHaveLength(1)
    line.clock.advance(1)
    await line.until('open')
  })

  it('waits as long as Retry-After says', async () => {
    const server = await startServer((response) =>
      sendJson(response, {}, 503, { 'retry-after': '120' }),
    )
    const line = listen(server.url)
    expect(await line.until('waiting')).toMatchObject({ retryAt: 120_000 })
    expect(line.clock.waiting).toBe(1)
  })

  it('doubles the wait up to a ceiling, and mere opening does not shorten it', async () => {
    const server = await startServer((response) => {
      sendStream(response)
      response.end()
    })
    const line = listen(server.url, { maxDelayMs: 5_000 })
    const waits: number[] = []
    for (let turn = 0; turn < 5; turn += 1) {
      const state = await line.until('waiting')
      if (state.phase === 'waiting') waits.push(state.retryAt - line.clock.now())
      line.clock.advance(waits.at(-1) ?? 0)
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 5_000, 5_000])
  })

  it('picks any wait below the ceiling', async () => {
    const server = await startServer((response) => sendJson(response, {}, 500))
    const line = listen(server.url, { random: () => 0.25 })
    expect(await line.until('waiting')).toMatchObject({ retryAt: 250 })
  })

  it('begins with a short wait again after an event, and after a line that held long', async () => {
    let isHolding = false
    const server = await startServer((response, _, count) => {
      if (count <= 2) return sendJson(response, {}, 500)
      sendStream(response, count === 3 ? 'data: a\n\n' : ':\n\n')
      if (isHolding) return
      response.end()
    })
    const line = listen(server.url)
    const waitOf = async () => {
      const state = await line.until('waiting')
      const wait = state.phase === 'waiting' ? state.retryAt - line.clock.now() : 0
      return wait
    }
    expect(await waitOf()).toBe(1_000)
    line.clock.advance(1_000)
    expect(await waitOf()).toBe(2_000)
    line.clock.advance(2_000)
    expect(await waitOf()).toBe(1_000)
    line.clock.advance(1_000)
    expect(await waitOf()).toBe(2_000)
    isHolding = true
    line.clock.advance(2_000)
    await line.until('open')
    line.clock.advance(75_000)
    expect(await waitOf()).toBe(1_000)
  })

  it('waits longer and longer for a server that says something and hangs up at once, until a line holds', async () => {
    let isHolding = false
    const server = await startServer((response) => {
      sendStream(response, 'retry: 0\n\ndata: a\n\n')
      if (!isHolding) response.end()
    })
    const line = listen(server.url)
    const waits: number[] = []
    for (let turn = 0; turn < 6; turn += 1) {
      const state = await line.until('waiting')
      if (state.phase === 'waiting') waits.push(state.retryAt - line.clock.now())
      isHolding = turn === 5
      line.clock.advance(waits.at(-1) ?? 0)
    }
    expect(waits).toEqual([100, 200, 400, 800, 1_600, 1_600])
    await line.until('open')
    line.clock.advance(2_000)
    await server.close()
    expect(await line.until('waiting')).toMatchObject({ retryAt: line.clock.now() + 100 })
  })

  it('takes the first wait from the stream, but never none at all', async () => {
    const server = await startServer((response, _, count) => {
      sendStream(response, `retry: ${count === 1 ? 3_000 : 0}\n\n`)
      response.end()
    })
    const line = listen(server.url, { maxDelayMs: 4_000 })
    expect(await line.until('waiting')).toMatchObject({ retryAt: 3_000 })
    line.clock.advance(3_000)
    expect(await line.until('waiting')).toMatchObject({ retryAt: 3_200 })
  })

  it('tells a stream that ended, and one that broke off, as closed', async () => {
    const server = await startServer((response, _, count) => {
      sendStream(response, 'data: {"cut":')
      if (count === 1) response.end()
      else setImmediate(() => response.destroy())
    })
    const line = listen(server.url)
    expect(await line.until('waiting')).toMatchObject({ cause: { reason: 'closed' } })
    line.retryNow()
    expect(await line.until('waiting')).toMatchObject({ cause: { reason: 'closed' } })
    expect(server.seen).toHaveLength(2)
    expect(line.frames).toEqual([])
  })

  it('says offline when nobody answers', async () => {
    const server = await startServer(() => {})
    await server.close()
    const line = listen(server.url)
    expect(await line.until('waiting')).toMatchObject({ cause: { reason: 'offline' } })
  })

  it('sends the last id that counts: not one of an event that was cut, not one with NUL, none after an empty one', async () => {
    const bodies = [
      'id: 10\ndata: e1\n\ndata: e2\n\nid: 11\ndata: e3\n\nid: 12\ndata: cut',
      'id: 13\n\nid: 6\0x\ndata: e5\n\n',
      'id: 你\ndata: e6\n\n',
      'id\ndata: e7\n\n',
      'data: e8\n\n',
    ]
    const server = await startServer((response, _, count) => {
      sendStream(response, bodies[count - 1])
      response.end()
    })
    const line = listen(server.url)
    for (const count of bodies.keys()) {
      await waitFor(() => expect(server.seen).toHaveLength(count + 1))
      await line.until('waiting')
      line.retryNow()
    }
    const sent = server.seen.map((request) => request.headers['last-event-id'])
    expect(sent.slice(0, 5)).toEqual([
      undefined,
      '11',
      '13',
      Buffer.from('你').toString('latin1'),
      undefined,
    ])
  })

  it('gives up a line on which nothing was heard for too long; a heartbeat is enough', async () => {
    let heart: () => void = () => {}
    const server = await startServer((response, _, count) => {
      sendStream(response)
      if (count === 1) heart = () => response.write(':\n\n')
    })
    let lives = 0
    const line = listen(server.url, { onLife: () => (lives += 1) })
    await waitFor(() => expect(lives).toBe(1))
    line.clock.advance(50_000)
    heart()
    await waitFor(() => expect(lives).toBe(2))
    line.clock.advance(74_999)
    expect(line.phases()).toEqual(['connecting', 'open'])
    line.clock.advance(1)
    expect(line.states.at(-1)).toMatchObject({ phase: 'waiting', cause: { reason: 'timeout' } })
    line.clock.advance(1_000)
    await line.until('open')
    heart()
    expect(server.seen).toHaveLength(2)
  })

  it('gives up an attempt that gets no answer, and one whose headers never come', async () => {
    const server = await startServer(() => {})
    const line = listen(server.url, { watchdogMs: 5_000 })
    const stuck = listen(server.url, { watchdogMs: 5_000, headers: () => new Promise(() => {}) })
    await waitFor(() => expect(server.seen).toHaveLength(1))
    for (const { clock, states } of [line, stuck]) {
      clock.advance(5_000)
      expect(states.at(-1)).toMatchObject({ phase: 'waiting', cause: { reason: 'timeout' } })
    }
  })

  it('hears nothing more after close, even in the middle of a chunk', async () => {
    const server = await startServer((response) => sendStream(response, 'data: a\n\ndata: b\n\n'))
    const line = listen(server.url, {
      onFrame: (frame) => {
        line.frames.push(frame)
        line.close()
      },
    })
    await waitFor(() => expect(line.frames).toEqual([{ data: 'a' }]))
    line.retryNow()
    line.clock.advance(600_000)
    line.close()
    expect(line.phases()).toEqual(['connecting', 'open'])
    expect(line.clock.waiting).toBe(0)
    expect(server.seen).toHaveLength(1)
  })

  it('sends nothing when it is closed at once', async () => {
    const server = await startServer((response) => sendStream(response))
    listen(server.url).close()
    const other = listen(server.url)
    await other.until('open')
    expect(server.seen).toHaveLength(1)
  })

  it('calls a given fetch as a plain function', async () => {
    const server = await startServer((response) => sendStream(response))
    const receivers: unknown[] = []
    const line = listen(server.url, {
      fetch: function send(this: unknown, url, init) {
        receivers.push(this)
        return fetch(url, init)
      },
    })
    await line.until('open')
    expect(receivers).toEqual([undefined])
  })
})
