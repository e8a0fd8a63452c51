// What each event of a task becomes.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { taskApiDialect } from '../../../src/dialects/index.js'
import type { Conversation } from '../../../src/fold/index.js'
import {
  type ConversationInput,
  type EndCause,
  type JsonObject,
  parseEvent,
} from '../../../src/protocol/index.js'
import { fold } from '../describeDialect.js'
import { tellMessages } from '../tellMessages.js'
import {
  BEGIN,
  COMPLETE,
  entries,
  page,
  type Said,
  stamp,
  task,
  text,
  toolEnds,
  toolRuns,
} from './pages.js'

const CALL: Said = ['api_request_start', { attempt: 1, max_attempts: 5 }]

function decode(frames: readonly unknown[], end?: EndCause): readonly ConversationInput[] {
  const decoder = taskApiDialect.createDecoder({ sessionId: 'c-0' })
  const inputs = frames.flatMap((frame) => decoder.push(frame).inputs)
  return end === undefined ? inputs : [...inputs, ...decoder.end(end).inputs]
}

function conversationOf(said: readonly Said[], status?: string, fields?: JsonObject): Conversation {
  return fold(decode(task(said, status, fields))).conversation
}

/** Inputs of one kind. */
function of(inputs: readonly ConversationInput[], type: string): readonly ConversationInput[] {
  return inputs.filter((input) => input.type === type)
}

function customs(said: readonly Said[]): readonly ConversationInput[] {
  return of(decode(task(said)), 'CUSTOM')
}

describe('a frame of the Task API', () => {
  it('may be wrapped in data, or have its fields at the top', () => {
    const said = [...BEGIN, ...text('Hi'), COMPLETE]
    const [wrapped] = [page(said)]
    expect(decode([wrapped['data']])).toEqual(decode([wrapped]))
  })

  it('may be the answer to the creation of a task, which begins the reply at once', () => {
    const created = {
      success: true,
      task_id: 't-1',
      conversation_id: 'c-1',
      workspace_id: 'w',
      status: 'pending',
      created_at: 1_769_000_000,
    }
    const inputs = decode([created, page([...BEGIN, ...text('Hi'), COMPLETE])])
    expect(of(inputs, 'REPLY_START')).toEqual([
      {
        type: 'REPLY_START',
        id: 't-1:created:REPLY_START',
        created_at: stamp(0),
        session_id: 'c-1',
        reply_id: 't-1:r1',
        name: '',
        role: 'assistant',
      },
    ])
    expect(of(inputs, 'REPLY_END')).toMatchObject([{ reply_id: 't-1:r1' }])
    expect(decode([{ success: true, data: { ...created, task_id: 't-2' } }])).toMatchObject([
      { reply_id: 't-2:r1' },
    ])
  })

  it('is of the session of its body, else of the one that the backend knows', () => {
    expect(of(decode([page(BEGIN)]), 'REPLY_START')).toMatchObject([{ session_id: 'c-0' }])
    expect(of(decode([page(BEGIN, { conversation_id: 'c-2' })]), 'REPLY_START')).toMatchObject([
      { session_id: 'c-2' },
    ])
  })

  it('belongs to the task that its events name, where the body names none', () => {
    const event = { idx: 0, type: 'ai_message_start', data: { task_id: 't-5' }, ts: 1 }
    expect(decode([{ status: 'running', events: [event], next_offset: 1 }])).toMatchObject([
      { reply_id: 't-5:r1' },
    ])
    expect(decode([{ events: [{ type: 'ai_message_start' }] }])).toMatchObject([
      { reply_id: 'task:r1' },
    ])
  })

  it('may lack places and stamps: only type and data can be relied on', () => {
    const bare = [...BEGIN, ...text('Hi'), COMPLETE].map(([type, data = {}]) => ({ type, data }))
    const whole = { task_id: 't-1', status: 'running', events: bare, next_offset: bare.length }
    const { conversation } = fold(decode([whole, whole]))
    expect(tellMessages(conversation.messages)).toEqual([
      { name: '', blocks: [{ text: 'Hi' }], end: 'completed' },
    ])
    expect(decode([{ ...whole, next_offset: null }])).toHaveLength(decode([whole]).length)
  })

  it('may repeat what was read, and be one of several tasks', () => {
    const said = [...BEGIN, ...text('Hi'), COMPLETE]
    const other = { task_id: 't-2' }
    const frames = [
      page(said.slice(0, 3)),
      page(said),
      page(said, other),
      page(said.slice(2), { first: 2 }),
    ]
    const { conversation } = fold(decode(frames))
    expect(conversation.messages.map(({ id }) => id)).toEqual(['t-1:r1', 't-2:r1'])
    expect(tellMessages(conversation.messages).map(({ blocks }) => blocks)).toEqual([
      [{ text: 'Hi' }],
      [{ text: 'Hi' }],
    ])
  })

  it('is refused with a word when it is no page', () => {
    const decoder = taskApiDialect.createDecoder()
    expect(decoder.cursor?.()).toBeNull()
    for (const frame of [
      null,
      'x',
      {},
      { success: true },
      { success: false, error: 'Task not found' },
    ]) {
      const { inputs, anomalies } = decoder.push(frame)
      expect(inputs).toEqual([])
      expect(anomalies).toHaveLength(1)
    }
    const { anomalies } = decoder.push(page([]))
    expect(anomalies).toEqual([])
    expect(decoder.push({ task_id: 't-1', events: [{ idx: 0 }, null] }).anomalies).toHaveLength(2)
    expect(decoder.push({ success: false, error: 'Task not found' }).anomalies).toMatchObject([
      { message: 'Task not found' },
    ])
  })

  it('tells of a hole between pages, and of one that only window_start tells', () => {
    const frames = [
      page([...BEGIN, ['text_chunk', { content: 'A' }]]),
      page([['text_chunk', { content: 'B' }]], { first: 9 }),
    ]
    const inputs = decode(frames)
    expect(of(inputs, 'kit.gap')).toMatchObject([{ from: 3, to: 9, id: 't-1:9:kit.gap' }])
    const { conversation } = fold(inputs)
    expect(conversation.replies['t-1:r1']?.isComplete).toBe(false)
    expect(tellMessages(conversation.messages)[0]?.blocks).toEqual([{ text: 'AB' }])
    const evicted = [
      page(BEGIN),
      page([], { first: 2, window_start: 40 }),
      page([], { first: 2, window_start: 40 }),
      page([['text_chunk', { content: 'B' }]], { first: 40, window_start: 40 }),
    ]
    expect(of(decode(evicted), 'kit.gap')).toMatchObject([{ from: 2, to: 40 }])
  })

  it('moves the cursor to its next_offset', () => {
    const decoder = taskApiDialect.createDecoder()
    decoder.push(page(BEGIN))
    expect(decoder.cursor?.()).toBe('2')
    decoder.push(page([], { first: 2 }))
    expect(decoder.cursor?.()).toBe('2')
    decoder.push(page(BEGIN, { task_id: 't-2', next_offset: null }))
    expect(decoder.cursor?.()).toBe('2')
  })
})

