// @vitest-environment node
import { describe, expect, it } from 'vitest'
import {
  recordingBackend,
  type Recording,
  type RecordingOptions,
} from '../../src/backends/index.js'
import { applyEvents, createConversation, equalsStored } from '../../src/fold/index.js'
import {
  isJsonObject,
  parseMessages,
  type AgentBackend,
  type Anomaly,
  type Answer,
  type ConnectionState,
  type ConversationInput,
  type ToolCallBlock,
} from '../../src/protocol/index.js'
import askApprove from '../recordings/agentscope-python/ask-approve.json'
import parkedReload from '../recordings/agentscope-python/parked-reload.json'
import teamAskApprove from '../recordings/agentscope-python/team-ask-approve.json'
import twoAsks from '../recordings/agentscope-python/two-asks-one-by-one.json'
import { createTestClock } from '../transports/createTestClock.js'

const recordings = import.meta.glob<unknown>('../recordings/agentscope-python/*.json', {
  eager: true,
  import: 'default',
})

/** Plays a recording with a clock that stands still. */
function play(recording: Recording, options: RecordingOptions = {}) {
  const clock = createTestClock()
  const backend = recordingBackend(recording, { clock, ...options })
  return { clock, backend, ...open(backend) }
}

function open(backend: AgentBackend) {
  const batches: (readonly ConversationInput[])[] = []
  const states: ConnectionState[] = []
  const anomalies: Anomaly[] = []
  const handle = backend.open({
    events: (batch) => batches.push(batch),
    connection: (state) => states.push(state),
    anomaly: (what) => anomalies.push(what),
  })
  const inputs = () => batches.flat()
  return {
    handle,
    batches,
    states,
    anomalies,
    inputs,
    types: () => inputs().map(({ type }) => type),
  }
}

const eventsOf = (recording: { steps: readonly object[] }): unknown[] =>
  recording.steps.flatMap((step) => ('event' in step ? [step.event] : []))

const allow = (replyId: string, ...calls: readonly ToolCallBlock[]): Answer => ({
  kind: 'confirm',
  id: `answer-${calls.map(({ id }) => id).join('-')}`,
  reply_id: replyId,
  results: calls.map((call) => ({ confirmed: true, tool_call: call })),
})

/** The calls that wait for a decision, as they came in. */
const asked = (inputs: readonly ConversationInput[]) =>
  inputs.flatMap((input) => (input.type === 'REQUIRE_USER_CONFIRM' ? [input] : []))

