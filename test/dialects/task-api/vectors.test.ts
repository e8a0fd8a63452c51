// @vitest-environment node
// The cases that any reader of the Task API must get right, one by one.
import { describe, expect, it } from 'vitest'
import { decodeFrames, taskApiDialect } from '../../../src/dialects/index.js'
import { applyEvents, type Conversation } from '../../../src/fold/index.js'
import type { ConversationInput, EndCause } from '../../../src/protocol/index.js'
import { fold } from '../describeDialect.js'
import { tellMessages, type ToldMessage } from '../tellMessages.js'
import { BEGIN, CALL, COMPLETE, page, type Said, task, text, toolEnds, toolRuns } from './pages.js'

function decode(frames: readonly unknown[], end: EndCause = 'eof'): readonly ConversationInput[] {
  const decoder = taskApiDialect.createDecoder()
  const inputs = frames.flatMap((frame) => decoder.push(frame).inputs)
  return [...inputs, ...decoder.end(end).inputs]
}

function conversationOf(frames: readonly unknown[], end?: EndCause): Conversation {
  return fold(decode(frames, end)).conversation
}

function told(frames: readonly unknown[], end?: EndCause): readonly ToldMessage[] {
  return tellMessages(conversationOf(frames, end).messages)
}

/** The only reply. */
function reply(said: readonly Said[], status?: string): ToldMessage | undefined {
  return told(task(said, status))[0]
}

function inputsOf<Type extends ConversationInput['type']>(
  inputs: readonly ConversationInput[],
  type: Type,
): readonly Extract<ConversationInput, { readonly type: Type }>[] {
  return inputs.filter(
    (input): input is Extract<ConversationInput, { readonly type: Type }> => input.type === type,
  )
}

