// @vitest-environment node
import { describe, expect, it } from 'vitest'
import {
  dataAgentDialect,
  decodeFrames,
  javaDialect,
  javaTextDialect,
  managedSessionDialect,
  remoteTaskDialect,
} from '../../../src/dialects/index.js'
import type { JsonObject } from '../../../src/protocol/index.js'
import { decode, describeDialect, fold, type Golden } from '../describeDialect.js'
import { tellMessages } from '../tellMessages.js'
import { javaStream, modelCall, text, textOf, toolUse, writtenCall } from './frames.js'

const trimmed: readonly Golden[] = [
  {
    name: 'events that a controller trimmed to type, id, source, delta and toolName',
    frames: [
      { type: 'AGENT_START', id: 'e1' },
      { type: 'MODEL_CALL_START', id: 'e2' },
      { type: 'TEXT_BLOCK_START', id: 'e3' },
      { type: 'TEXT_BLOCK_DELTA', id: 'e4', delta: 'I ask ' },
      { type: 'TEXT_BLOCK_DELTA', id: 'e5', delta: 'two.' },
      { type: 'TEXT_BLOCK_END', id: 'e6' },
      { type: 'TOOL_CALL_START', id: 'e7', toolName: 'agent_spawn' },
      { type: 'TOOL_CALL_DELTA', id: 'e8' },
      { type: 'TOOL_CALL_START', id: 'e9', toolName: 'search' },
      { type: 'TOOL_CALL_END', id: 'e10' },
      { type: 'MODEL_CALL_END', id: 'e11' },
      { type: 'TOOL_RESULT_START', id: 'e12' },
      { type: 'TOOL_RESULT_START', id: 'e13' },
      { type: 'AGENT_START', id: 'e14', source: 'main/scout' },
      { type: 'TEXT_BLOCK_DELTA', id: 'e15', source: 'main/scout', delta: 'Here.' },
      { type: 'AGENT_END', id: 'e16', source: 'main/scout' },
      { type: 'TOOL_RESULT_END', id: 'e17' },
      { type: 'TOOL_RESULT_END', id: 'e18' },
      { type: 'TEXT_BLOCK_DELTA', id: 'e19', delta: 'Done.' },
      { type: 'AGENT_END', id: 'e20' },
    ],
    messages: [
      {
        name: '',
        blocks: [
          { text: 'I ask two.' },
          { call: 'agent_spawn', input: '', state: 'finished' },
          { call: 'search', input: '', state: 'finished' },
          { result: 'agent_spawn', output: [], state: 'success' },
          { result: 'search', output: [], state: 'success' },
          { text: 'Done.' },
        ],
        end: 'completed',
        tokens: [0, 0],
      },
    ],
  },
]

describeDialect('javaDialect with trimmed events', javaDialect, trimmed)

const texts: readonly Golden[] = [
  {
    name: 'pieces of text, with their leading spaces, whatever they look like',
    frames: ['Hello', ' world', '\n', '{"type":"AGENT_END"}', ' 42', 'null', ''],
    messages: [
      {
        name: '',
        blocks: [{ text: 'Hello world\n{"type":"AGENT_END"} 42null' }],
        end: 'completed',
      },
    ],
  },
]

describeDialect('javaTextDialect', javaTextDialect, texts)

describe('javaTextDialect', () => {
  it('tells a broken stream from a whole one', () => {
    const broken = fold(decode(javaTextDialect, [['Hel']], 'error')).conversation
    expect(broken.messages[0]?.finished_reason).toBe('error')
  })

  it('keeps streams apart by their seed', () => {
    const read = (seed: string): readonly (string | undefined)[] => {
      const decoder = javaTextDialect.createDecoder({ seed })
      return [...decoder.push('Hi').inputs, ...decoder.end('eof').inputs].map(({ id }) => id)
    }
    expect(read('turn-1:')).toEqual(read('turn-1:'))
    expect(new Set([...read('turn-1:'), ...read('turn-2:')]).size).toBe(2 * read('turn-1:').length)
  })

  it('takes only texts', () => {
    const { inputs, anomalies } = javaTextDialect.createDecoder().push([1, { type: 'token' }])
    expect(inputs).toEqual([])
    expect(anomalies).toHaveLength(2)
  })
})

