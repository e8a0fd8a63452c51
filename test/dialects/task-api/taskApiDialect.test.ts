// @vitest-environment node
import { taskApiDialect } from '../../../src/dialects/index.js'
import { describeDialect, type Golden } from '../describeDialect.js'
import { BEGIN, COMPLETE, page, type Said, stamp, task, text, toolEnds, toolRuns } from './pages.js'

const ASKED = {
  approval_id: 'ap-1',
  task_id: 't-1',
  tool_call_id: 'rm:0',
  tool_name: 'rm',
  arguments: { path: '/a' },
  preview: { type: 'command', summary: 'Delete a file', command: 'rm /a' },
  status: 'pending',
}

const QUESTIONS = ['Which river?', 'Which day?'].map((question, index) => ({
  question_id: `q-${index + 1}`,
  batch_id: 'b-1',
  batch_index: index + 1,
  batch_total: 2,
  tool_call_id: 'ask:0',
  question,
  context: '',
  options: [{ id: 'a', label: 'A' }],
  status: 'pending',
}))

const asks: readonly Said[] = [
  ...BEGIN,
  ['tool_preparing', { id: 'rm:0', name: 'rm', message: 'Preparing rm', intent: null }],
  ['tool_approval_required', { approval: ASKED }],
  [
    'update_action',
    {
      preparing_id: 'rm:0',
      status: 'awaiting_approval',
      result: {
        success: false,
        status: 'awaiting_approval',
        approval_id: 'ap-1',
        message: 'Waiting',
      },
    },
  ],
]

/** The two polls of the contract's own example. */
const example = [
  {
    success: true,
    data: {
      task_id: 't-1',
      status: 'running',
      next_offset: 8,
      events: [
        { idx: 0, type: 'ai_message_start', data: {}, ts: 1769000000.0 },
        {
          idx: 1,
          type: 'api_request_start',
          data: { attempt: 1, max_attempts: 5 },
          ts: 1769000000.1,
        },
        { idx: 2, type: 'thinking_start', data: {}, ts: 1769000000.9 },
        {
          idx: 3,
          type: 'thinking_chunk',
          data: { content: 'Need the river level.' },
          ts: 1769000001.0,
        },
        {
          idx: 4,
          type: 'tool_preparing',
          data: { id: 'gauge:0', name: 'gauge', message: 'Preparing gauge', intent: null },
          ts: 1769000001.2,
        },
        {
          idx: 5,
          type: 'tool_intent',
          data: { id: 'gauge:0', name: 'gauge', intent: 'read Elbe level' },
          ts: 1769000001.3,
        },
        {
          idx: 6,
          type: 'thinking_end',
          data: { full_content: 'Need the river level.' },
          ts: 1769000001.5,
        },
        {
          idx: 7,
          type: 'tool_start',
          data: {
            id: 'tool_1_gauge_17',
            name: 'gauge',
            arguments: { river: 'Elbe' },
            preparing_id: 'gauge:0',
            monitor_snapshot: null,
          },
          ts: 1769000001.6,
        },
      ],
    },
  },
  {
    success: true,
    data: {
      task_id: 't-1',
      status: 'succeeded',
      next_offset: 10,
      events: [
        {
          idx: 8,
          type: 'update_action',
          data: {
            id: 'tool_1_gauge_17',
            preparing_id: 'gauge:0',
            status: 'completed',
            result: { success: false, error: 'station offline' },
          },
          ts: 1769000003.4,
        },
        {
          idx: 9,
          type: 'task_complete',
          data: { total_iterations: 1, total_tool_calls: 1, auto_fix_attempts: 0 },
          ts: 1769000003.6,
        },
      ],
    },
  },
  { success: true, data: { task_id: 't-1', status: 'succeeded', next_offset: 10, events: [] } },
]