describe('recordingBackend', () => {
  it('plays all at once, but not inside open', () => {
    const { clock, batches, states, inputs } = play(parkedReload, { speed: 'instant' })
    expect(batches).toEqual([])
    expect(states).toEqual([{ phase: 'connecting' }])
    clock.advance(0)
    expect(inputs().filter(({ type }) => !type.startsWith('kit.'))).toEqual(eventsOf(parkedReload))
    expect(states.map(({ phase }) => phase)).toEqual(['connecting', 'open', 'waiting', 'open'])
    expect(clock.waiting).toBe(0)
  })

  it('keeps the recorded pauses, or shortens them', () => {
    const slow = play(parkedReload)
    const fast = play(parkedReload, { speed: 10 })
    slow.clock.advance(630)
    fast.clock.advance(63)
    expect(slow.types()).toEqual(['kit.user_message'])
    expect(fast.types()).toEqual(['kit.user_message'])
    slow.clock.advance(1)
    fast.clock.advance(0.1)
    expect(slow.types()).toEqual(['kit.user_message', ...eventsOfFirst(6)])
    expect(fast.types()).toEqual(slow.types())
    slow.clock.advance(60_000)
    fast.clock.advance(6_000)
    expect(fast.inputs()).toEqual(slow.inputs())
  })

  it('tells when the recorded client was away, and until when', () => {
    const { clock, states } = play(parkedReload)
    clock.advance(2_000)
    expect(states.at(-1)).toMatchObject({
      phase: 'waiting',
      retryAt: 2_450,
      cause: { reason: 'closed' },
    })
    clock.advance(450)
    expect(states.at(-1)).toEqual({ phase: 'open' })
  })

  it('plays the own session only', () => {
    const { clock, inputs } = play(teamAskApprove, { speed: 'instant' })
    clock.advance(0)
    const users = inputs().filter(({ type }) => type === 'kit.user_message')
    expect(users).toMatchObject([{ message: { id: 'd40cb8a607ea512cb0fa7dcab92f28aa' } }])
    const strange = play(
      {
        ...askApprove,
        steps: [
          { kind: 'open', conn: 1 },
          { kind: 'open', conn: 2, session_id: 'of a worker' },
          { kind: 'frame', conn: 2, event: { type: 'REPLY_START', reply_id: 'w' } },
          { kind: 'frame', conn: 1, event: { type: 'REPLY_START', reply_id: 'r' } },
        ],
      },
      { speed: 'instant' },
    )
    strange.clock.advance(0)
    expect(strange.inputs()).toEqual([{ type: 'REPLY_START', reply_id: 'r' }])
  })

  it.each(
    Object.entries(recordings).filter(
      ([, recording]) => isJsonObject(recording) && recording['fold_equals_final'] === true,
    ),
  )('folds to the stored messages without history: %s', (_, recording) => {
    // Any JSON may be given: what it lacks is passed over.
    const { clock, inputs, anomalies } = play(recording as Recording, { speed: 'instant' })
    clock.advance(0)
    const { messages } = applyEvents(createConversation(), inputs())
    const final =
      isJsonObject(recording) && isJsonObject(recording['final']) ? recording['final'] : {}
    const stored = parseMessages(final['messages']).messages
    expect(stored.length).toBeGreaterThan(0)
    for (const message of stored) {
      const ours = messages.find(({ id }) => id === message.id)
      expect(ours !== undefined && equalsStored(ours, message), message.id).toBe(true)
    }
    expect(anomalies).toEqual([])
  })

  it('waits for the answer of the person, then goes on under its id', async () => {
    const { clock, backend, inputs, types } = play(askApprove, {
      speed: 'instant',
      interactive: true,
      history: true,
    })
    clock.advance(600_000)
    expect(types().filter((type) => type === 'REPLY_END')).toEqual([])
    expect(await backend.status?.()).toBe('awaiting-confirm')
    const [request] = asked(inputs())
    if (request === undefined) throw new Error('Nothing was asked.')
    await backend.answer([allow('another reply', ...request.tool_calls)])
    clock.advance(0)
    expect(types()).not.toContain('USER_CONFIRM_RESULT')
    await backend.answer([allow(request.reply_id, ...request.tool_calls)])
    expect(types()).not.toContain('USER_CONFIRM_RESULT')
    clock.advance(0)
    expect(types()).toContain('REPLY_END')
    expect(inputs().find(({ type }) => type === 'USER_CONFIRM_RESULT')?.id).toBe('answer-call_m1')
    expect(await backend.status?.()).toBe('idle')
  })

  it('takes answers one by one, together, or in another order', async () => {
    const start = () => {
      const played = play(twoAsks, { speed: 'instant', interactive: true })
      played.clock.advance(0)
      const [first, second] = asked(played.inputs()).flatMap(({ tool_calls: calls }) => calls)
      const replyId = asked(played.inputs())[0]?.reply_id
      if (first === undefined || second === undefined || replyId === undefined) {
        throw new Error('Two calls should wait.')
      }
      const answer = async (...calls: readonly ToolCallBlock[]) => {
        await played.backend.answer([allow(replyId, ...calls)])
        played.clock.advance(0)
        return played.types().filter((type) => type === 'USER_CONFIRM_RESULT').length
      }
      return { answer, first, second }
    }
    const oneByOne = start()
    expect(await oneByOne.answer(oneByOne.first)).toBe(1)
    expect(await oneByOne.answer(oneByOne.second)).toBe(2)
    const together = start()
    expect(await together.answer(together.first, together.second)).toBe(2)
    const backwards = start()
    expect(await backwards.answer(backwards.second)).toBe(0)
    expect(await backwards.answer(backwards.first)).toBe(2)
  })

  it('takes nothing where it only plays', async () => {
    const { backend } = play(askApprove)
    await expect(backend.send(null)).rejects.toMatchObject({ reason: 'rejected' })
    await expect(backend.answer([allow('r1')])).rejects.toMatchObject({ reason: 'rejected' })
    for (const name of ['history', 'status', 'interrupt']) expect(backend).not.toHaveProperty(name)
    expect(backend.capabilities).toMatchObject({ history: false, status: false, interrupt: false })
  })

  it('knows of history what the server had stored at the moment that is played', async () => {
    const { clock, backend } = play(parkedReload, { history: true })
    const look = async () => {
      const page = await backend.history?.({ limit: 50 })
      const last = page?.messages.at(-1)
      return [page?.messages.length, last?.role, last?.finished_reason, page?.isRunning]
    }
    expect(await look()).toEqual([0, undefined, undefined, false])
    clock.advance(1_000)
    expect(await look()).toEqual([1, 'user', null, true])
    clock.advance(464)
    expect(await look()).toEqual([2, 'assistant', null, true])
    clock.advance(1_600)
    expect(await look()).toEqual([2, 'assistant', 'completed', false])
    clock.advance(60_000)
    expect(await backend.history?.({ limit: 1 })).toMatchObject({
      messages: [{ role: 'assistant' }],
      hasMore: true,
    })
    const userId = parkedReload.final.messages[0]?.id ?? ''
    const assistantId = parkedReload.final.messages[1]?.id ?? ''
    expect(await backend.history?.({ limit: 5, before: assistantId })).toMatchObject({
      messages: [{ id: userId }],
      hasMore: false,
    })
    expect(await backend.history?.({ limit: 5, before: 'unknown' })).toMatchObject({
      messages: [],
      hasMore: false,
    })
  })

  it('begins anew with every open and is silent after close', () => {
    const { clock, backend, handle, inputs } = play(askApprove, { speed: 'instant' })
    handle.close()
    handle.close()
    const second = open(backend)
    clock.advance(0)
    expect(inputs()).toEqual([])
    expect(second.types()).toContain('REPLY_END')
    expect(second.states[0]).toEqual({ phase: 'connecting' })
  })

  it('stops at once when it is closed by what it plays', () => {
    const clock = createTestClock()
    const backend = recordingBackend(parkedReload, { clock, history: true })
    let count = 0
    const handle = backend.open({
      events: () => {
        count += 1
        handle.close()
      },
      connection: () => {},
      anomaly: () => {},
    })
    clock.advance(60_000)
    expect(count).toBe(1)
    expect(clock.waiting).toBe(0)
  })

  it.each<unknown>([
    null,
    7,
    {},
    { steps: 'none' },
    { steps: [null, { kind: 'frame' }, { kind: 'post' }] },
  ])('plays what there is of %j', (value) => {
    // Any JSON may be given: what it lacks is passed over.
    const { clock, inputs, states } = play(value as Recording, {
      speed: 'instant',
      history: true,
    })
    clock.advance(0)
    expect(inputs()).toEqual([])
    expect(states.at(-1)).toEqual({ phase: 'open' })
  })
})

/** The types of the first events of the recording that comes back after a reload. */
function eventsOfFirst(count: number): unknown[] {
  return eventsOf(parkedReload)
    .slice(0, count)
    .map((event) => (isJsonObject(event) ? event['type'] : undefined))
}
