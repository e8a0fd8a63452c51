// @vitest-environment node
// Streams as they come from proxies, from other versions and from hands: nothing said is lost, and nothing is said twice.
import { describe, expect, it } from 'vitest'
import { javaDialect } from '../../../src/dialects/index.js'
import type { JsonObject } from '../../../src/protocol/index.js'
import { decode, describeDialect, fold, type Golden } from '../describeDialect.js'
import { tellMessages } from '../tellMessages.js'
import {
  agentResult,
  javaStream,
  modelCall,
  text,
  toolResult,
  toolUse,
  writtenCall,
} from './frames.js'

const event = javaStream()
const start = { type: 'AGENT_START', name: 'Ops' }
const end = { type: 'AGENT_END' }

const goldens: readonly Golden[] = [
  {
    name: 'nothing but the result',
    frames: [
      event('AGENT_START', { replyId: 'R0', name: 'Ops' }),
      agentResult(event, [
        { type: 'thinking', thinking: 'Hm.', metadata: null },
        { type: 'text', text: 'All at once.' },
      ]),
      event('AGENT_END', { replyId: 'R0' }),
    ],
    messages: [
      {
        name: 'Ops',
        blocks: [{ thinking: 'Hm.' }, { text: 'All at once.' }],
        end: 'completed',
      },
    ],
  },
  {
    name: 'a result of which the beginning was missed',
    frames: [
      agentResult(event, [{ type: 'text', text: 'The answer.' }]),
      event('AGENT_END', { replyId: 'R0' }),
    ],
    messages: [{ name: '', blocks: [{ text: 'The answer.' }], end: 'completed' }],
  },
  {
    name: 'a result that is a bare text',
    frames: [start, { type: 'AGENT_RESULT', result: { content: 'Plain.' } }, end],
    messages: [{ name: 'Ops', blocks: [{ text: 'Plain.' }], end: 'completed' }],
  },
  {
    name: 'texts and a thought that come whole at their ends',
    frames: [
      start,
      { type: 'THINKING_BLOCK_START' },
      { type: 'THINKING_BLOCK_END', fullText: 'Hm.' },
      { type: 'TEXT_BLOCK_END', fullText: 'One.' },
      { type: 'TEXT_BLOCK_END', fullText: 'Two.' },
      end,
    ],
    messages: [
      {
        name: 'Ops',
        blocks: [{ thinking: 'Hm.' }, { text: 'One.' }, { text: 'Two.' }],
        end: 'completed',
      },
    ],
  },
  {
    name: 'a whole text that nobody announced',
    frames: [{ type: 'TEXT_BLOCK_END', fullText: 'Hello.' }],
    messages: [{ name: '', blocks: [{ text: 'Hello.' }], end: 'completed' }],
  },
  {
    name: 'the agent named as the way to itself',
    frames: [
      event('AGENT_START', { replyId: 'R1', name: 'Ops', source: 'main' }),
      ...modelCall(event, 'M1', () => text(event, 'M1', 'Hi.')).map((frame) => ({
        ...frame,
        source: 'main',
      })),
      event('AGENT_END', { replyId: 'R1', source: 'main' }),
    ],
    messages: [{ name: 'Ops', blocks: [{ text: 'Hi.' }], end: 'completed', tokens: [10, 2] }],
  },
]

describeDialect('javaDialect with odd streams', javaDialect, goldens)

function runsOf(frames: readonly unknown[]): unknown {
  const { conversation, anomalies } = fold(decode(javaDialect, [frames]))
  expect(anomalies).toEqual([])
  return {
    own: tellMessages(conversation.messages).map(({ blocks, end: reason }) => [blocks, reason]),
    runs: conversation.runs.map(({ agentPath, messages }) => [
      agentPath,
      tellMessages(messages).map(({ blocks }) => blocks),
    ]),
  }
}

describe("the article's sub-agents without a `source`", () => {
  it.each([
    { name: 'named', begin: { name: 'scout' }, over: { name: 'scout' }, called: 'scout' },
    { name: 'by an id', begin: { agentId: 'scout' }, over: { agentId: 'scout' }, called: 'scout' },
    { name: 'with an end of no name', begin: { name: 'scout' }, over: {}, called: 'scout' },
    { name: 'of no name at all', begin: {}, over: {}, called: 'agent' },
  ])('have what is said between their start and their end: $name', ({ begin, over, called }) => {
    const frames = [
      start,
      { type: 'TOOL_CALL_START', id: 'c1', name: 'delegate' },
      { type: 'SUB_AGENT_START', ...begin },
      { type: 'TEXT_BLOCK_DELTA', delta: 'Found.' },
      { type: 'TOOL_RESULT', id: 'c1', content: 'It was found.' },
      { type: 'SUB_AGENT_END', ...over },
      { type: 'TEXT_BLOCK_DELTA', delta: 'Done.' },
      end,
    ]
    expect(runsOf(frames)).toEqual({
      own: [
        [
          [
            { call: 'delegate', input: '', state: 'finished' },
            { result: 'delegate', output: [{ text: 'It was found.' }], state: 'success' },
            { text: 'Done.' },
          ],
          'completed',
        ],
      ],
      runs: [[[called], [[{ text: 'Found.' }]]]],
    })
  })

  it('that name themselves in each event are told apart', () => {
    const frames = [
      start,
      { type: 'SUB_AGENT_START', agentId: 'a' },
      { type: 'SUB_AGENT_START', agentId: 'b' },
      { type: 'TEXT_BLOCK_DELTA', agentId: 'a', delta: 'A' },
      { type: 'TEXT_BLOCK_DELTA', agentId: 'b', delta: 'B' },
      { type: 'SUB_AGENT_END', agentId: 'a' },
      { type: 'SUB_AGENT_END', agentId: 'b' },
      { type: 'SUB_AGENT_END', agentId: 'b' },
      end,
    ]
    expect(runsOf(frames)).toEqual({
      own: [[[], 'completed']],
      runs: [
        [['a'], [[{ text: 'A' }]]],
        [['b'], [[{ text: 'B' }]]],
      ],
    })
  })
})

