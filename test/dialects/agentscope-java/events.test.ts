// @vitest-environment node
// The table of events, field by field where the order of a run does not matter.
import { describe, expect, it } from 'vitest'
import {
  dataAgentDialect,
  javaDialect,
  javaTextDialect,
  managedSessionDialect,
  remoteTaskDialect,
} from '../../../src/dialects/index.js'
import {
  TransportError,
  UserMsg,
  type Answer,
  type JsonObject,
  type ToolCallBlock,
} from '../../../src/protocol/index.js'
import { decode, fold } from '../describeDialect.js'
import { tellMessages } from '../tellMessages.js'
import { javaStream, textOf, toolUse } from './frames.js'

function inputsOf(...frames: readonly JsonObject[]): readonly object[] {
  return javaDialect.createDecoder({ sessionId: 's1' }).push(frames).inputs
}

describe('events of Java', () => {
  const event = javaStream()

  it.each([
    ['2026-08-22T10:00:00Z', '2026-08-22T10:00:00.000000Z'],
    ['2026-08-22T10:00:00.1Z', '2026-08-22T10:00:00.100000Z'],
    ['2026-08-22T10:00:00.009530362Z', '2026-08-22T10:00:00.009530Z'],
    ['2026-08-22T18:00:00.5+08:00', '2026-08-22T10:00:00.500000Z'],
  ])('have stamps that compare as text: %s', (createdAt, created_at) => {
    expect(inputsOf({ type: 'AGENT_START', id: 'x', replyId: 'R', createdAt })).toMatchObject([
      { created_at },
    ])
  })

  it('without a readable stamp have none', () => {
    const [start] = inputsOf({ type: 'AGENT_START', id: 'x', replyId: 'R', createdAt: 'yesterday' })
    expect(start).not.toHaveProperty('created_at')
  })

  it('AGENT_START names the session where it can', () => {
    expect(inputsOf(event('AGENT_START', { replyId: 'R' }))).toMatchObject([{ session_id: 's1' }])
    expect(inputsOf(event('AGENT_START', { replyId: 'R', sessionId: 's2' }))).toMatchObject([
      { session_id: 's2' },
    ])
  })

  it('MODEL_CALL_END counts tokens under any of their names, and none where none are told', () => {
    const start = event('AGENT_START', { replyId: 'R' })
    const counts = { input_tokens: 7, output_tokens: 3, cache_input_tokens: 2 }
    for (const fields of [
      { usage: { inputTokens: 7, outputTokens: 3, cachedTokens: 2, time: 1.5, totalTokens: 10 } },
      { inputTokens: 7, outputTokens: 3, cachedTokens: 2 },
      { usage: { promptTokens: 7, completionTokens: 3, cachedTokens: 2 } },
    ]) {
      expect(
        inputsOf(start, event('MODEL_CALL_END', { replyId: 'M', ...fields }))[1],
      ).toMatchObject(counts)
    }
    expect(
      inputsOf(start, event('MODEL_CALL_END', { replyId: 'M', finishReason: 'INTERRUPTED' }))[1],
    ).toMatchObject({
      input_tokens: 0,
      output_tokens: 0,
      finished_reason: 'interrupted',
    })
  })

  it('TOOL_RESULT_DATA_DELTA brings any block', () => {
    const at = { replyId: 'A', toolCallId: 'c', toolCallName: 'draw' }
    const frames = [
      event('AGENT_START', { replyId: 'R' }),
      event('TOOL_RESULT_START', at),
      ...[
        { type: 'text', text: 'Here: ' },
        { type: 'image', source: { type: 'url', url: 'https://e.com/a.png' } },
        { type: 'audio', source: { type: 'base64', media_type: 'audio/wav', data: 'UklGRg==' } },
        { type: 'data', id: 'd', source: { type: 'url', url: '/tmp/out/report.pdf' } },
        { type: 'thinking', thinking: 'hm' },
        { type: 'odd', x: 1 },
      ].map((data) => event('TOOL_RESULT_DATA_DELTA', { ...at, data })),
      event('TOOL_RESULT_END', { ...at, state: 'success' }),
      event('AGENT_END', { replyId: 'R' }),
    ]
    const { conversation, anomalies } = fold(decode(javaDialect, [frames]))
    expect(anomalies).toEqual([])
    expect(tellMessages(conversation.messages)[0]?.blocks).toEqual([
      {
        result: 'draw',
        output: [
          { text: 'Here: ' },
          { data: 'https://e.com/a.png', type: 'image/png' },
          { data: 'UklGRg==', type: 'audio/wav' },
          { data: 'file:///tmp/out/report.pdf', type: 'application/pdf', name: 'report.pdf' },
          { text: 'hm{"type":"odd","x":1}' },
        ],
        state: 'success',
      },
    ])
  })

  it('REQUEST_STOP and what newer servers send are notes', () => {
    const frames = [
      'REQUEST_STOP',
      'COMPACTION_START',
      'MODEL_FALLBACK_ACTIVATED',
      'TOOL_PROGRESS',
    ].map((type) => event(type, { replyId: 'M', reason: 'x', toolCallId: 'c' }))
    expect(inputsOf(...frames)).toMatchObject(
      frames.map((frame) => ({
        type: 'CUSTOM',
        name: textOf(frame, 'type').toLowerCase(),
        value: { reason: 'x', tool_call_id: 'c' },
      })),
    )
  })

  it('REQUIRE_USER_ASK hands a question to the person, and the run that follows is the same reply', () => {
    const asks = toolUse('q1', 'ask_user', { question: 'Which one?' })
    const before = [
      event('AGENT_START', { replyId: 'R8', name: 'Ops' }),
      event('REQUIRE_USER_ASK', { replyId: 'A8', toolCalls: [asks] }),
      event('REQUEST_STOP', { generateReason: 'USER_ASKING' }),
      event('AGENT_END', { replyId: 'R8' }),
    ]
    const { conversation } = fold(decode(javaDialect, [before]))
    expect(conversation.requests).toMatchObject([
      { kind: 'external', toolCall: { id: 'q1', input: '{"question":"Which one?"}' } },
    ])
    const after = [
      event('AGENT_START', { replyId: 'R9', name: 'Ops' }),
      event('USER_ASK_RESULT', { replyId: 'A8' }),
      event('MODEL_CALL_START', { replyId: 'M9' }),
      event('TEXT_BLOCK_DELTA', { replyId: 'M9', blockId: 'text', delta: 'That one.' }),
      event('AGENT_END', { replyId: 'R9' }),
    ]
    const { conversation: whole } = fold(decode(javaDialect, [[...before, ...after]]))
    expect(whole.messages).toHaveLength(1)
    expect(whole.messages[0]?.finished_reason).toBe('completed')
  })

  it('CUSTOM keeps its name and value', () => {
    expect(inputsOf(event('CUSTOM', { name: 'progress', value: { done: 3 } }))).toMatchObject([
      { type: 'CUSTOM', name: 'progress', value: { done: 3 } },
    ])
    expect(inputsOf(event('CUSTOM', { name: 'progress', value: 3 }))).toMatchObject([
      { value: { value: 3 } },
    ])
  })

  it('ALL_TOOLS_DENIED denies its calls', () => {
    const frames = [
      event('AGENT_START', { replyId: 'R' }),
      event('ALL_TOOLS_DENIED', { deniedToolCalls: [toolUse('c', 'rm', { p: 1 })] }),
      event('AGENT_END', { replyId: 'R' }),
    ]
    expect(
      tellMessages(fold(decode(javaDialect, [frames])).conversation.messages)[0]?.blocks,
    ).toEqual([
      { call: 'rm', input: '{"p":1}', state: 'finished' },
      { result: 'rm', output: [], state: 'denied' },
    ])
  })

  it.each([
    [{ type: 'FROM_THE_FUTURE', id: 'x' }, 'unknown-event'],
    [{ type: 'kit.snapshot', messages: [] }, 'unknown-event'],
    [{ id: 'x' }, 'not-an-event'],
    ['[DONE]', 'not-an-event'],
    [{ type: 'TOOL_CALL_DELTA', delta: '{}' }, 'orphan-event'],
    [{ type: 'REQUIRE_USER_CONFIRM', id: 'x' }, 'malformed-event'],
  ])('that cannot be used are told of: %j', (frame, kind) => {
    const { anomalies } = javaDialect.createDecoder().push(frame)
    expect(anomalies).toMatchObject([{ kind, raw: frame }])
  })

  it('repeat themselves after a break, and are passed over', () => {
    const frames = [
      event('AGENT_START', { replyId: 'R' }),
      event('TEXT_BLOCK_DELTA', { replyId: 'M', delta: 'ha' }),
      event('TEXT_BLOCK_DELTA', { replyId: 'M', delta: 'ha' }),
    ]
    const decoder = javaDialect.createDecoder()
    const first = decoder.push(frames).inputs
    expect(decoder.push(frames).inputs).toEqual([])
    expect(first).toHaveLength(4)
  })

  it('under one id for several things are all heard', () => {
    const frames = ['Hel', 'lo', '.'].map((delta) => ({
      type: 'TEXT_BLOCK_DELTA',
      id: 'same',
      delta,
    }))
    const { conversation } = fold(decode(javaDialect, [frames]))
    expect(tellMessages(conversation.messages)[0]?.blocks).toEqual([{ text: 'Hello.' }])
  })

  it('nested too deep for the engine are told of', () => {
    let deep: JsonObject = { type: 'text' }
    for (let level = 0; level < 20_000; level++) deep = { type: 'tool_result', output: [deep] }
    const at = { replyId: 'A', toolCallId: 'c', toolCallName: 'x' }
    const decoder = javaDialect.createDecoder()
    decoder.push([event('AGENT_START', { replyId: 'R' }), event('TOOL_RESULT_START', at)])
    const { anomalies } = decoder.push(event('TOOL_RESULT_DATA_DELTA', { ...at, data: deep }))
    expect(anomalies).toMatchObject([{ kind: 'malformed-event' }])
  })
})

