// Pages, and what they say about the task.
import { describe, expect, it } from 'vitest'
import { taskApiDialect } from '../../../src/dialects/index.js'
import type { JsonObject } from '../../../src/protocol/index.js'
import { fold } from '../describeDialect.js'
import { tellMessages } from '../tellMessages.js'
import { conversationOf, decode, inputsOf } from './decodeTask.js'
import { BEGIN, COMPLETE, page, stamp, text, type Said } from './pages.js'

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
    expect(inputsOf(inputs, 'REPLY_START')).toEqual([
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
    expect(inputsOf(inputs, 'REPLY_END')).toMatchObject([{ reply_id: 't-1:r1' }])
    expect(decode([{ success: true, data: { ...created, task_id: 't-2' } }])).toMatchObject([
      { reply_id: 't-2:r1' },
    ])
  })

  it('is of the session of its body, else of the one that the backend knows', () => {
    expect(inputsOf(decode([page(BEGIN)]), 'REPLY_START')).toMatchObject([{ session_id: 'c-0' }])
    expect(
      inputsOf(decode([page(BEGIN, { conversation_id: 'c-2' })]), 'REPLY_START'),
    ).toMatchObject([{ session_id: 'c-2' }])
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
    expect(inputsOf(inputs, 'kit.gap')).toMatchObject([{ from: 3, to: 9, id: 't-1:9:kit.gap' }])
    const { conversation } = fold(inputs)
    expect(conversation.replies['t-1:r1']?.isComplete).toBe(false)
    expect(tellMessages(conversation.messages)[0]?.blocks).toEqual([{ text: 'AB' }])
    const evicted = [
      page(BEGIN),
      page([], { first: 2, window_start: 40 }),
      page([], { first: 2, window_start: 40 }),
      page([['text_chunk', { content: 'B' }]], { first: 40, window_start: 40 }),
    ]
    expect(inputsOf(decode(evicted), 'kit.gap')).toMatchObject([{ from: 2, to: 40 }])
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

  it('ends a reply once, however often it is told', () => {
    const over = page([], { first: 4, status: 'succeeded' })
    const said: readonly Said[] = [...begun, ['error', { message: 'Something broke' }]]
    const ends = inputsOf(decode([page(said), over, over, over], 'eof'), 'REPLY_END')
    expect(ends).toMatchObject([{ error: { message: 'Something broke' } }])
  })

  it('settles a task when the next one begins', () => {
    const frames = [page(begun, { status: 'stopped' }), page(BEGIN, { task_id: 't-2' })]
    expect(fold(decode(frames)).conversation.replies['t-1:r1']?.phase).toBe('ended')
  })
})