const goldens: readonly Golden[] = [
  {
    name: 'a plain answer, input by input',
    frames: task([...BEGIN, ...text('Hi', '.'), COMPLETE], 'succeeded', { conversation_id: 'c-1' }),
    inputs: [
      {
        type: 'REPLY_START',
        id: 't-1:0:REPLY_START',
        created_at: stamp(0),
        session_id: 'c-1',
        reply_id: 't-1:r1',
        name: '',
        role: 'assistant',
      },
      {
        type: 'MODEL_CALL_START',
        id: 't-1:1:MODEL_CALL_START',
        created_at: stamp(1),
        reply_id: 't-1:r1',
        model_name: '',
      },
      {
        type: 'TEXT_BLOCK_START',
        id: 't-1:2:TEXT_BLOCK_START',
        created_at: stamp(2),
        reply_id: 't-1:r1',
        block_id: 't-1:r1:1:text',
      },
      {
        type: 'TEXT_BLOCK_DELTA',
        id: 't-1:3:TEXT_BLOCK_DELTA',
        created_at: stamp(3),
        reply_id: 't-1:r1',
        block_id: 't-1:r1:1:text',
        delta: 'Hi',
      },
      {
        type: 'TEXT_BLOCK_DELTA',
        id: 't-1:4:TEXT_BLOCK_DELTA',
        created_at: stamp(4),
        reply_id: 't-1:r1',
        block_id: 't-1:r1:1:text',
        delta: '.',
      },
      {
        type: 'TEXT_BLOCK_END',
        id: 't-1:5:TEXT_BLOCK_END',
        created_at: stamp(5),
        reply_id: 't-1:r1',
        block_id: 't-1:r1:1:text',
      },
      {
        type: 'REPLY_END',
        id: 't-1:6:REPLY_END',
        created_at: stamp(6),
        session_id: 'c-1',
        reply_id: 't-1:r1',
        finished_reason: 'completed',
        metadata: { total_iterations: 1, total_tool_calls: 0, auto_fix_attempts: 0 },
      },
    ],
    messages: [{ name: '', blocks: [{ text: 'Hi.' }], end: 'completed' }],
  },
  {
    name: 'the example: a failure hidden in completed, between the pieces of a thought',
    frames: example,
    messages: [
      {
        name: '',
        blocks: [
          { thinking: 'Need the river level.' },
          { call: 'gauge', input: '{"river":"Elbe"}', state: 'finished' },
          { result: 'gauge', output: [{ text: 'station offline' }], state: 'error' },
        ],
        end: 'completed',
      },
    ],
  },
  {
    name: 'tools between two model calls, with tokens',
    frames: task([
      ...BEGIN,
      [
        'token_update',
        {
          cumulative_input_tokens: 100,
          cumulative_output_tokens: 10,
          cumulative_cached_input_tokens: 0,
        },
      ],
      ...toolRuns('gauge:0'),
      toolEnds('gauge:0', { success: true, output: '3 m' }),
      ['api_request_start', { attempt: 1, max_attempts: 5 }],
      ...text('3 m.'),
      [
        'token_update',
        {
          cumulative_input_tokens: 130,
          cumulative_output_tokens: 15,
          cumulative_cached_input_tokens: 5,
        },
      ],
      COMPLETE,
    ]),
    messages: [
      {
        name: '',
        blocks: [
          { call: 'gauge', input: '{"river":"Elbe"}', state: 'finished' },
          { result: 'gauge', output: [{ text: '3 m' }], state: 'success' },
          { text: '3 m.' },
        ],
        end: 'completed',
        tokens: [30, 5],
      },
    ],
  },
  {
    name: 'an approval that waits',
    frames: asks.map((each, index) => page([each], { first: index })),
    messages: [{ name: '', blocks: [{ call: 'rm', input: '{"path":"/a"}', state: 'asking' }] }],
  },
  {
    name: 'an approval that was given',
    frames: task([
      ...asks,
      ['tool_approval_resolved', { approval_id: 'ap-1', decision: 'approved' }],
      [
        'tool_start',
        {
          id: 'run',
          name: 'rm',
          arguments: { path: '/a' },
          preparing_id: 'rm:0',
          monitor_snapshot: null,
        },
      ],
      [
        'update_action',
        {
          id: 'run',
          preparing_id: 'rm:0',
          status: 'completed',
          result: { success: true, message: 'gone' },
        },
      ],
      COMPLETE,
    ]),
    messages: [
      {
        name: '',
        blocks: [
          { call: 'rm', input: '{"path":"/a"}', state: 'finished' },
          { result: 'rm', output: [{ text: 'gone' }], state: 'success' },
        ],
        end: 'completed',
      },
    ],
  },
  {
    name: 'two questions of one call',
    frames: task([
      ...BEGIN,
      ...toolRuns('ask:0', 'ask_user', {}),
      ['user_questions_required', { batch_id: 'b-1', questions: QUESTIONS }],
      ['user_questions_resolved', { batch_id: 'b-1', question_ids: ['q-2', 'q-1'] }],
      toolEnds('ask:0', { success: true, answer_text: 'Elbe, today' }),
      COMPLETE,
    ]),
    messages: [
      {
        name: '',
        blocks: [
          { call: 'ask_user', input: '{}', state: 'finished' },
          { result: 'ask_user', output: [{ text: 'Elbe, today' }], state: 'success' },
          {
            call: 'ask_user',
            input:
              '{"question_id":"q-2","batch_id":"b-1","batch_index":2,"batch_total":2,"question":"Which day?","context":"","options":[{"id":"a","label":"A"}]}',
            state: 'submitted',
          },
          { result: 'ask_user', output: [{ text: '' }], state: 'success' },
        ],
        end: 'completed',
      },
    ],
  },
  {
    name: 'an attempt that was taken back',
    frames: task([
      ...BEGIN,
      ['thinking_start'],
      ['thinking_chunk', { content: 'Hm' }],
      ['thinking_end', { full_content: 'Hm' }],
      ['text_start'],
      ['text_chunk', { content: 'Half' }],
      [
        'tool_preparing',
        { id: 'gauge:0', name: 'gauge', message: 'Preparing gauge', intent: null },
      ],
      [
        'error',
        { message: 'disconnected', retry: true, retry_in: 10, attempt: 1, max_attempts: 5 },
      ],
      [
        'stream_reset',
        { reason: 'stream_disconnected', attempt: 1, max_attempts: 5, retry_in: 10 },
      ],
      ['api_request_start', { attempt: 2, max_attempts: 5 }],
      ...text('Whole.'),
      COMPLETE,
    ]),
    messages: [{ name: '', blocks: [{ text: 'Whole.' }], end: 'completed' }],
  },
  {
    name: 'what was said to the agent',
    frames: task(
      [
        [
          'user_message',
          { message: 'Hello', message_id: 'm-1', message_source: 'user', visibility: 'chat' },
        ],
        ...BEGIN,
        [
          'user_message',
          {
            message: '[guide] Be brief',
            runtime_guidance_original: 'Be brief',
            message_source: 'guidance',
            visibility: 'compact',
          },
        ],
        ['system_message', { content: 'Limit reached' }],
        ['task_stopped', { message: 'stopped', reason: 'user_stop' }],
        ['task_stopped', { message: 'stopped', reason: 'user_requested' }],
      ],
      'stopped',
    ),
    messages: [
      { name: 'user', role: 'user', blocks: [{ text: 'Hello' }] },
      {
        name: '',
        blocks: [
          { hint: 'Be brief', from: '{"label":"guidance","kind":"guidance"}' },
          { hint: 'Limit reached', from: 'system' },
        ],
        end: 'interrupted',
      },
    ],
  },
  {
    name: 'an error that is told only by an event',
    frames: task([
      ...BEGIN,
      ['error', { message: 'quota', status_code: 429, error_type: 'quota' }],
    ]),
    messages: [{ name: '', blocks: [], end: 'error', error: 'quota' }],
  },
]

describeDialect('taskApiDialect', taskApiDialect, goldens)