describe('a status of the Task API', () => {
  const begun = [...BEGIN, ['text_chunk', { content: 'Ha' }]] as const

  it.each(['pending', 'running', 'cancel_requested'])('%s: the reply goes on', (status) => {
    expect(conversationOf(begun, status).replies['t-1:r1']?.phase).toBe('running')
  })

  it.each([
    ['succeeded', 'completed'],
    ['stopped', 'interrupted'],
    ['canceled', 'interrupted'],
    ['cancelled', 'interrupted'],
    ['retired', 'completed'],
  ])('%s with nothing else said: the reply ends as %s', (status, end) => {
    expect(tellMessages(conversationOf(begun, status).messages)).toEqual([
      { name: '', blocks: [{ text: 'Ha' }], end },
    ])
  })

  it('failed: the reply ends with the server’s words', () => {
    const [message] = conversationOf(begun, 'failed', { error: 'worker died' }).messages
    expect(message).toMatchObject({
      finished_reason: 'error',
      error: { type: 'unknown', message: 'worker died' },
    })
    const [silent] = conversationOf([], 'failed', {}).messages
    expect(silent).toMatchObject({
      finished_reason: 'error',
      error: { message: 'The task failed.' },
    })
  })

  it('says only that it is over: what was said about the end counts, and the last of it', () => {
    const stopped: Said = ['task_stopped', { message: '', reason: 'user_stop' }]
    const end = (said: readonly Said[], status: string): unknown =>
      conversationOf(said, status).messages[0]?.finished_reason
    expect(end([...begun, COMPLETE], 'failed')).toBe('completed')
    expect(end([...begun, stopped], 'succeeded')).toBe('interrupted')
    expect(end([...begun, COMPLETE, stopped], 'stopped')).toBe('interrupted')
    expect(end([...begun, stopped, COMPLETE], 'succeeded')).toBe('completed')
  })

  it('lets a fatal error win, before and after a completion', () => {
    const fatal: Said = ['error', { message: 'down', status_code: 503 }]
    for (const said of [
      [...begun, fatal, COMPLETE],
      [...begun, COMPLETE, fatal],
    ]) {
      expect(conversationOf(said).messages[0]).toMatchObject({
        finished_reason: 'error',
        error: { type: 'upstream', message: 'down' },
      })
    }
  })

  it('of a task without a reply makes one only for a bad end', () => {
    expect(conversationOf([], 'succeeded').messages).toEqual([])
    expect(conversationOf([], 'stopped').messages).toMatchObject([
      { id: 't-1:r1', finished_reason: 'interrupted' },
    ])
  })

  it.each([
    ['eof', 'error'],
    ['error', 'error'],
    ['abort', 'interrupted'],
  ] as const)('that was never heard: %s ends the reply as %s', (cause, end) => {
    const { conversation } = fold(decode([page(begun)], cause))
    expect(conversation.messages[0]?.finished_reason).toBe(end)
  })

  it('counts at the end of the stream, too', () => {
    const ended = (fields: JsonObject): unknown =>
      fold(decode([page(begun, fields)], 'eof')).conversation.messages[0]?.finished_reason
    expect(ended({ status: 'succeeded' })).toBe('completed')
    expect(ended({ status: 'cancel_requested' })).toBe('interrupted')
    expect(ended({ status: 'failed', error: 'x' })).toBe('error')
  })

  it('settles a task when the next one begins', () => {
    const frames = [page(begun, { status: 'stopped' }), page(BEGIN, { task_id: 't-2' })]
    expect(fold(decode(frames)).conversation.replies['t-1:r1']?.phase).toBe('ended')
  })
})

