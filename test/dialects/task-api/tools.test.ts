// @vitest-environment node
// Tools of a task.
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/index.js'
import { fold } from '../describeDialect.js'
import { tellMessages } from '../tellMessages.js'
import { conversationOf, customsOf, decode, inputsOf } from './decodeTask.js'
import { BEGIN, COMPLETE, task, toolEnds, toolRuns, type Said } from './pages.js'

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
    expect(inputsOf(inputs, 'TOOL_CALL_START')).toMatchObject([
      { metadata: { message: 'Preparing gauge' } },
    ])
    expect(inputsOf(inputs, 'CUSTOM')).toMatchObject([
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
    expect(customsOf([...BEGIN, ...toolRuns('a'), [type, data], COMPLETE])).toMatchObject([
      { name: type, value: data },
    ])
  })
})