it('two runs of one sub-agent keep calls apart that they count alike', () => {
  const child = (prefix: string): readonly JsonObject[] => {
    const of = javaStream(prefix)
    return [
      of('AGENT_START', { name: 'scout' }),
      ...modelCall(of, `${prefix}M`, () =>
        writtenCall(of, `${prefix}M`, 'call_1', 'grep', `{"for":"${prefix}"}`),
      ),
      ...toolResult(of, `${prefix}A`, 'call_1', 'grep', `of ${prefix}`),
      of('AGENT_END'),
    ].map((frame) => ({ ...frame, source: 's1/scout' }))
  }
  const [one, other] = [child('x'), child('y')]
  const frames = one.flatMap((frame, index) => [frame, ...other.slice(index, index + 1)])
  const call = (of: string): unknown => ({
    call: 'grep',
    input: `{"for":"${of}"}`,
    state: 'finished',
  })
  const result = (of: string): unknown => ({
    result: 'grep',
    output: [{ text: `of ${of}` }],
    state: 'success',
  })
  expect(runsOf(frames)).toEqual({
    own: [],
    runs: [[['scout'], [[call('x'), call('y'), result('x'), result('y')]]]],
  })
})

describe('an agent that is a tool', () => {
  const at = { replyId: 'A1', toolCallId: 'c1', toolCallName: 'call_scout' }
  const says = (type: string, content: readonly JsonObject[], isLast: boolean): JsonObject =>
    event('TOOL_RESULT_TEXT_DELTA', {
      ...at,
      metadata: { subagent_event: true, subagent_name: 'scout' },
      delta: JSON.stringify({ type, message: { id: `m-${type}`, content }, isLast }),
    })
  const within = (said: readonly JsonObject[]): readonly JsonObject[] => [
    event('AGENT_START', { replyId: 'R2', name: 'Ops' }),
    ...modelCall(event, 'M2', () => writtenCall(event, 'M2', 'c1', 'call_scout', '{}')),
    event('TOOL_RESULT_START', at),
    ...said,
    event('TOOL_RESULT_END', { ...at, state: 'success' }),
    event('AGENT_END', { replyId: 'R2' }),
  ]
  const nested = (said: readonly JsonObject[]): unknown =>
    fold(decode(javaDialect, [within(said)])).conversation.runs.map(
      ({ messages }) => tellMessages(messages)[0]?.blocks,
    )

  it('is heard once, though its last event brings all again', () => {
    const said = [
      says('REASONING', [{ type: 'thinking', thinking: 'Hm.' }], false),
      says('REASONING', [{ type: 'text', text: 'I ' }], false),
      says('REASONING', [{ type: 'text', text: 'look.' }], false),
      says(
        'REASONING',
        [
          { type: 'thinking', thinking: 'Hm.' },
          { type: 'text', text: 'I look.' },
        ],
        true,
      ),
    ]
    expect(nested(said)).toEqual([[{ thinking: 'Hm.' }, { text: 'I look.' }]])
  })

  it('is heard though only its last events come', () => {
    const said = [
      says(
        'REASONING',
        [
          { type: 'thinking', thinking: 'Hm.' },
          { type: 'text', text: 'One.' },
          { type: 'text', text: 'Two.' },
          toolUse('t1', 'grep', {}),
        ],
        true,
      ),
      says('HINT', [{ type: 'text', text: 'Be brief.' }], true),
    ]
    expect(nested(said)).toEqual([
      [
        { thinking: 'Hm.' },
        { text: 'One.' },
        { text: 'Two.' },
        { call: 'grep', input: '{}', state: 'pending' },
        { hint: 'Be brief.', from: null },
      ],
    ])
  })

  it('leaves no broken JSON in the result', () => {
    const cut = event('TOOL_RESULT_TEXT_DELTA', {
      ...at,
      metadata: { subagent_event: true },
      delta: '{"type":"REAS',
    })
    expect(
      tellMessages(fold(decode(javaDialect, [within([cut])])).conversation.messages),
    ).toMatchObject([{ blocks: [{}, { result: 'call_scout', output: [] }] }])
  })
})

describe('a result of a call that is still asked for', () => {
  it('answers the question, so that the reply ends with its run', () => {
    const { conversation } = fold(
      decode(javaDialect, [
        [
          event('AGENT_START', { replyId: 'R0', name: 'Ops' }),
          ...writtenCall(event, 'M1', 'c1', 'rm', '{}'),
          event('REQUIRE_USER_CONFIRM', { replyId: 'A1', toolCalls: [toolUse('c1', 'rm', {})] }),
          event('TOOL_RESULT_TEXT_DELTA', { replyId: 'A2', toolCallId: 'c1', delta: 'gone' }),
          event('REQUEST_STOP', { generateReason: 'PERMISSION_ASKING' }),
          event('AGENT_END', { replyId: 'R0' }),
        ],
      ]),
    )
    expect(conversation.replies['R0']?.phase).toBe('ended')
  })
})
