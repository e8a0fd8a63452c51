import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { getTextContent, TransportError } from '../../src/protocol/index.js'
import type { ChatStore } from '../../src/store/index.js'
import { createChatStore, selectError, selectPhase } from '../../src/store/index.js'
import { createScriptedBackend, page } from './createScriptedBackend.js'
import {
  confirmResult,
  modelStart,
  parkedReply,
  replyEnd,
  replyStart,
  storedAnswer,
  storedParked,
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

const serverError = new TransportError('server', 'The server failed.', { status: 500 })

function texts(store: ChatStore): (string | null)[] {
  return store.getState().conversation.messages.map((message) => getTextContent(message))
}

describe('createSync', () => {
  describe('history', () => {
    it('is read once the stream is open, not before', async () => {
      const backend = createScriptedBackend({ stored: [userMessage('u1', 'Hi')] })
      const store = createChatStore(backend)
      onTestFinished(store.connect())
      backend.setConnection({ phase: 'connecting' })
      await settle()
      expect(backend.reads).toEqual([])
      expect(selectPhase(store.getState())).toBe('loading')
      backend.setConnection({ phase: 'open' })
      await settle()
      expect(backend.reads).toEqual([undefined])
      expect(store.getState().history).toMatchObject({ phase: 'ready', hasMore: false })
      expect(selectPhase(store.getState())).toBe('idle')
    })

    it('is shown while the stream takes long to open, and read once more when it has', async () => {
      const backend = createScriptedBackend({ stored: [userMessage('u1', 'Hi')] })
      const store = createChatStore(backend)
      onTestFinished(store.connect())
      backend.setConnection({ phase: 'connecting' })
      await vi.advanceTimersByTimeAsync(1_999)
      expect(backend.reads).toEqual([])
      await vi.advanceTimersByTimeAsync(1)
      expect(texts(store)).toEqual(['Hi'])
      expect(store.getState().connection.phase).toBe('connecting')
      backend.pages['newest'] = page([userMessage('u1', 'Hi'), storedAnswer('r1', 'Hello')])
      backend.setConnection({ phase: 'open' })
      await settle()
      backend.emit(...textReply('r1', 'Hello'))
      await vi.advanceTimersByTimeAsync(60_000)
      expect(store.getState().connection.phase).toBe('open')
      expect(texts(store)).toEqual(['Hi', 'Hello'])
    })

    it('is read again when the stream opens while it is read', async () => {
      const backend = createScriptedBackend({ stored: [userMessage('u1', 'Hi')] })
      const gate = createGate()
      backend.gate = () => gate.promise
      const store = createChatStore(backend)
      onTestFinished(store.connect())
      await vi.advanceTimersByTimeAsync(2_000)
      backend.setConnection({ phase: 'open' })
      backend.emit(...textReply('r1', 'Hello'))
      expect(texts(store)).toEqual([])
      backend.pages['newest'] = page([userMessage('u1', 'Hi'), storedAnswer('r1', 'Hello')])
      gate.open()
      await settle()
      expect(backend.reads).toHaveLength(2)
      expect(texts(store)).toEqual(['Hi', 'Hello'])
    })

    it('is shown although the stream cannot be opened', async () => {
      const backend = createScriptedBackend({ stored: [userMessage('u1', 'Hi')] })
      const onError = vi.fn()
      const store = createChatStore(backend, { onError })
      onTestFinished(store.connect())
      const cause = new TransportError('not-a-stream', 'A login page came.')
      backend.setConnection({ phase: 'failed', cause })
      await settle()
      expect(texts(store)).toEqual(['Hi'])
      expect(selectPhase(store.getState())).toBe('failed')
      expect(selectError(store.getState())).toBe(cause)
      expect(onError.mock.calls).toEqual([[cause]])
    })

    it('that cannot be read does not stop the stream, and is read again on demand', async () => {
      const onError = vi.fn()
      const backend = createScriptedBackend({ stored: [userMessage('u1', 'Hi')] })
      backend.gate = () => Promise.reject(serverError)
      const store = await openStore(backend, { onError })
      expect(store.getState().history).toMatchObject({ phase: 'failed', error: serverError })
      expect(selectPhase(store.getState())).toBe('failed')
      expect(onError.mock.calls).toEqual([[serverError]])
      backend.emit(...textReply('r1', 'Hello'))
      expect(texts(store)).toEqual(['Hello'])

      backend.gate = () => Promise.resolve()
      backend.pages['newest'] = page([userMessage('u1', 'Hi'), storedAnswer('r1', 'Hello')])
      store.commands.retryNow()
      await settle()
      expect(store.getState().history).toMatchObject({ phase: 'ready', error: null })
      expect(texts(store)).toEqual(['Hi', 'Hello'])
      expect(backend.retried).toBe(0)
    })

    it('is read page by page towards the past', async () => {
      const backend = createScriptedBackend()
      backend.pages = {
        newest: page([userMessage('u3', 'three')], { hasMore: true }),
        u3: page([userMessage('u2', 'two')], { hasMore: true }),
        u2: page([userMessage('u1', 'one')]),
      }
      const store = await openStore(backend, { pageSize: 1 })
      expect(store.getState().history.hasMore).toBe(true)
      const loading = store.commands.loadOlder()
      expect(store.getState().history.isLoadingOlder).toBe(true)
      await Promise.all([loading, store.commands.loadOlder()])
      expect(texts(store)).toEqual(['two', 'three'])
      await store.commands.loadOlder()
      await store.commands.loadOlder()
      expect(texts(store)).toEqual(['one', 'two', 'three'])
      expect(backend.reads).toEqual([undefined, 'u3', 'u2'])
      expect(store.getState().history).toMatchObject({ hasMore: false, isLoadingOlder: false })
    })

    it('can be asked for an older page again when that failed', async () => {
      const backend = createScriptedBackend()
      backend.pages['newest'] = page([userMessage('u2', 'two')], { hasMore: true })
      backend.pages['u2'] = page([userMessage('u1', 'one')])
      const store = await openStore(backend)
      backend.gate = () => Promise.reject(serverError)
      await store.commands.loadOlder()
      expect(store.getState().history).toMatchObject({
        hasMore: true,
        isLoadingOlder: false,
        error: serverError,
      })
      backend.gate = () => Promise.resolve()
      await store.commands.loadOlder()
      expect(texts(store)).toEqual(['one', 'two'])
      expect(store.getState().history.error).toBeNull()
    })
  })

  describe('reconnect', () => {
    it('reads the newest page again and shows what was missed', async () => {
      const backend = createScriptedBackend({ stored: [userMessage('u1', 'Hi')] })
      const store = await openStore(backend)
      backend.setConnection({ phase: 'waiting', retryAt: 1, cause: serverError })
      expect(store.getState().connection.phase).toBe('waiting')
      backend.pages['newest'] = page([userMessage('u1', 'Hi'), storedAnswer('r1', 'Hello')])
      backend.setConnection({ phase: 'connecting' })
      backend.setConnection({ phase: 'open' })
      expect(store.getState().connection.phase).toBe('catching-up')
      await settle()
      expect(store.getState().connection.phase).toBe('open')
      expect(texts(store)).toEqual(['Hi', 'Hello'])
    })

    it('does not fall back to the parked message of a reply that goes on', async () => {
      const parked = storedParked('r1', 't1')
      const backend = createScriptedBackend({ stored: [parked] })
      const store = await openStore(backend)
      const going = [
        confirmResult('r1', ['t1', true]),
        replyStart('r1'),
        modelStart('r1'),
        textStart('r1', 'b1'),
        textDelta('r1', 'b1', 'Going'),
      ]
      backend.emit(...going)
      await vi.advanceTimersByTimeAsync(20)
      backend.pages['newest'] = page([parked], { isRunning: true })
      backend.setConnection({ phase: 'connecting' })
      backend.setConnection({ phase: 'open' })
      backend.emit(...going, textDelta('r1', 'b1', ' on'))
      await vi.advanceTimersByTimeAsync(20)
      expect(texts(store)).toEqual(['Going on'])
      expect(store.getState().conversation.requests).toEqual([])
    })

    it('tries at once when the person asks', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      store.commands.retryNow()
      expect(backend.retried).toBe(0)
      backend.setConnection({ phase: 'waiting', retryAt: 1, cause: serverError })
      store.commands.retryNow()
      expect(backend.retried).toBe(1)
    })

    it('opens the newer backend when the old one was given up', async () => {
      const cause = new TransportError('unauthorized', 'The token expired.', { status: 401 })
      const backend = createScriptedBackend()
      const newer = createScriptedBackend()
      const store = await openStore(backend)
      backend.setConnection({ phase: 'failed', cause })
      store.adopt(newer)
      store.commands.retryNow()
      expect([backend.openNow, newer.openNow]).toEqual([0, 1])
      newer.setConnection({ phase: 'open' })
      await settle()
      expect(store.getState().connection.phase).toBe('open')
    })
  })

  describe('comparison', () => {
    it('asks once per reply that ended, and keeps the very message when it is equal', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.emit(...textReply('r1', 'Hello'))
      const [message] = store.getState().conversation.messages
      backend.pages['newest'] = page(
        message ? [{ ...message, created_at: '2026-01-01T09:09:09' }] : [],
      )
      await vi.advanceTimersByTimeAsync(60_000)
      expect(backend.reads).toHaveLength(2)
      expect(store.getState().conversation.messages[0]).toBe(message)
    })

    it('waits until the reply is stored', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.pages['newest'] = page([userMessage('u1', 'Hi')], { isRunning: true })
      backend.emit(...textReply('r1', 'Hel'))
      await vi.advanceTimersByTimeAsync(1_000)
      expect(texts(store)).toContain('Hel')
      backend.pages['newest'] = page([userMessage('u1', 'Hi'), storedAnswer('r1', 'Hello')])
      await vi.advanceTimersByTimeAsync(1_000)
      expect(texts(store)).toContain('Hello')
      const { length } = backend.reads
      await vi.advanceTimersByTimeAsync(60_000)
      expect(backend.reads).toHaveLength(length)
    })

    it('says so when it gives up after a few tries, and goes on when the person asks', async () => {
      const onError = vi.fn()
      const backend = createScriptedBackend()
      const store = await openStore(backend, { onError })
      backend.gate = () => Promise.reject(serverError)
      backend.emit(...textReply('r1', 'Hello'))
      await vi.advanceTimersByTimeAsync(120_000)
      expect(backend.reads).toHaveLength(6)
      expect(texts(store)).toEqual(['Hello'])
      expect(vi.getTimerCount()).toBe(0)
      expect(store.getState().history).toMatchObject({ phase: 'ready', error: serverError })
      expect(onError.mock.calls).toEqual([[serverError]])

      backend.gate = () => Promise.resolve()
      backend.pages['newest'] = page([storedAnswer('r1', 'Hello, you')])
      store.commands.retryNow()
      await vi.advanceTimersByTimeAsync(60_000)
      expect(backend.reads).toHaveLength(7)
      expect(texts(store)).toEqual(['Hello, you'])
      expect(store.getState().history.error).toBeNull()
    })

    it('goes on after a reconnect when it had given up', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.gate = () => Promise.reject(serverError)
      backend.emit(...textReply('r1', 'Hel'))
      await vi.advanceTimersByTimeAsync(120_000)
      backend.gate = () => Promise.resolve()
      backend.pages['newest'] = page([], { isRunning: true })
      backend.setConnection({ phase: 'connecting' })
      backend.setConnection({ phase: 'open' })
      await settle()
      expect(store.getState().history.error).toBeNull()
      backend.pages['newest'] = page([storedAnswer('r1', 'Hello')])
      await vi.advanceTimersByTimeAsync(1_000)
      expect(texts(store)).toEqual(['Hello'])
      expect(vi.getTimerCount()).toBe(0)
    })

    it('compares a reply that parked', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.emit(...parkedReply('r1', 't1'))
      const [message] = store.getState().conversation.messages
      backend.pages['newest'] = page(message ? [message] : [])
      await vi.advanceTimersByTimeAsync(60_000)
      expect(backend.reads).toHaveLength(2)
      expect(store.getState().conversation.requests).toHaveLength(1)
    })

    it('asks once for replies that end together', async () => {
      const backend = createScriptedBackend()
      await openStore(backend)
      backend.emit(...textReply('r1', 'Hello'), ...textReply('r2', 'World'))
      await vi.advanceTimersByTimeAsync(60_000)
      expect(backend.reads).toHaveLength(2)
    })
  })

  describe('silence', () => {
    it('settles a start that nothing follows', async () => {
      const onAnomaly = vi.fn()
      const backend = createScriptedBackend()
      const store = await openStore(backend, { onAnomaly })
      backend.emit(replyStart('r1'))
      await vi.advanceTimersByTimeAsync(300)
      expect(selectPhase(store.getState())).toBe('idle')
      await vi.advanceTimersByTimeAsync(4_000)
      expect(backend.asked).toBe(1)
      expect(store.getState().conversation.replies['r1']?.phase).not.toBe('running')
      expect(onAnomaly).toHaveBeenCalledWith(expect.objectContaining({ kind: 'phantom-reply' }))
      await vi.advanceTimersByTimeAsync(120_000)
      expect(backend.asked).toBe(1)
    })

    it('settles a known reply that starts again and goes no further', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.emit(...textReply('r1', 'Hello'))
      const [message] = store.getState().conversation.messages
      backend.pages['newest'] = page(message ? [message] : [])
      await vi.advanceTimersByTimeAsync(1_000)
      backend.emit(replyStart('r1'))
      await vi.advanceTimersByTimeAsync(9_000)
      expect(selectPhase(store.getState())).toBe('idle')
      expect(texts(store)).toEqual(['Hello'])
    })

    it('asks less and less often while the server still works', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.runStatus = 'running'
      backend.emit(replyStart('r1'), modelStart('r1'))
      await vi.advanceTimersByTimeAsync(60_500)
      expect(backend.asked).toBe(4)
      expect(selectPhase(store.getState())).toBe('streaming')
      backend.emit(replyEnd('r1'))
      await vi.advanceTimersByTimeAsync(120_000)
      expect(backend.asked).toBe(4)
      expect(vi.getTimerCount()).toBe(0)
    })

    it('is not asked about while events come', async () => {
      const backend = createScriptedBackend()
      await openStore(backend)
      backend.emit(replyStart('r1'), textStart('r1', 'b1'))
      for (let n = 0; n < 10; n += 1) {
        await vi.advanceTimersByTimeAsync(3_000)
        backend.emit(textDelta('r1', 'b1', '.'))
      }
      expect(backend.asked).toBe(0)
    })

    it('settles a message that the server took and nobody answers', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      await store.commands.send('Hi')
      expect(selectPhase(store.getState())).toBe('streaming')
      backend.pages['newest'] = page(store.getState().conversation.messages)
      await vi.advanceTimersByTimeAsync(4_000)
      expect(selectPhase(store.getState())).toBe('idle')
      expect(texts(store)).toEqual(['Hi'])
      expect(store.getState().sends).toEqual({})
    })

    it('settles with the status alone where nothing is stored', async () => {
      const backend = createScriptedBackend({ capabilities: { history: false } })
      const store = await openStore(backend)
      backend.emit(replyStart('r1'), modelStart('r1'))
      await vi.advanceTimersByTimeAsync(5_000)
      expect(selectPhase(store.getState())).toBe('idle')
    })

    it('fails what was sent when the server refuses to say where it stands', async () => {
      const onError = vi.fn()
      const backend = createScriptedBackend()
      const store = await openStore(backend, { onError })
      const gone = new TransportError('not-found', 'No such session.', { status: 404 })
      backend.gate = (what) => (what === 'status' ? Promise.reject(gone) : Promise.resolve())
      await store.commands.send('Hi')
      await vi.advanceTimersByTimeAsync(4_000)
      expect(selectPhase(store.getState())).toBe('idle')
      expect(selectError(store.getState())).toBe(gone)
      expect(Object.values(store.getState().sends)).toEqual([
        { phase: 'failed', error: gone, isSure: false },
      ])
      expect(onError.mock.calls).toEqual([[gone]])
      await vi.advanceTimersByTimeAsync(120_000)
      expect(backend.asked).toBe(1)

      const [id = ''] = Object.keys(store.getState().sends)
      backend.gate = () => Promise.resolve()
      await store.commands.retry(id)
      expect(store.getState().error).toBeNull()
      backend.emit(...textReply('r1', 'Hello'))
      expect(backend.sent).toHaveLength(2)
      expect(store.getState().sends).toEqual({})
    })

    it('ends a reply and a stop when what is stored may no longer be read', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.emit(replyStart('r1'), textStart('r1', 'b1'), textDelta('r1', 'b1', 'Hel'))
      await vi.advanceTimersByTimeAsync(20)
      await store.commands.interrupt()
      expect(selectPhase(store.getState())).toBe('interrupting')
      const refused = new TransportError('unauthorized', 'Not yours.', { status: 403 })
      backend.gate = (what) => (what === 'history' ? Promise.reject(refused) : Promise.resolve())
      await vi.advanceTimersByTimeAsync(9_000)
      expect(selectPhase(store.getState())).toBe('idle')
      expect(store.getState()).toMatchObject({ isInterrupting: false, error: refused })
      expect(texts(store)).toEqual(['Hel'])
    })

    it('asks again when the server cannot be asked', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.emit(replyStart('r1'), modelStart('r1'))
      backend.gate = () => Promise.reject(serverError)
      await vi.advanceTimersByTimeAsync(5_000)
      expect(selectPhase(store.getState())).toBe('streaming')
      backend.gate = () => Promise.resolve()
      await vi.advanceTimersByTimeAsync(8_000)
      expect(selectPhase(store.getState())).toBe('idle')
    })
  })
})
