// The real service behind a proxy that loses, slows, breaks and cuts; a service that is killed; and a team at work.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFaultProxy, type Fault, type FaultProxy } from 'agentscope-react/testing/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startService, stopService } from '../../scripts/service.mjs'
import { expectStored } from './expectStored.js'
import { LiveChat } from './LiveChat.js'
import {
  createLiveSession,
  isRecord,
  liveSession,
  newGate,
  openGate,
  serviceUrl,
  type LiveSession,
} from './liveService.js'

/** Longer than any reply here takes. */
const LONG_MS = 60_000
/** More events than the service keeps for a replay. */
const MANY_EVENTS = 1_100

const opened: LiveChat[] = []
const proxies: FaultProxy[] = []

afterEach(async () => {
  for (const chat of opened.splice(0)) chat.close()
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()))
})

async function behind(faults: readonly Fault[] = []): Promise<FaultProxy> {
  const proxy = await createFaultProxy({ target: serviceUrl, faults })
  proxies.push(proxy)
  return proxy
}

async function open(session: LiveSession, proxy?: FaultProxy): Promise<LiveChat> {
  const chat = await LiveChat.open(true, proxy ? { ...session, baseUrl: proxy.url } : session)
  opened.push(chat)
  return chat
}

/** The reply that was asked for is over, and nothing runs. */
async function untilDone(chat: LiveChat, ended: number): Promise<void> {
  await chat.untilStatus((status) => status === 'idle', LONG_MS)
  await chat.untilEnded(ended)
  await expectStored(chat, LONG_MS)
  await chat.until('rest', () => chat.phase === 'idle')
  expect(incomplete(chat)).toEqual([])
}

/** Replies of which something is missing, as far as the chat knows. */
function incomplete(chat: LiveChat): readonly string[] {
  const { replies } = chat.state.conversation
  return Object.values(replies).flatMap(({ replyId, isComplete }) => (isComplete ? [] : [replyId]))
}

/** Numbers that look random, and come again with the same seed. */
function createDice(seed: number): (most: number) => number {
  let state = seed
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}

