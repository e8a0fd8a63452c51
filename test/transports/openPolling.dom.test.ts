import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ConnectionState } from '../../src/protocol/index.js'
import { openPolling } from '../../src/transports/index.js'
import { createTestClock } from './createTestClock.js'

/** A server in the page: jsdom has the page's events, and its fetch would not reach the loopback. */
function poll() {
  const clock = createTestClock()
  const rests: number[] = []
  const states: ConnectionState[] = []
  let asked = 0
  let isReachable = true
  const polling = openPolling<string>({
    url: () => '/events',
    readPage: (body) => body as { frames: string[]; next: number },
    clock: {
      ...clock,
      schedule: (run, delayMs) => {
        if (delayMs !== 15_000) rests.push(delayMs)
        return clock.schedule(run, delayMs)
      },
    },
    random: () => 0.5,
    onFrames: () => {},
    onState: (state) => states.push(state),
    fetch: async () => {
      asked += 1
      if (!isReachable) throw new TypeError('Failed to fetch')
      return Response.json({ frames: [], next: 0 })
    },
  })
  return {
    polling,
    clock,
    rests,
    asked: () => asked,
    phase: () => states.at(-1)?.phase,
    reach: (is: boolean) => {
      isReachable = is
    },
    /** Lets rests go by. */
    async turn(times: number): Promise<void> {
      for (let count = 0; count < times; count += 1) {
        const before = rests.length
        clock.advance(rests.at(-1) ?? 0)
        await vi.waitFor(() => expect(rests.length).toBe(before + 1), 5_000)
      }
    },
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

describe('openPolling in a page', () => {
  it('asks seldom while the page is hidden, and at once when it is shown', async () => {
    const line = poll()
    await vi.waitFor(() => expect(line.rests).toEqual([250]))
    show('hidden')
    await line.turn(6)
    expect(line.rests).toEqual([250, 2_000, 3_200, 5_120, 8_192, 10_000, 10_000])
    const before = line.asked()
    show('visible')
    await vi.waitFor(() => expect(line.asked()).toBe(before + 1))
    await vi.waitFor(() => expect(line.rests.at(-1)).toBe(250))
    line.polling.close()
  })

  it('waits for the network when the device has none', async () => {
    const line = poll()
    await vi.waitFor(() => expect(line.rests).toHaveLength(1))
    line.reach(false)
    goOnline(false)
    line.clock.advance(250)
    await vi.waitFor(() => expect(line.phase()).toBe('offline'))
    line.reach(true)
    goOnline(true)
    await vi.waitFor(() => expect(line.phase()).toBe('open'))
    line.polling.close()
  })

  it('leaves no listener behind', async () => {
    const added = vi.spyOn(document, 'addEventListener')
    const removed = vi.spyOn(document, 'removeEventListener')
    const line = poll()
    await vi.waitFor(() => expect(line.rests).toHaveLength(1))
    await line.turn(2)
    line.polling.close()
    await vi.waitFor(() => expect(line.clock.waiting).toBe(0))
    const count = ({ mock }: typeof added | typeof removed) =>
      mock.calls.filter(([type]) => type === 'visibilitychange').length
    expect(count(added)).toBeGreaterThan(3)
    expect(count(removed)).toBe(count(added))
  })
})
