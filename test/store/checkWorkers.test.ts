import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { ConversationInput, RunStatus } from '../../src/protocol/index.js'
import { TransportError } from '../../src/protocol/index.js'
import type { ChatStore } from '../../src/store/index.js'
import { createScriptedBackend, type ScriptedBackend } from './createScriptedBackend.js'
import { requireConfirm } from './events.js'
import { openStore, settle } from './openStore.js'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

/** A question of a sub-agent, as its leader's stream tells it. */
function asks(
  sessionId: string,
  replyId: string,
  ...callIds: readonly string[]
): ConversationInput {
  const event = requireConfirm(replyId, ...callIds)
  return {
    id: `${sessionId}:${replyId}`,
    created_at: '2026-01-01T00:00:01.000000',
    type: 'CUSTOM',
    name: 'subagent_require_user_confirm',
    value: {
      worker_session_id: sessionId,
      worker_agent_id: 'wa',
      worker_agent_name: 'Worker',
      event: JSON.parse(JSON.stringify(event)),
    },
  }
}

/** Lets the store look at what is stored, as it does whenever its stream comes back. */
async function look(backend: ScriptedBackend): Promise<void> {
  backend.setConnection({ phase: 'connecting' })
  backend.setConnection({ phase: 'open' })
  await settle()
}

function keys(store: ChatStore): readonly string[] {
  return store.getState().conversation.requests.map(({ key }) => key)
}

describe('checkWorkers', () => {
  let statuses: Record<string, RunStatus | TransportError> = {}

  async function open(...inputs: readonly ConversationInput[]): Promise<{
    readonly backend: ScriptedBackend
    readonly store: ChatStore
    readonly asked: string[]
  }> {
    const backend = createScriptedBackend()
    const asked: string[] = []
    backend.workerStatus = ({ sessionId, agentId }) => {
      asked.push(`${agentId}/${sessionId}`)
      const status = statuses[sessionId] ?? 'idle'
      return status instanceof TransportError ? Promise.reject(status) : Promise.resolve(status)
    }
    const store = await openStore(backend)
    backend.emit(...inputs)
    await vi.advanceTimersByTimeAsync(300)
    return { backend, store, asked }
  }

  it('asks each sub-agent once per look, and only while a question of its stands', async () => {
    statuses = { w1: 'awaiting-confirm', w2: 'idle' }
    const { backend, store, asked } = await open(
      asks('w1', 'r1', 't1', 't2'),
      asks('w2', 'r2', 't'),
    )
    expect(asked).toEqual([])
    await look(backend)
    expect(asked).toEqual(['wa/w1', 'wa/w2'])
    expect(keys(store)).toEqual(['w1:r1:t1', 'w1:r1:t2'])
    statuses = {}
    await look(backend)
    expect(keys(store)).toEqual([])
    await look(backend)
    expect(asked).toHaveLength(3)
  })

  it('takes away the question of a sub-agent that is gone, and keeps what cannot be told', async () => {
    statuses = {
      w1: new TransportError('not-found', 'No such session.', { status: 404 }),
      w2: new TransportError('server', 'The server failed.', { status: 500 }),
      w3: 'running',
    }
    const { backend, store } = await open(
      asks('w1', 'r1', 't'),
      asks('w2', 'r2', 't'),
      asks('w3', 'r3', 't'),
    )
    await look(backend)
    expect(keys(store)).toEqual(['w2:r2:t', 'w3:r3:t'])
    expect(store.getState().connection.phase).toBe('open')
  })

  it('asks again while a sub-agent runs, which may have been answered elsewhere', async () => {
    statuses = { w1: 'running' }
    const { backend, store, asked } = await open(asks('w1', 'r1', 't'))
    await look(backend)
    expect(asked).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(4_000)
    expect(asked).toHaveLength(2)
    expect(keys(store)).toEqual(['w1:r1:t'])
    statuses = {}
    await vi.advanceTimersByTimeAsync(8_000)
    expect(asked).toHaveLength(3)
    expect(keys(store)).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('does not offer anew what a sub-agent took up, however long it works on it', async () => {
    statuses = { w1: 'running' }
    const { backend, store } = await open(asks('w1', 'r1', 't1', 't2'))
    await store.commands.confirm({ request: 'w1:r1:t1', approve: true })
    await vi.advanceTimersByTimeAsync(5_000)
    expect(keys(store)).toEqual(['w1:r1:t2'])
    expect(store.getState().sends).toEqual({})
    expect(backend.answered).toHaveLength(1)
  })
})