const dataAgent: readonly Golden[] = [
  {
    name: 'a call without an id, the answer at once, and the session',
    frames: [
      { type: 'tool_call', toolName: 'run_sql', toolInput: '{"q":"select 1"}' },
      { type: 'token', data: 'There is one.' },
      { type: 'done', sessionKey: '9b1c' },
    ],
    messages: [
      {
        name: '',
        blocks: [
          { call: 'run_sql', input: '{"q":"select 1"}', state: 'finished' },
          { text: 'There is one.' },
          { result: 'run_sql', output: [], state: 'running' },
        ],
        end: 'completed',
      },
    ],
  },
  {
    name: 'a result, should one come, and an error',
    frames: [
      { type: 'tool_call', toolName: 'run_sql', toolInput: '{}' },
      { type: 'tool_result', toolName: 'run_sql', toolResult: '1' },
      { type: 'token', data: 'There' },
      { type: 'error', message: 'The model is gone.' },
    ],
    messages: [
      {
        name: '',
        blocks: [
          { call: 'run_sql', input: '{}', state: 'finished' },
          { result: 'run_sql', output: [{ text: '1' }], state: 'success' },
          { text: 'There' },
        ],
        end: 'error',
        error: 'The model is gone.',
      },
    ],
  },
]

describeDialect('dataAgentDialect', dataAgentDialect, dataAgent)

let seq = 0
function stored(type: string, payload: JsonObject = {}): JsonObject {
  seq += 1
  return { id: `evt_${seq}`, sessionId: 's1', seq, type, payload, createdAt: 1787133600000 + seq }
}
function previewed(type: string, eventId: string, delta?: string): JsonObject {
  const event_type = delta === undefined ? 'event_start' : 'event_delta'
  return {
    seq: -1,
    sessionId: 's1',
    type: event_type,
    payload: { event_id: eventId, type, ...(delta === undefined ? {} : { delta }) },
  }
}