describe('the store on the real service, through a bad line', { timeout: LONG_MS * 2 }, () => {
  it('shows what is stored to a slow reader that lost events', async () => {
    const proxy = await behind([
      { kind: 'slow', bytes: 4_096, everyMs: 25 },
      { kind: 'drop', events: { from: 30, to: 90 } },
      { kind: 'drop', events: { from: 200, to: 203 } },
    ])
    const chat = await open(await createLiveSession(), proxy)
    await chat.say('Tell a saga.')
    await untilDone(chat, 1)
    expect(proxy.done.map(({ kind }) => kind)).toContain('drop')
    expect(chat.anomalies).not.toEqual([])
  })

  it('shows what is stored after random reconnects in a long run', async () => {
    const seed = Date.now() % 100_000
    process.stdout.write(`Reconnects with seed ${seed}.\n`)
    const roll = createDice(seed)
    const proxy = await behind()
    const chat = await open(await createLiveSession(), proxy)
    await chat.say('Tell a saga.')
    for (let turn = 0; turn < 12; turn += 1) {
      await chat.until('the line', (state) => state.connection.phase === 'open')
      const heard = chat.wire.frames().length
      await vi.waitUntil(
        () => chat.wire.frames().length >= heard + 1 + roll(30) || chat.phase === 'idle',
        { timeout: LONG_MS, interval: 5 },
      )
      if (roll(2) === 0) proxy.inject({ kind: 'cut', at: 1 + roll(20_000) })
      if (roll(4) === 0) proxy.inject({ kind: 'answer', status: 503, on: { path: '**/stream' } })
      proxy.dropStreams()
      await chat.until('the loss', (state) => state.connection.phase !== 'open')
      chat.store.commands.retryNow()
    }
    await untilDone(chat, 1)
    expect(chat.wire.connections()).toBeGreaterThan(6)
  })

  it('shows what is stored when joined after more events than are replayed', async () => {
    const session = await createLiveSession()
    const first = await open(session)
    const gate = newGate()
    await first.say(`Write a book. #${gate}`)
    await first.untilWritten('Word 799 .', LONG_MS)
    expect(first.wire.frames().length).toBeGreaterThan(MANY_EVENTS)

    const late = await open(session, await behind())
    await late.until('the replay', () => late.wire.frames().length >= 900)
    expect(late.wire.frames()[0]).not.toMatchObject({ type: 'REPLY_START' })
    await late.until('a reply that lacks parts', () => incomplete(late).length === 1)
    expect(late.phase).toBe('streaming')
    await openGate(gate)
    await untilDone(late, 1)
    await untilDone(first, 1)
    expect(late.messages.at(-1)?.content).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ text: expect.stringMatching(/^Word 0 /) }),
      ]),
    )
  })

  it('shows the same to two clients, and one answer counts when both give one', async () => {
    const session = await createLiveSession()
    const one = await open(session, await behind([{ kind: 'duplicate', events: { from: 3 } }]))
    const two = await open(session, await behind([{ kind: 'drop', events: [4, 9, 15] }]))
    await two.untilOpen()
    await one.say('Move 500 to savings.')
    const [first] = await one.untilAsked(1)
    const [second] = await two.untilAsked(1)
    await Promise.allSettled([
      one.store.commands.confirm({ request: first?.key ?? '', approve: true }),
      two.store.commands.confirm({ request: second?.key ?? '', approve: true }),
    ])
    for (const chat of [one, two]) {
      await chat.untilStatus((status) => status === 'idle', LONG_MS)
      await expectStored(chat, LONG_MS)
      await chat.until('rest', () => chat.phase === 'idle')
      expect(chat.state.conversation.requests).toEqual([])
    }
    const moved = JSON.stringify(await session.storedMessages()).split('Moved 500').length - 1
    expect(moved).toBe(1)
  })

  it('recognises what it sent when the answer to the sending was lost', async () => {
    const session = await createLiveSession()
    const proxy = await behind()
    const chat = await open(session, proxy)
    await chat.untilOpen()
    proxy.inject({ kind: 'reset', on: { method: 'POST', path: '**/chat/' }, forwarded: true })
    await chat.store.commands.send('Why are there tides?').catch(() => undefined)
    await untilDone(chat, 1)
    // The service stores a message a while after it took it: until it is seen, the sending counts as failed.
    await chat.until('nothing that failed', ({ sends }) => Object.keys(sends).length === 0)
    const asked = (await session.storedMessages()).filter(({ role }) => role === 'user')
    expect(asked).toHaveLength(1)
  })
})

describe(
  'the store on a service that is killed and started again',
  { timeout: LONG_MS * 3 },
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'agentscope-restart-'))

    it('finds the waiting request, and the run that was lost does not run for ever', async () => {
      let service = await startService(folder)
      const { url } = service
      const port = Number(new URL(url).port)
      const kill = async (): Promise<void> => {
        service.child.kill('SIGKILL')
        await service.ended
      }
      try {
        const parked = await open(await createLiveSession('Friday', url))
        await parked.say('Move 500 to savings.')
        await parked.untilAsked(1)
        const running = await open(await createLiveSession('Friday', url))
        const gate = newGate()
        await running.say(`Tell me a long story. #${gate}`)
        await running.untilWritten('Once upon a time')
        await kill()
        for (const chat of [parked, running]) {
          await chat.until('the loss', (state) => state.connection.phase !== 'open')
        }

        service = await startService(folder, port)
        for (const chat of [parked, running]) {
          chat.store.commands.retryNow()
          await chat.untilOpen()
        }
        const [request] = await parked.untilAsked(1)
        await parked.store.commands.confirm({ request: request?.key ?? '', approve: true })
        await untilDone(parked, 1)

        await running.until('an end', () => running.phase === 'idle', LONG_MS)
        await running.store.commands.send('Why are there tides?')
        await running.untilStatus((status) => status === 'idle', LONG_MS)
        await expectEndsWithStored(running)
      } finally {
        await stopService(service)
        rmSync(folder, { recursive: true, force: true })
      }
    })
  },
)

