// @vitest-environment node
// What a task asks people, and their answers.
import { describe, expect, it } from 'vitest'
import { taskApiDialect } from '../../../src/dialects/index.js'
import type { Conversation } from '../../../src/fold/index.js'
import type { JsonObject } from '../../../src/protocol/index.js'
import { fold } from '../describeDialect.js'
import { tellMessages } from '../tellMessages.js'
import { conversationOf, customsOf, decode, inputsOf } from './decodeTask.js'
import { BEGIN, page, stamp, toolEnds, toolRuns, type Said } from './pages.js'

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
      expect(inputsOf(inputs, 'USER_CONFIRM_RESULT')).toMatchObject([
        { confirm_results: [{ confirmed, tool_call: { id: 'a' } }], metadata: { reason: 'r' } },
      ])
      expect(fold(inputs).conversation.requests).toEqual([])
    }
  })

  it('a decision about what was never asked is passed on', () => {
    expect(
      customsOf([...BEGIN, ['tool_approval_resolved', { approval_id: 'z', decision: 'approved' }]]),
    ).toMatchObject([{ name: 'tool_approval_resolved' }])
  })

  it('the progress of an automatic judge is passed on', () => {
    const progress = { approval_id: 'p', progress: { stage: 'judging', message: 'm' } }
    expect(customsOf([...BEGIN, ask, ['auto_approval_progress', progress]])).toMatchObject([
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