const managed: readonly Golden[] = [
  {
    name: 'previews, and what is stored in their place',
    frames: [
      stored('user.message', { text: 'How many?' }),
      stored('session.status_running'),
      stored('span.model_request_start'),
      previewed('agent.thinking', 'think'),
      previewed('agent.thinking', 'think', 'Hm.'),
      previewed('agent.message', 'msg'),
      previewed('agent.message', 'msg', 'Let me '),
      previewed('agent.message', 'msg', 'count.'),
      stored('agent.tool_use', {
        id: 't1',
        name: 'count',
        input: {},
        toolCallId: 't1',
        toolName: 'count',
      }),
      previewed('agent.tool_use', 'evt_preview_tool_t1_123', '{"of":'),
      previewed('agent.tool_use', 'evt_preview_tool_t1_123', '"stars"}'),
      stored('span.model_request_end', { usage: { inputTokens: 10, outputTokens: 4 } }),
      stored('agent.tool_result', { tool_use_id: 't1', state: 'SUCCESS', output: '7' }),
      previewed('agent.message', 'msg', 'Seve'),
      stored('agent.message', { text: 'Seven.', content: [{ type: 'text', text: 'Seven.' }] }),
      stored('session.status_idle'),
    ],
    messages: [
      { name: 'user', blocks: [{ text: 'How many?' }], role: 'user' },
      {
        name: '',
        blocks: [
          { thinking: 'Hm.' },
          { text: 'Let me count.' },
          { call: 'count', input: '{"of":"stars"}', state: 'finished' },
          { result: 'count', output: [{ text: '7' }], state: 'success' },
          { text: 'Seven.' },
        ],
        end: 'completed',
        tokens: [10, 4],
      },
    ],
  },
  {
    name: 'flat previews whose id the stored message takes',
    frames: [
      stored('session.status_running'),
      { type: 'event_start', event_id: 'm1', seq: -1 },
      { type: 'agent.message', event_id: 'm1', delta: 'Hel', seq: -1 },
      { ...stored('agent.message', { text: 'Hello.' }), id: 'm1' },
      stored('session.status_idle'),
    ],
    messages: [{ name: '', blocks: [{ text: 'Hello.' }], end: 'completed' }],
  },
  {
    name: 'only what is stored, as after a reload',
    frames: [
      stored('session.status_running'),
      stored('agent.tool_use', { id: 't1', name: 'count', input: { of: 'stars' } }),
      stored('agent.tool_result', { tool_use_id: 't1', state: 'DENIED', content: 'no' }),
      stored('agent.message', { content: [{ type: 'text', text: 'Seven.' }] }),
      stored('session.status_idle'),
    ],
    messages: [
      {
        name: '',
        blocks: [
          { call: 'count', input: '{"of":"stars"}', state: 'finished' },
          { result: 'count', output: [{ text: 'no' }], state: 'denied' },
          { text: 'Seven.' },
        ],
        end: 'completed',
      },
    ],
  },
  {
    name: 'a denied approval within the turn',
    frames: [
      stored('session.status_running'),
      stored('agent.tool_use', { id: 't1', name: 'rm', input: { p: 1 } }),
      stored('session.requires_action', { tool_use_id: 't1', tool_name: 'rm', input: { p: 1 } }),
      stored('session.status_requires_action', { tool_use_id: 't1' }),
      stored('user.tool_confirmation', { tool_use_id: 't1', allow: false }),
      stored('session.status_running'),
      stored('span.model_request_start'),
      stored('agent.message', { text: 'As you wish.' }),
      stored('session.status_idle'),
    ],
    messages: [
      {
        name: '',
        blocks: [
          { call: 'rm', input: '{"p":1}', state: 'finished' },
          { result: 'rm', output: [], state: 'denied' },
          { text: 'As you wish.' },
        ],
        end: 'completed',
      },
    ],
  },
  {
    name: 'a tool that a worker runs, and a failure',
    frames: [
      stored('session.status_running'),
      stored('agent.tool_use', { id: 't1', name: 'build', input: {} }),
      stored('agent.tool_use', { id: 't1', name: 'build', input: { p: 1 }, state: 'pending' }),
      stored('session.requires_action', { reason: 'tool_suspended' }),
      stored('user.tool_result', { tool_use_id: 't1', content: 'built', is_error: false }),
      stored('session.status_running'),
      stored('session.error', {
        error: { type: 'api', code: 'model_call_failed', message: 'No model.' },
      }),
      stored('session.status_terminated'),
    ],
    messages: [
      {
        name: '',
        blocks: [
          { call: 'build', input: '{"p":1}', state: 'finished' },
          { result: 'build', output: [{ text: 'built' }], state: 'success' },
        ],
        end: 'error',
        error: 'No model.',
      },
    ],
  },
  {
    name: 'a message of which the beginning was missed, and one without an envelope',
    frames: [
      stored('agent.message', { text: 'Hello.' }),
      stored('session.status_idle'),
      stored('session.status_running'),
      { id: 'flat', seq: 99, type: 'agent.message', text: 'Flat.' },
      stored('session.status_idle'),
    ],
    messages: [
      { name: '', blocks: [{ text: 'Hello.' }], end: 'completed' },
      { name: '', blocks: [{ text: 'Flat.' }], end: 'completed' },
    ],
  },
  {
    name: 'an interrupt',
    frames: [
      stored('session.status_running'),
      previewed('agent.message', 'msg', 'One, t'),
      stored('user.interrupt'),
      stored('session.interrupted', { status: 'interrupt_requested' }),
      stored('session.interrupted', { status: 'interrupted', source: 'local' }),
    ],
    messages: [{ name: '', blocks: [{ text: 'One, t' }], end: 'interrupted' }],
  },
]

describeDialect('managedSessionDialect', managedSessionDialect, managed)

describe('managedSessionDialect', () => {
  it('knows where to go on: previews have no place', () => {
    const decoder = managedSessionDialect.createDecoder()
    expect(decoder.cursor?.()).toBeNull()
    decoder.push({ id: 'x', seq: 41, type: 'session.status_running', payload: {} })
    decoder.push(previewed('agent.message', 'm', 'Hi'))
    expect(decoder.cursor?.()).toBe('41')
  })

  it('passes over previews that come again after a break, or after what they preview', () => {
    const begun = [
      stored('session.status_running'),
      previewed('agent.message', 'm7'),
      previewed('agent.message', 'm7', 'Hel'),
    ]
    const whole = { ...stored('agent.message', { text: 'Hello.' }), id: 'm7' }
    const rest = [previewed('agent.message', 'm7', 'lo'), whole, stored('session.status_idle')]
    const frames = [...begun, ...begun.slice(1), ...rest, ...begun.slice(1)]
    expect(decode(managedSessionDialect, [frames])).toEqual(
      decode(managedSessionDialect, [[...begun, ...rest]]),
    )
  })

  it('asks with what the stored event says', () => {
    const frames = [
      stored('session.status_running'),
      stored('session.requires_action', {
        toolUseId: 't1',
        toolName: 'rm',
        inputPreview: { p: 1 },
      }),
    ]
    const { conversation } = fold(decode(managedSessionDialect, [frames]))
    expect(conversation.requests).toMatchObject([
      { kind: 'confirm', toolCall: { id: 't1', name: 'rm', input: '{"p":1}' } },
    ])
  })
})