describe('taskApiDialect', () => {
  it('keeps a thought open while its tool is prepared, and sees the failure in a completed call', () => {
    const decoder = taskApiDialect.createDecoder()
    const before: readonly Said[] = [
      ...BEGIN,
      ['thinking_start'],
      ['thinking_chunk', { content: 'Need the level.' }],
      [
        'tool_preparing',
        { id: 'gauge:0', name: 'gauge', message: 'Preparing gauge', intent: null },
      ],
      ['tool_intent', { id: 'gauge:0', name: 'gauge', intent: 'read Elbe level' }],
    ]
    const first = fold(decoder.push(page(before)).inputs).conversation
    expect(first.messages[0]?.content).toMatchObject([
      { type: 'thinking', finished_at: null },
      { type: 'tool_call', metadata: { intent: 'read Elbe level', message: 'Preparing gauge' } },
    ])
    const [, start] = toolRuns('gauge:0')
    const rest: readonly Said[] = [
      ['thinking_end', { full_content: 'Need the level.' }],
      ...(start === undefined ? [] : [start]),
      toolEnds('gauge:0', { success: false, error: 'station offline' }),
      COMPLETE,
    ]
    const { inputs } = decoder.push(page(rest, { first: 6, status: 'succeeded' }))
    const second = applyEvents(first, inputs)
    expect(tellMessages(second.messages)).toEqual([
      {
        name: '',
        blocks: [
          { thinking: 'Need the level.' },
          { call: 'gauge', input: '{"river":"Elbe"}', state: 'finished' },
          { result: 'gauge', output: [{ text: 'station offline' }], state: 'error' },
        ],
        end: 'completed',
      },
    ])
    expect(decoder.cursor?.()).toBe('10')
    expect(decoder.push(page([], { first: 10, status: 'succeeded' })).inputs).toEqual([])
  })

  it('adds a thought that goes on after text to the same thought', () => {
    const said: readonly Said[] = [
      ...BEGIN,
      ['thinking_start'],
      ['thinking_chunk', { content: 'One' }],
      ['thinking_end', { full_content: 'One' }],
      ['text_start'],
      ['text_chunk', { content: 'A', index: 1, elapsed: 0 }],
      ['thinking_chunk', { content: ', two' }],
      ['text_chunk', { content: 'B', index: 2, elapsed: 1 }],
      ['text_end', { full_content: 'AB' }],
      COMPLETE,
    ]
    expect(reply(said)?.blocks).toEqual([{ thinking: 'One, two' }, { text: 'AB' }])
  })

  it('keeps the texts of two model calls apart, though their count restarts', () => {
    const said = [...BEGIN, ...text('A', 'B'), CALL, ...text('C', 'D'), COMPLETE]
    const [message] = conversationOf(task(said)).messages
    expect(message?.content).toMatchObject([
      { id: 't-1:r1:1:text', text: 'AB' },
      { id: 't-1:r1:2:text', text: 'CD' },
    ])
  })

  it('begins what nobody announced with its first chunk', () => {
    const said: readonly Said[] = [
      ['thinking_chunk', { content: 'Hm' }],
      ['text_chunk', { content: 'Yes' }],
      COMPLETE,
    ]
    expect(reply(said)).toEqual({
      name: '',
      blocks: [{ thinking: 'Hm' }, { text: 'Yes' }],
      end: 'completed',
    })
  })

  it('says nothing for an empty page, and goes on from where it was', () => {
    const decoder = taskApiDialect.createDecoder()
    const first = decoder.push(page(BEGIN)).inputs
    expect(decoder.push(page([], { first: 2 }))).toEqual({ inputs: [], anomalies: [] })
    expect(decoder.cursor?.()).toBe('2')
    const rest = decoder.push(page([...text('Hi'), COMPLETE], { first: 2 })).inputs
    expect(inputsOf([...first, ...rest], 'kit.gap')).toEqual([])
  })

  it('tells once of a gap at the start of a long task, and knows the reply is incomplete', () => {
    const said: readonly Said[] = [['text_chunk', { content: 'tail' }]]
    const frames = [page(said, { first: 412 }), page([COMPLETE], { first: 413 })]
    const inputs = decode(frames)
    expect(inputsOf(inputs, 'kit.gap')).toMatchObject([{ from: 0, to: 412 }])
    const { messages, replies } = fold(inputs).conversation
    expect(tellMessages(messages)[0]?.blocks).toEqual([{ text: 'tail' }])
    expect(replies['t-1:r1']).toMatchObject({ phase: 'ended', isComplete: false })
  })

  it('does not end a reply at a terminal status that came before the last words', () => {
    const decoder = taskApiDialect.createDecoder()
    const one = decoder.push(page([...BEGIN, ['text_start']], { status: 'succeeded' })).inputs
    expect(inputsOf(one, 'REPLY_END')).toEqual([])
    const tail: readonly Said[] = [['text_chunk', { content: 'the end' }], COMPLETE]
    const two = decoder.push(page(tail, { first: 3, status: 'succeeded' })).inputs
    const three = decoder.push(page([], { first: 5, status: 'succeeded' })).inputs
    expect(three).toEqual([])
    expect(tellMessages(fold([...one, ...two]).conversation.messages)).toEqual([
      { name: '', blocks: [{ text: 'the end' }], end: 'completed' },
    ])
  })

  it('shows the second attempt alone after a broken one', () => {
    const said: readonly Said[] = [
      ...BEGIN,
      ...text('First'),
      ['tool_preparing', { id: 'gauge:0', name: 'gauge', message: 'Preparing', intent: null }],
      ['error', { message: 'broken', retry: true, retry_in: 10, attempt: 1, max_attempts: 5 }],
      [
        'stream_reset',
        { reason: 'stream_disconnected', attempt: 1, max_attempts: 5, retry_in: 10 },
      ],
      ['api_request_start', { attempt: 2, max_attempts: 5 }],
      ...text('Second'),
      ...toolRuns('gauge:0'),
      toolEnds('gauge:0', 'ok'),
      COMPLETE,
    ]
    const { messages, notices } = conversationOf(task(said))
    expect(messages[0]?.content).toMatchObject([
      { type: 'text', id: 't-1:r1:2:text', text: 'Second' },
      { type: 'tool_call', id: 'gauge:0', state: 'finished' },
      { type: 'tool_result', id: 'gauge:0', state: 'success' },
    ])
    expect(messages[0]).toMatchObject({ finished_reason: 'completed', error: null })
    expect(notices['retrying']).toEqual({})
  })

  it('ends a reply with the error, though the status says that it succeeded', () => {
    const said: readonly Said[] = [
      ...BEGIN,
      ['error', { message: 'too long', error_type: 'context_overflow', status_code: null }],
    ]
    const [message] = conversationOf(task(said, 'succeeded')).messages
    expect(message?.finished_reason).toBe('error')
    expect(message?.error).toEqual({ type: 'invalid_request', message: 'too long' })
  })

  it('takes a second stop for the same', () => {
    const said: readonly Said[] = [
      ...BEGIN,
      ['text_chunk', { content: 'Ha' }],
      ['task_stopped', { message: 'stopped', reason: 'user_stop' }],
      ['task_stopped', { message: 'stopped', reason: 'user_requested' }],
    ]
    const inputs = decode(task(said, 'stopped'))
    expect(inputsOf(inputs, 'REPLY_END')).toMatchObject([{ finished_reason: 'interrupted' }])
  })

  it('knows a call that was cancelled before it began', () => {
    const said: readonly Said[] = [
      ...BEGIN,
      ['tool_preparing', { id: 'gauge:0', name: 'gauge', message: 'Preparing', intent: null }],
      [
        'update_action',
        {
          preparing_id: 'gauge:0',
          status: 'cancelled',
          result: { success: false, status: 'cancelled', tool: 'gauge', message: 'Stopped' },
        },
      ],
      ['task_stopped', { message: 'stopped', reason: 'user_stop' }],
    ]
    expect(reply(said, 'stopped')).toEqual({
      name: '',
      blocks: [
        { call: 'gauge', input: '', state: 'finished' },
        { result: 'gauge', output: [{ text: 'Stopped' }], state: 'interrupted' },
      ],
      end: 'interrupted',
    })
  })

  it('knows a call that ran, was asked about and denied, which ends the run', () => {
    const result = {
      success: false,
      status: 'awaiting_approval',
      approval_id: 'a',
      message: 'Waiting',
    }
    const denied = {
      success: false,
      status: 'rejected',
      code: 'approval_rejected',
      approval_id: 'a',
      message: 'Rejected',
    }
    const asking: readonly Said[] = [
      ...BEGIN,
      ...toolRuns('rm:0', 'rm'),
      [
        'update_action',
        { id: 'run_rm:0', preparing_id: 'rm:0', status: 'awaiting_approval', result },
      ],
    ]
    const waiting = conversationOf([page(asking)])
    expect(waiting.replies['t-1:r1']?.phase).toBe('parked')
    expect(waiting.requests).toMatchObject([
      {
        kind: 'confirm',
        toolCall: { id: 'rm:0' },
        metadata: { approval_id: 'a', kind: 'approval', answerable: false },
      },
    ])
    const said: readonly Said[] = [
      ...asking,
      ['tool_approval_resolved', { approval_id: 'a', decision: 'rejected' }],
      toolEnds('rm:0', denied),
      ['task_stopped', { message: 'rejected', reason: 'approval_rejected' }],
    ]
    const { messages, requests } = conversationOf(task(said, 'succeeded'))
    expect(tellMessages(messages)).toEqual([
      {
        name: '',
        blocks: [
          { call: 'rm', input: '{"river":"Elbe"}', state: 'finished' },
          { result: 'rm', output: [{ text: 'Rejected' }], state: 'denied' },
        ],
        end: 'interrupted',
      },
    ])
    expect(requests).toEqual([])
  })

  it('gives a call of its own to an id that a later model call uses again', () => {
    const said = [
      ...BEGIN,
      ...toolRuns('gauge:0'),
      toolEnds('gauge:0', { output: 'one' }),
      CALL,
      ['tool_preparing', { id: 'gauge:0', name: 'gauge', message: '', intent: null }] as const,
      [
        'tool_start',
        { id: 'run_2', name: 'gauge', arguments: {}, preparing_id: 'gauge:0' },
      ] as const,
      [
        'update_action',
        { id: 'run_2', preparing_id: 'gauge:0', status: 'completed', result: { output: 'two' } },
      ] as const,
      COMPLETE,
    ]
    const [message] = conversationOf(task(said)).messages
    expect(message?.content).toMatchObject([
      { type: 'tool_call', id: 'gauge:0' },
      { type: 'tool_result', id: 'gauge:0', output: [{ text: 'one' }] },
      { type: 'tool_call', id: 'gauge:0#2' },
      { type: 'tool_result', id: 'gauge:0#2', output: [{ text: 'two' }] },
    ])
  })

  it('asks both questions of a batch, and takes their answers in any order', () => {
    const question = (number: number): Record<string, string | number> => ({
      question_id: `q-${number}`,
      batch_id: 'b',
      batch_index: number,
      batch_total: 2,
      tool_call_id: 'ask:0',
      question: `Question ${number}?`,
    })
    const asking: readonly Said[] = [
      ...BEGIN,
      ...toolRuns('ask:0', 'ask_user', {}),
      ['user_questions_required', { batch_id: 'b', questions: [question(1), question(2)] }],
      [
        'update_action',
        {
          id: 'run_ask:0',
          preparing_id: 'ask:0',
          status: 'awaiting_user_answer',
          result: { question_id: 'q-1' },
        },
      ],
    ]
    const open = conversationOf([page(asking)])
    expect(open.replies['t-1:r1']?.phase).toBe('parked')
    expect(open.requests).toMatchObject([
      {
        kind: 'external',
        toolCall: {
          id: 'ask:0',
          name: 'ask_user',
          input: JSON.stringify({
            question_id: 'q-1',
            batch_id: 'b',
            batch_index: 1,
            batch_total: 2,
            question: 'Question 1?',
          }),
        },
      },
      { kind: 'external', toolCall: { id: 'ask:0#q2', name: 'ask_user' } },
    ])
    const second: readonly Said[] = [
      ...asking,
      ['user_questions_resolved', { batch_id: 'b', question_ids: ['q-2'] }],
    ]
    expect(conversationOf([page(second)]).requests).toMatchObject([{ toolCall: { id: 'ask:0' } }])
    const both: readonly Said[] = [
      ...second,
      ['user_questions_resolved', { batch_id: 'b', question_ids: ['q-1'] }],
      toolEnds('ask:0', { success: true, answer_text: '1: a, 2: b' }),
      COMPLETE,
    ]
    const done = conversationOf(task(both))
    expect(done.requests).toEqual([])
    expect(tellMessages(done.messages)[0]?.blocks).toMatchObject([
      { call: 'ask_user' },
      { result: 'ask_user', output: [{ text: '1: a, 2: b' }], state: 'success' },
      { call: 'ask_user' },
      { result: 'ask_user', state: 'success' },
    ])
  })

  it('shows the person’s own words and what was put in, and nothing that is hidden', () => {
    const said: readonly Said[] = [
      [
        'user_message',
        { message: 'Hello', message_id: 'm-7', message_source: 'user', visibility: 'chat' },
      ],
      ...BEGIN,
      ['user_message', { message: '[x] secret', message_source: 'skill', visibility: 'hidden' }],
      [
        'user_message',
        { message: '[notify] Build is done', message_source: 'notify', visibility: 'compact' },
      ],
      COMPLETE,
    ]
    const { messages } = conversationOf(task(said))
    expect(messages[0]).toMatchObject({ id: 'm-7', role: 'user' })
    expect(tellMessages(messages)).toEqual([
      { name: 'user', role: 'user', blocks: [{ text: 'Hello' }] },
      {
        name: '',
        blocks: [{ hint: 'Build is done', from: '{"label":"notify","kind":"notify"}' }],
        end: 'completed',
      },
    ])
  })

  it('believes the whole text where it is not what the chunks gave', () => {
    const said: readonly Said[] = [
      ...BEGIN,
      ['text_start'],
      ['text_chunk', { content: 'Helo' }],
      ['text_end', { full_content: 'Hello' }],
      COMPLETE,
    ]
    const inputs = decode(task(said))
    expect(inputsOf(inputs, 'kit.block_set')).toMatchObject([
      { block: { type: 'text', id: 't-1:r1:1:text', text: 'Hello' } },
    ])
    expect(tellMessages(fold(inputs).conversation.messages)[0]?.blocks).toEqual([{ text: 'Hello' }])
  })

  it('passes on what it does not know', () => {
    const inputs = decode(task([...BEGIN, ['brand_new', { a: 1 }], COMPLETE]))
    expect(inputsOf(inputs, 'CUSTOM')).toMatchObject([{ name: 'brand_new', value: { a: 1 } }])
  })

  it('ends a reply with an error when its task is forgotten on the way', () => {
    const forgotten = { success: false, error: 'Task not found' }
    expect(told([page([...BEGIN, ['text_chunk', { content: 'Ha' }]]), forgotten], 'error')).toEqual(
      [
        {
          name: '',
          blocks: [{ text: 'Ha' }],
          end: 'error',
          error: 'The task was not heard to its end.',
        },
      ],
    )
  })

  it('makes two replies of a task that goes on after its context was compressed', () => {
    const said: readonly Said[] = [
      ...BEGIN,
      ...text('One'),
      [
        'user_message',
        {
          message: '[compression] Summary',
          message_source: 'compression_handoff',
          visibility: 'compact',
          starts_work: true,
        },
      ],
      ...BEGIN,
      ...text('Two'),
      COMPLETE,
    ]
    const { messages } = conversationOf(task(said))
    expect(messages.map(({ id }) => id)).toEqual(['t-1:r1', 't-1:r2'])
    expect(tellMessages(messages)).toEqual([
      { name: '', blocks: [{ text: 'One' }], end: 'completed' },
      {
        name: '',
        blocks: [
          { hint: 'Summary', from: '{"label":"compression_handoff","kind":"compression_handoff"}' },
          { text: 'Two' },
        ],
        end: 'completed',
      },
    ])
  })

  it('gives a replay from the beginning the same ids, and a second time nothing new', () => {
    const said = [
      ...BEGIN,
      ...text('Hi'),
      ...toolRuns('gauge:0'),
      toolEnds('gauge:0', 'ok'),
      COMPLETE,
    ]
    const byOne = decodeFrames('task-api', task(said))
    const atOnce = decodeFrames('task-api', [
      page(said),
      page([], { first: said.length, status: 'succeeded' }),
    ])
    expect(atOnce).toEqual(byOne)
    const { conversation } = fold(byOne)
    expect(applyEvents(conversation, atOnce)).toBe(conversation)
    expect(decodeFrames('task-api', [...task(said), ...task(said)])).toEqual(byOne)
  })
})
