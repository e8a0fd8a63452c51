// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { javaDialect, readExposedSubagents } from '../../../src/dialects/index.js'
import type { JsonObject } from '../../../src/protocol/index.js'
import { decode, fold } from '../describeDialect.js'
import { tellMessages } from '../tellMessages.js'
import { javaStream, modelCall, text, toolResult, toolUse, writtenCall } from './frames.js'

function under(
  source: string,
  frames: readonly JsonObject[],
  taskId?: string,
): readonly JsonObject[] {
  const metadata = taskId === undefined ? {} : { metadata: { taskId, parentSessionId: 's1' } }
  return frames.map((frame) => ({ ...frame, source, ...metadata }))
}

/** A child's run; a local one has no `replyId` at its edges. */
function child(prefix: string, said: string): readonly JsonObject[] {
  const event = javaStream(prefix)
  return [
    event('AGENT_START', { sessionId: `${prefix}-session`, name: 'researcher', role: 'assistant' }),
    ...modelCall(event, `${prefix}-M`, () => text(event, `${prefix}-M`, said)),
    event('AGENT_END'),
  ]
}

function interleave(...streams: readonly (readonly JsonObject[])[]): readonly JsonObject[] {
  const longest = Math.max(...streams.map(({ length }) => length))
  const turns = Array.from({ length: longest }, (_, index) => index)
  return turns.flatMap((index) => streams.flatMap((all) => all.slice(index, index + 1)))
}