let place = 0
function task(type: string, fields: JsonObject = {}): JsonObject {
  place += 1
  return {
    seq: place,
    type,
    taskId: 't1',
    agentId: 'researcher',
    timestamp: '2026-08-22T10:00:00Z',
    ...fields,
  }
}
function wrapped(event: JsonObject): JsonObject {
  return task('AGENT_EVENT', { eventType: event['type'] ?? '', payload: JSON.stringify(event) })
}

function wrappedRun(): readonly JsonObject[] {
  const event = javaStream()
  return [
    wrapped(event('AGENT_START', { replyId: 'R0', name: 'researcher', role: 'assistant' })),
    ...modelCall(event, 'M1', () => [
      ...text(event, 'M1', 'I must delete.'),
      ...writtenCall(event, 'M1', 'c1', 'rm', '{"p":1}'),
    ]).map(wrapped),
    wrapped(
      event('REQUIRE_USER_CONFIRM', { replyId: 'A1', toolCalls: [toolUse('c1', 'rm', { p: 1 })] }),
    ),
    wrapped(event('AGENT_END', { replyId: 'R0' })),
  ]
}

const tasks: readonly Golden[] = [
  {
    name: 'flat events, whose end counts when the status says so',
    frames: [
      task('RUN_STARTED'),
      task('THINKING_DELTA', { text: 'Hm.' }),
      task('TEXT_DELTA', { text: 'I ' }),
      task('TEXT_DELTA', { text: 'look.' }),
      task('TOOL_CALL_START', { toolCallId: 'c1', toolName: 'grep' }),
      task('TOOL_CALL_END', { toolCallId: 'c1', toolName: 'grep', toolInput: '{"q":"x"}' }),
      task('TOOL_RESULT', { toolCallId: 'c1', toolName: 'grep', text: 'here', status: 'SUCCESS' }),
      task('RUN_FINISHED'),
      task('STATUS', { status: 'success' }),
    ],
    messages: [
      {
        name: 'researcher',
        blocks: [
          { thinking: 'Hm.' },
          { text: 'I look.' },
          { call: 'grep', input: '{"q":"x"}', state: 'finished' },
          { result: 'grep', output: [{ text: 'here' }], state: 'success' },
        ],
        end: 'completed',
      },
    ],
  },
  {
    name: 'a question told twice, once after the run ended',
    frames: [
      task('RUN_STARTED'),
      task('TEXT_DELTA', { text: 'May I?' }),
      task('REQUIRE_CONFIRM', {
        pendingConfirms: [{ toolCallId: 'c1', toolName: 'rm', toolInputJson: '{"p":1}' }],
      }),
      task('RUN_FINISHED'),
      task('REQUIRE_CONFIRM', {
        status: 'awaiting_confirm',
        pendingConfirms: [{ toolCallId: 'c1', toolName: 'rm', toolInputJson: '{"p":1}' }],
      }),
    ],
    messages: [
      {
        name: 'researcher',
        blocks: [{ text: 'May I?' }, { call: 'rm', input: '{"p":1}', state: 'asking' }],
      },
    ],
  },
  {
    name: 'a question that comes only after the end',
    frames: [
      task('RUN_STARTED'),
      task('RUN_FINISHED'),
      task('REQUIRE_CONFIRM', {
        status: 'awaiting_confirm',
        pendingConfirms: [{ toolCallId: 'c1', toolName: 'rm', toolInputJson: '{"p":1}' }],
      }),
    ],
    messages: [{ name: 'researcher', blocks: [{ call: 'rm', input: '{"p":1}', state: 'asking' }] }],
  },
  {
    name: 'whole events in the payload, and the answer on the same task',
    frames: [
      ...wrappedRun(),
      task('RUN_STARTED'),
      task('TOOL_RESULT', { toolCallId: 'c1', toolName: 'rm', text: 'gone', status: 'SUCCESS' }),
      task('TEXT_DELTA', { text: 'It is gone.' }),
      task('RUN_FINISHED'),
      task('STATUS', { status: 'success' }),
    ],
    messages: [
      {
        name: 'researcher',
        blocks: [
          { text: 'I must delete.' },
          { call: 'rm', input: '{"p":1}', state: 'finished' },
          { result: 'rm', output: [{ text: 'gone' }], state: 'success' },
          { text: 'It is gone.' },
        ],
        end: 'completed',
        tokens: [10, 2],
      },
    ],
  },
  {
    name: 'a denial, of which the task says nothing but that it goes on',
    frames: [
      task('RUN_STARTED'),
      task('REQUIRE_CONFIRM', {
        pendingConfirms: [{ toolCallId: 'c1', toolName: 'rm', toolInputJson: '{"p":1}' }],
      }),
      task('RUN_FINISHED'),
      task('RUN_STARTED'),
      task('TEXT_DELTA', { text: 'As you wish.' }),
      task('RUN_FINISHED'),
      task('STATUS', { status: 'success' }),
    ],
    messages: [
      {
        name: 'researcher',
        blocks: [
          { call: 'rm', input: '{"p":1}', state: 'finished' },
          { text: 'As you wish.' },
          { result: 'rm', output: [], state: 'denied' },
        ],
        end: 'completed',
      },
    ],
  },
  {
    name: 'a tool that failed with a word about it',
    frames: [
      task('RUN_STARTED'),
      task('TOOL_CALL_START', { toolCallId: 'c1', toolName: 'rm' }),
      task('TOOL_RESULT', { toolCallId: 'c1', toolName: 'rm', error: 'boom', status: 'ERROR' }),
      task('STATUS', { status: 'success' }),
    ],
    messages: [
      {
        name: 'researcher',
        blocks: [
          { call: 'rm', input: '', state: 'finished' },
          { result: 'rm', output: [{ text: 'boom' }], state: 'error' },
        ],
        end: 'completed',
      },
    ],
  },
  {
    name: 'an error, a cancelled task',
    frames: [
      task('RUN_STARTED'),
      task('TEXT_DELTA', { text: 'Half' }),
      task('RUN_ERROR', { error: 'No model.' }),
      { ...task('RUN_STARTED'), taskId: 't2' },
      { ...task('TEXT_DELTA', { text: 'Half' }), taskId: 't2' },
      { ...task('STATUS', { status: 'cancelled' }), taskId: 't2' },
    ],
    messages: [
      { name: 'researcher', blocks: [{ text: 'Half' }], end: 'error', error: 'No model.' },
      { name: 'researcher', blocks: [{ text: 'Half' }], end: 'interrupted' },
    ],
  },
]

