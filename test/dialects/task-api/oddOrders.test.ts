// @vitest-environment node
// Events in orders that a healthy server does not choose: after a hole, a stop at once, a run that goes on after its end.
import { describe, expect, it } from 'vitest'
import type { Conversation } from '../../../src/fold/index.js'
import { fold } from '../describeDialect.js'
import { conversationOf, decode } from './decodeTask.js'
import { BEGIN, CALL, COMPLETE, page, type Said, toolEnds, toolRuns } from './pages.js'

const prepare: Said = ['tool_preparing', { id: 'a', name: 'rm' }]
const approve: Said = [
  'tool_approval_required',
  { approval: { approval_id: 'p', tool_call_id: 'a', tool_name: 'rm', arguments: {} } },
]
const question = { question_id: 'q', batch_id: 'b', tool_call_id: 'a', question: 'Which?' }
const ask: Said = ['user_questions_required', { batch_id: 'b', questions: [question] }]
const awaits: Said = [
  'update_action',
  { preparing_id: 'a', status: 'awaiting_approval', result: { approval_id: 'p' } },
]

function running(said: readonly Said[]): Conversation {
  return fold(decode([page(said)])).conversation
}

describe('odd orders of the Task API', () => {
  it('a task that is stopped before it said anything was stopped', () => {
    const { messages, replies } = conversationOf([['task_stopped', { reason: 'user_stop' }]])
    expect(messages).toMatchObject([{ content: [], finished_reason: 'interrupted' }])
    expect(replies['t-1:r1']).toMatchObject({ phase: 'ended', metadata: { reason: 'user_stop' } })
  })

  it.each([
    ['a call', [prepare]],
    ['a call that runs', toolRuns('a')],
    ['an approval', [prepare, approve]],
    ['a question', [prepare, ask]],
    ['a text', [['text_chunk', { content: 'More' }] as const]],
  ])('%s that begins after the end is over with the task', (_, late) => {
    for (const next of [[], [['ai_message_start'] as const]]) {
      const { messages, requests, replies } = conversationOf([...BEGIN, COMPLETE, ...late, ...next])
      expect(requests).toEqual([])
      expect(messages[0]?.content).not.toEqual([])
      for (const block of messages[0]?.content ?? []) {
        expect(block.finished_at).toEqual(expect.any(String))
        expect(block).not.toMatchObject({ state: 'running' })
      }
      expect(Object.values(replies)).toMatchObject([
        { phase: 'ended' },
        ...next.map(() => ({ phase: 'ended' })),
      ])
    }
  })

  it('a notice that comes after the end is over with the task', () => {
    const retry: Said = ['error', { message: 'Busy', retry: true }]
    expect(conversationOf([...BEGIN, COMPLETE, retry]).notices['retrying']).toEqual({})
  })

  it.each([
    ['an approval', approve],
    ['a question', ask],
    ['a call that waits', awaits],
  ])('%s under the id of a call that is over belongs to a new call', (_, asks) => {
    const { messages, requests } = running([
      ...BEGIN,
      ...toolRuns('a'),
      toolEnds('a', 'Done'),
      CALL,
      asks,
    ])
    expect(requests).toMatchObject([{ toolCall: { id: 'a#2' } }])
    expect(messages[0]?.content).toMatchObject([
      { id: 'a', state: 'finished' },
      { id: 'a', state: 'success', output: [{ text: 'Done' }] },
      { id: 'a#2' },
      ...(asks === ask ? [{ id: 'a#2', state: 'running' }] : []),
    ])
  })

  it('an approval that is told again after its call is over asks nothing', () => {
    const said = [...BEGIN, prepare, approve, toolEnds('a', 'Done'), approve]
    expect(running(said).requests).toEqual([])
    expect(running(said).messages[0]?.content).toHaveLength(2)
  })

  it('what a call that was taken back asked may be asked again', () => {
    for (const asks of [approve, ask]) {
      const { requests } = running([...BEGIN, prepare, asks, ['stream_reset'], CALL, prepare, asks])
      expect(requests).toMatchObject([{ toolCall: { id: 'a' } }])
    }
  })

  it('a call that waits without a name gets it when it starts', () => {
    const { messages } = conversationOf([...BEGIN, awaits, ...toolRuns('a', 'rm').slice(1)])
    expect(messages[0]?.content).toMatchObject([
      { type: 'tool_call', name: 'rm', input: '{"river":"Elbe"}' },
      { type: 'tool_result', name: 'rm' },
    ])
  })

  it.each([
    ['of ids that come again', () => 'x:0'],
    ['each with an id of its own', (round: number) => `x:${round}`],
  ])('thousands of calls, %s, take time in proportion', (_, idOf) => {
    const timed = (rounds: number): number => {
      const said: Said[] = []
      for (let round = 0; round < rounds; round += 1) {
        said.push(CALL, ...toolRuns(idOf(round)), toolEnds(idOf(round), 'ok'))
      }
      const begin = performance.now()
      decode([page(said)])
      return performance.now() - begin
    }
    const short = timed(500)
    expect(timed(4000)).toBeLessThan(Math.max(short, 20) * 30)
  })
})
