import { beforeEach, describe, expect, it, vi } from 'vitest'
import { TransportError } from '../../src/protocol/index.js'
import type { ConfirmAnswer, ConversationInput } from '../../src/protocol/index.js'
import type { ChatStore } from '../../src/store/index.js'
import { selectPhase } from '../../src/store/index.js'
import type { ScriptedBackend } from './createScriptedBackend.js'
import { createScriptedBackend, page } from './createScriptedBackend.js'
import {
  asking,
  call,
  confirmResult,
  modelStart,
  parkedReply,
  replyEnd,
  replyStart,
  requireConfirm,
  requireExternal,
  storedParked,
} from './events.js'
import { createGate, openStore, settle } from './openStore.js'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

const serverError = new TransportError('server', 'The server failed.', { status: 500 })

function keyOf(store: ChatStore, callId: string): string {
  const found = store
    .getState()
    .conversation.requests.find(
      (request) => request.kind !== 'input' && request.toolCall.id === callId,
    )
  return found?.key ?? `no request for ${callId}`
}

function confirms(backend: ScriptedBackend): [string, boolean][][] {
  return backend.answered.map((answer) =>
    answer.kind === 'confirm'
      ? answer.results.map(({ tool_call, confirmed }): [string, boolean] => [
          tool_call.id,
          confirmed,
        ])
      : [],
  )
}

