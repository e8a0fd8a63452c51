// @vitest-environment node
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  getTextContent,
  TransportError,
  UserMsg,
  type ConversationInput,
} from '../../src/protocol/index.js'
import { createChatStore, selectPhase, type ChatState } from '../../src/store/index.js'
import {
  createScenario,
  hint,
  scriptedBackend,
  text,
  toolCall,
  type ScriptedBackend,
} from '../../src/testing/index.js'
import { createGate } from './server/createGate.js'

const ask = toolCall('c1', 'delete_files', { path: '/logs' }, { needs: 'approval' })
const message = (content: string) => UserMsg({ name: 'user', content })

function atOnce(commit: () => void): () => void {
  queueMicrotask(commit)
  return () => {}
}

/** A store that is connected and has read what is stored. */
async function open(backend: ScriptedBackend) {
  const store = createChatStore(backend, { schedule: atOnce, outbox: false })
  const stop = store.connect()
  stops.push(stop)
  await expect.poll(() => store.getState().history.phase).toBe('ready')
  return store
}

const stops: (() => void)[] = []

afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  vi.useRealTimers()
})

const textsOf = ({ conversation }: ChatState): string[] =>
  conversation.messages.map((held) => getTextContent(held) ?? '')

describe('scriptedBackend', () => {
  it('shows what was said before', async () => {
    const store = await open(scriptedBackend(createScenario().user('Hi').reply('Hello')))
    expect(textsOf(store.getState())).toEqual(['Hi', 'Hello'])
    expect(selectPhase(store.getState())).toBe('idle')
  })

  it('replies to a message event by event, as the test lets it', async () => {
    const backend = scriptedBackend()
    const store = await open(backend)
    backend.willReply(text('one two', 4))
    await store.commands.send('Count')
    expect(backend.sent).toMatchObject([[{ content: [{ text: 'Count' }] }]])
    expect(textsOf(store.getState())).toEqual(['Count'])
    // REPLY_START, MODEL_CALL_START, TEXT_BLOCK_START, then the first delta.
    expect(await backend.step(4)).toBe(4)
    expect(textsOf(store.getState())).toEqual(['Count', 'one '])
    expect(backend.runStatus).toBe('running')
    expect(backend.messages).toHaveLength(1)
    await backend.step()
    expect(textsOf(store.getState())).toEqual(['Count', 'one two'])
    await backend.playAll()
    expect(await backend.step()).toBe(0)
    expect(backend.runStatus).toBe('idle')
    expect(backend.messages).toMatchObject([{ role: 'user' }, { finished_reason: 'completed' }])
    expect(selectPhase(store.getState())).toBe('idle')
  })

  it('goes on where a scenario stands still', async () => {
    const begun = createScenario().user('Hi').replyUpTo(4, text('Hello there', 5))
    const backend = scriptedBackend(begun)
    const store = await open(backend)
    expect(textsOf(store.getState())).toEqual(['Hi', 'Hello'])
    await backend.playAll()
    expect(textsOf(store.getState())).toEqual(['Hi', 'Hello there'])
    expect(begun.status).toBe('running')
  })

  it.each([
    [true, 'allowed', 'success'],
    [false, 'denied', 'denied'],
  ])('waits for a decision and goes on with it: %s', async (approve, _, state) => {
    const asked = createScenario().user('Clean up').reply('I will.', ask, 'Done.')
    const backend = scriptedBackend(asked)
    const store = await open(backend)
    const [request] = store.getState().conversation.requests
    expect(backend.runStatus).toBe('awaiting-confirm')
    await store.commands.confirm([{ request: request?.key ?? '', approve }])
    expect(backend.answered).toMatchObject([
      { kind: 'confirm', results: [{ confirmed: approve, tool_call: { id: 'c1' } }] },
    ])
    await backend.playAll()
    const result = store
      .getState()
      .conversation.messages[1]?.content.find(({ type }) => type === 'tool_result')
    expect(result).toMatchObject({ state })
    expect(backend.runStatus).toBe('idle')
  })

  it('refuses a second message while a reply is under way', async () => {
    const backend = scriptedBackend(createScenario().user('Hi').replyUpTo(3, 'Hello'))
    await expect(backend.send([message('Again')])).rejects.toMatchObject({
      reason: 'conflict',
      status: 409,
    })
  })

  it('is stopped like the service', async () => {
    const backend = scriptedBackend(createScenario().user('Hi').replyUpTo(4, text('Hello', 2)))
    const store = await open(backend)
    await store.commands.interrupt()
    expect(backend.interrupts).toBe(1)
    await backend.playAll()
    expect(backend.messages[1]).toMatchObject({
      finished_reason: 'interrupted',
      content: [{ text: 'He' }],
    })
    expect(textsOf(store.getState())).toEqual(['Hi', 'He'])
  })

  it('tells the current run again when a stream is opened anew', async () => {
    const backend = scriptedBackend(createScenario().user('Hi').replyUpTo(4, text('Hello', 2)))
    const store = await open(backend)
    backend.disconnect()
    expect(backend.streams).toBe(0)
    expect(store.getState().connection).toMatchObject({
      phase: 'waiting',
      cause: { reason: 'closed' },
    })
    await backend.playAll()
    expect(textsOf(store.getState())).toEqual(['Hi', 'He'])
    backend.reconnect()
    await expect.poll(() => textsOf(store.getState())).toEqual(['Hi', 'Hello'])
    expect(backend.streams).toBe(1)
  })

  it.each([
    [new TransportError('offline', 'No network.'), 'offline'],
    [new TransportError('unauthorized', 'Who are you?'), 'failed'],
  ] as const)('breaks a stream for a reason: %s', async (cause, phase) => {
    const backend = scriptedBackend()
    const store = await open(backend)
    backend.disconnect(cause)
    expect(store.getState().connection).toMatchObject({ phase })
  })

  it('fails calls, before or after the server acted', async () => {
    const backend = scriptedBackend()
    backend.failNext('send')
    await expect(backend.send([message('One')])).rejects.toMatchObject({ status: 500 })
    expect(backend.messages).toEqual([])
    const error = new TransportError('timeout', 'No answer.')
    backend.failNext('send', { error, hasActed: true })
    backend.willReply('Yes.')
    await expect(backend.send([message('Two')])).rejects.toBe(error)
    expect(backend.messages).toHaveLength(1)
    expect(backend.sent).toHaveLength(2)
    backend.failNext('history')
    backend.failNext('history')
    await expect(backend.history({ limit: 5 })).rejects.toThrow('history')
    await expect(backend.history({ limit: 5 })).rejects.toThrow('history')
    expect((await backend.history({ limit: 5 })).messages).toHaveLength(1)
  })

  it('keeps a call waiting', async () => {
    const backend = scriptedBackend()
    const release = backend.holdNext('status')
    let said: unknown
    const asked = backend.status().then((status) => {
      said = status
    })
    await Promise.resolve()
    expect(said).toBeUndefined()
    release()
    await asked
    expect(said).toBe('idle')
  })

  it('tells pages of what is stored', async () => {
    const story = createScenario().user('1').reply('2').user('3').reply('4')
    const backend = scriptedBackend(story)
    const newest = await backend.history({ limit: 3 })
    expect(newest).toMatchObject({ hasMore: true, isRunning: false })
    expect(newest.messages.map((held) => getTextContent(held))).toEqual(['2', '3', '4'])
    const before = newest.messages[0]?.id ?? ''
    const older = await backend.history({ limit: 3, before })
    expect(older).toMatchObject({ hasMore: false, messages: [{ role: 'user' }] })
    expect(await backend.history({ limit: 3, before: 'unknown' })).toMatchObject({ messages: [] })
  })

  it('plays what happens elsewhere: another tab, the agent by itself, the app', async () => {
    const backend = scriptedBackend()
    const store = await open(backend)
    backend.announce('progress', { done: 1 })
    await expect
      .poll(() => store.getState().conversation.notices)
      .toMatchObject({ progress: { done: 1 } })
    backend.wake(hint('tool_output', 'query', 'The query is done.'), 'Here it is.')
    await backend.playAll()
    expect(textsOf(store.getState())).toEqual(['Here it is.'])
    backend.willReply('Hello, other tab.')
    backend.sendElsewhere('Hi from there')
    await backend.playAll()
    await expect
      .poll(() => textsOf(store.getState()))
      .toEqual(['Here it is.', 'Hi from there', 'Hello, other tab.'])
  })

  it('waits where the script waits for the test', async () => {
    const gate = createGate()
    const backend = scriptedBackend()
    backend.willReply('Before.', { kind: 'wait', until: gate.passed }, 'After.')
    await backend.send([message('Go')])
    let isOver = false
    const played = backend.playAll().then(() => {
      isOver = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(isOver).toBe(false)
    gate.open()
    await played
    expect(getTextContent(backend.messages[1] ?? message(''))).toContain('After.')
  })

  it('says in the reply when nothing was scripted', async () => {
    const backend = scriptedBackend()
    await backend.send([message('Hi')])
    await backend.playAll()
    expect(backend.messages[1]?.error?.message).toContain('Nothing is scripted')
  })

  it('plays by itself when asked to', async () => {
    vi.useFakeTimers()
    const backend = scriptedBackend(undefined, { pace: 1, key: 'mine' })
    expect(backend.key).toBe('mine')
    const heard: ConversationInput[] = []
    const handle = backend.open({
      events: (batch) => heard.push(...batch),
      connection: () => {},
      anomaly: () => {},
    })
    backend.willReply('Hello there, how are you?')
    await backend.send([message('Hi')])
    await vi.advanceTimersByTimeAsync(50)
    expect(heard.at(-1)).not.toMatchObject({ type: 'REPLY_END' })
    await vi.advanceTimersByTimeAsync(2000)
    expect(heard.at(-1)).toMatchObject({ type: 'REPLY_END' })
    expect(backend.runStatus).toBe('idle')
    handle.close()
  })

  it('opens its stream after `open` has returned, and tells a closed one nothing', async () => {
    const backend = scriptedBackend(createScenario().user('Hi').replyUpTo(4, 'Hello'))
    const events = vi.fn<(batch: readonly ConversationInput[]) => void>()
    const handle = backend.open({ events, connection: () => {}, anomaly: () => {} })
    expect(events).not.toHaveBeenCalled()
    handle.close()
    await backend.playAll()
    expect(events).not.toHaveBeenCalled()
  })

  it('takes no answers of a kind the service does not know', async () => {
    const answer = { kind: 'input', id: 'a', request_id: 'q', action: 'cancel' } as const
    await expect(scriptedBackend().answer([answer])).rejects.toMatchObject({ reason: 'rejected' })
  })
})
