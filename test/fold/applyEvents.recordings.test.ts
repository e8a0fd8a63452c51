// @vitest-environment node
// The contract defended here: whatever part of a recorded session a client hears, and whenever it reads history,
// it ends with the messages that the real service stored.
import { describe, expect, it } from 'vitest'
import { applyEvents, type Conversation, createConversation } from '../../src/fold/index.js'
import { type Anomaly, type Msg, parseMessages } from '../../src/protocol/index.js'
import {
  framesOf,
  inputsOf,
  isWholeHistory,
  ownSteps,
  readRecording,
  readRecordings,
  type Recording,
  snapshotOf,
  withoutClocks,
} from './recordings.js'

const recordings = readRecordings()
/** Without a hole in the frames. The phantom is stored nowhere, and has no message here either. */
const whole = recordings.filter(
  ({ name, fold_equals_final }) => fold_equals_final || name === 'phantom-reply-start',
)
const moments = whole.flatMap((recording) =>
  ownSteps(recording).flatMap((step, position) =>
    isWholeHistory(step) ? [{ name: recording.name, recording, position }] : [],
  ),
)

function storedMessages(recording: Recording): readonly Msg[] {
  return parseMessages(recording.final.messages).messages
}

function byAgent(messages: readonly Msg[]): readonly unknown[] {
  return messages.filter(({ role }) => role === 'assistant').map(withoutClocks)
}

/** All steps up to one, history left out. */
function foldUpTo(recording: Recording, position: number): Conversation {
  const steps = ownSteps(recording).slice(0, position)
  return applyEvents(createConversation(), steps.flatMap(inputsOf))
}

