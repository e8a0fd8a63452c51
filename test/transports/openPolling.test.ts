// @vitest-environment node
import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ConnectionState } from '../../src/protocol/index.js'
import {
  openPolling,
  type PolledPage,
  type PollingGap,
  type PollingOptions,
} from '../../src/transports/index.js'
import { createTestClock } from './createTestClock.js'
import { sendJson, startServer } from './startServer.js'

const REQUEST_MS = 15_000

/** What the servers here answer: `[number, frame]` per entry. */
interface Page {
  readonly entries: readonly (readonly [number, string])[]
  readonly next: number
  readonly isOver?: boolean
  readonly hasMore?: boolean
}

const nothing = (next: number): Page => ({ entries: [], next })
const some = (...entries: [number, string][]): Page => ({
  entries,
  next: (entries.at(-1)?.[0] ?? -1) + 1,
})

function readPage(body: unknown): PolledPage<string> {
  const { entries, ...page } = body as Page
  return {
    ...page,
    frames: entries.map(([, frame]) => frame),
    indexes: entries.map(([index]) => index),
  }
}

/** Polls for the running test, with a clock that stands still and no jitter. */
function poll(url: string, options: Partial<PollingOptions<string>> = {}) {
  const clock = createTestClock()
  const delays: number[] = []
  let passed = 0
  const frames: string[] = []
  const gaps: PollingGap[] = []
  const states: ConnectionState[] = []
  const polling = openPolling<string>({
    url: (from) => `${url}/events?from=${from}`,
    readPage,
    clock: {
      ...clock,
      schedule: (run, delayMs) => {
        delays.push(delayMs)
        return clock.schedule(run, delayMs)
      },
    },
    random: () => 0.5,
    onFrames: (batch) => frames.push(...batch),
    onGap: (gap) => gaps.push(gap),
    onState: (state) => states.push(state),
    ...options,
  })
  onTestFinished(() => polling.close())
  const line = {
    ...polling,
    clock,
    frames,
    gaps,
    states,
    phases: () => states.map((state) => state.phase),
    /** The waits so far that were no time limits of requests. */
    rests: () => delays.filter((delay) => delay !== REQUEST_MS),
    until: (phase: ConnectionState['phase']) =>
      vi.waitFor(() => {
        const last = states.at(-1)
        if (last?.phase !== phase) throw new Error(`still ${last?.phase}`)
        return last
      }, 5_000),
    /** Resolves with the length of the rest it takes. */
    untilRest: () =>
      vi.waitFor(() => {
        const last = delays.slice(passed).at(-1)
        if (last === undefined || last === REQUEST_MS) throw new Error('still asking')
        return last
      }, 5_000),
    /** Lets rests go by. */
    async turn(times = 1): Promise<void> {
      for (let count = 0; count < times; count += 1) {
        const rest = await line.untilRest()
        passed = delays.length
        clock.advance(rest)
      }
    },
  }
  return line
}

/** A server with one answer after the other; the last one stays. */
function serve(...pages: readonly Page[]) {
  return startServer((response, _, count) => sendJson(response, pages[count - 1] ?? pages.at(-1)))
}

const waitFor = (check: () => void) => vi.waitFor(check, 5_000)
const offsets = (server: { readonly seen: readonly { readonly url: string }[] }) =>
  server.seen.map(({ url }) => url.replace('/events?from=', ''))

