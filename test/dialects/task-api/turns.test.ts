// @vitest-environment node
// Turns, texts and messages of a task.
import { describe, expect, it } from 'vitest'
import type { Conversation, ReplyInfo } from '../../../src/fold/index.js'
import { tellMessages } from '../tellMessages.js'
import { conversationOf, customsOf, decode, inputsOf } from './decodeTask.js'
import {
  BEGIN,
  CALL,
  COMPLETE,
  page,
  stamp,
  task,
  text,
  toolEnds,
  toolRuns,
  type Said,
} from './pages.js'

function replyOf({ messages, replies }: Conversation): ReplyInfo | undefined {
  return replies[messages.at(-1)?.id ?? '']
}

describe('life-cycle events of the Task API', () => {
  it('task_complete keeps its totals with the reply', () => {
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
    expect(replyOf(conversationOf(said))?.metadata).toEqual(totals)
  })

  it('task_stopped ends what is open, and keeps its reason', () => {
    const said: readonly Said[] = [
      ...BEGIN,
      ['text_start'],
      ['text_chunk', { content: 'Ha' }],
      ...toolRuns('a'),
      ['task_stopped', { message: 'm', reason: 'user_stop' }],
    ]
    const conversation = conversationOf(said, 'stopped')
    const [message] = conversation.messages
    expect(message?.content).toMatchObject([
      { text: 'Ha', finished_at: stamp(6) },
      { state: 'finished' },
      { type: 'tool_result', state: 'interrupted' },
    ])
    expect(replyOf(conversation)?.metadata).toEqual({ message: 'm', reason: 'user_stop' })
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
    expect(
      inputsOf(decode(task([...BEGIN, ['stream_reset', {}], COMPLETE])), 'kit.rollback'),
    ).toEqual([])
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
    expect(customsOf([...BEGIN, error, CALL, COMPLETE])).toMatchObject([
      { name: 'retrying', value: { message: 'busy', retry_in: 10 } },
      { name: 'retrying', value: {}, id: 't-1:3:CUSTOM' },
    ])
  })

  it.each(['Invalid arguments for gauge', '工具参数解析失败'])(
    'error about arguments is a warning: %s',
    (message) => {
      const said: readonly Said[] = [...BEGIN, ['error', { message }], COMPLETE]
      expect(conversationOf(said).messages[0]?.finished_reason).toBe('completed')
      expect(customsOf(said)).toMatchObject([
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

  it('error keeps what it says about the failure with the reply', () => {
    const error: Said = [
      'error',
      { message: 'm', status_code: 500, model_id: 'x', request_dump: 'big' },
    ]
    expect(replyOf(conversationOf([...BEGIN, error]))?.metadata).toEqual({
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
    expect(inputsOf(inputs, 'TEXT_BLOCK_DELTA')).toMatchObject([{ delta: 'He' }, { delta: 'llo' }])
    expect(inputsOf(inputs, 'kit.block_set')).toEqual([])
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
