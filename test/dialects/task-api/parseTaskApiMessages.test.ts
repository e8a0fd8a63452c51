// @vitest-environment node
import { fc, runs } from '../../fc.js'
import { describe, expect, it } from 'vitest'
import { parseTaskApiMessages } from '../../../src/dialects/index.js'
import { applyEvents, createConversation } from '../../../src/fold/index.js'
import type { JsonObject, Msg } from '../../../src/protocol/index.js'
import { tellMessages, type ToldMessage } from '../tellMessages.js'
import { conversationOf } from './decodeTask.js'
import { BEGIN, CALL, COMPLETE, text, toolEnds, toolRuns } from './pages.js'

const user = (content: string, fields: JsonObject = {}): JsonObject => ({
  role: 'user',
  content,
  ...fields,
})
const said = (content: string | null, fields: JsonObject = {}): JsonObject => ({
  role: 'assistant',
  content,
  ...fields,
})
const calls = (...ids: readonly string[]): JsonObject => ({
  tool_calls: ids.map((id) => ({
    id,
    type: 'function',
    function: { name: 'gauge', arguments: '{"river":"Elbe"}' },
  })),
})
const result = (
  id: string,
  content: string,
  tool_payload: JsonObject | null = null,
): JsonObject => ({
  role: 'tool',
  tool_call_id: id,
  name: 'gauge',
  content,
  metadata: { tool_payload },
})

function read(values: unknown): readonly Msg[] {
  return parseTaskApiMessages(values, { conversationId: 'c' }).messages
}

function told(values: unknown): readonly ToldMessage[] {
  return tellMessages(read(values))
}