describe('openPolling', () => {
  it('goes on from the offset of each page, and is open from the first one on', async () => {
    const server = await serve(some([0, 'a'], [1, 'b']), some([2, 'c']), nothing(3))
    const line = poll(server.url, { headers: { 'X-User-ID': 'me' } })
    expect(line.phases()).toEqual(['connecting'])
    await line.turn(3)
    await waitFor(() => expect(offsets(server)).toEqual(['0', '2', '3', '3']))
    expect(line.frames).toEqual(['a', 'b', 'c'])
    expect(line.gaps).toEqual([])
    expect(line.phases()).toEqual(['connecting', 'open'])
    expect(server.seen[0]).toMatchObject({
      method: 'GET',
      headers: { 'x-user-id': 'me', accept: 'application/json' },
    })
  })

  it('begins where it is told, or where the server chooses', async () => {
    const server = await serve(some([7, 'a']))
    await poll(server.url, { from: 7 }).turn()
    await waitFor(() => expect(offsets(server)).toEqual(['7', '8']))
    const line = poll(server.url, { from: null })
    await line.turn()
    await waitFor(() => expect(offsets(server).slice(2)).toEqual(['null', '8']))
    expect(line.gaps).toEqual([])
  })

  it('asks soon while something comes, and less and less often in silence', async () => {
    const server = await startServer((response, _, count) =>
      sendJson(response, count < 3 || count === 10 ? some([count, 'a']) : nothing(count)),
    )
    const line = poll(server.url, { from: null })
    await line.turn(10)
    expect(line.rests()).toEqual([250, 250, 400, 640, 1_024, 1_638, 2_000, 2_000, 2_000, 250])
  })

  it('scatters its requests a little', async () => {
    const server = await serve(nothing(0))
    const early = poll(server.url, { random: () => 0 })
    expect(await early.untilRest()).toBe(225)
    const late = poll(server.url, { random: () => 0.999 })
    expect(await late.untilRest()).toBe(275)
  })

  it('asks at once when something is about to come, and then soon', async () => {
    const server = await serve(nothing(0))
    const line = poll(server.url)
    await line.turn(6)
    expect(await line.untilRest()).toBe(2_000)
    const before = server.seen.length
    line.pollNow()
    await waitFor(() => expect(server.seen).toHaveLength(before + 1))
    await waitFor(() => expect(line.rests().at(-1)).toBe(250))
  })

  it('has one request under way, however often it is nudged', async () => {
    let [open, most, answered] = [0, 0, 0]
    const server = createServer((_, response) => {
      open += 1
      most = Math.max(most, open)
      response.once('close', () => {
        open -= 1
      })
      setTimeout(() => {
        answered += 1
        sendJson(response, some([answered, 'a']))
      }, 2)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const line = poll(`http://127.0.0.1:${port}`, { from: null })
    await vi.waitFor(
      () => {
        line.pollNow()
        line.retryNow()
        line.clock.advance(250)
        expect(answered).toBeGreaterThan(20)
      },
      { timeout: 5_000, interval: 2 },
    )
    expect(most).toBe(1)
  })

  it('asks for the rest of a long page without a rest', async () => {
    const server = await serve({ ...some([0, 'a']), hasMore: true }, some([1, 'b']))
    const line = poll(server.url)
    await waitFor(() => expect(line.frames).toEqual(['a', 'b']))
    expect(line.rests()).toEqual([250])
  })

  it('rests when a server promises more and gives nothing', async () => {
    const server = await serve({ ...nothing(0), hasMore: true })
    const line = poll(server.url)
    expect(await line.untilRest()).toBe(250)
    expect(server.seen).toHaveLength(1)
  })

  it('tells of what the server has forgotten, before what follows', async () => {
    const server = await serve(some([412, 'a']))
    const told: unknown[] = []
    const line = poll(server.url, {
      onGap: (gap) => told.push(gap),
      onFrames: (frames) => told.push(...frames),
    })
    await line.turn()
    await waitFor(() => expect(offsets(server)).toEqual(['0', '413']))
    expect(told.slice(0, 2)).toEqual([{ from: 0, to: 412 }, 'a'])
  })

  it('tells of entries missing in the middle and at the end of a page', async () => {
    const server = await serve(
      { entries: [[0, 'a'], [1, 'b'], [4, 'c']], next: 7 }, // prettier-ignore
      nothing(9),
    )
    const line = poll(server.url)
    await line.turn()
    await line.untilRest()
    await waitFor(() =>
      expect(line.gaps).toEqual([
        { from: 2, to: 4 },
        { from: 5, to: 7 },
        { from: 7, to: 9 },
      ]),
    )
  })

  it('takes a page that begins too early for no gap', async () => {
    const server = await serve(some([0, 'a'], [1, 'b']), some([1, 'b'], [2, 'c']), nothing(3))
    const line = poll(server.url)
    await line.turn(2)
    await waitFor(() => expect(offsets(server)).toEqual(['0', '2', '3']))
    expect(line.gaps).toEqual([])
  })

  it('begins anew when the server counts anew', async () => {
    const server = await serve(some([0, 'a'], [1, 'b']), nothing(1), some([0, 'new']), nothing(1))
    const onReset = vi.fn<() => void>()
    const line = poll(server.url, { onReset })
    await line.turn(3)
    await waitFor(() => expect(offsets(server)).toEqual(['0', '2', '0', '1']))
    expect(onReset).toHaveBeenCalledTimes(1)
    expect(line.frames).toEqual(['a', 'b', 'new'])
    expect(line.gaps).toEqual([])
  })

  it('drains what comes after the word that it is over, and ends with an empty page', async () => {
    const server = await serve(
      { ...some([0, 'a']), isOver: true },
      { ...some([1, 'tail']), isOver: true },
      { ...nothing(2), isOver: true },
    )
    const line = poll(server.url)
    await line.turn(2)
    await line.until('closed')
    expect(line.frames).toEqual(['a', 'tail'])
    expect(line.rests()).toEqual([250, 250])
    line.pollNow()
    line.retryNow()
    expect(server.seen).toHaveLength(3)
  })

  it('asks once more when the page that says so is empty itself', async () => {
    const server = await serve(
      { ...nothing(0), isOver: true },
      { ...some([0, 'stopped']), isOver: true },
      { ...nothing(1), isOver: true },
    )
    const line = poll(server.url)
    await line.turn(2)
    await line.until('closed')
    expect(line.frames).toEqual(['stopped'])
  })

  it('goes on when it was over too early', async () => {
    const server = await serve(
      { ...nothing(0), isOver: true },
      nothing(0),
      { ...nothing(0), isOver: true },
      { ...nothing(0), isOver: true },
    )
    const line = poll(server.url)
    await line.turn(3)
    await line.until('closed')
    expect(server.seen).toHaveLength(4)
  })

  it('keeps its offset over errors, and backs off until a page is good again', async () => {
    const server = await startServer((response, _, count) => {
      if (count === 1) sendJson(response, some([0, 'a']))
      else if (count < 4) sendJson(response, { detail: 'Overloaded.' }, 503)
      else if (count === 4) sendJson(response, some([1, 'b']))
      else sendJson(response, { detail: 'Overloaded.' }, 503)
    })
    const line = poll(server.url, { random: () => 1 })
    await line.turn()
    expect(await line.until('waiting')).toMatchObject({ cause: { reason: 'server', status: 503 } })
    await line.turn()
    await waitFor(() => expect(line.rests().at(-1)).toBe(2_000))
    await line.turn(3)
    await waitFor(() => expect(line.rests().at(-1)).toBe(1_000))
    expect(offsets(server)).toEqual(['0', '1', '1', '1', '2'])
    expect(line.frames).toEqual(['a', 'b'])
    expect(line.phases().filter((phase) => phase === 'open')).toHaveLength(2)
  })

  it('asks soon again after an error, however long it was silent before', async () => {
    const server = await startServer((response, _, count) =>
      sendJson(response, nothing(0), count === 5 ? 503 : 200),
    )
    const line = poll(server.url)
    await line.turn(4)
    await line.until('waiting')
    await line.turn()
    await waitFor(() => expect(server.seen).toHaveLength(6))
    expect(await line.untilRest()).toBe(250)
  })

  it('tries again at once when something is about to come', async () => {
    const server = await startServer((response, _, count) => {
      if (count === 1) sendJson(response, {}, 503)
      else sendJson(response, some([0, 'a']))
    })
    const line = poll(server.url)
    await line.until('waiting')
    line.pollNow()
    expect(await line.until('open')).toEqual({ phase: 'open' })
  })

  it.each([
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [404, 'not-found'],
    [410, 'not-found'],
    [422, 'rejected'],
  ])('stops at %i, and asks again only for the person', async (status, reason) => {
    const server = await startServer((response, _, count) => {
      if (count < 2) sendJson(response, some([0, 'a']))
      else if (count === 2) sendJson(response, { detail: 'No.' }, status)
      else sendJson(response, nothing(1))
    })
    const line = poll(server.url)
    await line.turn()
    expect(await line.until('failed')).toMatchObject({ cause: { reason, detail: 'No.' } })
    line.pollNow()
    line.clock.advance(60_000)
    expect(server.seen).toHaveLength(2)
    line.retryNow()
    await line.until('open')
    expect(offsets(server)).toEqual(['0', '1', '1'])
  })

  it('asks an async headers function before each request', async () => {
    const server = await serve(nothing(0))
    let token = 0
    const line = poll(server.url, {
      headers: async () => {
        token += 1
        return { authorization: `Bearer ${token}` }
      },
    })
    await line.turn()
    await waitFor(() => expect(server.seen).toHaveLength(2))
    expect(server.seen[1]?.headers.authorization).toBe('Bearer 2')
  })

  it('has refused credentials renewed without breaking off, and fails when fresh ones are refused', async () => {
    let good = 'Bearer 1'
    const server = await startServer((response, { headers }) =>
      sendJson(response, nothing(0), headers.authorization === good ? 200 : 401),
    )
    let token = 1
    const line = poll(server.url, {
      headers: () => ({ authorization: `Bearer ${token}` }),
      onUnauthorized: async () => {
        token += 1
      },
    })
    await line.turn()
    await line.untilRest()
    good = 'Bearer 2'
    await line.turn()
    await line.untilRest()
    expect(line.phases()).toEqual(['connecting', 'open'])
    good = 'Bearer 9'
    await line.turn()
    expect(await line.until('failed')).toMatchObject({ cause: { reason: 'unauthorized' } })
    expect(token).toBe(3)
    expect(server.seen).toHaveLength(6)
  })

  it('gives up a request that takes too long, and asks again for the same page', async () => {
    const server = await startServer((response, _, count) => {
      if (count > 1) sendJson(response, some([0, 'a']))
    })
    const line = poll(server.url)
    await waitFor(() => expect(server.seen).toHaveLength(1))
    line.clock.advance(REQUEST_MS)
    expect(await line.until('waiting')).toMatchObject({ cause: { reason: 'timeout' } })
    line.clock.advance(1_000)
    await waitFor(() => expect(line.frames).toEqual(['a']))
  })

  it('asks again when an answer is no page', async () => {
    const bodies = ['<html>', '', '{"entries":7}', '{"entries":[],"next":"7"}', '{"entries":[],"next":-1}'] // prettier-ignore
    const server = await startServer((response, _, count) => {
      const body = bodies[count - 1]
      if (body === undefined) sendJson(response, some([0, 'a']))
      else response.end(body)
    })
    const line = poll(server.url)
    for (const [index] of bodies.entries()) {
      await waitFor(() => expect(server.seen).toHaveLength(index + 1))
      const state = await line.until('waiting')
      expect(state).toMatchObject({ cause: { reason: 'malformed' } })
      line.clock.advance(state.phase === 'waiting' ? state.retryAt - line.clock.now() : 0)
    }
    await waitFor(() => expect(line.frames).toEqual(['a']))
    expect(offsets(server)).toEqual(['0', '0', '0', '0', '0', '0'])
  })

  it('reports nothing after close, and leaves no timer and no request', async () => {
    const server = await startServer((response, _, count) => {
      if (count === 1) sendJson(response, nothing(0))
    })
    const resting = poll(server.url)
    await resting.untilRest()
    resting.close()
    await waitFor(() => expect(resting.clock.waiting).toBe(0))
    const asking = poll(server.url)
    await waitFor(() => expect(server.seen).toHaveLength(2))
    asking.close()
    await waitFor(() => expect(asking.clock.waiting).toBe(0))
    expect(asking.phases()).toEqual(['connecting'])
    resting.pollNow()
    asking.pollNow()
    expect(server.seen).toHaveLength(2)
  })

  it('can be closed from within what it tells', async () => {
    const server = await serve(some([5, 'a']))
    const frames: string[] = []
    const line = poll(server.url, {
      onGap: () => line.close(),
      onFrames: (batch) => frames.push(...batch),
    })
    await waitFor(() => expect(line.clock.waiting).toBe(0))
    expect(frames).toEqual([])
    expect(server.seen).toHaveLength(1)
  })
})