describeDialect('remoteTaskDialect', remoteTaskDialect, tasks)

describe('remoteTaskDialect', () => {
  it('reads on where it was after a break: what comes again is passed over', () => {
    const frames = tasks[0]?.frames ?? []
    const decoder = remoteTaskDialect.createDecoder()
    const inputs = [
      ...decoder.push(frames.slice(0, 5)).inputs,
      ...decoder.push(frames.slice(2)).inputs,
      ...decoder.end('eof').inputs,
    ]
    expect(inputs).toEqual(decode(remoteTaskDialect, [frames]))
    expect(decoder.cursor?.()).toBe('9')
  })
})

describe('decodeFrames', () => {
  it.each([
    { framing: 'trimmed events', dialect: javaDialect, golden: trimmed[0] },
    { framing: 'data-agent', dialect: dataAgentDialect, golden: dataAgent[0] },
    { framing: 'a managed session', dialect: managedSessionDialect, golden: managed[0] },
    { framing: 'a remote task', dialect: remoteTaskDialect, golden: tasks[3] },
  ])('knows the framing by its frames: $framing', ({ dialect, golden }) => {
    const frames = golden?.frames ?? []
    expect(decodeFrames('agentscope-java', frames)).toEqual(decode(dialect, [frames]))
    expect(frames.length).toBeGreaterThan(0)
  })

  it('leaves frames of AG-UI to their dialect', () => {
    const decoder = javaDialect.createDecoder()
    const { inputs, anomalies } = decoder.push({ type: 'RUN_STARTED', threadId: 't', runId: 'r' })
    expect(inputs).toEqual([])
    expect(anomalies).toMatchObject([{ kind: 'unknown-event' }])
  })

  it('gives the same messages for a run in a task as for the run itself', () => {
    const inside = wrappedRun()
    const bare = inside.map((frame) => JSON.parse(textOf(frame, 'payload')) as JsonObject)
    const told = (frames: readonly JsonObject[]): unknown =>
      tellMessages(fold(decodeFrames('agentscope-java', frames)).conversation.messages)
    expect(told(inside)).toEqual(told(bare))
  })
})
