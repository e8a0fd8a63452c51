// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { javaDialect, parseJavaMessages } from '../../../src/dialects/index.js'
import { applyEvents, createConversation } from '../../../src/fold/index.js'
import type { JsonObject } from '../../../src/protocol/index.js'
import { tellMessages } from '../tellMessages.js'
import { toolUse } from './frames.js'

let count = 0
function msg(role: string, content: unknown, fields: JsonObject = {}): JsonObject {
  count += 1
  return {
    id: `m${count}`,
    name: role === 'USER' ? 'user' : 'Ops',
    role,
    content: content as JsonObject[],
    metadata: {},
    timestamp: `2026-08-22 18:00:${String(count % 60).padStart(2, '0')}.204`,
    usage: null,
    ...fields,
  }
}

const text = (words: string): JsonObject => ({ type: 'text', text: words })
const USAGE = { inputTokens: 5, outputTokens: 1, cachedTokens: 2, time: 0.1, totalTokens: 6 }
const result = (
  id: string,
  output: readonly JsonObject[],
  fields: JsonObject = {},
): JsonObject => ({
  type: 'tool_result',
  id,
  name: 'look',
  output,
  metadata: {},
  state: 'running',
  ...fields,
})

describe('parseJavaMessages', () => {
  it('makes one reply of the messages of a turn, and leaves out what was written for the model', () => {
    const { messages, anomalies } = parseJavaMessages([
      msg('USER', [text('Look.')]),
      msg('ASSISTANT', [text('I look.'), toolUse('c1', 'look', { q: 1 })], {
        usage: USAGE,
        metadata: { agentscope_generate_reason: 'TOOL_CALLS' },
      }),
      msg('TOOL', [result('c1', [text('here')])]),
      msg('USER', [text('Answer now.')], {
        name: 'system',
        metadata: { agentscope_synthetic: true, agentscope_reminder_kind: 'empty_final_response' },
      }),
      msg('ASSISTANT', [text('It is here.')], {
        metadata: { _chat_usage: USAGE, agentscope_generate_reason: 'MODEL_STOP' },
      }),
      msg('USER', [text('Thanks.')]),
    ])
    expect(anomalies).toEqual([])
    expect(tellMessages(messages)).toEqual([
      { name: 'user', blocks: [{ text: 'Look.' }], role: 'user' },
      {
        name: 'Ops',
        blocks: [
          { text: 'I look.' },
          { call: 'look', input: '{"q":1}', state: 'finished' },
          { result: 'look', output: [{ text: 'here' }], state: 'success' },
          { text: 'It is here.' },
        ],
        end: 'completed',
        tokens: [10, 2],
      },
      { name: 'user', blocks: [{ text: 'Thanks.' }], role: 'user' },
    ])
    const [, reply] = messages
    expect(reply?.usage?.cache_input_tokens).toBe(4)
    expect(new Set(reply?.content.map(({ type, id }) => `${type} ${id}`)).size).toBe(4)
  })

  it.each([
    ['INTERRUPTED', 'interrupted'],
    ['MAX_ITERATIONS', 'exceed_max_iters'],
    ['ALL_TOOLS_DENIED', 'completed'],
    ['SOMETHING_NEW', 'completed'],
  ])('ends a reply for its reason: %s', (reason, end) => {
    const metadata = { agentscope_generate_reason: reason }
    const { messages } = parseJavaMessages([msg('ASSISTANT', [text('So.')], { metadata })])
    expect(messages[0]?.finished_reason).toBe(end)
  })

  it('does not end a reply that was cut off between two model calls', () => {
    const metadata = { agentscope_generate_reason: 'TOOL_CALLS' }
    const { messages } = parseJavaMessages([
      msg('ASSISTANT', [toolUse('c1', 'look', {})], { metadata }),
      msg('TOOL', [result('c1', [text('here')])]),
    ])
    expect(messages[0]).toMatchObject({ finished_at: null, finished_reason: null })
  })

  it('leaves a reply waiting, and lets its stream go on with it', () => {
    const { messages } = parseJavaMessages([
      msg('ASSISTANT', [toolUse('c1', 'rm', { p: 1 }, 'asking')], {
        metadata: { agentscope_generate_reason: 'PERMISSION_ASKING' },
      }),
    ])
    const [reply] = messages
    expect(reply).toMatchObject({ finished_at: null, created_at: '' })
    const history = applyEvents(createConversation(), [
      { type: 'kit.snapshot', messages, mode: 'merge', is_running: false },
    ])
    expect(history.requests).toMatchObject([{ kind: 'confirm', toolCall: { id: 'c1' } }])
    const decoder = javaDialect.createDecoder({ resumes: reply?.id ?? '' })
    const createdAt = '2026-08-22T10:05:00Z'
    const { inputs } = decoder.push([
      { type: 'AGENT_START', id: 'f1', createdAt, replyId: 'R1', name: 'Ops' },
      {
        type: 'USER_CONFIRM_RESULT',
        id: 'f2',
        createdAt,
        replyId: 'A1',
        confirmResults: [{ confirmed: true, toolCall: toolUse('c1', 'rm', { p: 1 }) }],
      },
      { type: 'TOOL_RESULT_START', id: 'f3', createdAt, toolCallId: 'c1', toolCallName: 'rm' },
      { type: 'TOOL_RESULT_END', id: 'f4', createdAt, toolCallId: 'c1', state: 'success' },
      { type: 'AGENT_END', id: 'f5', createdAt, replyId: 'R1' },
    ])
    const goesOn = applyEvents(history, inputs)
    expect(goesOn.requests).toEqual([])
    expect(tellMessages(goesOn.messages)).toEqual([
      {
        name: 'Ops',
        blocks: [
          { call: 'rm', input: '{"p":1}', state: 'finished' },
          { result: 'rm', output: [], state: 'success' },
        ],
        end: 'completed',
      },
    ])
  })

  it('shows no output of a tool that the client is to run', () => {
    const suspended = result('c1', [text('[Awaiting external execution]')], {
      metadata: { agentscope_suspended: true },
    })
    const asked = [
      msg('ASSISTANT', [toolUse('c1', 'look', {})], {
        metadata: { agentscope_generate_reason: 'TOOL_SUSPENDED' },
      }),
      msg('TOOL', [suspended]),
    ]
    expect(tellMessages(parseJavaMessages(asked).messages)).toEqual([
      { name: 'Ops', blocks: [{ call: 'look', input: '{}', state: 'submitted' }] },
    ])
    const done = [
      ...asked,
      msg('TOOL', [result('c1', [text('ok')])]),
      msg('ASSISTANT', [text('Good.')]),
    ]
    expect(tellMessages(parseJavaMessages(done).messages)[0]?.blocks).toEqual([
      { call: 'look', input: '{}', state: 'finished' },
      { result: 'look', output: [{ text: 'ok' }], state: 'success' },
      { text: 'Good.' },
    ])
  })

  it.each(['Error: no such file', '[ERROR] no such file'])(
    'knows a failed tool by its words: %s',
    (words) => {
      const { messages } = parseJavaMessages([msg('TOOL', [result('c1', [text(words)])])])
      expect(messages[0]?.content[0]).toMatchObject({ type: 'tool_result', state: 'error' })
    },
  )

  it('reads every kind of block', () => {
    const { messages } = parseJavaMessages([
      msg('ASSISTANT', [
        { type: 'thinking', thinking: 'Hm.', metadata: { signature: 's' } },
        { type: 'hint', id: 'h1', hint: 'Be brief.', source: 'inbox' },
        {
          type: 'image',
          source: { type: 'url', url: 'https://e.com/a.png', mime_type: 'image/png' },
        },
        { type: 'audio', source: { type: 'base64', media_type: 'audio/wav', data: 'UklGRg==' } },
        { type: 'video', source: { type: 'url', url: 'https://e.com/film' }, fps: 2, maxFrames: 9 },
        {
          type: 'data',
          id: 'd1',
          name: 'list',
          source: { type: 'url', url: '/srv/files/list.csv' },
        },
        { type: 'data', id: 'd2', source: { type: 'url', url: 'C:\\files\\plan.pdf' } },
        // Erasure took the types of these.
        { thinking: 'Hm?' },
        { text: 'So.' },
        { id: 't1', name: 'look', input: { a: 1 }, content: null, metadata: {}, state: 'PENDING' },
        { id: 't1', name: 'look', output: [{ text: 'out' }], metadata: {}, state: 'SUCCESS' },
        { source: { type: 'base64', data: 'iVBORw0KGgo=' } },
        { type: 'from_the_future', x: 1 },
      ]),
    ])
    expect(tellMessages(messages)[0]?.blocks).toEqual([
      { thinking: 'Hm.' },
      { hint: 'Be brief.', from: 'inbox' },
      { data: 'https://e.com/a.png', type: 'image/png' },
      { data: 'UklGRg==', type: 'audio/wav' },
      { data: 'https://e.com/film', type: 'video/*' },
      { data: 'file:///srv/files/list.csv', type: 'text/csv', name: 'list' },
      { data: 'file:///C:/files/plan.pdf', type: 'application/pdf', name: 'plan.pdf' },
      { thinking: 'Hm?' },
      { text: 'So.' },
      { call: 'look', input: '{"a":1}', state: 'finished' },
      { result: 'look', output: [{ text: 'out' }], state: 'success' },
      { data: 'iVBORw0KGgo=', type: 'image/png' },
      { unknown: { type: 'from_the_future', x: 1 } },
    ])
    expect(messages[0]?.content[0]).toMatchObject({ metadata: { signature: 's' } })
  })

  it("keeps the model's own words of arguments, and Java's object where there are none", () => {
    const inputs = [
      { id: 'a', content: '{ "n": 12345678901234567890 }', input: { n: 12345678901234567000 } },
      { id: 'b', content: '{}', input: { n: 1 } },
      { id: 'c', content: '{"n":', input: { n: 1 } },
      { id: 'd', content: '{}', input: {} },
    ].map((call) => ({ type: 'tool_use', name: 'look', metadata: {}, state: 'pending', ...call }))
    const { messages } = parseJavaMessages([msg('ASSISTANT', inputs)])
    expect(messages[0]?.content.map((block) => block.type === 'tool_call' && block.input)).toEqual([
      '{ "n": 12345678901234567890 }',
      '{"n":1}',
      '{"n":1}',
      '{}',
    ])
  })

  it("gives stamps a zone when it is told the server's", () => {
    const stored = [msg('USER', [text('Hi')], { timestamp: '2026-08-22 18:00:01.204' })]
    expect(parseJavaMessages(stored).messages[0]?.created_at).toBe('2026-08-22T18:00:01.204000')
    expect(parseJavaMessages(stored, { utcOffsetMinutes: 480 }).messages[0]?.created_at).toBe(
      '2026-08-22T10:00:01.204000Z',
    )
  })

  it('gives a reply that was streamed the id of its stream', () => {
    const stored = [
      msg('ASSISTANT', [text('One.')], { id: 'a' }),
      msg('ASSISTANT', [text('Two.')], { id: 'b' }),
    ]
    expect(parseJavaMessages(stored).messages[0]?.id).toBe('a')
    const replyIds = new Map([['b', 'R0']])
    expect(parseJavaMessages(stored, { replyIds }).messages[0]?.id).toBe('R0')
  })

  it('keeps a structured answer', () => {
    const metadata = { _structured_output: { n: 1 } }
    const { messages } = parseJavaMessages([msg('ASSISTANT', [], { metadata })])
    expect(messages[0]?.structured_output).toEqual({ n: 1 })
  })

  it('reads the turns of the data-agent example', () => {
    const { messages } = parseJavaMessages([
      { id: '1', role: 'user', content: 'How many?', timestampMs: 1787133600000 },
      {
        id: '2',
        role: 'tool',
        content: null,
        toolName: 'run_sql',
        toolInput: '{"q":1}',
        toolResult: '7',
      },
      { id: '3', role: 'assistant', content: 'Seven.', timestampMs: 1787133601000 },
    ])
    expect(tellMessages(messages)).toEqual([
      { name: '', blocks: [{ text: 'How many?' }], role: 'user' },
      {
        name: '',
        blocks: [
          { call: 'run_sql', input: '{"q":1}', state: 'finished' },
          { result: 'run_sql', output: [{ text: '7' }], state: 'success' },
          { text: 'Seven.' },
        ],
        end: 'completed',
      },
    ])
    expect(messages[0]?.created_at).toBe('2026-08-19T10:00:00.000000Z')
  })

  it.each([undefined, null, {}, 'text', [null, 1, 'x', [], {}, { content: [null, 1, {}] }]])(
    'survives %j',
    (values) => {
      expect(() => parseJavaMessages(values)).not.toThrow()
    },
  )
})