describe('createAnswers', () => {
  describe('confirm', () => {
    it('sends the call back exactly as it was asked', async () => {
      const asked = {
        ...asking('t1', '{ "path" : "/data/a", "n": 1.0, "big": 12345678901234567890 }'),
        unknown_field: 'keep me',
      }
      const require = { ...requireConfirm('r1'), tool_calls: [asked] }
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.emit(replyStart('r1'), ...call('r1', 't1', ''), require)
      await store.commands.confirm({ request: keyOf(store, 't1'), approve: true })
      expect(backend.answered).toMatchObject([
        { kind: 'confirm', reply_id: 'r1', results: [{ confirmed: true }] },
      ])
      const [answer] = backend.answered
      expect(answer?.kind === 'confirm' && answer.results[0]?.tool_call).toBe(asked)
    })

    it('replaces only the arguments when they were edited', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.emit(...parkedReply('r1', 't1'))
      const input = '{"cmd": "ls -l"}'
      await store.commands.confirm({ request: keyOf(store, 't1'), approve: true, input })
      const [answer] = backend.answered
      expect(answer?.kind === 'confirm' && answer.results).toEqual([
        { confirmed: true, tool_call: { ...asking('t1'), input } },
      ])
    })

    it('sends rules with an approval and drops them from a denial', async () => {
      const rules = [
        { tool_name: 'shell', rule_content: 'ls:*', behavior: 'allow', source: 'suggested' },
      ]
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.emit(...parkedReply('r1', 't1', 't2'))
      await store.commands.confirm([
        { request: keyOf(store, 't1'), approve: true, rules },
        { request: keyOf(store, 't2'), approve: false, rules },
      ])
      const [answer] = backend.answered
      expect(answer?.kind === 'confirm' && answer.results).toEqual([
        { confirmed: true, tool_call: asking('t1'), rules },
        { confirmed: false, tool_call: asking('t2') },
      ])
    })

    it('sends one answer for two clicks in one tick, and for two cards of one call', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.emit(...parkedReply('r1', 't1'))
      const [request] = store.getState().conversation.requests
      const key = keyOf(store, 't1')
      await Promise.all([
        store.commands.confirm({ request: key, approve: true }),
        store.commands.confirm({ request: key, approve: true }),
        ...(request?.kind === 'confirm'
          ? [store.commands.confirm({ request, approve: false })]
          : []),
      ])
      await store.commands.confirm({ request: key, approve: true })
      expect(confirms(backend)).toEqual([[['t1', true]]])
      expect(store.getState().sends[key]).toMatchObject({
        phase: 'sent',
        decision: { approve: true },
      })
      expect(selectPhase(store.getState())).toBe('streaming')
    })

    it('keeps a decision that failed, and sends it again under the same id', async () => {
      const onError = vi.fn()
      const backend = createScriptedBackend()
      const store = await openStore(backend, { onError })
      backend.emit(...parkedReply('r1', 't1'))
      const key = keyOf(store, 't1')
      backend.gate = () => Promise.reject(serverError)
      await store.commands.confirm({ request: key, approve: true })
      expect(store.getState().sends[key]).toMatchObject({
        phase: 'failed',
        error: serverError,
        decision: { approve: true },
      })
      expect(onError.mock.calls).toEqual([[serverError]])
      expect(selectPhase(store.getState())).toBe('awaiting-person')

      backend.gate = () => Promise.resolve()
      await store.commands.confirm({ request: key, approve: true })
      expect(backend.answered).toHaveLength(2)
      expect(backend.answered[1]).toEqual(backend.answered[0])
    })

    it('sends the same again on retry, and another id for another decision', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.emit(...parkedReply('r1', 't1'))
      const key = keyOf(store, 't1')
      backend.gate = (what) => (what === 'answer' ? Promise.reject(serverError) : Promise.resolve())
      await store.commands.confirm({ request: key, approve: true })
      await store.commands.retry(key)
      backend.gate = () => Promise.resolve()
      await store.commands.confirm({ request: key, approve: false })
      const ids = backend.answered.map(({ id }) => id)
      expect(ids[1]).toBe(ids[0])
      expect(ids[2]).not.toBe(ids[0])
      expect(confirms(backend)).toEqual([[['t1', true]], [['t1', true]], [['t1', false]]])
    })

    it('settles when the echo comes, though the answer to the request was lost', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.emit(...parkedReply('r1', 't1'))
      const gate = createGate()
      backend.gate = () => gate.promise
      const confirming = store.commands.confirm({ request: keyOf(store, 't1'), approve: true })
      backend.emit(confirmResult('r1', ['t1', true]), replyStart('r1'), modelStart('r1'))
      gate.fail(serverError)
      await confirming
      expect(store.getState()).toMatchObject({ sends: {}, error: null })
      expect(store.getState().conversation.requests).toEqual([])
    })

    it('leaves alone what was answered in another tab', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.emit(...parkedReply('r1', 't1'))
      const key = keyOf(store, 't1')
      backend.emit(confirmResult('r1', ['t1', false]))
      expect(store.getState().conversation.requests).toEqual([])
      await store.commands.confirm({ request: key, approve: true })
      expect(backend.answered).toEqual([])
    })

    it('sends decisions one by one where the backend takes that, together when given together', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.emit(...parkedReply('r1', 't1', 't2', 't3'))
      await store.commands.confirm({ request: keyOf(store, 't2'), approve: true })
      await store.commands.confirm([
        { request: keyOf(store, 't3'), approve: false },
        { request: keyOf(store, 't1'), approve: true },
      ])
      expect(confirms(backend)).toEqual([
        [['t2', true]],
        [
          ['t1', true],
          ['t3', false],
        ],
      ])
    })

    it('waits for all decisions of the reply where the backend wants them whole', async () => {
      const backend = createScriptedBackend({ capabilities: { partialAnswers: false } })
      const store = await openStore(backend)
      backend.emit(...parkedReply('r1', 't1', 't2', 't3'))
      const [first, second, third] = ['t1', 't2', 't3'].map((id) => keyOf(store, id))
      await store.commands.confirm({ request: first ?? '', approve: false })
      await store.commands.confirm({ request: third ?? '', approve: false })
      await store.commands.confirm({ request: first ?? '', approve: true })
      expect(backend.answered).toEqual([])
      expect(store.getState().sends).toMatchObject({
        [first ?? '']: { phase: 'held', decision: { approve: true } },
        [third ?? '']: { phase: 'held', decision: { approve: false } },
      })
      expect(selectPhase(store.getState())).toBe('awaiting-person')
      await store.commands.confirm({ request: second ?? '', approve: true })
      expect(confirms(backend)).toEqual([
        [
          ['t1', true],
          ['t2', true],
          ['t3', false],
        ],
      ])
    })

    it('sends all decisions again when they failed together and one is made again', async () => {
      const backend = createScriptedBackend({ capabilities: { partialAnswers: false } })
      const store = await openStore(backend)
      backend.emit(...parkedReply('r1', 't1', 't2'))
      backend.gate = () => Promise.reject(serverError)
      const [first = '', second = ''] = ['t1', 't2'].map((id) => keyOf(store, id))
      await store.commands.confirm({ request: first, approve: true })
      await store.commands.confirm({ request: second, approve: false })
      expect(store.getState().sends).toMatchObject({
        [first]: { phase: 'failed' },
        [second]: { phase: 'failed' },
      })
      backend.gate = () => Promise.resolve()
      await store.commands.confirm({ request: first, approve: true })
      expect(backend.answered).toHaveLength(2)
      expect(backend.answered[1]).toEqual(backend.answered[0])
    })

    it('gives up a held decision', async () => {
      const backend = createScriptedBackend({ capabilities: { partialAnswers: false } })
      const store = await openStore(backend)
      backend.emit(...parkedReply('r1', 't1', 't2'))
      await store.commands.confirm({ request: keyOf(store, 't1'), approve: true })
      store.commands.discard(keyOf(store, 't1'))
      await store.commands.confirm({ request: keyOf(store, 't2'), approve: true })
      expect(backend.answered).toEqual([])
      expect(Object.keys(store.getState().sends)).toEqual([keyOf(store, 't2')])
    })

    it('throws for what the backend cannot take, and for a request of another kind', async () => {
      const backend = createScriptedBackend({
        capabilities: { editArguments: false, rules: false },
      })
      const store = await openStore(backend)
      backend.emit(replyStart('r1'), ...call('r1', 't1'), requireExternal('r1', 't1'))
      const request = keyOf(store, 't1')
      const { confirm } = store.commands
      expect(() => confirm({ request, approve: true, input: '{}' })).toThrow(/edited arguments/)
      expect(() => confirm({ request, approve: true, rules: [] })).toThrow(/permission rules/)
      expect(() => confirm({ request, approve: true })).toThrow(/submitResults/)
      expect(backend.answered).toEqual([])
    })

    it('shows what waits after a reload, and answers it', async () => {
      const onRequest = vi.fn()
      const backend = createScriptedBackend({ stored: [storedParked('r1', 't1')] })
      const store = await openStore(backend, { onRequest })
      expect(selectPhase(store.getState())).toBe('awaiting-person')
      expect(onRequest).toHaveBeenCalledTimes(1)
      await store.commands.confirm({ request: keyOf(store, 't1'), approve: true })
      expect(confirms(backend)).toEqual([[['t1', true]]])
      backend.emit(
        confirmResult('r1', ['t1', true]),
        replyStart('r1'),
        modelStart('r1'),
        replyEnd('r1'),
      )
      expect(store.getState().sends).toEqual({})
      expect(selectPhase(store.getState())).toBe('idle')
    })

    it('answers a sub-agent under its own reply', async () => {
      const asks: ConversationInput = {
        id: 'worker-asks',
        created_at: '2026-01-01T00:00:01.000000',
        type: 'CUSTOM',
        name: 'subagent_require_user_confirm',
        value: {
          worker_session_id: 'ws',
          worker_agent_id: 'wa',
          worker_agent_name: 'Worker',
          reply_id: 'wr',
          event_type: 'require_user_confirm',
          event: JSON.parse(JSON.stringify(requireConfirm('wr', 't1'))),
        },
      }
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.emit(asks)
      await vi.advanceTimersByTimeAsync(300)
      await store.commands.confirm({ request: keyOf(store, 't1'), approve: false })
      expect(backend.answered).toMatchObject([{ reply_id: 'wr', results: [{ confirmed: false }] }])
    })

    it('lets a person decide again when the server never took up the answer', async () => {
      const parked = storedParked('r1', 't1')
      const backend = createScriptedBackend({ stored: [parked] })
      const store = await openStore(backend)
      const request = keyOf(store, 't1')
      await store.commands.confirm({ request, approve: true })
      backend.runStatus = 'awaiting-confirm'
      backend.pages['newest'] = page([parked])
      await vi.advanceTimersByTimeAsync(4_000)
      expect(store.getState().sends[request]).toMatchObject({ phase: 'failed', isSure: true })
      await store.commands.confirm({ request, approve: true })
      const ids = backend.answered.map((answer: ConfirmAnswer | { id: string }) => answer.id)
      expect(ids[1]).toBe(ids[0])
    })
  })

  describe('submitResults', () => {
    it('sends a result under its call', async () => {
      const backend = createScriptedBackend()
      const store = await openStore(backend)
      backend.emit(replyStart('r1'), ...call('r1', 't1'), requireExternal('r1', 't1'))
      const [request] = store.getState().conversation.requests
      await Promise.all([
        store.commands.submitResults({
          request: keyOf(store, 't1'),
          output: 'done',
          metadata: { k: 1 },
        }),
        ...(request?.kind === 'external'
          ? [store.commands.submitResults({ request, output: 'again' })]
          : []),
      ])
      await settle()
      expect(backend.answered).toMatchObject([
        {
          kind: 'external',
          reply_id: 'r1',
          results: [
            {
              type: 'tool_result',
              id: 't1',
              name: 'shell',
              output: 'done',
              state: 'success',
              metadata: { k: 1 },
            },
          ],
        },
      ])
      expect(backend.answered).toHaveLength(1)
    })

    it('does not wait for decisions about other calls', async () => {
      const backend = createScriptedBackend({ capabilities: { partialAnswers: false } })
      const store = await openStore(backend)
      backend.emit(
        replyStart('r1'),
        ...call('r1', 't1'),
        ...call('r1', 't2'),
        requireConfirm('r1', 't1'),
        requireExternal('r1', 't2'),
      )
      await store.commands.submitResults({
        request: keyOf(store, 't2'),
        output: 'no',
        state: 'error',
      })
      expect(backend.answered).toMatchObject([{ kind: 'external', results: [{ state: 'error' }] }])
      expect(selectPhase(store.getState())).toBe('streaming')
    })
  })
})