describe('applyEvents', () => {
  it.each(whole)(
    'folds the frames of $name to the stored messages, without history',
    (recording) => {
      const anomalies: Anomaly[] = []
      const folded = applyEvents(createConversation(), framesOf(recording), (anomaly) =>
        anomalies.push(anomaly),
      )
      expect(byAgent(folded.messages)).toEqual(byAgent(storedMessages(recording)))
      expect(folded.requests).toEqual([])
      expect(anomalies).toEqual([])
      expect(Object.values(folded.replies).every(({ isComplete }) => isComplete)).toBe(true)
    },
  )

  it.each(whole)('has the messages of $name in the order they are stored in', (recording) => {
    const folded = foldUpTo(recording, Infinity)
    const stored = new Set(storedMessages(recording).map(({ id }) => id))
    // A message that the service refused to store was posted all the same.
    const known = folded.messages.map(({ id }) => id).filter((id) => stored.has(id))
    expect(known).toEqual([...stored])
  })

  it.each(moments)(
    'ends $name right when history is read at step $position and everything is replayed after it',
    ({ recording, position }) => {
      const step = ownSteps(recording)[position]
      const read = applyEvents(createConversation(), step ? [snapshotOf(step)] : [])
      const folded = applyEvents(read, framesOf(recording))
      expect(byAgent(folded.messages)).toEqual(byAgent(storedMessages(recording)))
    },
  )

  it.each(moments)(
    'ends $name right when history is read at step $position in between',
    ({ recording, position }) => {
      const steps = ownSteps(recording)
      const inputs = steps.flatMap((step, index) =>
        index === position ? [snapshotOf(step)] : inputsOf(step),
      )
      const folded = applyEvents(createConversation(), inputs)
      expect(byAgent(folded.messages)).toEqual(byAgent(storedMessages(recording)))
    },
  )

  it.each(whole)('keeps every object of $name when history says the same', (recording) => {
    const before = foldUpTo(recording, Infinity)
    const page = storedMessages(recording)
    const anomalies: Anomaly[] = []
    const after = applyEvents(
      before,
      [{ type: 'kit.snapshot', mode: 'merge', is_running: false, messages: page }],
      (anomaly) => anomalies.push(anomaly),
    )
    const ofAgent = before.messages.filter(({ role }) => role === 'assistant')
    const replaced = ofAgent.filter(
      (message) => after.messages.find(({ id }) => id === message.id)?.content !== message.content,
    )
    expect(replaced).toEqual([])
    expect(anomalies.map(({ kind }) => kind)).toEqual(
      recording.name === 'phantom-reply-start' ? ['phantom-reply'] : [],
    )
    const again = applyEvents(after, framesOf(recording))
    expect(again).toBe(after)
  })

  const statuses = whole.flatMap((recording) =>
    ownSteps(recording).flatMap((step, position) =>
      step.kind === 'status' && step.session_id === undefined
        ? [{ name: recording.name, recording, position, status: step.response?.status ?? '' }]
        : [],
    ),
  )

  it.each(statuses)('knows that $name is $status at step $position', (moment) => {
    const { recording, position, status } = moment
    const { requests, replies } = foldUpTo(recording, position)
    const kinds = requests.flatMap((request) =>
      request.kind !== 'input' && request.worker === null ? [request.kind] : [],
    )
    const isParked = Object.values(replies).some(({ phase }) => phase === 'parked')
    // Permission wins when both are asked for.
    const expected = kinds.includes('confirm')
      ? 'awaiting_permission'
      : kinds.includes('external')
        ? 'awaiting_external_result'
        : ['idle', 'running']
    expect([expected].flat()).toContain(status)
    expect(isParked).toBe(kinds.length > 0)
  })

  it.each(['slow-consumer-hole', 'trimmed-replay'])(
    'heals what the second connection of %s lost when history is read',
    (name) => {
      const recording = readRecording(name)
      const heard = ownSteps(recording).flatMap((step) =>
        step.kind === 'frame' && step.conn === 2 && step.event ? [step.event] : [],
      )
      const broken = applyEvents(createConversation(), heard)
      expect(byAgent(broken.messages)).not.toEqual(byAgent(storedMessages(recording)))
      const messages = storedMessages(recording)
      const healed = applyEvents(broken, [
        { type: 'kit.snapshot', mode: 'merge', is_running: false, messages },
      ])
      expect(healed.messages.map(withoutClocks)).toEqual(messages.map(withoutClocks))
      expect(Object.values(healed.replies)).toMatchObject([{ isComplete: true, phase: 'ended' }])
    },
  )

  it('knows that a replay which begins in the middle is incomplete', () => {
    const recording = readRecording('trimmed-replay')
    const heard = ownSteps(recording).flatMap((step) =>
      step.kind === 'frame' && step.conn === 2 && step.event ? [step.event] : [],
    )
    const anomalies: Anomaly[] = []
    const folded = applyEvents(createConversation(), heard, (anomaly) => anomalies.push(anomaly))
    expect(Object.values(folded.replies)).toMatchObject([{ isComplete: false, phase: 'ended' }])
    expect(anomalies.map(({ kind }) => kind)).toEqual(['orphan-event'])
  })

  it.each([
    [
      'external-and-ask',
      [
        ['external', 'call_e1'],
        ['confirm', 'call_e2'],
      ],
    ],
    [
      'two-asks-one-by-one',
      [
        ['confirm', 'call_p1'],
        ['confirm', 'call_p2'],
      ],
    ],
    ['same-tool-asked-once', [['confirm', 'call_j1']]],
    ['sequential-asks', [['confirm', 'call_h1']]],
  ])('offers what %s asks for, and the rest when the first was answered', (name, first) => {
    const recording = readRecording(name)
    const asked = ownSteps(recording).flatMap((step, position) =>
      step.kind === 'post' && position > 1 ? [requestsAt(recording, position)] : [],
    )
    expect(asked[0]).toEqual(first)
    expect(asked[1]).toHaveLength(1)
  })

  it('keeps a worker’s question once, however often it is projected, until the worker is done', () => {
    const recording = readRecording('team-ask-approve')
    const steps = ownSteps(recording)
    const answered = steps.findLastIndex(({ kind }) => kind === 'post')
    const { requests } = foldUpTo(recording, answered)
    expect(requests).toMatchObject([
      { kind: 'confirm', toolCall: { id: 'call_v2' }, worker: { agentName: 'researcher' } },
    ])
    expect(foldUpTo(recording, Infinity).requests).toEqual([])
  })
})

/** What a recording asks for right before a step. */
function requestsAt(recording: Recording, position: number): readonly (readonly string[])[] {
  const { requests, replies } = foldUpTo(recording, position)
  expect(
    Object.values(replies)
      .map(({ phase }) => phase)
      .filter((phase) => phase !== 'ended'),
  ).toEqual(requests.length > 0 ? ['parked'] : [])
  return requests.flatMap((request) =>
    request.kind === 'input' ? [] : [[request.kind, request.toolCall.id]],
  )
}