describe('sub-agents', () => {
  it('run beside the agent, whose own reply stays whole', () => {
    const event = javaStream()
    const frames = [
      event('AGENT_START', { replyId: 'R0', name: 'Ops', role: 'assistant' }),
      ...modelCall(event, 'M1', () =>
        writtenCall(event, 'M1', 'c1', 'agent_spawn', '{"agent_id":"researcher"}'),
      ),
      event('TOOL_RESULT_START', { replyId: 'A1', toolCallId: 'c1', toolCallName: 'agent_spawn' }),
      ...interleave(
        under('s1/researcher', child('x', 'I searched.')),
        under('s1/writer', child('y', 'I wrote.')),
      ),
      ...toolResult(event, 'A1', 'c1', 'agent_spawn', 'Both are done.').slice(1),
      ...modelCall(event, 'M2', () => text(event, 'M2', 'Done.')),
      event('AGENT_END', { replyId: 'R0' }),
    ]
    const { conversation, anomalies } = fold(decode(javaDialect, [frames]))
    expect(anomalies).toEqual([])
    expect(tellMessages(conversation.messages)).toEqual([
      {
        name: 'Ops',
        blocks: [
          { call: 'agent_spawn', input: '{"agent_id":"researcher"}', state: 'finished' },
          { result: 'agent_spawn', output: [{ text: 'Both are done.' }], state: 'success' },
          { text: 'Done.' },
        ],
        end: 'completed',
        tokens: [20, 4],
      },
    ])
    expect(
      conversation.runs.map(({ agentPath, messages }) => [agentPath, tellMessages(messages)]),
    ).toEqual([
      [
        ['researcher'],
        [
          {
            name: 'researcher',
            blocks: [{ text: 'I searched.' }],
            end: 'completed',
            tokens: [10, 2],
          },
        ],
      ],
      [
        ['writer'],
        [{ name: 'researcher', blocks: [{ text: 'I wrote.' }], end: 'completed', tokens: [10, 2] }],
      ],
    ])
  })

  it('of one kind at the same time are told apart by their task', () => {
    const frames = interleave(
      under('main/researcher', child('x', 'First.'), 't1'),
      under('main/researcher', child('y', 'Second.'), 't2'),
    )
    const { conversation } = fold(decode(javaDialect, [frames]))
    expect(conversation.runs).toHaveLength(1)
    expect(tellMessages(conversation.runs[0]?.messages ?? []).map(({ blocks }) => blocks)).toEqual([
      [{ text: 'First.' }],
      [{ text: 'Second.' }],
    ])
  })

  it('of one kind at the same time without a task are one group, with whole texts', () => {
    const frames = interleave(
      under('main/researcher', child('x', 'First.')),
      under('main/researcher', child('y', 'Second.')),
    )
    const { conversation } = fold(decode(javaDialect, [frames]))
    expect(tellMessages(conversation.runs[0]?.messages ?? [])).toEqual([
      {
        name: 'researcher',
        blocks: [{ text: 'First.' }, { text: 'Second.' }],
        end: 'completed',
        tokens: [20, 4],
      },
    ])
  })

  it('one after the other are replies of their own', () => {
    const frames = [
      ...under('main/researcher', child('x', 'First.')),
      ...under('main/researcher', child('y', 'Second.')),
    ]
    const { conversation } = fold(decode(javaDialect, [frames]))
    expect(conversation.runs[0]?.messages).toHaveLength(2)
  })

  it('far away come without edges of blocks', () => {
    const frames = under(
      'main/remote',
      [
        { type: 'THINKING_BLOCK_DELTA', id: 'r1', delta: 'Hm' },
        { type: 'TEXT_BLOCK_DELTA', id: 'r2', delta: 'So ' },
        { type: 'TEXT_BLOCK_DELTA', id: 'r3', delta: 'it is.' },
        { type: 'TOOL_CALL_START', id: 'r4', toolCallId: 'c9', toolCallName: 'grep' },
        {
          type: 'TOOL_RESULT_END',
          id: 'r5',
          toolCallId: 'c9',
          toolCallName: 'grep',
          state: 'SUCCESS',
        },
      ],
      't1',
    )
    const { conversation, anomalies } = fold(decode(javaDialect, [frames]))
    expect(anomalies).toEqual([])
    expect(conversation.messages).toEqual([])
    expect(tellMessages(conversation.runs[0]?.messages ?? [])).toEqual([
      {
        name: 'remote',
        blocks: [
          { thinking: 'Hm' },
          { text: 'So it is.' },
          { call: 'grep', input: '', state: 'finished' },
          { result: 'grep', output: [], state: 'success' },
        ],
        end: 'completed',
      },
    ])
  })

  it('ask for themselves, and the call names the task to resume', () => {
    const event = javaStream()
    const frames = under(
      'main/remote',
      [
        event('REQUIRE_USER_CONFIRM', {
          replyId: 'A9',
          toolCalls: [toolUse('c9', 'rm', { p: 1 })],
        }),
      ],
      't1',
    )
    const { conversation } = fold(decode(javaDialect, [frames]))
    expect(conversation.requests).toMatchObject([
      { kind: 'confirm', toolCall: { id: 'c9', task_id: 't1' } },
    ])
    expect(conversation.runs[0]?.messages).toHaveLength(1)
  })

  it('are linked to the calls that started them', () => {
    const event = javaStream()
    const at = (toolCallId: string): JsonObject => ({
      replyId: 'A1',
      toolCallId,
      toolCallName: 'agent_spawn',
    })
    const spawn = (id: string, agent: string): readonly JsonObject[] =>
      writtenCall(event, 'M1', id, 'agent_spawn', JSON.stringify({ agent_id: agent }))
    const frames = [
      event('AGENT_START', { replyId: 'R0', name: 'Ops' }),
      ...modelCall(event, 'M1', () => [
        ...spawn('c1', 'researcher'),
        ...spawn('c2', 'writer'),
        ...spawn('c3', 'researcher'),
      ]),
      ...['c1', 'c2', 'c3'].map((id) => event('TOOL_RESULT_START', at(id))),
      ...interleave(
        under('s1/writer', child('w', 'Written.')),
        under('s1/researcher', child('x', 'First.'), 't1'),
        under('s1/researcher', child('y', 'Second.'), 't2'),
      ),
    ]
    const { conversation } = fold(decode(javaDialect, [frames], 'abort'))
    const places = conversation.runs.flatMap(({ messages }) =>
      messages.map(({ id, content: [first] }) => [
        first?.type === 'text' ? first.text : null,
        conversation.notices[`subagent_started:${id}`],
      ]),
    )
    expect(places).toEqual([
      ['Written.', { reply_id: 'R0', tool_call_id: 'c2' }],
      ['First.', { reply_id: 'R0', tool_call_id: 'c1' }],
      ['Second.', { reply_id: 'R0', tool_call_id: 'c3' }],
    ])
  })

  it('opened to the person are entries to conversations of their own', () => {
    const event = javaStream()
    const expose = (subagentId: string, label: string): JsonObject =>
      event('SUBAGENT_EXPOSED', {
        subagentId,
        agentId: 'researcher',
        sessionId: `of-${subagentId}`,
        label,
      })
    const { conversation } = fold(
      decode(javaDialect, [[expose('x1', 'Trends'), expose('x2', 'Prices')]]),
    )
    expect(readExposedSubagents(conversation.notices)).toEqual([
      { subagentId: 'x1', agentId: 'researcher', sessionId: 'of-x1', label: 'Trends' },
      { subagentId: 'x2', agentId: 'researcher', sessionId: 'of-x2', label: 'Prices' },
    ])
    expect(conversation.messages).toEqual([])
  })
})

