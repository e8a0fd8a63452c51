import { beforeEach, describe, expect, it, type Mock, onTestFinished, vi } from 'vitest'
import type { AgentEvent } from '../../src/protocol/index.js'
import { getTextContent, TransportError } from '../../src/protocol/index.js'
import type { ChatStore } from '../../src/store/index.js'
import {
  createChatStore,
  selectError,
  selectPhase,
  selectSendBlock,
} from '../../src/store/index.js'
import { createScriptedBackend, page, type ScriptedBackend } from './createScriptedBackend.js'
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

    it('that could not be read for a moment is read by itself', async () => {
      const backend = createScriptedBackend({ stored: [userMessage('u1', 'Hi')] })
      backend.gate = () => Promise.reject(serverError)
      const store = await openStore(backend)
      expect(store.getState().history.phase).toBe('failed')
      backend.gate = () => Promise.resolve()
      await vi.advanceTimersByTimeAsync(150)
      expect(store.getState().history).toMatchObject({ phase: 'ready', error: null })
      expect(texts(store)).toEqual(['Hi'])
      await vi.advanceTimersByTimeAsync(60_000)
      expect(backend.reads).toHaveLength(2)
    })

    it('said "running" before a reply was stored, and the stream came too late to tell of it', async () => {
      const hi = userMessage('u1', 'Hi')
      const backend = createScriptedBackend()
      backend.pages['newest'] = page([hi], { isRunning: true })
      const store = await openStore(backend)
      backend.pages['newest'] = page([hi, storedAnswer('r1', 'Hello')])
      await vi.advanceTimersByTimeAsync(60_000)
      expect(texts(store)).toEqual(['Hi', 'Hello'])
      expect(backend.reads).toHaveLength(2)
      expect(vi.getTimerCount()).toBe(0)
    })

    it('has what the last run left in the log, which tells nothing new', async () => {
      const onAnomaly = vi.fn()
      const leftover = replyEnd('r1')
      const backend = createScriptedBackend({ stored: [storedAnswer('r1', 'Hello')] })
      const store = createChatStore(backend, { onAnomaly })
      onTestFinished(store.connect())
      backend.setConnection({ phase: 'open' })
      backend.emit(leftover)
      await vi.advanceTimersByTimeAsync(60_000)
      expect(texts(store)).toEqual(['Hello'])
      expect(backend.reads).toHaveLength(1)
      expect(onAnomaly).not.toHaveBeenCalled()
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

    describe('in mid-reply', () => {
      const begun = [replyStart('r1'), modelStart('r1'), textStart('r1', 'b1')]
      const heard = textDelta('r1', 'b1', 'He')
      const lost = textDelta('r1', 'b1', 'll')
      const next = textDelta('r1', 'b1', 'o')

      async function comeBack(
        replay: readonly AgentEvent[],
        resume: 'replay' | 'cursor' = 'replay',
      ): Promise<{ backend: ScriptedBackend; store: ChatStore; onAnomaly: Mock }> {
        const onAnomaly = vi.fn()
        const backend = createScriptedBackend({ capabilities: { resume } })
        const store = await openStore(backend, { onAnomaly })
        backend.pages['newest'] = page([], { isRunning: true })
        backend.emit(...begun, heard)
        await vi.advanceTimersByTimeAsync(20)
        backend.setConnection({ phase: 'connecting' })
        backend.setConnection({ phase: 'open' })
        backend.emit(...replay)
        await vi.advanceTimersByTimeAsync(20)
        return { backend, store, onAnomaly }
      }

      it('goes on where the replay begins with what was heard', async () => {
        const { store, onAnomaly } = await comeBack([...begun, heard, lost, next])
        expect(texts(store)).toEqual(['Hello'])
        expect(store.getState().conversation.replies['r1']?.isComplete).toBe(true)
        expect(onAnomaly).not.toHaveBeenCalled()
      })

      it('says that it is incomplete where the replay begins later, until it is stored', async () => {
        const { backend, store, onAnomaly } = await comeBack([next])
        expect(store.getState().conversation.replies['r1']?.isComplete).toBe(false)
        expect(onAnomaly).toHaveBeenCalledWith(expect.objectContaining({ kind: 'gap' }))
        backend.pages['newest'] = page([storedAnswer('r1', 'Hello')])
        backend.emit(replyEnd('r1'))
        await vi.advanceTimersByTimeAsync(1_000)
        expect(texts(store)).toEqual(['Hello'])
        expect(store.getState().conversation.replies['r1']?.isComplete).toBe(true)
      })

      it('believes a stream that keeps its place', async () => {
        const { store, onAnomaly } = await comeBack([lost, next], 'cursor')
        expect(texts(store)).toEqual(['Hello'])
        expect(onAnomaly).not.toHaveBeenCalled()
      })

      it('does not believe it before it has a place, as after it was opened anew', async () => {
        const onAnomaly = vi.fn()
        const backend = createScriptedBackend({ capabilities: { resume: 'cursor' } })
        const store = createChatStore(backend, { onAnomaly })
        const disconnect = store.connect()
        backend.setConnection({ phase: 'open' })
        await settle()
        backend.pages['newest'] = page([], { isRunning: true })
        backend.emit(...begun, heard)
        await vi.advanceTimersByTimeAsync(20)
        disconnect()
        await settle()
        onTestFinished(store.connect())
        backend.setConnection({ phase: 'open' })
        backend.emit(next)
        await vi.advanceTimersByTimeAsync(20)
        expect(store.getState().conversation.replies['r1']?.isComplete).toBe(false)
        expect(onAnomaly).toHaveBeenCalledWith(expect.objectContaining({ kind: 'gap' }))
      })
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
      await vi.advanceTimersByTimeAsync(10_000)
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

    it('does not compare what goes on before it was looked at', async () => {
      const backend = createScriptedBackend({ stored: [userMessage('u1', 'Hi')] })
      const store = await openStore(backend)
      backend.emit(...parkedReply('r1', 't1'))
      await vi.advanceTimersByTimeAsync(100)
      backend.emit(confirmResult('r1', ['t1', true]), replyStart('r1'), modelStart('r1'))
      await vi.advanceTimersByTimeAsync(3_000)
      expect(selectPhase(store.getState())).toBe('streaming')
      expect(backend.reads).toHaveLength(1)
    })

    it('waits for the later end of a reply that ended before', async () => {
      const backend = createScriptedBackend({ stored: [userMessage('u1', 'Hi')] })
      const store = await openStore(backend)
      const early = page([userMessage('u1', 'Hi'), storedAnswer('r1', 'First')], {
        isRunning: true,
      })
      backend.pages['newest'] = early
      backend.emit(...textReply('r1', 'First'))
      await vi.advanceTimersByTimeAsync(3_000)
      backend.emit(replyStart('r1'), textStart('r1', 'b2'), textDelta('r1', 'b2', 'Sec'))
      backend.emit(replyEnd('r1'))
      await vi.advanceTimersByTimeAsync(300)
      backend.pages['newest'] = page([userMessage('u1', 'Hi'), storedAnswer('r1', 'Second')])
      await vi.advanceTimersByTimeAsync(1_000)
      expect(texts(store)).toEqual(['Hi', 'Second'])
      expect(vi.getTimerCount()).toBe(0)
    })

    it('tells what is not stored after several looks, and compares it with the next reply', async () => {
      const onAnomaly = vi.fn()
      const backend = createScriptedBackend()
      const store = await openStore(backend, { onAnomaly })
      backend.runStatus = 'running'
      backend.pages['newest'] = page([userMessage('u1', 'Hi')], { isRunning: true })
      backend.emit(...textReply('r1', 'Hel'))
      await vi.advanceTimersByTimeAsync(120_000)
      expect(backend.reads).toHaveLength(6)
      expect(onAnomaly).toHaveBeenCalledWith(
        expect.objectContaining({ kind: 'not-stored', reply_id: 'r1' }),
      )
      expect(store.getState().history.error).toBeNull()
      const all = [userMessage('u1', 'Hi'), storedAnswer('r1', 'Hello'), storedAnswer('r2', 'Bye')]
      backend.pages['newest'] = page(all)
      backend.emit(...textReply('r2', 'Bye'))
      await vi.advanceTimersByTimeAsync(1_000)
      expect(texts(store)).toEqual(['Hi', 'Hello', 'Bye'])
      expect(backend.reads).toHaveLength(7)
    })

    it('is not tried again when it is refused, and goes on when the person asks', async () => {
      const refused = new TransportError('unauthorized', 'The token expired.', { status: 401 })
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.gate = () => Promise.reject(refused)
      backend.emit(...textReply('r1', 'Hel'))
      await vi.advanceTimersByTimeAsync(120_000)
      expect(backend.reads).toHaveLength(2)
      expect(store.getState().history).toMatchObject({ phase: 'ready', error: refused })
      backend.gate = () => Promise.resolve()
      backend.pages['newest'] = page([storedAnswer('r1', 'Hello')])
      store.commands.retryNow()
      await settle()
      expect(texts(store)).toEqual(['Hello'])
      expect(store.getState().history.error).toBeNull()
    })

    it('asks once for replies that end together', async () => {
      const backend = createScriptedBackend()
      await openStore(backend)
      backend.emit(...textReply('r1', 'Hello'), ...textReply('r2', 'World'))
      await vi.advanceTimersByTimeAsync(60_000)
      expect(backend.reads).toHaveLength(2)
    })
  })

  describe('loss', () => {
    it('that is announced marks what runs, and is looked into once', async () => {
      const onAnomaly = vi.fn()
      const backend = createScriptedBackend({ stored: [userMessage('u1', 'Hi')] })
      const store = await openStore(backend, { onAnomaly })
      backend.pages['newest'] = page([userMessage('u1', 'Hi'), storedAnswer('r0', 'Lost')], {
        isRunning: true,
      })
      backend.emit(replyStart('r1'), textStart('r1', 'b1'), { type: 'kit.gap' })
      await vi.advanceTimersByTimeAsync(20)
      expect(store.getState().conversation.replies['r1']?.isComplete).toBe(false)
      expect(texts(store)).toEqual(['Hi', 'Lost', ''])
      expect(backend.reads).toHaveLength(2)
      expect(onAnomaly).toHaveBeenCalledWith(expect.objectContaining({ kind: 'gap' }))
    })

    it('of all but the end of a reply is made good', async () => {
      const backend = createScriptedBackend({ stored: [userMessage('u1', 'Hi')] })
      const store = await openStore(backend)
      backend.pages['newest'] = page([userMessage('u1', 'Hi')], { isRunning: true })
      backend.emit(replyEnd('r1'))
      await vi.advanceTimersByTimeAsync(200)
      backend.pages['newest'] = page([userMessage('u1', 'Hi'), storedAnswer('r1', 'Hello')])
      await vi.advanceTimersByTimeAsync(1_000)
      expect(texts(store)).toEqual(['Hi', 'Hello'])
      await vi.advanceTimersByTimeAsync(10_000)
      expect(vi.getTimerCount()).toBe(0)
    })
  })

  describe('another tab', () => {
    it('asked: its words are shown as soon as the reply begins, above it', async () => {
      const backend = createScriptedBackend({ stored: [storedAnswer('r0', 'Before')] })
      const store = await openStore(backend)
      const asked = page([storedAnswer('r0', 'Before'), userMessage('u1', 'Hi')], {
        isRunning: true,
      })
      backend.pages['newest'] = asked
      backend.emit(replyStart('r1'), modelStart('r1'), textStart('r1', 'b1'))
      await vi.advanceTimersByTimeAsync(20)
      backend.emit(textDelta('r1', 'b1', 'Hello'))
      await vi.advanceTimersByTimeAsync(20)
      expect(texts(store)).toEqual(['Before', 'Hi', 'Hello'])
      expect(backend.reads).toHaveLength(2)
    })

    it('is not suspected when this one asked, or when a hint set the reply off', async () => {
      const backend = createScriptedBackend({ stored: [storedAnswer('r0', 'Before')] })
      const store = await openStore(backend)
      await store.commands.send('Hi')
      backend.emit(replyStart('r1'), modelStart('r1'))
      await vi.advanceTimersByTimeAsync(20)
      const hint: AgentEvent = { type: 'HINT_BLOCK', reply_id: 'r2', block_id: 'h', hint: 'Done.' }
      backend.emit(replyStart('r2'), hint)
      await vi.advanceTimersByTimeAsync(20)
      expect(backend.reads).toHaveLength(1)
    })
  })

  describe('a conversation that is gone', () => {
    const gone = new TransportError('not-found', 'No such session.', { status: 404 })

    it('by word of what was sent is looked at, and ends the stream', async () => {
      const backend = createScriptedBackend({ stored: [storedParked('r1', 't1')] })
      const store = await openStore(backend)
      const [request] = store.getState().conversation.requests
      backend.gate = () => Promise.reject(gone)
      await store.commands.confirm({ request: request?.key ?? '', approve: true })
      expect(store.getState()).toMatchObject({
        connection: { phase: 'failed', cause: gone },
        conversation: { requests: [] },
        sends: {},
      })
      expect([backend.openNow, backend.reads.length]).toEqual([0, 2])
    })

    it('takes messages and answers all the same, which have no effect for certain', async () => {
      const backend = createScriptedBackend({ stored: [storedParked('r1', 't1')] })
      const store = await openStore(backend)
      const [request] = store.getState().conversation.requests
      await store.commands.confirm({ request: request?.key ?? '', approve: true })
      backend.gate = (what) => (what === 'answer' ? Promise.resolve() : Promise.reject(gone))
      expect(selectPhase(store.getState())).toBe('streaming')
      await vi.advanceTimersByTimeAsync(4_000)
      expect(store.getState()).toMatchObject({
        connection: { phase: 'failed', cause: gone },
        conversation: { requests: [] },
        sends: {},
      })

      expect(store.getState().conversation.replies['r1']?.phase).not.toBe('running')
      expect(vi.getTimerCount()).toBe(0)

      const other = createScriptedBackend()
      const second = await openStore(other)
      await second.commands.send('Hi')
      other.gate = () => Promise.reject(gone)
      await vi.advanceTimersByTimeAsync(4_000)
      expect(Object.values(second.getState().sends)).toMatchObject([
        { phase: 'failed', error: gone, isSure: true },
      ])
      expect(selectPhase(second.getState())).toBe('failed')
    })

    it('goes on where only the status is not to be had', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      await store.commands.send('Hi')
      backend.pages['newest'] = page(store.getState().conversation.messages)
      backend.gate = (what) => (what === 'status' ? Promise.reject(gone) : Promise.resolve())
      await vi.advanceTimersByTimeAsync(4_000)
      expect(store.getState()).toMatchObject({ sends: {}, error: null })
      expect(selectPhase(store.getState())).toBe('idle')
    })

    it('by word of what was sent is believed only when a page says so too', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.gate = (what) => (what === 'send' ? Promise.reject(gone) : Promise.resolve())
      await store.commands.send('Hi')
      expect(store.getState().connection.phase).toBe('open')
      expect(Object.values(store.getState().sends)).toMatchObject([
        { phase: 'failed', error: gone, isSure: true },
      ])
    })

    it('by word of a page ends the stream and says so; what is shown stays', async () => {
      const onError = vi.fn()
      const backend = createScriptedBackend()
      const store = await openStore(backend, { onError })
      backend.gate = () => Promise.reject(gone)
      backend.emit(...textReply('r1', 'Hello'), replyStart('r2'), modelStart('r2'))
      await vi.advanceTimersByTimeAsync(120_000)
      expect(store.getState().connection).toEqual({ phase: 'failed', cause: gone })
      expect(store.getState().conversation.replies['r2']?.phase).toBe('ended')
      expect(texts(store)).toEqual(['Hello', null])
      expect(onError.mock.calls).toEqual([[gone]])
      expect([backend.openNow, backend.reads.length, vi.getTimerCount()]).toEqual([0, 2, 0])
    })

    it('asks nothing any more, until the person tries again and it is back', async () => {
      const backend = createScriptedBackend({ stored: [storedParked('r1', 't1')] })
      const store = await openStore(backend)
      backend.setConnection({ phase: 'failed', cause: gone })
      expect(store.getState().conversation.requests).toEqual([])
      expect(selectSendBlock(store.getState(), backend.capabilities)).toBe('gone')
      store.commands.retryNow()
      backend.setConnection({ phase: 'open' })
      await settle()
      expect(store.getState().conversation.requests).toMatchObject([{ replyId: 'r1' }])
      expect(selectSendBlock(store.getState(), backend.capabilities)).toBe('awaiting-person')
    })

    it('by word of the stream is not asked for again, until the person wants to', async () => {
      const onError = vi.fn()
      const backend = createScriptedBackend()
      const store = createChatStore(backend, { onError })
      onTestFinished(store.connect())
      backend.setConnection({ phase: 'failed', cause: gone })
      await vi.advanceTimersByTimeAsync(120_000)
      expect(backend.reads).toEqual([])
      expect(selectPhase(store.getState())).toBe('failed')
      expect(onError.mock.calls).toEqual([[gone]])
      store.commands.retryNow()
      backend.setConnection({ phase: 'open' })
      await settle()
      expect([backend.opened, backend.openNow]).toEqual([2, 1])
      expect(store.getState().connection.phase).toBe('open')
      expect(store.getState().history.phase).toBe('ready')
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

    it('is not broken by a look at what was said before', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.emit(...textReply('r1', 'Hello'))
      backend.pages['newest'] = page([storedAnswer('r1', 'Hello')])
      await store.commands.send('Hi')
      const [id = ''] = Object.keys(store.getState().sends)
      await vi.advanceTimersByTimeAsync(10_000)
      expect(store.getState().sends[id]).toMatchObject({ phase: 'failed', isSure: true })
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
      const refused = new TransportError('unauthorized', 'Not yours.', { status: 403 })
      backend.gate = (what) => (what === 'status' ? Promise.reject(refused) : Promise.resolve())
      await store.commands.send('Hi')
      await vi.advanceTimersByTimeAsync(4_000)
      expect(selectPhase(store.getState())).toBe('idle')
      expect(selectError(store.getState())).toBe(refused)
      expect(Object.values(store.getState().sends)).toEqual([
        { phase: 'failed', error: refused, isSure: false },
      ])
      expect(onError.mock.calls).toEqual([[refused]])
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