describe('life-cycle events of the Task API', () => {
  it('task_complete keeps its totals with the message', () => {
    const totals = {
      total_iterations: 3,
      total_tool_calls: 5,
      auto_fix_attempts: 1,
      has_running_sub_agents: true,
      citations: [{ url: 'https://a' }],
    }
    const said: readonly Said[] = [
      ...BEGIN,
      ['task_complete', { ...totals, task_id: 't-1', conversation_id: 'c', workspace_id: 'w' }],
    ]
    expect(conversationOf(said).messages[0]?.metadata).toEqual(totals)
  })

  it('task_stopped ends what is open, and keeps its reason', () => {
    const said: readonly Said[] = [
      ...BEGIN,
      ['text_start'],
      ['text_chunk', { content: 'Ha' }],
      ...toolRuns('a'),
      ['task_stopped', { message: 'm', reason: 'user_stop' }],
    ]
    const [message] = conversationOf(said, 'stopped').messages
    expect(message?.content).toMatchObject([
      { text: 'Ha', finished_at: stamp(6) },
      { state: 'finished' },
      { type: 'tool_result', state: 'interrupted' },
    ])
    expect(message?.metadata).toEqual({ message: 'm', reason: 'user_stop' })
  })

  it('stream_reset takes back nothing of earlier model calls, and no totals', () => {
    const said: readonly Said[] = [
      ...BEGIN,
      ['todo_updated', { todo_list: ['a'] }],
      ...toolRuns('a'),
      toolEnds('a', 'one'),
      CALL,
      ...text('Half'),
      ...toolRuns('b'),
      ['stream_reset', { reason: 'stream_disconnected' }],
      CALL,
      ...text('Whole'),
      COMPLETE,
    ]
    const { messages, notices } = conversationOf(said)
    expect(tellMessages(messages)[0]?.blocks).toEqual([
      { call: 'gauge', input: '{"river":"Elbe"}', state: 'finished' },
      { result: 'gauge', output: [{ text: 'one' }], state: 'success' },
      { text: 'Whole' },
    ])
    expect(notices['todo_updated']).toEqual({ todo_list: ['a'] })
  })

  it('stream_reset without anything to take back says nothing', () => {
    expect(of(decode(task([...BEGIN, ['stream_reset', {}], COMPLETE])), 'kit.rollback')).toEqual([])
    expect(decode([page([['stream_reset', {}]])])).toEqual([])
  })

  it('stream_reset takes back a result that came since', () => {
    const said: readonly Said[] = [
      ...BEGIN,
      ['tool_preparing', { id: 'a', name: 'gauge' }],
      CALL,
      ['tool_start', { id: 'run_a', name: 'gauge', arguments: {}, preparing_id: 'a' }],
      ['stream_reset', {}],
      CALL,
      toolEnds('a', 'one'),
      COMPLETE,
    ]
    expect(tellMessages(conversationOf(said).messages)[0]?.blocks).toEqual([
      { call: 'gauge', input: '{}', state: 'finished' },
      { result: 'gauge', output: [{ text: 'one' }], state: 'success' },
    ])
  })

  it('error that comes again is a notice until the next sign of life', () => {
    const error: Said = [
      'error',
      { message: 'busy', retry: true, retry_in: 10, attempt: 1, max_attempts: 5, status_code: 503 },
    ]
    expect(customs([...BEGIN, error, CALL, COMPLETE])).toMatchObject([
      { name: 'retrying', value: { message: 'busy', retry_in: 10 } },
      { name: 'retrying', value: {}, id: 't-1:3:CUSTOM' },
    ])
  })

  it.each(['Invalid arguments for gauge', '工具参数解析失败'])(
    'error about arguments is a warning: %s',
    (message) => {
      const said: readonly Said[] = [...BEGIN, ['error', { message }], COMPLETE]
      expect(conversationOf(said).messages[0]?.finished_reason).toBe('completed')
      expect(customs(said)).toMatchObject([
        { name: 'warning', value: { message } },
        { name: 'warning', value: {} },
      ])
    },
  )

  it('error with nothing but a message ends the reply only when the run does not go on', () => {
    const error: Said = ['error', { message: 'Something broke' }]
    const wrong = toolEnds('a', {
      success: false,
      error_type: 'parameter_format_error',
      error: 'x',
      tool_name: 'gauge',
      tool_call_id: 'a',
    })
    const goesOn = [...BEGIN, error, wrong, CALL, ...text('Hi'), COMPLETE]
    expect(conversationOf(goesOn).messages[0]?.finished_reason).toBe('completed')
    expect(conversationOf([...BEGIN, error]).messages[0]).toMatchObject({
      finished_reason: 'error',
      error: { type: 'unknown', message: 'Something broke' },
    })
  })

  it.each([
    [{ status_code: 401 }, 'authentication'],
    [{ status_code: 403 }, 'permission'],
    [{ status_code: 429 }, 'rate_limit'],
    [{ status_code: 403, quota: { limit: 5 } }, 'rate_limit'],
    [{ error_type: 'quota_exceeded' }, 'rate_limit'],
    [{ status_code: 400 }, 'invalid_request'],
    [{ status_code: '422' }, 'invalid_request'],
    [{ error_type: 'context_overflow' }, 'invalid_request'],
    [{ status_code: 500 }, 'upstream'],
    [{ status_code: 502 }, 'upstream'],
    [{ status_code: null }, 'connection'],
    [{ status_code: 418 }, 'unknown'],
    [{ error_code: 'odd' }, 'unknown'],
  ] as const)('error with %j is of the type %s', (fields, type) => {
    const [message] = conversationOf([...BEGIN, ['error', { message: 'm', ...fields }]]).messages
    expect(message?.error).toEqual({ type, message: 'm' })
  })

  it('error keeps what it says about the failure with the message', () => {
    const error: Said = [
      'error',
      { message: 'm', status_code: 500, model_id: 'x', request_dump: 'big' },
    ]
    expect(conversationOf([...BEGIN, error]).messages[0]?.metadata).toEqual({
      status_code: 500,
      model_id: 'x',
    })
  })

  it('starts_work alone begins a reply, and is the same turn as the start that follows', () => {
    const wake: Said = [
      'user_message',
      { message: '[goal] Go on', message_source: 'goal', visibility: 'compact', starts_work: true },
    ]
    const { messages } = conversationOf([
      ...BEGIN,
      ...text('One'),
      wake,
      CALL,
      ...text('Two'),
      wake,
      ...BEGIN,
      ...text('Three'),
      COMPLETE,
    ])
    expect(messages.map(({ id, finished_reason }) => [id, finished_reason])).toEqual([
      ['t-1:r1', 'completed'],
      ['t-1:r2', 'completed'],
      ['t-1:r3', 'completed'],
    ])
  })
})

