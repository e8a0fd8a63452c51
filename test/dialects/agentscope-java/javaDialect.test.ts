// @vitest-environment node
import type { JsonObject } from '../../../src/protocol/index.js'
import { decodeFrames } from '../../../src/dialects/index.js'
import { describe, expect, it } from 'vitest'
import { javaDialect } from '../../../src/dialects/index.js'
import { describeDialect, type Golden } from '../describeDialect.js'
import {
  agentResult,
  javaStream,
  modelCall,
  text,
  toolResult,
  toolUse,
  writtenCall,
} from './frames.js'

const FILE = { path: '/a' }

/** Text, call, text: each model call has a `replyId` of its own and all texts are called `text`. */
function textToolText(): readonly JsonObject[] {
  const event = javaStream()
  return [
    event('AGENT_START', { replyId: 'R0', name: 'Ops', role: 'assistant' }),
    ...modelCall(event, 'M1', () => [
      ...text(event, 'M1', 'Let me ', 'look.'),
      ...writtenCall(event, 'M1', 'call_1', 'lookup', '{"q":', '"x"}'),
    ]),
    ...toolResult(event, 'A1', 'call_1', 'lookup', '42'),
    ...modelCall(event, 'M2', () => text(event, 'M2', 'Done.')),
    agentResult(event, [{ type: 'text', text: 'Done.' }], 'MODEL_STOP'),
    event('AGENT_END', { replyId: 'R0' }),
  ]
}

function asks(): readonly JsonObject[] {
  const event = javaStream()
  return [
    event('AGENT_START', { replyId: 'R0', name: 'Ops', role: 'assistant' }),
    ...modelCall(event, 'M1', () => [
      ...text(event, 'M1', 'I will delete it.'),
      ...writtenCall(event, 'M1', 'call_1', 'rm_file', '{"path":"/a"}'),
    ]),
    event('REQUIRE_USER_CONFIRM', {
      replyId: 'A1',
      toolCalls: [toolUse('call_1', 'rm_file', FILE)],
    }),
    event('REQUEST_STOP', { reason: 'permission asking', generateReason: 'PERMISSION_ASKING' }),
    agentResult(
      event,
      [{ type: 'text', text: 'I will delete it.' }, toolUse('call_1', 'rm_file', FILE, 'asking')],
      'PERMISSION_ASKING',
      { agentscope_confirm_request_reply_id: 'A1' },
    ),
    event('AGENT_END', { replyId: 'R0' }),
  ]
}

function resumed(confirmed: boolean): readonly JsonObject[] {
  const event = javaStream('f')
  const toolCall = toolUse('call_1', 'rm_file', FILE)
  return [
    event('AGENT_START', { replyId: 'R1', name: 'Ops', role: 'assistant' }),
    event('USER_CONFIRM_RESULT', {
      replyId: 'A1',
      confirmResults: [{ confirmed, toolCall, rules: null }],
    }),
    ...(confirmed ? toolResult(event, 'A2', 'call_1', 'rm_file', 'gone') : []),
    ...modelCall(event, 'M2', () => text(event, 'M2', 'All right.')),
    agentResult(event, [{ type: 'text', text: 'All right.' }]),
    event('AGENT_END', { replyId: 'R1' }),
  ]
}

const ASKED = [
  { text: 'I will delete it.' },
  { call: 'rm_file', input: '{"path":"/a"}', state: 'asking' },
]

const stamp = (second: number): string =>
  `2026-08-22T10:00:${String(second).padStart(2, '0')}.500000Z`

const goldens: readonly Golden[] = [
  {
    name: 'a plain answer, input by input',
    frames: (() => {
      const event = javaStream()
      return [
        event('AGENT_START', { replyId: 'R0', name: 'Ops', role: 'assistant' }),
        ...modelCall(event, 'M1', () => text(event, 'M1', 'Hi.')),
        agentResult(event, [{ type: 'text', text: 'Hi.' }]),
        event('AGENT_END', { replyId: 'R0' }),
      ]
    })(),
    inputs: [
      {
        type: 'REPLY_START',
        id: 'e1',
        created_at: stamp(1),
        reply_id: 'R0',
        name: 'Ops',
        role: 'assistant',
      },
      { type: 'MODEL_CALL_START', id: 'e2', created_at: stamp(2), reply_id: 'R0', model_name: '' },
      ...(['TEXT_BLOCK_START', 'TEXT_BLOCK_DELTA', 'TEXT_BLOCK_END'] as const).map(
        (type, index) => ({
          type,
          id: `e${index + 3}`,
          created_at: stamp(index + 3),
          reply_id: 'R0',
          block_id: 'M1:text:0',
          ...(type === 'TEXT_BLOCK_DELTA' ? { delta: 'Hi.' } : {}),
        }),
      ),
      {
        type: 'MODEL_CALL_END',
        id: 'e6',
        created_at: stamp(6),
        reply_id: 'R0',
        input_tokens: 10,
        output_tokens: 2,
        cache_input_tokens: 0,
        cache_creation_input_tokens: 0,
      },
      {
        type: 'CUSTOM',
        id: 'e7',
        created_at: stamp(7),
        name: 'agent_result',
        value: { reply_id: 'R0', message_id: 'msg-of-30' },
      },
      {
        type: 'REPLY_END',
        id: 'e8',
        created_at: stamp(8),
        reply_id: 'R0',
        finished_reason: 'completed',
      },
    ],
    messages: [{ name: 'Ops', blocks: [{ text: 'Hi.' }], end: 'completed', tokens: [10, 2] }],
  },
  {
    name: 'text, call, text: one reply of several model calls',
    frames: textToolText(),
    messages: [
      {
        name: 'Ops',
        blocks: [
          { text: 'Let me look.' },
          { call: 'lookup', input: '{"q":"x"}', state: 'finished' },
          { result: 'lookup', output: [{ text: '42' }], state: 'success' },
          { text: 'Done.' },
        ],
        end: 'completed',
        tokens: [20, 4],
      },
    ],
  },
  {
    name: 'a question parks the reply, though its run ends',
    frames: asks(),
    messages: [{ name: 'Ops', blocks: ASKED, tokens: [10, 2] }],
  },
  {
    name: 'an approval goes on with the parked reply',
    frames: [...asks(), ...resumed(true)],
    messages: [
      {
        name: 'Ops',
        blocks: [
          { text: 'I will delete it.' },
          { call: 'rm_file', input: '{"path":"/a"}', state: 'finished' },
          { result: 'rm_file', output: [{ text: 'gone' }], state: 'success' },
          { text: 'All right.' },
        ],
        end: 'completed',
        tokens: [20, 4],
      },
    ],
  },
  {
    name: 'a denial has no result on the wire, and one in the kit',
    frames: [...asks(), ...resumed(false)],
    messages: [
      {
        name: 'Ops',
        blocks: [
          { text: 'I will delete it.' },
          { call: 'rm_file', input: '{"path":"/a"}', state: 'finished' },
          { result: 'rm_file', output: [], state: 'denied' },
          { text: 'All right.' },
        ],
        end: 'completed',
        tokens: [20, 4],
      },
    ],
  },
]

describeDialect('javaDialect', javaDialect, goldens)

describe('javaDialect', () => {
  it('is the dialect that recordings named agentscope-java are read with', () => {
    const inputs = decodeFrames('agentscope-java', textToolText())
    expect(inputs[0]).toMatchObject({ type: 'REPLY_START', reply_id: 'R0' })
  })
})
