import { beforeEach, describe, expect, it, vi } from 'vitest'
import { getTextContent, TransportError } from '../../src/protocol/index.js'
import type { ChatStore } from '../../src/store/index.js'
import { CONTINUE_ID, selectPhase, selectSendBlock } from '../../src/store/index.js'
import { createScriptedBackend, page } from './createScriptedBackend.js'
import {
  call,
  modelStart,
  parkedReply,
  replyEnd,
  replyStart,
  resultStart,
  storedAnswer,
  textReply,
  userMessage,
} from './events.js'
import { createGate, openStore, settle } from './openStore.js'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

const serverError = new TransportError('server', 'The server failed.', { status: 500 })
const lost = new TransportError('closed', 'The connection broke.')
const conflict = new TransportError('conflict', 'Another run is under way.', { status: 409 })

function texts(store: ChatStore): (string | null)[] {
  return store.getState().conversation.messages.map((message) => getTextContent(message))
}

/** The id of the only thing that is on its way. */
function onlySend(store: ChatStore): string {
  const ids = Object.keys(store.getState().sends)
  expect(ids).toHaveLength(1)
  return ids[0] ?? ''
}

describe('createCommands', () => {
  describe('send', () => {
    it('shows the message at once under the id that is sent', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend, { userName: 'ada' })
      const sending = store.commands.send('Hi')
      expect(texts(store)).toEqual(['Hi'])
      expect(store.getState().sends[onlySend(store)]).toEqual({ phase: 'sending' })
      expect(selectPhase(store.getState())).toBe('streaming')
      await sending
      expect(backend.sent).toEqual([store.getState().conversation.messages])
      expect(backend.sent[0]?.[0]?.name).toBe('ada')
      expect(store.getState().sends[onlySend(store)]).toEqual({ phase: 'sent' })
    })

    it('is done when the reply begins right with the answer', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      const stop = store.subscribe(({ sends }) => {
        if (Object.values(sends)[0]?.phase !== 'sent') return
        stop()
        queueMicrotask(() => backend.emit(...textReply('r1', 'Hello')))
      })
      await store.commands.send('Hi')
      await settle()
      expect(store.getState().sends).toEqual({})
    })

    it('is done when the server tells it under an id of its own, however it went', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.gate = (what) => (what === 'send' ? Promise.reject(lost) : Promise.resolve())
      await store.commands.send('Hi')
      const id = onlySend(store)
      backend.emit(
        { type: 'kit.remove_message', message_id: id },
        { type: 'kit.user_message', message: userMessage('theirs', 'Hi') },
      )
      await settle()
      expect(store.getState().sends).toEqual({})
      expect(texts(store)).toEqual(['Hi'])
    })

    it('is looked after when its answer was lost and a page says that it runs', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.gate = (what) => {
        if (what !== 'send') return Promise.resolve()
        const [message] = backend.sent[0] ?? []
        backend.pages['newest'] = page(message ? [message] : [], { isRunning: true })
        return Promise.reject(lost)
      }
      await store.commands.send('Hi')
      expect(store.getState().sends).toEqual({})
      const [sent] = store.getState().conversation.messages
      backend.pages['newest'] = page([...(sent ? [sent] : []), storedAnswer('r1', 'Hello')])
      await vi.advanceTimersByTimeAsync(10_000)
      expect(texts(store)).toEqual(['Hi', 'Hello'])
    })

    it('is done when the reply begins, and stays one message when history brings it', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      await store.commands.send('Hi')
      const [message] = store.getState().conversation.messages
      backend.emit(...textReply('r1', 'Hello'))
      expect(store.getState().sends).toEqual({})
      backend.pages['newest'] = page(message ? [message, storedAnswer('r1', 'Hello')] : [])
      await vi.advanceTimersByTimeAsync(200)
      expect(texts(store)).toEqual(['Hi', 'Hello'])
      expect(store.getState().conversation.messages[0]).toBe(message)
    })

    describe('twice before a reply begins', () => {
      async function sendBoth(history: boolean) {
        const backend = createScriptedBackend({ capabilities: { history } })
        const store = await openStore(backend)
        await store.commands.send('First')
        if (history) await store.commands.interrupt()
        await store.commands.send('Second')
        backend.emit(...textReply('r1', 'Hello'))
        const [first, second] = store.getState().conversation.messages
        if (!first || !second) throw new Error('Both are shown.')
        return { backend, store, first, second }
      }

      it('says which one is lost when history has only the other, and sends it again', async () => {
        const { backend, store, first, second } = await sendBoth(true)
        backend.pages['newest'] = page([second, storedAnswer('r1', 'Hello')])
        await vi.advanceTimersByTimeAsync(200)
        expect(store.getState().sends).toEqual({ [first.id]: { phase: 'sent' } })
        await vi.advanceTimersByTimeAsync(10_000)
        expect(store.getState().sends[first.id]).toMatchObject({ phase: 'failed', isSure: true })
        expect(selectPhase(store.getState())).toBe('idle')
        await store.commands.retry(first.id)
        expect(backend.sent.map((messages) => messages?.[0]?.id)).toEqual([
          first.id,
          second.id,
          first.id,
        ])
      })

      it('is done when history shows both above one reply', async () => {
        const { backend, store, first, second } = await sendBoth(true)
        backend.pages['newest'] = page([first, second, storedAnswer('r1', 'Hello')])
        await vi.advanceTimersByTimeAsync(200)
        expect(store.getState()).toMatchObject({ sends: {}, error: null, isInterrupting: false })
      })

      it('is done when the reply begins where nothing is stored', async () => {
        const { store } = await sendBoth(false)
        expect(store.getState()).toMatchObject({ sends: {}, error: null })
      })
    })

    it('sends text and data blocks', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' } as const
      await store.commands.send([
        { type: 'text', text: 'Look' },
        { type: 'data', source, name: 'cat.png' },
      ])
      expect(backend.sent[0]?.[0]?.content.map(({ type }) => type)).toEqual(['text', 'data'])
    })

    it('lets the agent go on without a message', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      await Promise.all([store.commands.send(null), store.commands.send(null)])
      expect(backend.sent).toEqual([null])
      expect(store.getState().sends[CONTINUE_ID]).toEqual({ phase: 'sent' })
      expect(store.getState().conversation.messages).toEqual([])
    })

    it('keeps a failed message visible, tells why, and sends the same again', async () => {
      const onError = vi.fn()
      const backend = createScriptedBackend()
      backend.gate = (what) => (what === 'send' ? Promise.reject(serverError) : Promise.resolve())
      const store = await openStore(backend, { onError })
      await store.commands.send('Hi')
      const id = onlySend(store)
      expect(texts(store)).toEqual(['Hi'])
      expect(store.getState().sends[id]).toEqual({
        phase: 'failed',
        error: serverError,
        isSure: true,
      })
      expect(store.getState().error).toBe(serverError)
      expect(onError.mock.calls).toEqual([[serverError]])
      expect(selectPhase(store.getState())).toBe('idle')

      backend.gate = () => Promise.resolve()
      await store.commands.retry(id)
      expect(backend.sent.map((messages) => messages?.[0]?.id)).toEqual([id, id])
      expect(store.getState().sends[id]).toEqual({ phase: 'sent' })
      expect(store.getState().error).toBeNull()
      expect(texts(store)).toEqual(['Hi'])
    })

    it('does not call a message lost that is not stored while something runs', async () => {
      const backend = createScriptedBackend()
      backend.gate = (what) => (what === 'send' ? Promise.reject(serverError) : Promise.resolve())
      const store = await openStore(backend)
      backend.pages['newest'] = page([], { isRunning: true })
      await store.commands.send('Hi')
      expect(store.getState().sends[onlySend(store)]).toEqual({
        phase: 'failed',
        error: serverError,
        isSure: false,
      })
    })

    it('keeps a message refused with 409 visible although the other run goes on', async () => {
      const backend = createScriptedBackend()
      const gate = createGate()
      const store = await openStore(backend)
      backend.gate = () => gate.promise
      const sending = store.commands.send('Hi')
      const id = onlySend(store)
      backend.emit(replyStart('other'), modelStart('other'))
      await vi.advanceTimersByTimeAsync(20)
      gate.fail(conflict)
      await sending
      expect(store.getState().sends[id]).toEqual({
        phase: 'failed',
        error: conflict,
        isSure: true,
      })
      backend.gate = () => Promise.resolve()
      await store.commands.retry(id)
      expect(backend.sent.map((messages) => messages?.[0]?.id)).toEqual([id, id])
    })

    it('is no failure when only the answer to the request was lost', async () => {
      const onError = vi.fn()
      const backend = createScriptedBackend()
      const gate = createGate()
      const store = await openStore(backend, { onError })
      backend.gate = (what) => (what === 'send' ? gate.promise : Promise.resolve())
      const sending = store.commands.send('Hi')
      backend.pages['newest'] = page(store.getState().conversation.messages)
      backend.emit(...textReply('r1', 'Hello'))
      gate.fail(lost)
      await sending
      expect(store.getState().sends).toEqual({})
      expect(store.getState().error).toBeNull()
      expect(onError).not.toHaveBeenCalled()
    })

    it('knows for certain that a message which never went out had no effect', async () => {
      const unsent = new TransportError('offline', 'No network.', { isUnsent: true })
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.gate = () => Promise.reject(unsent)
      await store.commands.send('Hi')
      const id = onlySend(store)
      expect(store.getState().sends[id]).toMatchObject({ phase: 'failed', isSure: true })
      expect(backend.reads).toHaveLength(1)
    })

    it('does not call it certain when it is only the look that never went out', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.gate = () => Promise.reject(serverError)
      await store.commands.send('Hi')
      const id = onlySend(store)
      expect(store.getState().sends[id]).toMatchObject({ phase: 'failed', isSure: false })
      for (const reason of ['offline', 'unauthorized'] as const) {
        const refused = new TransportError(reason, 'Nothing can be read.', { isUnsent: true })
        backend.gate = () => Promise.reject(refused)
        await store.commands.retry(id)
        expect(store.getState().sends[id]).toMatchObject({ error: refused, isSure: false })
      }
      expect(backend.sent).toHaveLength(1)
    })

    it('does not send a message again while what runs may be its effect', async () => {
      const backend = createScriptedBackend({ capabilities: { sendWhileRunning: 'queued' } })
      const store = await openStore(backend)
      backend.gate = () => Promise.reject(serverError)
      await store.commands.send('Hi')
      const id = onlySend(store)
      backend.gate = () => Promise.resolve()
      backend.pages['newest'] = page([], { isRunning: true })
      for (let times = 0; times < 2; times += 1) {
        await store.commands.retry(id)
        expect(store.getState().sends[id]).toMatchObject({ phase: 'failed', isSure: false })
      }
      expect(backend.sent).toHaveLength(1)
      backend.pages['newest'] = page([])
      await store.commands.retry(id)
      expect(backend.sent).toHaveLength(2)
    })

    it('settles a message that failed for us but is stored after all', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.gate = () => Promise.reject(serverError)
      await store.commands.send('Hi')
      backend.gate = () => Promise.resolve()
      backend.pages['newest'] = page(store.getState().conversation.messages)
      backend.setConnection({ phase: 'connecting' })
      backend.setConnection({ phase: 'open' })
      await settle()
      expect(store.getState().sends).toEqual({})
      expect(texts(store)).toEqual(['Hi'])
    })

    it('does not send into the void while the agent waits for a person, and sends later', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.emit(...parkedReply('r1', 't1'))
      expect(selectSendBlock(store.getState(), backend.capabilities)).toBe('awaiting-person')
      await store.commands.send('Hi')
      const id = onlySend(store)
      expect(backend.sent).toEqual([])
      expect(store.getState().sends[id]).toMatchObject({
        phase: 'failed',
        error: { reason: 'conflict' },
      })
      backend.emit(replyStart('r1'), replyEnd('r1', 'interrupted'))
      await vi.advanceTimersByTimeAsync(200)
      await store.commands.retry(id)
      expect(backend.sent.map((messages) => messages?.[0]?.id)).toEqual([id])
    })

    it('sends while the agent waits where the backend takes that', async () => {
      const backend = createScriptedBackend({ capabilities: { sendWhileRunning: 'queued' } })
      const store = await openStore(backend)
      backend.emit(...parkedReply('r1', 't1'))
      expect(selectSendBlock(store.getState(), backend.capabilities)).toBeNull()
      await store.commands.send('Hi')
      expect(backend.sent).toHaveLength(1)
    })

    it('makes a failure of any backend one kind of error', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.gate = () => Promise.reject(new RangeError('oops'))
      await store.commands.send('Hi')
      expect(store.getState().error).toBeInstanceOf(TransportError)
      expect(store.getState().error?.message).toContain('oops')
    })

    it('throws for a block that no user message may hold', async () => {
      const store = await openStore(createScriptedBackend())
      expect(() =>
        // @ts-expect-error a thought is not the user's to send
        store.commands.send([{ type: 'thinking', thinking: 'hm' }]),
      ).toThrow(TypeError)
    })
  })

  describe('retry', () => {
    it('moves the message to the end, where the server will store it', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.gate = (what) => (what === 'send' ? Promise.reject(serverError) : Promise.resolve())
      await store.commands.send('First')
      const id = onlySend(store)
      backend.emit(...textReply('r1', 'Meanwhile'))
      backend.gate = () => Promise.resolve()
      await store.commands.retry(id)
      expect(texts(store)).toEqual(['Meanwhile', 'First'])
    })

    it('sends once however often it is asked, and nothing for an unknown id', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.gate = () => Promise.reject(serverError)
      await store.commands.send('Hi')
      backend.gate = () => Promise.resolve()
      const id = onlySend(store)
      await Promise.all([store.commands.retry(id), store.commands.retry(id)])
      await store.commands.retry('unknown')
      expect(backend.sent).toHaveLength(2)
    })
  })

  describe('discard', () => {
    it('takes a failed message out of the conversation', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.gate = () => Promise.reject(serverError)
      await store.commands.send('Hi')
      store.commands.discard(onlySend(store))
      expect(store.getState()).toMatchObject({ sends: {}, conversation: { messages: [] } })
    })

    it('leaves alone what is on its way', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      await store.commands.send('Hi')
      store.commands.discard(onlySend(store))
      expect(texts(store)).toEqual(['Hi'])
      expect(store.getState().sends[onlySend(store)]).toEqual({ phase: 'sent' })
    })
  })

  describe('interrupt', () => {
    it('is under way until the reply ends', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.emit(replyStart('r1'), modelStart('r1'))
      await vi.advanceTimersByTimeAsync(20)
      await Promise.all([store.commands.interrupt(), store.commands.interrupt()])
      expect(backend.interrupted).toEqual([{ replyId: 'r1' }])
      expect(selectPhase(store.getState())).toBe('interrupting')
      backend.emit(replyEnd('r1', 'interrupted'))
      expect(store.getState().isInterrupting).toBe(false)
      expect(selectPhase(store.getState())).toBe('idle')
    })

    it('stops what waits for a person', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.emit(...parkedReply('r1', 't1'))
      await store.commands.interrupt()
      expect(backend.interrupted).toEqual([{ replyId: 'r1' }])
      backend.emit(replyStart('r1'))
      await vi.advanceTimersByTimeAsync(20)
      expect(store.getState().isInterrupting).toBe(true)
      backend.emit(replyEnd('r1', 'interrupted'))
      expect(store.getState().isInterrupting).toBe(false)
      expect(store.getState().conversation.requests).toEqual([])
    })

    it('tells when it fails, and may be tried again', async () => {
      const onError = vi.fn()
      const backend = createScriptedBackend()
      const store = await openStore(backend, { onError })
      backend.emit(replyStart('r1'), modelStart('r1'))
      await vi.advanceTimersByTimeAsync(20)
      backend.gate = () => Promise.reject(serverError)
      await store.commands.interrupt()
      expect(store.getState()).toMatchObject({ isInterrupting: false, error: serverError })
      expect(onError.mock.calls).toEqual([[serverError]])
      await store.commands.interrupt()
      expect(backend.interrupted).toHaveLength(2)
    })

    it('is over when nothing runs on the server, though no end was heard', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.emit(replyStart('r1'), ...call('r1', 't1'), resultStart('r1', 't1'))
      await vi.advanceTimersByTimeAsync(20)
      await store.commands.interrupt()
      await vi.advanceTimersByTimeAsync(9_000)
      expect(store.getState().isInterrupting).toBe(false)
      expect(selectPhase(store.getState())).toBe('idle')
      expect(selectSendBlock(store.getState(), backend.capabilities)).toBeNull()
    })

    it('sends nothing when there is nothing to stop', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      await store.commands.interrupt()
      backend.emit(...textReply('r1', 'Hello'))
      await store.commands.interrupt()
      expect(backend.interrupted).toEqual([])
    })

    it('stops a reply that was asked for and has not begun', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      await store.commands.send('Hi')
      await store.commands.interrupt()
      expect(backend.interrupted).toEqual([{}])
      backend.emit(replyStart('r1'), modelStart('r1'))
      await vi.advanceTimersByTimeAsync(20)
      expect(store.getState().isInterrupting).toBe(true)
      backend.emit(replyEnd('r1', 'interrupted'))
      expect(store.getState().isInterrupting).toBe(false)
    })

    it('throws where the backend cannot stop a reply', async () => {
      const store = await openStore(createScriptedBackend({ capabilities: { interrupt: false } }))
      expect(() => store.commands.interrupt()).toThrow(TypeError)
    })
  })

  it('posts once, whatever the tab and the connection do', async () => {
    const backend = createScriptedBackend()
    const store = await openStore(backend)
    await store.commands.send('Hi')
    const hide = (state: string): void => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }
    const events = textReply('r1', 'Hello')
    backend.emit(...events.slice(0, 3))
    hide('hidden')
    backend.setConnection({ phase: 'waiting', retryAt: 0, cause: serverError })
    await vi.advanceTimersByTimeAsync(30_000)
    hide('visible')
    backend.setConnection({ phase: 'open' })
    backend.emit(...events)
    await settle()
    expect(backend.sent).toHaveLength(1)
    expect(backend.openNow).toBe(1)
    expect(texts(store)).toEqual(['Hi', 'Hello'])
  })

  it('sends through a store that was never connected', async () => {
    const backend = createScriptedBackend({ stored: [userMessage('u1', 'Hi')] })
    const { createChatStore } = await import('../../src/store/index.js')
    const store = createChatStore(backend, { outbox: false })
    await store.commands.send('Hi')
    expect(backend.sent).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
  })
})