describe('texts of the Task API', () => {
  it('get what their whole lacks', () => {
    const said: readonly Said[] = [
      ...BEGIN,
      ['text_start'],
      ['text_chunk', { content: 'He' }],
      ['text_end', { full_content: 'Hello' }],
      COMPLETE,
    ]
    const inputs = decode(task(said))
    expect(of(inputs, 'TEXT_BLOCK_DELTA')).toMatchObject([{ delta: 'He' }, { delta: 'llo' }])
    expect(of(inputs, 'kit.block_set')).toEqual([])
  })

  it('may come whole at their end, and thoughts may be put right there', () => {
    const said: readonly Said[] = [
      ...BEGIN,
      ['thinking_chunk', { content: 'Hmm' }],
      ['thinking_end', { full_content: 'Well' }],
      ['text_end', { full_content: 'Hi' }],
      COMPLETE,
    ]
    const [message] = conversationOf(said).messages
    expect(message?.content).toEqual([
      {
        type: 'thinking',
        id: 't-1:r1:1:think',
        thinking: 'Well',
        created_at: stamp(2),
        finished_at: stamp(3),
      },
      {
        type: 'text',
        id: 't-1:r1:1:text',
        text: 'Hi',
        created_at: stamp(4),
        finished_at: stamp(4),
      },
    ])
  })

  it('may lack their end: the next model call or the end of the reply ends them', () => {
    const said: readonly Said[] = [
      ...BEGIN,
      ['text_chunk', { content: 'A' }],
      CALL,
      ['text_chunk', { content: 'B' }],
      COMPLETE,
    ]
    expect(conversationOf(said).messages[0]?.content).toMatchObject([
      { text: 'A', finished_at: stamp(3) },
      { text: 'B', finished_at: stamp(5) },
    ])
  })

  it('and thoughts count model calls where no event does', () => {
    const turn: readonly Said[] = [
      ['thinking_start'],
      ['thinking_chunk', { content: 'T' }],
      ['thinking_end', { full_content: 'T' }],
      ...text('X'),
    ]
    const [message] = conversationOf([['ai_message_start'], ...turn, ...turn, COMPLETE]).messages
    expect(message?.content.map(({ id }) => id)).toEqual([
      't-1:r1:1:think',
      't-1:r1:1:text',
      't-1:r1:2:think',
      't-1:r1:2:text',
    ])
  })

  it('without words make nothing of their end', () => {
    expect(
      conversationOf([...BEGIN, ['text_end', { full_content: '' }], ['thinking_end', {}], COMPLETE])
        .messages[0]?.content,
    ).toEqual([])
  })
})

