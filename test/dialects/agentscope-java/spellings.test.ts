// @vitest-environment node
// One scenario as each sender spells it: text, a call with its arguments, its result, an image, a hint, and the answer.
import { describe, expect, it } from 'vitest'
import { agentscopeDialect, javaDialect } from '../../../src/dialects/index.js'
import type { Dialect, JsonObject } from '../../../src/protocol/index.js'
import { decode, fold } from '../describeDialect.js'
import { tellMessages } from '../tellMessages.js'
import { textOf } from './frames.js'

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

function numbered(frames: readonly JsonObject[]): readonly JsonObject[] {
  return frames.map((frame, index) => ({ id: `e${index}`, ...frame }))
}

const call = { tool_call_id: 'c1' }
const python = numbered([
  { type: 'REPLY_START', reply_id: 'r', session_id: 's', name: 'Ops', role: 'assistant' },
  { type: 'MODEL_CALL_START', reply_id: 'r', model_name: 'm' },
  { type: 'THINKING_BLOCK_START', reply_id: 'r', block_id: 'b1' },
  { type: 'THINKING_BLOCK_DELTA', reply_id: 'r', block_id: 'b1', delta: 'Hm.' },
  { type: 'THINKING_BLOCK_END', reply_id: 'r', block_id: 'b1' },
  { type: 'TEXT_BLOCK_START', reply_id: 'r', block_id: 'b2' },
  { type: 'TEXT_BLOCK_DELTA', reply_id: 'r', block_id: 'b2', delta: 'Let me draw.' },
  { type: 'TEXT_BLOCK_END', reply_id: 'r', block_id: 'b2' },
  { type: 'TOOL_CALL_START', reply_id: 'r', ...call, tool_call_name: 'draw' },
  { type: 'TOOL_CALL_DELTA', reply_id: 'r', ...call, delta: '{"what":"a dot"}' },
  { type: 'TOOL_CALL_END', reply_id: 'r', ...call },
  { type: 'MODEL_CALL_END', reply_id: 'r', input_tokens: 10, output_tokens: 4 },
  {
    type: 'REQUIRE_USER_CONFIRM',
    reply_id: 'r',
    tool_calls: [
      { type: 'tool_call', id: 'c1', name: 'draw', input: '{"what":"a dot"}', state: 'asking' },
    ],
  },
  {
    type: 'USER_CONFIRM_RESULT',
    reply_id: 'r',
    confirm_results: [
      {
        confirmed: true,
        tool_call: { type: 'tool_call', id: 'c1', name: 'draw', input: '{"what":"a dot"}' },
      },
    ],
  },
  { type: 'TOOL_RESULT_START', reply_id: 'r', ...call, tool_call_name: 'draw' },
  { type: 'TOOL_RESULT_TEXT_DELTA', reply_id: 'r', ...call, delta: 'Drawn.' },
  {
    type: 'TOOL_RESULT_DATA_DELTA',
    reply_id: 'r',
    ...call,
    block_id: 'p1',
    media_type: 'image/png',
    data: PNG,
  },
  { type: 'TOOL_RESULT_END', reply_id: 'r', ...call, state: 'success' },
  { type: 'HINT_BLOCK', reply_id: 'r', block_id: 'h1', hint: 'Be brief.', source: 'inbox' },
  { type: 'DATA_BLOCK_START', reply_id: 'r', block_id: 'd1', media_type: 'image/png' },
  { type: 'DATA_BLOCK_DELTA', reply_id: 'r', block_id: 'd1', media_type: 'image/png', data: PNG },
  { type: 'DATA_BLOCK_END', reply_id: 'r', block_id: 'd1' },
  { type: 'REPLY_END', reply_id: 'r', session_id: 's', finished_reason: 'completed' },
])

