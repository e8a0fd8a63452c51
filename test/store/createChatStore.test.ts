import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { getTextContent } from '../../src/protocol/index.js'
import type { AgentEvent } from '../../src/protocol/index.js'
import type { ChatState } from '../../src/store/index.js'
import { createChatStore, selectPhase } from '../../src/store/index.js'
import { createScriptedBackend, page } from './createScriptedBackend.js'
import {
  callDelta,
  callStart,
  modelEnd,
  modelStart,
  parkedReply,
  replyEnd,
  replyStart,
  requireConfirm,
  storedAnswer,
  textDelta,
  textReply,
  textStart,
  userMessage,
} from './events.js'
import { createGate, openStore, settle } from './openStore.js'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

/** 5,000 events: arguments of two calls that alternate, a text, the end. */
function burst(): AgentEvent[] {
  const deltas = Array.from({ length: 4_000 }, (_, n) =>
    callDelta('r1', n % 2 === 0 ? 't1' : 't2', `<${String(n).padStart(6, '0')}>`),
  )
  const text = Array.from({ length: 996 }, (_, n) => textDelta('r1', 'b1', `${n} `))
  return [
    replyStart('r1'),
    callStart('r1', 't1'),
    callStart('r1', 't2'),
    ...deltas,
    textStart('r1', 'b1'),
    ...text,
    replyEnd('r1'),
  ]
}

const burstText = Array.from({ length: 996 }, (_, n) => `${n} `).join('')
const burstInput = (first: number): string =>
  Array.from({ length: 2_000 }, (_, n) => `<${String(first + 2 * n).padStart(6, '0')}>`).join('')

function countCommits(store: { subscribe: (call: () => void) => () => void }): () => number {
  let count = 0
  onTestFinished(store.subscribe(() => (count += 1)))
  return () => count
}