describe('tools of the Task API', () => {
  const end = (status: string, result: JsonObject[string]): Said => [
    'update_action',
    { preparing_id: 'a', status, result },
  ]
  const stateOf = (status: string, result: JsonObject[string]): unknown =>
    conversationOf([...BEGIN, ...toolRuns('a'), end(status, result), COMPLETE]).messages[0]
      ?.content[1]

  it.each([
    ['completed', { success: true }, 'success'],
    ['completed', {}, 'success'],
    ['completed', { success: false }, 'error'],
    ['completed', { success: false, error_type: 'parameter_format_error' }, 'error'],
    ['completed', { error_type: 'x' }, 'error'],
    ['completed', { success: false, status: 'denied', code: 'tool_not_allowed' }, 'denied'],
    ['completed', { success: false, status: 'rejected', code: 'approval_rejected' }, 'denied'],
    ['completed', { success: false, status: 'cancelled' }, 'interrupted'],
    ['cancelled', { success: false, status: 'cancelled' }, 'interrupted'],
    ['canceled', {}, 'interrupted'],
    ['terminated', {}, 'interrupted'],
    ['failed', {}, 'error'],
    ['timeout', {}, 'error'],
    ['error', {}, 'error'],
    ['brand_new', { success: true }, 'success'],
  ] as const)('%s with %j ends as %s', (status, result, state) => {
    expect(stateOf(status, result)).toMatchObject({ state })
  })

  it.each([
    ['plain', 'plain'],
    [{ answer_text: 'a', summary: 's' }, 'a'],
    [{ summary: 's', message: 'm' }, 's'],
    [{ message: 'm', output: 'o' }, 'm'],
    [{ output: 'o', content: 'c' }, 'o'],
    [{ content: 'c', error: 'e' }, 'c'],
    [{ message: '', error: 'e' }, 'e'],
    [{ rows: [1] }, '{\n  "rows": [\n    1\n  ]\n}'],
    [[1, 2], '[\n  1,\n  2\n]'],
  ] as const)('result %j reads as %j', (result, output) => {
    expect(stateOf('completed', result)).toMatchObject({ output: [{ text: output }] })
  })

  it('keep the raw result, the screens and the words beside it', () => {
    const result = { success: true, output: 'o' }
    const said: readonly Said[] = [
      ...BEGIN,
      [
        'tool_start',
        {
          id: 'x',
          name: 'write',
          arguments: { path: 'a' },
          preparing_id: 'a',
          monitor_snapshot: { before: 1 },
        },
      ],
      [
        'update_action',
        {
          id: 'x',
          status: 'completed',
          result,
          message: 'm',
          monitor_snapshot_after: { after: 2 },
          awaiting_content: true,
        },
      ],
      COMPLETE,
    ]
    expect(conversationOf(said).messages[0]?.content[1]).toMatchObject({
      metadata: {
        result,
        monitor_snapshot: { before: 1 },
        monitor_snapshot_after: { after: 2 },
        message: 'm',
        awaiting_content: true,
      },
    })
  })

  it('take their words from the update where there is no result', () => {
    const said: readonly Said[] = [
      ...BEGIN,
      ...toolRuns('a'),
      ['update_action', { preparing_id: 'a', status: 'completed', message: 'done' }],
      COMPLETE,
    ]
    expect(conversationOf(said).messages[0]?.content[1]).toMatchObject({
      output: [{ text: 'done' }],
    })
  })

  it('are known by either id, and by the alias of their update', () => {
    const said: readonly Said[] = [
      ...BEGIN,
      ...toolRuns('a'),
      ['tool_update_action', { id: 'run_a', status: 'completed', result: 'ok' }],
      COMPLETE,
    ]
    expect(conversationOf(said).messages[0]?.content).toMatchObject([
      { id: 'a' },
      { id: 'a', state: 'success' },
    ])
  })

  it('may begin with their update, when what was before is lost', () => {
    const said: readonly Said[] = [
      end('completed', { success: false, status: 'denied', tool: 'rm', message: 'Not allowed' }),
      COMPLETE,
    ]
    expect(tellMessages(conversationOf(said).messages)[0]?.blocks).toEqual([
      { call: 'rm', input: '', state: 'finished' },
      { result: 'rm', output: [{ text: 'Not allowed' }], state: 'denied' },
    ])
  })

  it('may have arguments as text, or none', () => {
    const start = (input: JsonObject): readonly Said[] => [
      ['tool_start', { id: 'x', name: 't', ...input }],
      COMPLETE,
    ]
    const inputOf = (input: JsonObject): unknown =>
      conversationOf(start(input)).messages[0]?.content[0]
    expect(inputOf({ arguments: '{"a": 1}' })).toMatchObject({ input: '{"a": 1}' })
    expect(inputOf({})).toMatchObject({ input: '{}', id: 'x' })
  })

  it('grow an intent while they are written, which stays with the call', () => {
    const intent = (words: string): Said => [
      'tool_intent',
      { id: 'a', name: 'gauge', intent: words },
    ]
    const [first, second] = toolRuns('a')
    const said = [
      ...BEGIN,
      first ?? COMPLETE,
      intent('read'),
      intent('read the level'),
      second ?? COMPLETE,
      intent('late'),
      toolEnds('a', 'ok'),
      COMPLETE,
    ]
    const inputs = decode(task(said))
    expect(of(inputs, 'TOOL_CALL_START')).toMatchObject([
      { metadata: { message: 'Preparing gauge' } },
    ])
    expect(of(inputs, 'CUSTOM')).toMatchObject([
      { name: 'tool_intent', value: { tool_call_id: 'a', intent: 'read' } },
      { name: 'tool_intent', value: { tool_call_id: 'a', intent: 'read the level' } },
      { name: 'tool_intent', value: { tool_call_id: 'a', intent: 'late' } },
    ])
    expect(fold(inputs).conversation.messages[0]?.content[0]).toMatchObject({
      type: 'tool_call',
      input: '{"river":"Elbe"}',
      metadata: { message: 'Preparing gauge', intent: 'read the level' },
    })
  })

  it('that an end of the reply interrupted may still tell what they did', () => {
    const said: readonly Said[] = [
      ...BEGIN,
      ...toolRuns('a'),
      ['task_stopped', { reason: 'user_stop' }],
      toolEnds('a', { success: false, status: 'cancelled', message: 'Stopped' }, 'cancelled'),
    ]
    expect(conversationOf(said, 'stopped').messages[0]?.content).toMatchObject([
      {},
      { state: 'interrupted', output: [{ text: 'Stopped' }] },
    ])
  })

  it.each([
    ['update_action', { preparing_id: 'a', status: 'running' }],
    ['update_action', { preparing_id: 'a', status: 'brand_new' }],
    ['update_action', { status: 'completed', result: 'x' }],
    ['tool_hint', { name: 'gauge' }],
    ['tool_status', { id: 'a', status: 'working', detail: 'd' }],
    ['append_payload', { path: 'a', success: true, lines: 3, bytes: 9 }],
    ['modify_payload', { path: 'a', total: 1, completed: [1], failed: [] }],
    ['tool_intent', { name: 'gauge' }],
  ] as const)('%s that is no end of a call is passed on: %j', (type, data) => {
    expect(customs([...BEGIN, ...toolRuns('a'), [type, data], COMPLETE])).toMatchObject([
      { name: type, value: data },
    ])
  })
})

