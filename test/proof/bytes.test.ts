// @vitest-environment node
// Real HTTP, a real store: the stream of each recorded session breaks off at random bytes, also inside a character, and the
// conversation comes out as it is stored. `LAWS_SEED=N` repeats a run.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentServiceBackend } from '../../src/backends/index.js'
import { createChatStore, type ChatState } from '../../src/store/index.js'
import { createRandom, type Random } from '../../src/testing/index.js'
import { timelines } from './faults.js'
import { seed } from '../fc.js'
import { differences } from './scenario.js'
import { bytesOf, startByteServer, type ByteServer } from './startByteServer.js'
import type { Timeline } from './timeline.js'

/** Longer than all looks at what is stored and the question after a silence, on a machine that is busy with other tests. */
const PATIENCE_MS = 100_000

let server: ByteServer

beforeAll(async () => {
  server = await startByteServer()
})

afterAll(() => server.close())

/** Plays a session to one client that meets so many cuts; gives what is wrong in the end. */
async function play(timeline: Timeline, cuts: number, random: Random): Promise<readonly string[]> {
  const length = bytesOf(timeline)
  const places = Array.from({ length: cuts }, () => random.between(0, length - 1))
  const session = server.begin(timeline, places, random)
  const backend = agentServiceBackend({
    baseUrl: session.url,
    agentId: 'a',
    sessionId: 's',
    connection: { firstDelayMs: 8, maxDelayMs: 30 },
  })
  const store = createChatStore(backend, { outbox: false, schedule: soon })
  const disconnect = store.connect()
  try {
    const deadline = performance.now() + PATIENCE_MS
    for (;;) {
      const isLate = performance.now() > deadline
      if (isLate || (session.isOver() && isAtRest(store.getState()))) {
        const wrong = differences(timeline, store.getState())
        if (wrong.length === 0) return []
        if (isLate) return [...wrong, ...session.cuts]
      }
      await changeOf(store, 500)
    }
  } finally {
    disconnect()
  }
}

function isAtRest({ connection, conversation }: ChatState): boolean {
  const replies = Object.values(conversation.replies)
  return connection.phase === 'open' && replies.every(({ phase }) => phase !== 'running')
}

function soon(commit: () => void): () => void {
  const timer = setTimeout(commit, 4)
  return () => clearTimeout(timer)
}

/** Until the store changes, or so much time has passed. */
function changeOf(store: ReturnType<typeof createChatStore>, limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(done, limitMs)
    const stop = store.subscribe(done)
  })
}

/** Plays a session to many clients at once; gives what is wrong with each. */
async function playToAll(
  name: string,
  timeline: Timeline,
  { clients, cuts }: { readonly clients: number; readonly cuts: number },
): Promise<readonly unknown[]> {
  const ends = Array.from({ length: clients }, (_, number) =>
    play(timeline, cuts, createRandom(`${seed} ${name} ${cuts} ${number}`)),
  )
  return (await Promise.all(ends)).flatMap((problems, number) =>
    problems.length > 0 ? [{ number, problems }] : [],
  )
}

describe('a recorded session over real HTTP', { timeout: 150_000 }, () => {
  it.concurrent.each(timelines)(
    `is as stored when its stream breaks off once, at each of 200 random bytes: %s (seed ${seed})`,
    async (name, timeline) => {
      expect(await playToAll(name, timeline, { clients: 200, cuts: 1 })).toEqual([])
    },
  )

  it.concurrent.each(timelines)(
    `is as stored when its stream breaks off at ten random bytes: %s (seed ${seed})`,
    async (name, timeline) => {
      expect(await playToAll(name, timeline, { clients: 4, cuts: 10 })).toEqual([])
    },
  )
})