/** The service lost a run with all that was told of it; what it stored since then is shown as stored. */
async function expectEndsWithStored(chat: LiveChat): Promise<void> {
  await vi.waitFor(
    async () => {
      const stored = await chat.session.storedMessages()
      const last = stored.at(-1)
      expect(last).toMatchObject({ role: 'assistant', finished_reason: 'completed' })
      expect(chat.messages.at(-1)?.id).toBe(last?.['id'])
      expect(chat.phase).toBe('idle')
    },
    { timeout: LONG_MS, interval: 200 },
  )
}

describe('the store on a session that leads a team', { timeout: LONG_MS * 2 }, () => {
  it('asks for its worker, also after a reload and through a bad line, and hears the report', async () => {
    const session = await createLiveSession()
    const first = await open(session, await behind([{ kind: 'duplicate', events: { from: 1 } }]))
    await first.say('Plan the garden with a helper.')
    const [asked] = await first.untilAsked(1)
    expect(asked).toMatchObject({ kind: 'confirm', worker: { agentName: 'researcher' } })

    const proxy = await behind()
    const reloaded = await open(session, proxy)
    await reloaded.untilAsked(1)
    proxy.dropStreams()
    await reloaded.until('the loss', (state) => state.connection.phase !== 'open')
    reloaded.store.commands.retryNow()
    const [request] = await reloaded.untilAsked(1)
    await reloaded.store.commands.confirm({ request: request?.key ?? '', approve: true })
    await reloaded.untilWritten('The researcher bought', LONG_MS)
    for (const chat of [first, reloaded]) {
      await untilDone(chat, 2)
      expect(chat.state.conversation.requests).toEqual([])
    }
  })

  it('asks nothing any more once its worker is done, though the event that says so was lost', async () => {
    const session = await createLiveSession()
    const lost = (event: unknown): boolean =>
      JSON.stringify(event).includes('subagent_user_confirm_result')
    const [first, other] = await Promise.all(
      [0, 1].map(async () =>
        open(session, await behind([{ kind: 'drop', which: 'every', events: lost }])),
      ),
    )
    if (first === undefined || other === undefined) throw new Error('Two readers were opened.')
    await first.say('Plan the garden with a helper.')
    const [request] = await first.untilAsked(1)
    await other.untilAsked(1)
    await first.store.commands.confirm({ request: request?.key ?? '', approve: true })
    for (const chat of [first, other]) {
      await untilDone(chat, 2)
      await chat.until('nothing to ask', (state) => state.conversation.requests.length === 0)
    }
    expect(first.state.sends).toEqual({})
  })

  it("shows a worker's own session, where it can be answered too", async () => {
    const leader = await open(await createLiveSession())
    await leader.say('Plan the garden with a helper.')
    const [asked] = await leader.untilAsked(1)
    const worker = await open(workerOf(asked), await behind([{ kind: 'drop', events: [1, 2] }]))
    const [request] = await worker.untilAsked(1)
    expect(request?.toolCall.id).toBe(asked?.toolCall.id)
    await worker.store.commands.confirm({ request: request?.key ?? '', approve: false })
    await untilDone(worker, 1)
    await leader.until('nothing to ask', (state) => state.conversation.requests.length === 0)
    await untilDone(leader, 2)
  })
})

/** The session of the worker that asks. */
function workerOf(request: unknown): LiveSession {
  const worker = isRecord(request) ? request['worker'] : undefined
  if (!isRecord(worker)) throw new Error('Nobody of a team asks.')
  return liveSession(String(worker['agentId']), String(worker['sessionId']))
}