const at = { toolCallId: 'c1', toolCallName: 'draw' }
const java = numbered([
  { type: 'AGENT_START', replyId: 'R0', name: 'Ops', role: 'assistant' },
  { type: 'MODEL_CALL_START', replyId: 'M1' },
  { type: 'THINKING_BLOCK_START', replyId: 'M1', blockId: 'thinking' },
  { type: 'THINKING_BLOCK_DELTA', replyId: 'M1', blockId: 'thinking', delta: 'Hm.' },
  { type: 'THINKING_BLOCK_END', replyId: 'M1', blockId: 'thinking' },
  { type: 'TEXT_BLOCK_START', replyId: 'M1', blockId: 'text' },
  { type: 'TEXT_BLOCK_DELTA', replyId: 'M1', blockId: 'text', delta: 'Let me draw.' },
  { type: 'TEXT_BLOCK_END', replyId: 'M1', blockId: 'text' },
  { type: 'TOOL_CALL_START', replyId: 'M1', ...at },
  { type: 'TOOL_CALL_DELTA', replyId: 'M1', ...at, delta: '{"what":"a dot"}' },
  { type: 'TOOL_CALL_END', replyId: 'M1', ...at },
  {
    type: 'MODEL_CALL_END',
    replyId: 'M1',
    usage: { inputTokens: 10, outputTokens: 4, cachedTokens: 0, time: 0.7, totalTokens: 14 },
  },
  {
    type: 'REQUIRE_USER_CONFIRM',
    replyId: 'A1',
    // A map lost the block's type on the way.
    toolCalls: [
      {
        id: 'c1',
        name: 'draw',
        input: { what: 'a dot' },
        content: '{"what":"a dot"}',
        metadata: {},
        state: 'pending',
      },
    ],
  },
  { type: 'REQUEST_STOP', generateReason: 'PERMISSION_ASKING' },
  { type: 'AGENT_END', replyId: 'R0' },
  { type: 'AGENT_START', replyId: 'R1', name: 'Ops', role: 'assistant' },
  {
    type: 'USER_CONFIRM_RESULT',
    replyId: 'A1',
    confirmResults: [
      {
        confirmed: true,
        toolCall: { type: 'tool_use', id: 'c1', name: 'draw', input: { what: 'a dot' } },
        rules: null,
      },
    ],
  },
  { type: 'TOOL_RESULT_START', replyId: 'A2', ...at },
  { type: 'TOOL_RESULT_TEXT_DELTA', replyId: 'A2', ...at, delta: 'Drawn.' },
  {
    type: 'TOOL_RESULT_DATA_DELTA',
    replyId: 'A2',
    ...at,
    data: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
  },
  { type: 'TOOL_RESULT_END', replyId: 'A2', ...at, state: 'success' },
  { type: 'HINT_BLOCK', replyId: 'S1', blockId: 'h', hintSource: 'inbox', hint: 'Be brief.' },
  // Java's own names have no media type: the bytes tell it.
  { type: 'DATA_BLOCK_START', replyId: 'M2', blockId: 'data' },
  { type: 'DATA_BLOCK_DELTA', replyId: 'M2', blockId: 'data', delta: PNG },
  { type: 'DATA_BLOCK_END', replyId: 'M2', blockId: 'data' },
  { type: 'AGENT_END', replyId: 'R1' },
])

/** The names of the documentation's page, where they differ from the code's. */
const documentation = java.map((frame): JsonObject => {
  switch (frame['type']) {
    case 'MODEL_CALL_START':
      return { ...frame, modelName: 'm' }
    case 'MODEL_CALL_END':
      return { type: 'MODEL_CALL_END', id: 'end', replyId: 'M1', inputTokens: 10, outputTokens: 4 }
    case 'DATA_BLOCK_START':
      return { ...frame, mediaType: 'image/png' }
    case 'DATA_BLOCK_DELTA':
      return { ...frame, delta: null, data: PNG }
    case 'TOOL_RESULT_DATA_DELTA':
      return { ...frame, mediaType: 'image/png', data: PNG }
    default:
      return frame
  }
})

const OLD_NAMES: Readonly<Record<string, string>> = {
  AGENT_START: 'RUN_STARTED',
  AGENT_END: 'RUN_FINISHED',
  MODEL_CALL_START: 'MODEL_CALL_STARTED',
  MODEL_CALL_END: 'MODEL_CALL_ENDED',
  DATA_BLOCK_START: 'BINARY_BLOCK_START',
  DATA_BLOCK_DELTA: 'BINARY_BLOCK_DELTA',
  DATA_BLOCK_END: 'BINARY_BLOCK_END',
  TOOL_RESULT_DATA_DELTA: 'TOOL_RESULT_BINARY_DELTA',
}

/** The TypeScript SDK before 2.0: one `replyId` for all, and older names. */
const typescript = documentation
  .filter(({ type }) => type !== 'REQUEST_STOP')
  .map((frame): JsonObject => {
    const type = textOf(frame, 'type')
    return { ...frame, type: OLD_NAMES[type] ?? type, replyId: 'R0' }
  })

