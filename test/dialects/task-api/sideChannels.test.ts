// @vitest-environment node
// What a task says beside its replies.
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/index.js'
import { fold } from '../describeDialect.js'
import { conversationOf, decode, inputsOf } from './decodeTask.js'
import { BEGIN, COMPLETE, entries, page, stamp, task, text, type Said } from './pages.js'

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
    expect(inputsOf(decode(task(said)), 'MODEL_CALL_END')).toEqual([])
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

  it('edits stay with the reply, also when they come after its end', () => {
    const said: readonly Said[] = [
      ...BEGIN,
      ['edited_files_updated', { edited_files: [{ path: 'a', op: 'edit', ts: 1 }] }],
      COMPLETE,
      ['edit_summary_updated', { message_id: 'm', edit_summary: { added: 3 } }],
    ]
    const { messages, notices, replies } = conversationOf(said)
    expect(messages[0]?.finished_reason).toBe('completed')
    expect(replies[messages[0]?.id ?? '']?.metadata).toMatchObject({
      total_iterations: 1,
      edited_files: [{ path: 'a' }],
      edit_summary: { added: 3 },
    })
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
    expect(inputsOf(decode([page(said)]), 'REPLY_START')).toMatchObject([
      { session_id: 'c-0' },
      { session_id: 'c-9' },
    ])
  })
})