describe('people in the loop of the Task API', () => {
  const approval = {
    approval_id: 'p',
    tool_call_id: 'a',
    tool_name: 'rm',
    arguments: { path: '/a' },
    preview: { type: 'command', command: 'rm /a' },
  }
  const ask: Said = ['tool_approval_required', { approval }]
  const requests = (said: readonly Said[]): Conversation['requests'] =>
    fold(decode([page([...BEGIN, ...said])])).conversation.requests

  it('an approval is asked with its call, its preview and its id', () => {
    const metadata = {
      approval_id: 'p',
      kind: 'approval',
      preview: { type: 'command', command: 'rm /a' },
    }
    const toolCall = {
      type: 'tool_call',
      id: 'a',
      name: 'rm',
      input: '{"path":"/a"}',
      state: 'asking',
      suggested_rules: [],
      metadata,
    }
    expect(requests([ask])).toEqual([
      {
        kind: 'confirm',
        key: 't-1%3Ar1:a',
        replyId: 't-1:r1',
        toolCall,
        metadata,
        askedAt: stamp(2),
        worker: null,
      },
    ])
  })

  it('a plan is asked with its text', () => {
    const plan = {
      approval_id: 'p',
      plan_file: 'plan.md',
      plan_content: '# Plan',
      summary: 'A plan',
      tool_call_id: 'a',
    }
    expect(requests([['plan_approval_required', { approval: plan }]])).toMatchObject([
      {
        toolCall: { name: 'submit_plan' },
        metadata: {
          approval_id: 'p',
          kind: 'plan',
          preview: {
            type: 'plan',
            summary: 'A plan',
            plan_content: '# Plan',
            plan_file: 'plan.md',
          },
        },
      },
    ])
  })

  it.each([
    ['approved', true],
    ['rejected', false],
  ] as const)('%s is a decision about the call', (decision, confirmed) => {
    for (const type of ['tool_approval_resolved', 'plan_approval_resolved']) {
      const inputs = decode([
        page([...BEGIN, ask, [type, { approval_id: 'p', decision, reason: 'r' }]]),
      ])
      expect(of(inputs, 'USER_CONFIRM_RESULT')).toMatchObject([
        { confirm_results: [{ confirmed, tool_call: { id: 'a' } }], metadata: { reason: 'r' } },
      ])
      expect(fold(inputs).conversation.requests).toEqual([])
    }
  })

  it('a decision about what was never asked is passed on', () => {
    expect(
      customs([...BEGIN, ['tool_approval_resolved', { approval_id: 'z', decision: 'approved' }]]),
    ).toMatchObject([{ name: 'tool_approval_resolved' }])
  })

  it('the progress of an automatic judge is passed on', () => {
    const progress = { approval_id: 'p', progress: { stage: 'judging', message: 'm' } }
    expect(customs([...BEGIN, ask, ['auto_approval_progress', progress]])).toMatchObject([
      { name: 'auto_approval_progress', value: progress },
    ])
  })

  it.each([
    [
      'awaiting_approval',
      { approval_id: 'p' },
      { approval_id: 'p', kind: 'approval', answerable: false },
    ],
    [
      'awaiting_plan_approval',
      { approval_id: 'p' },
      { approval_id: 'p', kind: 'plan', answerable: false },
    ],
    [
      'awaiting_user_answer',
      { question_id: 'q' },
      { question_id: 'q', kind: 'question', answerable: false },
    ],
  ] as const)(
    '%s without its record is asked and cannot be answered',
    (status, result, metadata) => {
      const waits: Said = ['update_action', { preparing_id: 'a', status, result }]
      expect(requests([...toolRuns('a'), waits, waits])).toMatchObject([
        { toolCall: { id: 'a' }, metadata },
      ])
    },
  )

  it('the record makes it one that can be answered', () => {
    const waits: Said = [
      'update_action',
      { preparing_id: 'a', status: 'awaiting_approval', result: { approval_id: 'p' } },
    ]
    expect(requests([waits, ask])).toMatchObject([
      { metadata: { approval_id: 'p', preview: { type: 'command' } } },
    ])
    expect(requests([waits, ask])[0]).not.toHaveProperty('metadata.answerable')
    expect(requests([ask, waits])[0]).not.toHaveProperty('metadata.answerable')
  })

  it('a call that was asked about, approved and asked for again stays answered', () => {
    const waits: Said = [
      'update_action',
      { preparing_id: 'a', status: 'awaiting_approval', result: { approval_id: 'p' } },
    ]
    expect(
      requests([
        ask,
        ['tool_approval_resolved', { approval_id: 'p', decision: 'approved' }],
        waits,
      ]),
    ).toEqual([])
  })

  it('one question comes alone, too, and is asked once', () => {
    const question = {
      question_id: 'q',
      tool_call_id: 'a',
      question: 'Which?',
      options: [{ id: 'x', label: 'X', description: 'the x' }],
    }
    const one: Said = ['user_question_required', { question }]
    const again: Said = ['user_questions_required', { batch_id: 'b', questions: [question] }]
    expect(requests([one, again])).toMatchObject([
      {
        kind: 'external',
        toolCall: {
          id: 'a',
          name: 'ask_user',
          input:
            '{"question_id":"q","question":"Which?","options":[{"id":"x","label":"X","description":"the x"}]}',
        },
        metadata: { kind: 'question' },
      },
    ])
    expect(requests([one, ['user_question_resolved', { question_ids: ['q'] }]])).toEqual([])
  })

  it('a batch that is answered without naming its questions is answered whole', () => {
    const questions = [1, 2].map((n) => ({
      question_id: `q${n}`,
      tool_call_id: 'a',
      question: `${n}?`,
    }))
    const asking: Said = ['user_questions_required', { batch_id: 'b', questions }]
    expect(requests([asking])).toHaveLength(2)
    expect(
      requests([asking, ['user_questions_resolved', { batch_id: 'b', question_ids: [] }]]),
    ).toEqual([])
    expect(requests([asking, toolEnds('a', { answer_text: 'x' })])).toEqual([])
  })

  it('what waits goes on waiting when the stream ends, and falls away when the task does', () => {
    const other = toolRuns('b')
    const { conversation } = fold(decode([page([...BEGIN, ...other, ask])], 'error'))
    expect(conversation.requests).toMatchObject([{ toolCall: { id: 'a' } }])
    expect(conversation.replies['t-1:r1']?.phase).toBe('parked')
    const over = conversationOf([...BEGIN, ask], 'stopped')
    expect(over.requests).toEqual([])
    expect(tellMessages(over.messages)[0]?.blocks).toMatchObject([
      { call: 'rm' },
      { state: 'interrupted' },
    ])
  })
})