describe('parseTaskApiMessages', () => {
  it('makes one reply of the messages of a turn', () => {
    const values = [
      user('How high?', { message_id: 'm-1', timestamp: '2026-01-21T12:00:00Z' }),
      said('', {
        reasoning_content: 'Look.',
        ...calls('gauge:0'),
        timestamp: '2026-01-21T12:00:01Z',
      }),
      {
        ...result('gauge:0', '{"success":true}', { success: true, output: '3 m' }),
        timestamp: '2026-01-21T12:00:02Z',
      },
      said('3 m.', { timestamp: '2026-01-21T12:00:03Z' }),
    ]
    const stamps = (second: number): JsonObject => {
      const at = `2026-01-21T12:00:0${second}Z`
      return { created_at: at, finished_at: at }
    }
    const [, reply] = read(values)
    expect(reply).toEqual({
      id: 'm-1:reply',
      name: '',
      role: 'assistant',
      content: [
        { type: 'thinking', id: 'm-1:reply:1:think', thinking: 'Look.', ...stamps(1) },
        {
          type: 'tool_call',
          id: 'gauge:0',
          name: 'gauge',
          input: '{"river":"Elbe"}',
          state: 'finished',
          suggested_rules: [],
          ...stamps(1),
        },
        {
          type: 'tool_result',
          id: 'gauge:0',
          name: 'gauge',
          output: '3 m',
          state: 'success',
          metadata: { result: { success: true, output: '3 m' } },
          ...stamps(2),
        },
        { type: 'text', id: 'm-1:reply:2:text', text: '3 m.', ...stamps(3) },
      ],
      metadata: {},
      created_at: '2026-01-21T12:00:01Z',
      usage: null,
      finished_at: '2026-01-21T12:00:03Z',
      finished_reason: 'completed',
      structured_output: null,
      error: null,
    })
  })

  it('says the same as the stream of the turn did', () => {
    const streamed = conversationOf([
      ...BEGIN,
      ...text('Let me look.'),
      ...toolRuns('gauge:0'),
      toolEnds('gauge:0', { success: false, error: 'station offline' }),
      CALL,
      ...text('No luck.'),
      COMPLETE,
    ])
    const stored = [
      user('How high?'),
      said('Let me look.', calls('gauge:0')),
      result('gauge:0', 'station offline', { success: false, error: 'station offline' }),
      said('No luck.'),
    ]
    expect(told(stored).slice(1)).toEqual(tellMessages(streamed.messages))
  })

  it('makes ids of places where messages have none', () => {
    const [one, reply] = read([user('Hi'), said('Hello')])
    expect(one?.id).toBe('c:m0')
    expect(reply?.id).toBe('c:m0:reply')
    expect(parseTaskApiMessages([said('Hello')]).messages[0]?.id).toBe('history:start:reply')
  })

  it('keeps calls apart that have the same id', () => {
    const values = [
      user('Hi'),
      said(null, calls('a')),
      result('a', 'one'),
      said(null, calls('a')),
      result('a', 'two'),
      said('Done'),
    ]
    expect(read(values)[1]?.content.map(({ type, id }) => `${type} ${id}`)).toEqual([
      'tool_call a',
      'tool_result a',
      'tool_call a#2',
      'tool_result a#2',
      'text c:m0:reply:3:text',
    ])
  })

  it.each([
    ['{"success":false,"error":"e"}', null, 'error', 'e'],
    ['Rejected', { success: false, status: 'rejected', message: 'Rejected' }, 'denied', 'Rejected'],
    ['x', { status: 'cancelled', message: 'Stopped' }, 'interrupted', 'Stopped'],
    ['just text', null, 'success', 'just text'],
    ['[1]', null, 'success', '[1]'],
  ])('sees how a tool ended: %s, %j', (content, payload, state, output) => {
    const [, reply] = read([user('Hi'), said(null, calls('a')), result('a', content, payload)])
    expect(reply?.content[1]).toMatchObject({ state, output })
  })

  it('keeps the screens of a tool', () => {
    const shown = { ...result('a', 'x'), metadata: { monitor_snapshot_after: { lines: 2 } } }
    expect(read([said(null, calls('a')), shown])[0]?.content[1]).toMatchObject({
      metadata: { monitor_snapshot_after: { lines: 2 } },
    })
  })

  it('leaves the last turn open while a call of it has no result, and no other', () => {
    const open = [user('Hi'), said('Wait', calls('a', 'b')), result('a', 'x')]
    expect(read(open)[1]).toMatchObject({
      finished_at: null,
      finished_reason: null,
      content: [{}, { id: 'a', state: 'finished' }, { id: 'b', state: 'pending' }, { id: 'a' }],
    })
    expect(read([...open, user('Next')])[1]).toMatchObject({ finished_reason: 'completed' })
  })

  it('puts what was put in for the agent into the turn, and hides what is hidden', () => {
    const note = (message_source: string, visibility: string): JsonObject => ({
      metadata: { message_source, visibility },
    })
    const values = [
      user('Hi'),
      said(null, calls('a')),
      result('a', 'x'),
      user('[guide] Be brief', note('guidance', 'compact')),
      user('[skill] secret', note('skill', 'hidden')),
      said('Done'),
    ]
    expect(told(values)).toMatchObject([
      { role: 'user' },
      {
        blocks: [
          { call: 'gauge' },
          { result: 'gauge' },
          { hint: 'Be brief', from: '{"label":"guidance","kind":"guidance"}' },
          { text: 'Done' },
        ],
      },
    ])
  })

  it('begins another turn where work starts anew, memory was compressed, or a notice came after the end', () => {
    const after = (fields: JsonObject): readonly string[] =>
      read([
        user('Hi'),
        said('One'),
        user('[x] y', { message_id: 'n', ...fields }),
        said('Two'),
      ]).map(({ id }) => id)
    const expected = ['c:m0', 'c:m0:reply', 'n:reply']
    expect(after({ message_source: 'goal', starts_work: true })).toEqual(expected)
    expect(after({ message_source: 'compression_handoff' })).toEqual(expected)
    expect(after({ message_source: 'sub_agent' })).toEqual(expected)
    const busy = [
      user('Hi'),
      said('One', calls('a')),
      user('[x] y', { message_source: 'goal', starts_work: true }),
      said('Two'),
    ]
    expect(read(busy)).toHaveLength(3)
  })

  it('shows a notice that nothing follows yet', () => {
    expect(told([user('[sub] Done', { message_source: 'sub_agent' })])).toMatchObject([
      { blocks: [{ hint: 'Done' }] },
    ])
  })

  it('reads content in parts, stamps in seconds, and calls that lack what they should have', () => {
    const values = [
      user('', {
        content: [
          { type: 'text', text: 'See ' },
          { type: 'text', text: 'this' },
        ],
        images: ['up/a.png'],
        timestamp: 1_769_000_000,
      }),
      said(null, {
        content: [{ type: 'text', text: 'Nice' }],
        tool_calls: [{}, null, { id: 'z', function: { name: 't', arguments: { a: 1 } } }],
      }),
      { role: 'tool', content: 'lost' },
    ]
    const [one, reply] = read(values)
    expect(one).toMatchObject({
      created_at: '2026-01-21T12:53:20.000Z',
      content: [
        { text: 'See this' },
        { source: { url: 'file:up/a.png', media_type: 'image/png' } },
      ],
    })
    expect(tellMessages(reply === undefined ? [] : [reply])[0]?.blocks).toEqual([
      { text: 'Nice' },
      { call: '', input: '{}', state: 'pending' },
      { call: 't', input: '{"a":1}', state: 'pending' },
      { call: '', input: '{}', state: 'finished' },
      { result: '', output: [{ text: 'lost' }], state: 'success' },
    ])
  })

  it('leaves prompts of the system out, and tells of what is no message', () => {
    const { messages, anomalies } = parseTaskApiMessages([
      { role: 'system', content: 'You are' },
      null,
      {},
    ])
    expect(messages).toEqual([])
    expect(anomalies).toHaveLength(2)
    expect(parseTaskApiMessages('nothing')).toEqual({ messages: [], anomalies: [] })
  })

  it('reads any JSON, and gives what a conversation can begin with', () => {
    const value = fc.oneof(
      fc.record({
        role: fc.constantFrom('user', 'assistant', 'tool'),
        content: fc.jsonValue({ maxDepth: 2 }),
        reasoning_content: fc.jsonValue({ maxDepth: 0 }),
        tool_calls: fc.oneof(
          fc.array(
            fc.record({
              id: fc.constantFrom('a', 'b', 3),
              function: fc.jsonValue({ maxDepth: 2 }),
            }),
          ),
          fc.jsonValue({ maxDepth: 1 }),
        ),
        tool_call_id: fc.constantFrom('a', 'b', 'c'),
        metadata: fc.jsonValue({ maxDepth: 2 }),
      }),
      fc.jsonValue({ maxDepth: 2 }),
    )
    fc.assert(
      fc.property(fc.array(value, { maxLength: 12 }), (values) => {
        const messages = read(values)
        const ids = messages.map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
        for (const { content } of messages) {
          const keys = content.map(({ type, id }) => `${type} ${id}`)
          expect(new Set(keys).size).toBe(keys.length)
        }
        const begun = applyEvents(createConversation(), [
          { type: 'kit.snapshot', mode: 'replace', messages },
        ])
        expect(begun.messages).toEqual(messages)
      }),
      { numRuns: runs(150) },
    )
  })
})
