// Whatever a page holds, it is read.
import { fc, runs } from '../../fc.js'
import { describe, expect, it } from 'vitest'
import { parseEvent, type JsonObject } from '../../../src/protocol/index.js'
import { fold } from '../describeDialect.js'
import { decode } from './decodeTask.js'
import { BEGIN, COMPLETE, page, type Said } from './pages.js'

describe('any page of a task', () => {
  const word = fc.constantFrom(
    'a',
    'b',
    'q1',
    '',
    'completed',
    'awaiting_approval',
    'approved',
    '__proto__',
  )
  const value: fc.Arbitrary<unknown> = fc.oneof(word, fc.jsonValue({ maxDepth: 2 }))
  const fields = fc.dictionary(
    fc.constantFrom(
      'id',
      'name',
      'content',
      'full_content',
      'status',
      'result',
      'arguments',
      'preparing_id',
      'approval',
      'approval_id',
      'questions',
      'question_ids',
      'tool_call_id',
      'message',
      'message_source',
      'visibility',
      'starts_work',
      'retry',
      'status_code',
      'decision',
      'intent',
    ),
    value,
  )
  const type = fc.constantFrom(
    'ai_message_start',
    'api_request_start',
    'stream_reset',
    'error',
    'task_complete',
    'task_stopped',
    'thinking_start',
    'thinking_chunk',
    'thinking_end',
    'text_start',
    'text_chunk',
    'text_end',
    'tool_preparing',
    'tool_intent',
    'tool_start',
    'update_action',
    'token_update',
    'tool_approval_required',
    'tool_approval_resolved',
    'user_questions_required',
    'user_questions_resolved',
    'plan_approval_required',
    'user_message',
    'system_message',
    'odd',
    'toString',
  )
  const event = fc.record({
    idx: fc.oneof(fc.nat(30), fc.jsonValue({ maxDepth: 0 })),
    type,
    data: fc.oneof(fields, fc.jsonValue({ maxDepth: 1 })),
    ts: fc.oneof(fc.nat(), value),
  })
  const body = fc.record({
    task_id: fc.constantFrom('t-1', 't-2', '', null),
    status: fc.constantFrom('running', 'succeeded', 'failed', 'stopped', 'odd', null),
    events: fc.oneof(fc.array(event, { maxLength: 12 }), fc.jsonValue({ maxDepth: 1 })),
    next_offset: fc.oneof(fc.nat(40), fc.constant(null)),
    window_start: fc.oneof(fc.nat(40), fc.constant(null)),
  })

  it('is read without a throw, gives events as they should be, and leaves nothing running', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            body,
            body.map((data) => ({ success: true, data })),
          ),
          { maxLength: 8 },
        ),
        fc.constantFrom('eof', 'abort', 'error'),
        (frames, cause) => {
          const inputs = decode(frames, cause)
          const ids = inputs.map(({ id }) => id)
          expect(new Set(ids).size).toBe(ids.length)
          const events = inputs.filter(({ type: name }) => !name.startsWith('kit.'))
          expect(events.filter((each) => parseEvent(each).event !== each)).toEqual([])
          const { conversation, anomalies } = fold(inputs)
          expect(anomalies.filter((each) => !each.startsWith('gap'))).toEqual([])
          expect(
            Object.values(conversation.replies).filter(({ phase }) => phase === 'running'),
          ).toEqual([])
          for (const message of conversation.messages) {
            const keys = message.content.map((block) => `${block.type} ${block.id}`)
            expect(new Set(keys).size).toBe(keys.length)
          }
        },
      ),
      { numRuns: runs(150) },
    )
  })

  it('gives the same however it is cut', () => {
    const cuts = fc.array(fc.nat(12), { maxLength: 12 })
    fc.assert(
      fc.property(fc.array(fc.tuple(type, fields), { maxLength: 25 }), cuts, (list, sizes) => {
        const said = JSON.parse(JSON.stringify(list)) as readonly Said[]
        const frames: JsonObject[] = []
        let first = 0
        for (const size of [...sizes, said.length]) {
          frames.push(
            page(said.slice(first, first + size), { first: Math.min(first, said.length) }),
          )
          first += size
        }
        expect(decode(frames, 'eof')).toEqual(decode([page(said)], 'eof'))
      }),
      { numRuns: runs(150) },
    )
  })

  it('may be nested deeper than a stack', () => {
    const deep: JsonObject = JSON.parse(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`)
    const frames = [
      page([
        ...BEGIN,
        ['tool_start', { id: 'x', name: 't', arguments: deep }],
        ['odd', deep],
        ['update_action', { id: 'x', status: 'completed', result: deep }],
        COMPLETE,
      ]),
      deep,
    ]
    const { conversation } = fold(decode(frames, 'eof'))
    expect(conversation.messages[0]?.finished_reason).toBe('completed')
  })
})