describe('an agent that is a tool', () => {
  const event = javaStream()
  const at = { replyId: 'A1', toolCallId: 'c1', toolCallName: 'call_scout' }
  const metadata = {
    subagent_event: true,
    subagent_name: 'scout',
    subagent_id: 'a7',
    subagent_session_id: 's7',
  }
  const says = (type: string, content: readonly JsonObject[], isLast: boolean): JsonObject =>
    event('TOOL_RESULT_TEXT_DELTA', {
      ...at,
      metadata,
      delta: JSON.stringify({
        type,
        message: { id: `m-${type}`, role: 'ASSISTANT', content },
        isLast,
      }),
    })
  const frames = [
    event('AGENT_START', { replyId: 'R0', name: 'Ops', role: 'assistant' }),
    ...modelCall(event, 'M1', () => writtenCall(event, 'M1', 'c1', 'call_scout', '{}')),
    event('TOOL_RESULT_START', at),
    says('REASONING', [{ type: 'text', text: 'I ' }], false),
    says('REASONING', [{ type: 'text', text: 'look.' }], false),
    says('REASONING', [{ type: 'text', text: 'I look.' }, toolUse('t1', 'grep', { q: 'x' })], true),
    says(
      'TOOL_RESULT',
      [
        {
          type: 'tool_result',
          id: 't1',
          name: 'grep',
          output: [{ type: 'text', text: 'here' }],
          state: 'running',
        },
      ],
      true,
    ),
    event('TOOL_RESULT_END', { ...at, state: 'success' }),
    ...modelCall(event, 'M2', () => text(event, 'M2', 'It is here.')),
    event('AGENT_END', { replyId: 'R0' }),
  ]

  it('runs nested, and its events are no output', () => {
    const { conversation, anomalies } = fold(decode(javaDialect, [frames]))
    expect(anomalies).toEqual([])
    expect(tellMessages(conversation.messages)[0]?.blocks).toEqual([
      { call: 'call_scout', input: '{}', state: 'finished' },
      { result: 'call_scout', output: [], state: 'success' },
      { text: 'It is here.' },
    ])
    expect(conversation.runs.map(({ agentPath }) => agentPath)).toEqual([['scout']])
    const [nested] = conversation.runs[0]?.messages ?? []
    expect(conversation.notices[`subagent_started:${nested?.id}`]).toEqual({
      reply_id: 'R0',
      tool_call_id: 'c1',
    })
    expect(tellMessages(conversation.runs[0]?.messages ?? [])).toEqual([
      {
        name: 'scout',
        blocks: [
          { text: 'I look.' },
          { call: 'grep', input: '{"q":"x"}', state: 'finished' },
          { result: 'grep', output: [{ text: 'here' }], state: 'success' },
        ],
        end: 'completed',
      },
    ])
  })
})
