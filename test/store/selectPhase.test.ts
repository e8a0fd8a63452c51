import { describe, expect, it } from 'vitest'
import { createConversation } from '../../src/fold/index.js'
import { TransportError } from '../../src/protocol/index.js'
import type { ChatState } from '../../src/store/index.js'
import {
  createChatStore,
  selectError,
  selectPhase,
  selectSendBlock,
} from '../../src/store/index.js'
import { createScriptedBackend } from './createScriptedBackend.js'
import { parkedReply, replyStart, storedAnswer, textStart } from './events.js'
import { applyEvents } from '../../src/fold/index.js'

const { capabilities } = createScriptedBackend()
const initial = createChatStore(createScriptedBackend()).getInitialState()
const cause = new TransportError('unauthorized', 'No token.', { status: 401 })

/** A state that differs from an idle one in what is given. */
function state(patch: Partial<ChatState> = {}): ChatState {
  return { ...initial, history: { ...initial.history, phase: 'ready' }, ...patch }
}

const running = applyEvents(createConversation(), [replyStart('r1'), textStart('r1', 'b1')])
const started = applyEvents(createConversation(), [replyStart('r1')])
const parked = applyEvents(createConversation(), parkedReply('r1', 't1'))
const worker = applyEvents(createConversation(), [
  { ...replyStart('w1'), agent_path: ['worker'] },
  { ...textStart('w1', 'b1'), agent_path: ['worker'] },
])
const read = createConversation({ messages: [storedAnswer('r1', 'Hello')] })
const failedHistory = {
  phase: 'failed',
  hasMore: false,
  isLoadingOlder: false,
  error: cause,
} as const

describe('selectPhase', () => {
  it.each<[string, ChatState, string]>([
    ['nothing was read yet', initial, 'loading'],
    ['nothing is under way', state(), 'idle'],
    ['a reply runs', state({ conversation: running }), 'streaming'],
    ['a reply only started', state({ conversation: started }), 'idle'],
    ['only a sub-agent runs', state({ conversation: worker }), 'idle'],
    ['a message is on its way', state({ sends: { m1: { phase: 'sending' } } }), 'streaming'],
    ['a message was taken', state({ sends: { m1: { phase: 'sent' } } }), 'streaming'],
    [
      'a message failed',
      state({ sends: { m1: { phase: 'failed', error: cause, isSure: true } } }),
      'idle',
    ],
    ['a person is asked', state({ conversation: parked }), 'awaiting-person'],
    [
      'a stop was asked for',
      state({ conversation: running, isInterrupting: true }),
      'interrupting',
    ],
    ['the connection was given up', state({ connection: { phase: 'failed', cause } }), 'failed'],
    [
      'the connection waits',
      state({ connection: { phase: 'waiting', retryAt: 1, cause } }),
      'idle',
    ],
    ['there is no history to show', state({ history: failedHistory }), 'failed'],
    [
      'history is missing but messages are here',
      state({ history: failedHistory, conversation: read }),
      'idle',
    ],
    ['nothing is stored anywhere', state({ history: { ...failedHistory, phase: 'none' } }), 'idle'],
  ])('when %s', (_what, given, phase) => {
    expect(selectPhase(given)).toBe(phase)
  })
})

describe('selectSendBlock', () => {
  it('names the reason where the backend refuses messages while it works', () => {
    expect(selectSendBlock(state(), capabilities)).toBeNull()
    expect(selectSendBlock(state({ conversation: running }), capabilities)).toBe('running')
    expect(selectSendBlock(state({ conversation: parked }), capabilities)).toBe('awaiting-person')
  })

  it('blocks nothing where messages are queued', () => {
    const queued = { ...capabilities, sendWhileRunning: 'queued' } as const
    expect(selectSendBlock(state({ conversation: running }), queued)).toBeNull()
    expect(selectSendBlock(state({ conversation: parked }), queued)).toBeNull()
  })
})

describe('selectError', () => {
  it('prefers the connection to history, and history to the latest command', () => {
    const other = new TransportError('server', 'Oops.')
    expect(selectError(state())).toBeNull()
    expect(selectError(state({ error: other }))).toBe(other)
    expect(selectError(state({ error: other, history: failedHistory }))).toBe(cause)
    expect(selectError(state({ error: other, connection: { phase: 'failed', cause } }))).toBe(cause)
    expect(selectError(state({ connection: { phase: 'waiting', retryAt: 1, cause } }))).toBeNull()
  })
})