const article = [
  { type: 'AGENT_START', name: 'Ops' },
  { type: 'MODEL_CALL_START' },
  { type: 'THINKING_BLOCK_START' },
  { type: 'THINKING_BLOCK_DELTA', delta: 'Hm.' },
  { type: 'THINKING_BLOCK_END' },
  { type: 'TEXT_BLOCK_START' },
  { type: 'TEXT_BLOCK_DELTA', delta: 'Let me dr' },
  { type: 'TEXT_BLOCK_END', fullText: 'Let me draw.' },
  { type: 'TOOL_CALL_START', id: 'c1', name: 'draw', input: { what: 'a dot' } },
  { type: 'TOOL_CALL_END', id: 'c1', name: 'draw' },
  { type: 'MODEL_CALL_END', promptTokens: 10, completionTokens: 4, modelName: 'm' },
  { type: 'PERMISSION_REQUEST', id: 'c1', toolName: 'draw', parameters: { what: 'a dot' } },
  { type: 'PERMISSION_RESPONSE', toolCallId: 'c1', approved: true },
  // Announced again when it really runs.
  { type: 'TOOL_CALL_START', id: 'c1', name: 'draw' },
  {
    type: 'TOOL_RESULT',
    toolUseId: 'c1',
    content: [
      { type: 'text', text: 'Drawn.' },
      { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: PNG } },
    ],
    isError: false,
  },
  { type: 'HINT_BLOCK', hintSource: 'inbox', hint: 'Be brief.' },
  { type: 'DATA_BLOCK_START', mediaType: 'image/png' },
  { type: 'DATA_BLOCK_DELTA', data: PNG },
  { type: 'DATA_BLOCK_END' },
  { type: 'AGENT_END' },
]

/** A server whose mapper is set to snake_case. */
const snake = java.map((frame) => toSnake(frame))

function toSnake(frame: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(frame).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  )
}

const spellings: readonly { name: string; dialect: Dialect; frames: readonly JsonObject[] }[] = [
  { name: 'Python, by its own dialect', dialect: agentscopeDialect, frames: python },
  { name: 'Python', dialect: javaDialect, frames: python },
  { name: 'Java', dialect: javaDialect, frames: java },
  { name: 'Java with snake_case', dialect: javaDialect, frames: snake },
  { name: "the documentation's names", dialect: javaDialect, frames: documentation },
  { name: 'the TypeScript SDK before 2.0', dialect: javaDialect, frames: typescript },
  { name: 'the article', dialect: javaDialect, frames: article },
]

describe('one scenario in each spelling', () => {
  it.each(spellings)('gives the same messages: $name', ({ dialect, frames }) => {
    const { conversation, anomalies } = fold(decode(dialect, [frames]))
    expect(anomalies).toEqual([])
    expect(conversation.requests).toEqual([])
    expect(tellMessages(conversation.messages)).toEqual([
      {
        name: 'Ops',
        blocks: [
          { thinking: 'Hm.' },
          { text: 'Let me draw.' },
          { call: 'draw', input: '{"what":"a dot"}', state: 'finished' },
          {
            result: 'draw',
            output: [{ text: 'Drawn.' }, { data: PNG, type: 'image/png' }],
            state: 'success',
          },
          { hint: 'Be brief.', from: 'inbox' },
          { data: PNG, type: 'image/png' },
        ],
        end: 'completed',
        tokens: [10, 4],
      },
    ])
  })

  it.each(spellings)('asks the same in the middle: $name', ({ dialect, frames }) => {
    const until = frames.findIndex((frame) =>
      ['USER_CONFIRM_RESULT', 'PERMISSION_RESPONSE'].includes(textOf(frame, 'type')),
    )
    const { conversation } = fold(decode(dialect, [frames.slice(0, until)]))
    expect(conversation.requests).toMatchObject([
      { kind: 'confirm', toolCall: { id: 'c1', name: 'draw', input: '{"what":"a dot"}' } },
    ])
  })

  it('may change from frame to frame', () => {
    const mixed = java.map((frame, index) => (index % 2 === 0 ? frame : (snake[index] ?? frame)))
    expect(tellMessages(fold(decode(javaDialect, [mixed])).conversation.messages)).toEqual(
      tellMessages(fold(decode(javaDialect, [java])).conversation.messages),
    )
  })

  it('is read from JSON that says `type` twice', () => {
    const frames = java.map((frame) => {
      const { type, ...rest } = frame
      const twice = `{"type":${JSON.stringify(type)},${JSON.stringify(rest).slice(1, -1)},"type":${JSON.stringify(type)}}`
      return JSON.parse(twice) as JsonObject
    })
    expect(decode(javaDialect, [frames])).toEqual(decode(javaDialect, [java]))
  })
})