const call: ToolCallBlock = {
  type: 'tool_call',
  id: 'call_1',
  name: 'rm_file',
  input: '{"path":"/a"}',
  state: 'asking',
  suggested_rules: [],
}
const rules = [{ tool_name: 'rm_file', rule_content: null, behavior: 'allow', source: 'user' }]
const confirm: Answer = {
  kind: 'confirm',
  id: 'a1',
  reply_id: 'R0',
  results: [
    { confirmed: true, tool_call: call, rules },
    { confirmed: false, tool_call: { ...call, id: 'call_2~1', input: '{"path":' } },
  ],
}
const external: Answer = {
  kind: 'external',
  id: 'a2',
  reply_id: 'R0',
  results: [
    {
      type: 'tool_result',
      id: 'c1',
      name: 'shot',
      output: [
        { type: 'text', id: 'x', text: 'Here' },
        {
          type: 'data',
          id: 'y',
          name: 'a.png',
          source: { type: 'base64', media_type: 'image/png', data: 'QUJD' },
        },
        {
          type: 'data',
          id: 'z',
          name: 'b.pdf',
          source: { type: 'url', url: 'https://e.com/b', media_type: 'application/pdf' },
        },
      ],
      state: 'success',
      metadata: { k: 1 },
    },
    { type: 'tool_result', id: 'c2', name: 'shot', output: 'no', state: 'error', metadata: {} },
  ],
}
const input: Answer = { kind: 'input', id: 'a3', request_id: 'q', action: 'cancel' }
const hello = UserMsg({ id: 'u1', name: 'me', content: 'Hello' })