describe('createChatStore', () => {
  it('makes nothing but an empty conversation until it is connected', () => {
    const backend = createScriptedBackend()
    const store = createChatStore(backend)
    expect(backend.opened).toBe(0)
    expect(store.getState()).toBe(store.getInitialState())
    expect(selectPhase(store.getState())).toBe('loading')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('shows stored messages first, then what the stream said meanwhile, each once', async () => {
    const events = textReply('r1', 'Hello')
    const backend = createScriptedBackend({
      stored: [userMessage('u1', 'Hi'), storedAnswer('r1', 'Hello')],
    })
    const gate = createGate()
    backend.gate = () => gate.promise
    const store = createChatStore(backend)
    onTestFinished(store.connect())
    backend.setConnection({ phase: 'open' })
    backend.emit(...events)
    await settle()
    expect(store.getState().conversation.messages).toEqual([])
    gate.open()
    await settle()
    expect(store.getState().conversation.messages.map((m) => getTextContent(m))).toEqual([
      'Hi',
      'Hello',
    ])
  })

  it('goes without history where the backend stores nothing', async () => {
    const backend = createScriptedBackend({ capabilities: { history: false, status: false } })
    const store = await openStore(backend)
    expect(store.getState().history.phase).toBe('none')
    expect(selectPhase(store.getState())).toBe('idle')
    backend.emit(...textReply('r1', 'Hello'))
    expect(store.getState().conversation.messages).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(backend.reads).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  describe('commits', () => {
    it('folds 5,000 events of one chunk in fewer than 30 commits, to the letter', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      const commits = countCommits(store)
      backend.emit(...burst())
      await settle()
      expect(commits()).toBeLessThan(30)
      const [message] = store.getState().conversation.messages
      expect(message && getTextContent(message)).toBe(burstText)
      expect(message?.content.flatMap((b) => (b.type === 'tool_call' ? [b.input] : []))).toEqual([
        burstInput(0),
        burstInput(1),
      ])
    })

    it('folds the same events one per microtask in one commit per frame', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      const commits = countCommits(store)
      for (const event of burst()) {
        backend.emit(event)
        await Promise.resolve()
      }
      expect(commits()).toBeLessThan(30)
      const [message] = store.getState().conversation.messages
      expect(message && getTextContent(message)).toBe(burstText)
    })

    it('keeps the very same state until the next commit', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      const before = store.getState()
      backend.emit(replyStart('r1'), modelStart('r1'), textStart('r1', 'b1'))
      expect(store.getState()).toBe(before)
      await vi.advanceTimersByTimeAsync(20)
      expect(store.getState()).not.toBe(before)
      expect(store.getState().history).toBe(before.history)
    })

    it('commits within 250 ms when no frame comes, as in a hidden tab', async () => {
      vi.stubGlobal('requestAnimationFrame', () => 0)
      onTestFinished(() => {
        vi.unstubAllGlobals()
      })
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.emit(replyStart('r1'), textStart('r1', 'b1'), textDelta('r1', 'b1', 'Hello'))
      await vi.advanceTimersByTimeAsync(249)
      expect(store.getState().conversation.messages).toEqual([])
      await vi.advanceTimersByTimeAsync(1)
      expect(store.getState().conversation.messages).toHaveLength(1)
    })

    it.each([
      ['an end', [...textReply('r1', 'Hello')]],
      ['a request for approval', parkedReply('r1', 't1')],
    ])('shows %s at once', async (_what, events) => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.emit(...events)
      expect(store.getState().conversation.messages).toHaveLength(1)
    })

    it('commits when the host says so', async () => {
      const backend = createScriptedBackend()
      let commit = (): void => {}
      const store = await openStore(backend, {
        schedule(call) {
          commit = call
          return () => {}
        },
      })
      backend.emit(replyStart('r1'), textStart('r1', 'b1'))
      await vi.advanceTimersByTimeAsync(1_000)
      expect(store.getState().conversation.messages).toEqual([])
      commit()
      expect(store.getState().conversation.messages).toHaveLength(1)
    })

    it('keeps the identity of a message that is not written to', async () => {
      const backend = createScriptedBackend({ stored: [userMessage('u1', 'Hi')] })
      const store = await openStore(backend)
      const [message] = store.getState().conversation.messages
      backend.emit(...textReply('r1', 'Hello'))
      expect(store.getState().conversation.messages[0]).toBe(message)
    })
  })

  describe('connect', () => {
    it('opens once for several holders and closes after the last one let go', async () => {
      const backend = createScriptedBackend()
      const store = createChatStore(backend)
      const first = store.connect()
      const second = store.connect()
      first()
      first()
      await settle()
      expect([backend.opened, backend.openNow]).toEqual([1, 1])
      second()
      await settle()
      expect([backend.opened, backend.openNow]).toEqual([1, 0])
      expect(store.getState().connection).toEqual({ phase: 'closed' })
    })

    it('keeps the connection for a holder that comes back at once', async () => {
      const backend = createScriptedBackend()
      const store = createChatStore(backend)
      store.connect()()
      onTestFinished(store.connect())
      await settle()
      expect([backend.opened, backend.openNow]).toEqual([1, 1])
    })

    it('leaves no timer behind, whatever was under way', async () => {
      const backend = createScriptedBackend()
      const store = createChatStore(backend)
      const disconnect = store.connect()
      backend.setConnection({ phase: 'open' })
      await settle()
      await store.commands.send('Hi')
      backend.emit(...textReply('r1', 'Hello'))
      backend.emit(replyStart('r2'), textStart('r2', 'b1'))
      disconnect()
      await settle()
      expect(vi.getTimerCount()).toBe(0)
      expect(store.getState().conversation.messages).toHaveLength(3)
    })

    it('hears nothing from a stream that was closed', async () => {
      const backend = createScriptedBackend()
      const store = createChatStore(backend)
      store.connect()()
      await settle()
      const closed = store.getState()
      backend.emit(...textReply('r1', 'Hello'))
      backend.setConnection({ phase: 'open' })
      expect(store.getState()).toBe(closed)
    })

    it('may be opened again and then reads what was stored meanwhile', async () => {
      const backend = createScriptedBackend()
      const store = createChatStore(backend)
      store.connect()()
      await settle()
      backend.pages['newest'] = page([storedAnswer('r1', 'Hello')])
      onTestFinished(store.connect())
      backend.setConnection({ phase: 'open' })
      await settle()
      expect(backend.opened).toBe(2)
      expect(store.getState().conversation.messages).toHaveLength(1)
    })
  })

  describe('adopt', () => {
    it('sends through the newer backend without opening it', async () => {
      const backend = createScriptedBackend()
      const newer = createScriptedBackend()
      const store = await openStore(backend)
      store.adopt(newer)
      await store.commands.send('Hi')
      expect([backend.sent.length, newer.sent.length]).toEqual([0, 1])
      expect(newer.opened).toBe(0)
    })

    it('refuses the backend of another conversation', () => {
      const store = createChatStore(createScriptedBackend())
      expect(() => store.adopt(createScriptedBackend({ key: 'other' }))).toThrow(TypeError)
    })
  })

  describe('taps', () => {
    it('tells of each event exactly once, in order, though the stream replays', async () => {
      const events = [...textReply('r1', 'Hello'), ...textReply('r2', 'World')]
      const heard: unknown[] = []
      const backend = createScriptedBackend()
      await openStore(backend, { onEvent: (event) => heard.push(event) })
      backend.emit(...events.slice(0, 9))
      await vi.advanceTimersByTimeAsync(20)
      backend.setConnection({ phase: 'connecting' })
      backend.setConnection({ phase: 'open' })
      backend.emit(...events)
      backend.emit(...events)
      await vi.advanceTimersByTimeAsync(20)
      expect(heard).toEqual(events)
    })

    it('tells of tokens with the model, and the total so far', async () => {
      const onUsage = vi.fn()
      const backend = createScriptedBackend()
      await openStore(backend, { onUsage })
      backend.emit(replyStart('r1'), modelStart('r1'), modelEnd('r1', 10, 5))
      await vi.advanceTimersByTimeAsync(20)
      backend.emit(modelStart('r1'), modelEnd('r1', 20, 7), replyEnd('r1'))
      expect(onUsage.mock.calls.map(([report]) => report)).toMatchObject([
        {
          replyId: 'r1',
          modelCall: { modelName: 'scripted-1', usage: { input_tokens: 10, output_tokens: 5 } },
          total: { input_tokens: 10 },
        },
        { replyId: 'r1', modelCall: { usage: { input_tokens: 20 } }, total: { input_tokens: 30 } },
      ])
    })

    it('tells once of each request', async () => {
      const onRequest = vi.fn()
      const backend = createScriptedBackend()
      await openStore(backend, { onRequest })
      const events = parkedReply('r1', 't1', 't2')
      backend.emit(...events)
      backend.emit(...events)
      expect(onRequest.mock.calls.map(([request]) => request.toolCall.id)).toEqual(['t1', 't2'])
    })

    it('calls a tap after the state has changed', async () => {
      const seen: ChatState[] = []
      const backend = createScriptedBackend()
      const store = await openStore(backend, { onRequest: () => seen.push(store.getState()) })
      backend.emit(...parkedReply('r1', 't1'))
      expect(seen[0]?.conversation.requests).toHaveLength(1)
    })

    it('goes on when a tap throws, and tells the page', async () => {
      const reported = vi.fn()
      vi.stubGlobal('reportError', reported)
      onTestFinished(() => {
        vi.unstubAllGlobals()
      })
      const onEvent = vi.fn(() => {
        throw new Error('broken tap')
      })
      const other = vi.fn()
      const backend = createScriptedBackend()
      const store = await openStore(backend, { onEvent })
      store.addTaps({ onEvent: other })
      backend.emit(...textReply('r1', 'Hello'))
      expect(store.getState().conversation.messages).toHaveLength(1)
      expect(onEvent).toHaveBeenCalledTimes(7)
      expect(other).toHaveBeenCalledTimes(7)
      expect(reported).toHaveBeenCalledTimes(7)
    })

    it('keeps the order of events for a tap that sends while it is told', async () => {
      const types: string[] = []
      const backend = createScriptedBackend({ capabilities: { sendWhileRunning: 'queued' } })
      const store = await openStore(backend, {
        onEvent(event) {
          types.push(event.type)
          if (event.type !== 'REPLY_START' || backend.sent.length > 0) return
          void store.commands.send('More')
          backend.emit(...textReply('r2', 'World'))
        },
      })
      const first = textReply('r1', 'Hello')
      backend.emit(...first)
      expect(types).toEqual([...first, ...first].map(({ type }) => type))
    })

    it('no longer tells taps that were taken away', async () => {
      const onEvent = vi.fn()
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      const remove = store.addTaps({ onEvent })
      remove()
      backend.emit(...textReply('r1', 'Hello'))
      expect(onEvent).not.toHaveBeenCalled()
    })

    it('passes on what the backend found odd', async () => {
      const onAnomaly = vi.fn()
      const backend = createScriptedBackend()
      await openStore(backend, { onAnomaly })
      backend.emit(textDelta('unheard-of', 'b1', 'lost'), requireConfirm('unheard-of', 't1'))
      expect(onAnomaly).toHaveBeenCalledWith(expect.objectContaining({ kind: 'orphan-event' }))
    })
  })
})