describe("the article's other words", () => {
  const start = { type: 'AGENT_START', id: 'a', name: 'Ops' }

  it.each([
    { type: 'ERROR', errorMessage: 'Out of tokens' },
    { type: 'ERROR', message: 'Out of tokens' },
    { type: 'error', error: 'Out of tokens' },
    { type: 'RUN_ERROR', error: { message: 'Out of tokens' } },
    { error: { message: 'Out of tokens' } },
  ])('tells an error and keeps what was said: %j', (frame) => {
    const frames = [start, { type: 'TEXT_BLOCK_DELTA', delta: 'Half' }, frame]
    expect(tellMessages(fold(decode(javaDialect, [frames])).conversation.messages)).toEqual([
      { name: 'Ops', blocks: [{ text: 'Half' }], end: 'error', error: 'Out of tokens' },
    ])
  })

  it('tells an error before anything else', () => {
    const { conversation } = fold(decode(javaDialect, [[{ type: 'ERROR', message: 'No model' }]]))
    expect(conversation.messages).toMatchObject([
      { finished_reason: 'error', error: { type: 'unknown', message: 'No model' } },
    ])
  })

  it('stops at INTERRUPT', () => {
    const frames = [start, { type: 'TEXT_BLOCK_DELTA', delta: 'Half' }, { type: 'INTERRUPT' }]
    expect(tellMessages(fold(decode(javaDialect, [frames])).conversation.messages)).toEqual([
      { name: 'Ops', blocks: [{ text: 'Half' }], end: 'interrupted' },
    ])
  })

  it('makes a call of a question about none, and a denial of its answer', () => {
    const frames = [
      start,
      { type: 'PERMISSION_REQUEST', id: 'p1', toolName: 'rm', parameters: { path: '/a' } },
      { type: 'PERMISSION_RESPONSE', id: 'p1', allow: false },
      { type: 'AGENT_END' },
    ]
    expect(tellMessages(fold(decode(javaDialect, [frames])).conversation.messages)).toEqual([
      {
        name: 'Ops',
        blocks: [
          { call: 'rm', input: '{"path":"/a"}', state: 'finished' },
          { result: 'rm', output: [], state: 'denied' },
        ],
        end: 'completed',
      },
    ])
  })

  it('tells a failed result, by any of its names', () => {
    const frames = [
      start,
      { type: 'TOOL_CALL_START', toolUseId: 't1', toolName: 'rm' },
      { type: 'TOOL_RESULT', toolUseId: 't1', content: 'denied', isError: true },
    ]
    expect(
      tellMessages(fold(decode(javaDialect, [frames])).conversation.messages)[0]?.blocks,
    ).toContainEqual({
      result: 'rm',
      output: [{ text: 'denied' }],
      state: 'error',
    })
  })

  it.each([
    [
      { type: 'SUB_AGENT_START', name: 'scout' },
      { source: 'scout' },
      { type: 'SUB_AGENT_END', name: 'scout' },
    ],
    [
      { type: 'SUB_AGENT_START', source: 'main/scout', name: 'scout' },
      { source: 'main/scout' },
      { type: 'SUB_AGENT_END', source: 'main/scout' },
    ],
    [
      { type: 'SUB_AGENT_START', agentId: 'scout' },
      { source: 'scout' },
      { type: 'SUB_AGENT_END', agentId: 'scout' },
    ],
  ])('tells a sub-agent apart: %j', (begin, where, end) => {
    const frames = [
      start,
      begin,
      { type: 'TEXT_BLOCK_DELTA', delta: 'Found.', ...where },
      end,
      { type: 'TEXT_BLOCK_DELTA', delta: 'It was found.' },
      { type: 'AGENT_END' },
    ]
    const { conversation } = fold(decode(javaDialect, [frames]))
    expect(tellMessages(conversation.messages)).toEqual([
      { name: 'Ops', blocks: [{ text: 'It was found.' }], end: 'completed' },
    ])
    expect(conversation.runs.map(({ agentPath }) => agentPath)).toEqual([['scout']])
    expect(tellMessages(conversation.runs[0]?.messages ?? [])).toEqual([
      { name: 'scout', blocks: [{ text: 'Found.' }], end: 'completed' },
    ])
  })
})