describe('messages in a task', () => {
  it('of the person have their pictures, as paths that nothing fetches', () => {
    const said: readonly Said[] = [
      [
        'user_message',
        {
          message: 'See',
          images: ['up/cat.jpg'],
          videos: ['up/a.mp4', 5],
          message_id: 'm',
          timestamp: '2026-01-21',
        },
      ],
    ]
    expect(conversationOf(said, 'running').messages).toEqual([
      {
        id: 'm',
        name: 'user',
        role: 'user',
        content: [
          { type: 'text', id: 'm:0', text: 'See' },
          {
            type: 'data',
            id: 'm:images:0',
            name: 'cat.jpg',
            source: { type: 'url', url: 'file:up/cat.jpg', media_type: 'image/jpeg' },
          },
          {
            type: 'data',
            id: 'm:videos:0',
            name: 'a.mp4',
            source: { type: 'url', url: 'file:up/a.mp4', media_type: 'video/mp4' },
          },
        ],
        metadata: {},
        created_at: stamp(0),
        usage: null,
        finished_at: stamp(0),
        finished_reason: null,
        structured_output: null,
        error: null,
      },
    ])
  })

  it('without an id get one of their place', () => {
    const [message] = conversationOf(
      [['user_message', { content: [{ type: 'text', text: 'Hi' }] }]],
      'running',
    ).messages
    expect(message).toMatchObject({ id: 't-1:u0', content: [{ text: 'Hi' }] })
  })

  it.each([
    ['sub_agent', {}, { label: 'sub_agent', kind: 'sub_agent' }],
    ['background_command', {}, { label: 'background_command', kind: 'background_command' }],
    [
      'user',
      {
        multi_agent_message: true,
        multi_agent_display_name: 'Scout',
        multi_agent_subtype: 'completion_report',
      },
      { label: 'Scout', kind: 'user', sublabel: 'completion_report' },
    ],
    ['compression', {}, { label: 'compression', kind: 'compression' }],
  ])('of %s are hints', (message_source, more, source) => {
    for (const visibility of ['chat', 'compact']) {
      const said: readonly Said[] = [
        ...BEGIN,
        ['user_message', { message: '[from] Words', message_source, visibility, ...more }],
        COMPLETE,
      ]
      expect(conversationOf(said).messages[0]?.content).toMatchObject([
        { type: 'hint', id: 't-1:r1:h2', hint: 'Words', source: JSON.stringify(source) },
      ])
    }
  })

  it('that wake the agent for a notice stand in the reply that they begin', () => {
    const said: readonly Said[] = [
      ['user_message', { message: 'Done', message_source: 'sub_agent', visibility: 'compact' }],
      ...BEGIN,
      ...text('Good.'),
      COMPLETE,
    ]
    expect(tellMessages(conversationOf(said).messages)).toMatchObject([
      { blocks: [{ hint: 'Done' }, { text: 'Good.' }] },
    ])
  })

  it('say what they are in their metadata, too', () => {
    const metadata = { message_source: 'guidance', visibility: 'hidden' }
    expect(
      conversationOf([...BEGIN, ['user_message', { message: 'x', metadata }], COMPLETE]).messages[0]
        ?.content,
    ).toEqual([])
  })

  it('of the system without words are none', () => {
    expect(
      conversationOf([...BEGIN, ['system_message', {}], COMPLETE]).messages[0]?.content,
    ).toEqual([])
  })
})

describe('tokens of a task', () => {
  const tokens = (input: number, output: number, more: JsonObject = {}): Said => [
    'token_update',
    {
      conversation_id: 'c',
      cumulative_input_tokens: input,
      cumulative_output_tokens: output,
      cumulative_cached_input_tokens: 1,
      current_context_tokens: 9,
      ...more,
    },
  ]

  it('count by difference, also across tasks, and the latest is a notice', () => {
    const frames = [
      page([...BEGIN, tokens(10, 1), tokens(30, 4), COMPLETE]),
      page([...BEGIN, tokens(35, 5), COMPLETE], { task_id: 't-2' }),
    ]
    const { messages, notices } = fold(decode(frames)).conversation
    expect(messages.map(({ usage }) => usage)).toEqual([
      { input_tokens: 20, output_tokens: 3, cache_input_tokens: 0, cache_creation_input_tokens: 0 },
      { input_tokens: 5, output_tokens: 1, cache_input_tokens: 0, cache_creation_input_tokens: 0 },
    ])
    expect(notices['token_update']).toMatchObject({
      cumulative_input_tokens: 35,
      current_context_tokens: 9,
    })
  })

  it('begin anew where the sum shrinks, another conversation counts, or nothing was used', () => {
    const said = [
      ...BEGIN,
      tokens(10, 1),
      tokens(5, 1),
      tokens(20, 2, { conversation_id: 'd' }),
      tokens(5, 1),
      COMPLETE,
    ]
    expect(of(decode(task(said)), 'MODEL_CALL_END')).toEqual([])
  })
})