describe('answers to Java', () => {
  it('carry both forms of the arguments, and a type', () => {
    expect(javaDialect.encode.answer(confirm)).toEqual({
      confirmResults: [
        {
          confirmed: true,
          toolCall: {
            type: 'tool_use',
            id: 'call_1',
            name: 'rm_file',
            input: { path: '/a' },
            content: '{"path":"/a"}',
            metadata: {},
          },
          rules,
        },
        {
          confirmed: false,
          toolCall: {
            type: 'tool_use',
            id: 'call_2',
            name: 'rm_file',
            input: {},
            content: '{}',
            metadata: {},
          },
          rules: null,
        },
      ],
    })
  })

  it('bring back what the call carried', () => {
    const frames = [
      { type: 'AGENT_START', id: '1', replyId: 'R' },
      {
        type: 'REQUIRE_USER_CONFIRM',
        id: '2',
        toolCalls: [{ ...toolUse('c1', 'rm', { p: 1 }), metadata: { thoughtSignature: 'xyz' } }],
      },
    ]
    const { conversation } = fold(javaDialect.createDecoder().push(frames).inputs)
    const request = conversation.requests[0]
    if (request?.kind !== 'confirm') throw new Error('Nothing was asked.')
    const results = [{ confirmed: true, tool_call: request.toolCall }]
    expect(
      javaDialect.encode.answer({ kind: 'confirm', id: 'a', reply_id: 'R', results }),
    ).toMatchObject({
      confirmResults: [{ toolCall: { id: 'c1', metadata: { thoughtSignature: 'xyz' } } }],
    })
  })

  it('bring results as lists of blocks', () => {
    expect(javaDialect.encode.answer(external)).toEqual({
      toolResults: [
        {
          type: 'tool_result',
          id: 'c1',
          name: 'shot',
          output: [
            { type: 'text', text: 'Here' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QUJD' } },
            {
              type: 'data',
              id: 'z',
              source: { type: 'url', url: 'https://e.com/b', mime_type: 'application/pdf' },
              name: 'b.pdf',
            },
          ],
          metadata: { k: 1 },
          state: 'success',
        },
        {
          type: 'tool_result',
          id: 'c2',
          name: 'shot',
          output: [{ type: 'text', text: 'no' }],
          metadata: {},
          state: 'error',
        },
      ],
    })
  })

  it('take the shape of managed sessions and tasks', () => {
    expect(managedSessionDialect.encode.answer(confirm)).toEqual({
      events: [
        { type: 'user.tool_confirmation', payload: { tool_use_id: 'call_1', allow: true } },
        { type: 'user.tool_confirmation', payload: { tool_use_id: 'call_2', allow: false } },
      ],
    })
    expect(managedSessionDialect.encode.answer(external)).toEqual({
      events: [
        {
          type: 'user.tool_result',
          payload: { tool_use_id: 'c1', content: 'Here', is_error: false },
        },
        { type: 'user.tool_result', payload: { tool_use_id: 'c2', content: 'no', is_error: true } },
      ],
    })
    expect(remoteTaskDialect.encode.answer(confirm)).toEqual({
      decisions: [
        { toolCallId: 'call_1', approved: true },
        { toolCallId: 'call_2', approved: false },
      ],
    })
  })

  it.each([
    ['events', javaDialect, input],
    ['text', javaTextDialect, confirm],
    ['data-agent', dataAgentDialect, external],
    ['managed', managedSessionDialect, input],
    ['task', remoteTaskDialect, external],
  ])('without a place there are refused: %s', (_, dialect, answer) => {
    expect(() => dialect.encode.answer(answer)).toThrow(TransportError)
  })

  it.each([
    [
      'events',
      javaDialect,
      {
        messages: [
          {
            id: 'u1',
            name: 'me',
            role: 'USER',
            content: [{ type: 'text', text: 'Hello' }],
            metadata: {},
          },
        ],
      },
    ],
    ['text', javaTextDialect, { message: 'Hello' }],
    ['data-agent', dataAgentDialect, { message: 'Hello' }],
    [
      'managed',
      managedSessionDialect,
      { events: [{ type: 'user.message', payload: { text: 'Hello' } }] },
    ],
    ['task', remoteTaskDialect, { input: 'Hello' }],
  ])('what the person says takes its shape: %s', (_, dialect, sent) => {
    expect(dialect.encode.send([hello])).toEqual(sent)
    expect(dialect.encode.send(null)).toBeNull()
  })
})