describe('side channels of a task', () => {
  const SIDE = [
    'context_warning',
    'compression_state',
    'shallow_compression',
    'quota_update',
    'quota_notice',
    'quota_exceeded',
    'todo_updated',
    'file_tree_update',
    'focused_files_update',
    'conversation_changed',
    'conversation_resolved',
    'goal_progress',
    'goal_review_progress',
    'goal_completed',
    'goal_stopped',
    'workflow_progress',
    'workflow_review_progress',
    'sub_agent_waiting',
    'status_update',
    'terminal_output',
  ]

  it.each(SIDE)('%s is passed on as it is', (type) => {
    const value = { message: 'm', list: [1] }
    const inputs = decode([page([...BEGIN, [type, value]])])
    expect(inputs.at(-1)).toEqual({
      type: 'CUSTOM',
      id: 't-1:2:CUSTOM',
      created_at: stamp(2),
      name: type,
      value,
    })
  })

  it('pass on data that is no object inside one', () => {
    const [event] = entries([['terminal_output']])
    expect(decode([{ task_id: 't', events: [{ ...event, data: ['a'] }] }])).toMatchObject([
      { value: { value: ['a'] } },
    ])
  })

  it('edits stay with the message, also when they come after its end', () => {
    const said: readonly Said[] = [
      ...BEGIN,
      ['edited_files_updated', { edited_files: [{ path: 'a', op: 'edit', ts: 1 }] }],
      COMPLETE,
      ['edit_summary_updated', { message_id: 'm', edit_summary: { added: 3 } }],
    ]
    const { messages, notices } = conversationOf(said)
    expect(messages).toMatchObject([
      {
        finished_reason: 'completed',
        metadata: {
          total_iterations: 1,
          edited_files: [{ path: 'a' }],
          edit_summary: { added: 3 },
        },
      },
    ])
    expect(notices['edit_summary_updated']).toMatchObject({ message_id: 'm' })
  })

  it('a compression that moves the conversation is heard by the next reply', () => {
    const said: readonly Said[] = [
      ...BEGIN,
      ...text('A'),
      ['compression_finished', { conversation_id: 'c-9' }],
      ...BEGIN,
      ...text('B'),
      COMPLETE,
    ]
    expect(of(decode([page(said)]), 'REPLY_START')).toMatchObject([
      { session_id: 'c-0' },
      { session_id: 'c-9' },
    ])
  })
})

describe('answers for the Task API', () => {
  const call = {
    type: 'tool_call',
    id: 'a',
    name: 't',
    input: '{}',
    state: 'asking',
    suggested_rules: [],
  } as const
  const confirm = (confirmed: boolean, metadata: JsonObject, reason?: string): unknown =>
    taskApiDialect.encode.answer({
      kind: 'confirm',
      id: 'i',
      reply_id: 'r',
      results: [
        {
          confirmed,
          tool_call: { ...call, metadata },
          ...(reason === undefined ? {} : { reason }),
        },
      ],
    })

  it('say what was decided about an approval or a plan', () => {
    expect(confirm(true, { approval_id: 'p', kind: 'approval' })).toEqual([
      { tool_call_id: 'a', approval_id: 'p', decision: 'approved' },
    ])
    expect(confirm(false, {})).toEqual([{ tool_call_id: 'a', decision: 'rejected' }])
    expect(confirm(true, { approval_id: 'p', kind: 'plan' }, 'Fine')).toEqual([
      { tool_call_id: 'a', approval_id: 'p', approved: true, comment: 'Fine' },
    ])
  })

  it('say what was chosen or written for a question', () => {
    const answer = (
      metadata: JsonObject,
      output: string | readonly { type: 'text'; id: string; text: string }[],
    ): unknown =>
      taskApiDialect.encode.answer({
        kind: 'external',
        id: 'i',
        reply_id: 'r',
        results: [
          { type: 'tool_result', id: 'a', name: 'ask_user', output, state: 'success', metadata },
        ],
      })
    expect(answer({ selected_option_id: 'x', text: 'because' }, 'X')).toEqual([
      { tool_call_id: 'a', selected_option_id: 'x', text: 'because' },
    ])
    expect(answer({ dismissed: true }, '')).toEqual([{ tool_call_id: 'a', dismissed: true }])
    expect(answer({}, 'Words')).toEqual([{ tool_call_id: 'a', text: 'Words' }])
    expect(answer({}, [{ type: 'text', id: 't', text: 'Words' }])).toEqual([
      { tool_call_id: 'a', text: 'Words' },
    ])
  })

  it('refuse what has no place', () => {
    expect(() =>
      taskApiDialect.encode.answer({ kind: 'input', id: 'i', request_id: 'q', action: 'submit' }),
    ).toThrow('input')
    expect(() => taskApiDialect.encode.send(null)).toThrow('message')
  })

  it('of a send are its text and the paths of its pictures', () => {
    const [message] = conversationOf(
      [['user_message', { message: 'See', images: ['up/cat.jpg'], message_id: 'm' }]],
      'running',
    ).messages
    expect(taskApiDialect.encode.send(message === undefined ? null : [message])).toEqual({
      message: 'See',
      images: ['up/cat.jpg'],
    })
  })
})

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
          for (const input of inputs) {
            if (!input.type.startsWith('kit.')) expect(parseEvent(input).event).toBe(input)
          }
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
      { numRuns: 150 },
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
      { numRuns: 150 },
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
