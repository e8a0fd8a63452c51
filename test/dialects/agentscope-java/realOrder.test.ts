// @vitest-environment node
// What ReActAgent really sends, and when: each case is a rule of the stream's order or of its ids.
import { describe, expect, it } from 'vitest'
import { javaDialect } from '../../../src/dialects/index.js'
import type { JsonObject } from '../../../src/protocol/index.js'
import { decode, describeDialect, fold, type Golden } from '../describeDialect.js'
import { tellMessages } from '../tellMessages.js'
import {
  agentResult,
  javaStream,
  modelCall,
  text,
  toolResult,
  toolUse,
  writtenCall,
} from './frames.js'

type Event = ReturnType<typeof javaStream>

/** A run from its start to its end. */
function run(body: (event: Event) => readonly JsonObject[], prefix = 'e'): readonly JsonObject[] {
  const event = javaStream(prefix)
  return [
    event('AGENT_START', { replyId: `${prefix}-run`, name: 'Ops', role: 'assistant' }),
    ...body(event),
    event('AGENT_END', { replyId: `${prefix}-run` }),
  ]
}

function begun(body: (event: Event) => readonly JsonObject[]): readonly JsonObject[] {
  return run(body).slice(0, -1)
}

const TWO = [10, 2] as const

const goldens: readonly Golden[] = [
  {
    name: 'a text begun again within one model call is a new block',
    frames: run((event) =>
      modelCall(event, 'M1', () => [
        ...text(event, 'M1', 'One.'),
        ...writtenCall(event, 'M1', 'c1', 'look', '{}'),
        ...text(event, 'M1', 'Two.'),
      ]),
    ),
    messages: [
      {
        name: 'Ops',
        blocks: [
          { text: 'One.' },
          { call: 'look', input: '{}', state: 'pending' },
          { text: 'Two.' },
        ],
        end: 'completed',
        tokens: TWO,
      },
    ],
  },
  {
    name: 'thinking that begins while a text is open, and a delta after the end',
    frames: run((event) =>
      modelCall(event, 'M1', () => [
        event('TEXT_BLOCK_START', { replyId: 'M1', blockId: 'text' }),
        event('TEXT_BLOCK_DELTA', { replyId: 'M1', blockId: 'text', delta: 'A' }),
        event('THINKING_BLOCK_START', { replyId: 'M1', blockId: 'thinking' }),
        event('THINKING_BLOCK_DELTA', { replyId: 'M1', blockId: 'thinking', delta: 'hm' }),
        event('TEXT_BLOCK_DELTA', { replyId: 'M1', blockId: 'text', delta: 'B' }),
        event('THINKING_BLOCK_END', { replyId: 'M1', blockId: 'thinking' }),
        event('TEXT_BLOCK_END', { replyId: 'M1', blockId: 'text' }),
        event('TEXT_BLOCK_DELTA', { replyId: 'M1', blockId: 'text', delta: 'C' }),
      ]),
    ),
    messages: [
      { name: 'Ops', blocks: [{ text: 'ABC' }, { thinking: 'hm' }], end: 'completed', tokens: TWO },
    ],
  },
  {
    name: 'deltas without a start open blocks, and close them when the kind changes',
    frames: run((event) => [
      event('THINKING_BLOCK_DELTA', { replyId: 'M1', blockId: 'thinking', delta: 'hm' }),
      event('TEXT_BLOCK_DELTA', { replyId: 'M1', blockId: 'text', delta: 'A' }),
      event('TEXT_BLOCK_DELTA', { replyId: 'M1', blockId: 'text', delta: 'B' }),
      event('TOOL_CALL_START', { replyId: 'M1', toolCallId: 'c1', toolCallName: 'look' }),
      event('TEXT_BLOCK_DELTA', { replyId: 'M1', blockId: 'text', delta: 'C' }),
    ]),
    messages: [
      {
        name: 'Ops',
        blocks: [
          { thinking: 'hm' },
          { text: 'AB' },
          { call: 'look', input: '', state: 'pending' },
          { text: 'C' },
        ],
        end: 'completed',
      },
    ],
  },
  {
    name: 'parallel calls written in turns: deltas after the end, a start again, fragments of three kinds',
    frames: run((event) => {
      const at = (toolCallId: string, toolCallName: string): JsonObject => ({
        replyId: 'M1',
        toolCallId,
        toolCallName,
      })
      return modelCall(event, 'M1', () => [
        event('TOOL_CALL_START', at('c1', 'one')),
        event('TOOL_CALL_DELTA', { ...at('c1', '__fragment__'), delta: '{"a"' }),
        event('TOOL_CALL_START', at('c2', 'two')),
        event('TOOL_CALL_END', at('c1', 'one')),
        event('TOOL_CALL_DELTA', { ...at('', '__fragment__'), delta: '{"b"' }),
        event('TOOL_CALL_DELTA', { ...at('c1', '__fragment__'), delta: ':1}' }),
        event('TOOL_CALL_START', at('c1', 'one')),
        event('TOOL_CALL_DELTA', { ...at('fragment_17_1', '__fragment__'), delta: ':2}' }),
        event('TOOL_CALL_END', at('c2', 'two')),
      ])
    }),
    messages: [
      {
        name: 'Ops',
        blocks: [
          { call: 'one', input: '{"a":1}', state: 'pending' },
          { call: 'two', input: '{"b":2}', state: 'pending' },
        ],
        end: 'completed',
        tokens: TWO,
      },
    ],
  },
  {
    name: "the framework's own tools are not shown, generate_response is",
    frames: run((event) => [
      ...modelCall(event, 'M1', () => [
        event('TOOL_CALL_START', { replyId: 'M1', toolCallId: 'h', toolCallName: '__internal' }),
        event('TOOL_CALL_DELTA', {
          replyId: 'M1',
          toolCallId: 'h',
          toolCallName: '__internal',
          delta: '{}',
        }),
        ...writtenCall(event, 'M1', 'g', 'generate_response', '{"n":1}'),
      ]),
      ...toolResult(event, 'A1', 'h', '__internal', 'secret'),
      ...toolResult(event, 'A1', 'g', 'generate_response', 'ok'),
      agentResult(event, [], 'STRUCTURED_OUTPUT', { _structured_output: { n: 1 } }),
    ]),
    messages: [
      {
        name: 'Ops',
        blocks: [
          { call: 'generate_response', input: '{"n":1}', state: 'finished' },
          { result: 'generate_response', output: [{ text: 'ok' }], state: 'success' },
        ],
        end: 'completed',
        tokens: TWO,
      },
    ],
  },
  {
    name: 'parallel results end together, chunks come as they come',
    frames: run((event) => {
      const one = { replyId: 'A1', toolCallId: 'c1', toolCallName: 'one' }
      const two = { replyId: 'A1', toolCallId: 'c2', toolCallName: 'two' }
      return [
        ...modelCall(event, 'M1', () => [
          ...writtenCall(event, 'M1', 'c1', 'one', '{}'),
          ...writtenCall(event, 'M1', 'c2', 'two', '{}'),
        ]),
        event('TOOL_RESULT_START', one),
        event('TOOL_RESULT_START', two),
        event('TOOL_RESULT_TEXT_DELTA', { ...one, delta: 'a' }),
        event('TOOL_RESULT_TEXT_DELTA', { ...two, delta: 'b' }),
        event('TOOL_RESULT_TEXT_DELTA', { ...one, delta: 'c' }),
        event('TOOL_RESULT_END', { ...one, state: 'success', metadata: { diff: 'd' } }),
        event('TOOL_RESULT_END', { ...two, state: 'ERROR' }),
      ]
    }),
    messages: [
      {
        name: 'Ops',
        blocks: [
          { call: 'one', input: '{}', state: 'finished' },
          { call: 'two', input: '{}', state: 'finished' },
          { result: 'one', output: [{ text: 'ac' }], state: 'success' },
          { result: 'two', output: [{ text: 'b' }], state: 'error' },
        ],
        end: 'completed',
        tokens: TWO,
      },
    ],
  },
  {
    name: 'a call whose result was never told is settled when the agent goes on',
    frames: run((event) => [
      ...modelCall(event, 'M1', () => writtenCall(event, 'M1', 'c1', 'later', '{}')),
      ...modelCall(event, 'M2', () => text(event, 'M2', 'Started.')),
    ]),
    messages: [
      {
        name: 'Ops',
        blocks: [
          { call: 'later', input: '{}', state: 'finished' },
          { result: 'later', output: [], state: 'running' },
          { text: 'Started.' },
        ],
        end: 'completed',
        tokens: [20, 4],
      },
    ],
  },
  {
    name: 'call ids counted anew in each model call are different calls',
    frames: run((event) => [
      ...modelCall(event, 'M1', () => writtenCall(event, 'M1', 'call_0', 'one', '{"n":1}')),
      ...toolResult(event, 'A1', 'call_0', 'one', 'first'),
      ...modelCall(event, 'M2', () => writtenCall(event, 'M2', 'call_0', 'two', '{"n":2}')),
      ...toolResult(event, 'A2', 'call_0', 'two', 'second'),
    ]),
    messages: [
      {
        name: 'Ops',
        blocks: [
          { call: 'one', input: '{"n":1}', state: 'finished' },
          { result: 'one', output: [{ text: 'first' }], state: 'success' },
          { call: 'two', input: '{"n":2}', state: 'finished' },
          { result: 'two', output: [{ text: 'second' }], state: 'success' },
        ],
        end: 'completed',
        tokens: [20, 4],
      },
    ],
  },
  {
    name: 'an interrupt leaves blocks open and brings a text that was not streamed',
    frames: run((event) => [
      event('MODEL_CALL_START', { replyId: 'M1' }),
      event('TEXT_BLOCK_START', { replyId: 'M1', blockId: 'text' }),
      event('TEXT_BLOCK_DELTA', { replyId: 'M1', blockId: 'text', delta: 'I was ab' }),
      agentResult(
        event,
        [{ type: 'text', text: 'I noticed that you have interrupted me.' }],
        'INTERRUPTED',
      ),
    ]),
    messages: [
      {
        name: 'Ops',
        blocks: [{ text: 'I was ab' }, { text: 'I noticed that you have interrupted me.' }],
        end: 'interrupted',
      },
    ],
  },
  {
    name: 'an interrupt stops tools that run',
    frames: run((event) => [
      ...modelCall(event, 'M1', () => writtenCall(event, 'M1', 'c1', 'slow', '{}')),
      event('TOOL_RESULT_START', { replyId: 'A1', toolCallId: 'c1', toolCallName: 'slow' }),
      agentResult(event, [{ type: 'text', text: 'Stopped.' }], 'INTERRUPTED'),
    ]),
    messages: [
      {
        name: 'Ops',
        blocks: [
          { call: 'slow', input: '{}', state: 'finished' },
          { text: 'Stopped.' },
          { result: 'slow', output: [], state: 'interrupted' },
        ],
        end: 'interrupted',
        tokens: TWO,
      },
    ],
  },
  {
    name: 'too many rounds: a warning without a reply, a summary, and the reason in the result',
    frames: run((event) => [
      ...modelCall(event, 'M1', () => text(event, 'M1', 'Working.')),
      event('EXCEED_MAX_ITERS', { replyId: '', maxIters: 1, currentIter: 1 }),
      ...modelCall(event, 'M2', () => text(event, 'M2', 'In short.')),
      agentResult(event, [{ type: 'text', text: 'In short.' }], 'MAX_ITERATIONS'),
    ]),
    messages: [
      {
        name: 'Ops',
        blocks: [{ text: 'Working.' }, { text: 'In short.' }],
        end: 'exceed_max_iters',
        tokens: [20, 4],
      },
    ],
  },
  {
    name: 'rounds without a word, and a model call that failed',
    frames: run((event) => [
      ...modelCall(event, 'M1', () => []),
      event('MODEL_CALL_START', { replyId: 'M2' }),
      ...modelCall(event, 'M3', () => text(event, 'M3', 'Here.')),
    ]),
    messages: [{ name: 'Ops', blocks: [{ text: 'Here.' }], end: 'completed', tokens: [20, 4] }],
  },
  {
    name: 'a text of the result that is told in other pieces and spaces is not told again',
    frames: run((event) => [
      ...modelCall(event, 'M1', () => [
        ...text(event, 'M1', 'One. '),
        ...text(event, 'M1', 'Two.\n'),
      ]),
      agentResult(event, [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'One.\nTwo.' },
      ]),
    ]),
    messages: [
      {
        name: 'Ops',
        blocks: [{ text: 'One. ' }, { text: 'Two.\n' }],
        end: 'completed',
        tokens: TWO,
      },
    ],
  },
  {
    name: 'a text that was cut off is told to its end, one that was never told is told',
    frames: run((event) => [
      event('MODEL_CALL_START', { replyId: 'M1' }),
      event('TEXT_BLOCK_START', { replyId: 'M1', blockId: 'text' }),
      event('TEXT_BLOCK_DELTA', { replyId: 'M1', blockId: 'text', delta: 'Half' }),
      agentResult(event, [
        { type: 'text', text: 'Half and whole.' },
        { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
      ]),
    ]),
    messages: [
      {
        name: 'Ops',
        blocks: [
          { text: 'Half and whole.' },
          { data: 'https://example.com/a.png', type: 'image/png' },
        ],
        end: 'completed',
      },
    ],
  },
  {
    name: 'arguments that were not streamed come with the result',
    frames: run((event) => [
      event('TOOL_CALL_START', { replyId: 'M1', toolCallId: 'c1', toolCallName: 'one' }),
      event('TOOL_CALL_START', { replyId: 'M1', toolCallId: 'c2', toolCallName: 'two' }),
      event('TOOL_CALL_DELTA', { replyId: 'M1', toolCallId: 'c2', delta: '{"broken' }),
      agentResult(event, [toolUse('c1', 'one', { a: 1 }), toolUse('c2', 'two', { b: 2 })]),
    ]),
    messages: [
      {
        name: 'Ops',
        blocks: [
          { call: 'one', input: '{"a":1}', state: 'pending' },
          { call: 'two', input: '{"b":2}', state: 'pending' },
        ],
        end: 'completed',
      },
    ],
  },
  {
    name: 'a run that ends without a result message',
    frames: run((event) => modelCall(event, 'M1', () => text(event, 'M1', 'Bye.'))),
    messages: [{ name: 'Ops', blocks: [{ text: 'Bye.' }], end: 'completed', tokens: TWO }],
  },
  {
    name: 'stopped by middleware is completed, with a note',
    frames: run((event) => [
      ...modelCall(event, 'M1', () => text(event, 'M1', 'Enough.')),
      event('REQUEST_STOP', { reason: 'budget', generateReason: 'MIDDLEWARE_STOP_REQUESTED' }),
      agentResult(event, [{ type: 'text', text: 'Enough.' }], 'MIDDLEWARE_STOP_REQUESTED'),
    ]),
    messages: [{ name: 'Ops', blocks: [{ text: 'Enough.' }], end: 'completed', tokens: TWO }],
  },
  {
    name: 'a broken stream is an error: no event says so',
    frames: begun((event) => [
      event('MODEL_CALL_START', { replyId: 'M1' }),
      event('TEXT_BLOCK_DELTA', { replyId: 'M1', blockId: 'text', delta: 'Half a' }),
    ]),
    end: 'error',
    messages: [
      {
        name: 'Ops',
        blocks: [{ text: 'Half a' }],
        end: 'error',
        error: 'The stream ended before the reply did.',
      },
    ],
  },
  {
    name: 'a stream that was stopped here is interrupted',
    frames: begun((event) => [
      event('TEXT_BLOCK_DELTA', { replyId: 'M1', blockId: 'text', delta: 'Half a' }),
    ]),
    end: 'abort',
    messages: [{ name: 'Ops', blocks: [{ text: 'Half a' }], end: 'interrupted' }],
  },
  {
    name: 'a run that broke off before the next began',
    frames: [
      ...begun((event) => [event('TEXT_BLOCK_DELTA', { replyId: 'M1', delta: 'Half a' })]),
      ...run((event) => text(event, 'M2', 'Again.'), 'f'),
    ],
    messages: [
      {
        name: 'Ops',
        blocks: [{ text: 'Half a' }],
        end: 'error',
        error: 'The stream ended before the reply did.',
      },
      { name: 'Ops', blocks: [{ text: 'Again.' }], end: 'completed' },
    ],
  },
]

describeDialect("javaDialect in Java's real order", javaDialect, goldens)

const SUSPENDED = { agentscope_suspended: true }

/** A tool for the client, as 2.0.3 tells it. */
function suspends(isTold: boolean): readonly JsonObject[] {
  return run((event) => {
    const at = { replyId: 'A1', toolCallId: 'c1', toolCallName: 'open_tab' }
    const metadata = isTold ? { metadata: SUSPENDED } : {}
    return [
      ...modelCall(event, 'M1', () => writtenCall(event, 'M1', 'c1', 'open_tab', '{"u":1}')),
      event('TOOL_RESULT_START', at),
      event('TOOL_RESULT_TEXT_DELTA', {
        ...at,
        delta: '[Awaiting external execution]',
        ...metadata,
      }),
      event('TOOL_RESULT_END', { ...at, state: 'running', ...metadata }),
      ...(isTold
        ? [
            event('REQUIRE_EXTERNAL_EXECUTION', {
              replyId: 'A1',
              toolCalls: [toolUse('c1', 'open_tab', { u: 1 })],
            }),
          ]
        : []),
      agentResult(event, [toolUse('c1', 'open_tab', { u: 1 })], 'TOOL_SUSPENDED'),
    ]
  })
}

describe('a tool that the client runs', () => {
  it.each([
    { server: '2.0.3', isTold: true },
    { server: '2.0.0, which sends no event', isTold: false },
  ])('waits without the words that stand in for its output ($server)', ({ isTold }) => {
    const { conversation } = fold(decode(javaDialect, [suspends(isTold)]))
    expect(tellMessages(conversation.messages)).toEqual([
      {
        name: 'Ops',
        blocks: [{ call: 'open_tab', input: '{"u":1}', state: 'submitted' }],
        tokens: TWO,
      },
    ])
    expect(conversation.replies['e-run']?.phase).toBe('parked')
    expect(conversation.requests).toMatchObject([
      { kind: 'external', replyId: 'e-run', toolCall: { id: 'c1', input: '{"u":1}' } },
    ])
  })

  it('that gave a reason of its own has no output either', () => {
    const frames = suspends(false).map((frame) =>
      'delta' in frame && frame['delta'] === '[Awaiting external execution]'
        ? { ...frame, delta: 'Please open it yourself.' }
        : frame,
    )
    const { conversation } = fold(decode(javaDialect, [frames]))
    expect(conversation.requests).toHaveLength(1)
    expect(JSON.stringify(conversation.messages)).not.toContain('yourself')
  })

  it('goes on with its result', () => {
    const goesOn = run(
      (event) => [
        event('EXTERNAL_EXECUTION_RESULT', {
          replyId: 'A1',
          toolResults: [
            {
              type: 'tool_result',
              id: 'c1',
              name: 'open_tab',
              output: [{ type: 'text', text: 'open' }],
              metadata: {},
              state: 'success',
            },
          ],
        }),
        ...modelCall(event, 'M2', () => text(event, 'M2', 'Good.')),
      ],
      'f',
    )
    const { conversation, anomalies } = fold(decode(javaDialect, [[...suspends(true), ...goesOn]]))
    expect(anomalies).toEqual([])
    expect(conversation.requests).toEqual([])
    expect(tellMessages(conversation.messages)).toEqual([
      {
        name: 'Ops',
        blocks: [
          { call: 'open_tab', input: '{"u":1}', state: 'finished' },
          { result: 'open_tab', output: [{ text: 'open' }], state: 'success' },
          { text: 'Good.' },
        ],
        end: 'completed',
        tokens: [20, 4],
      },
    ])
  })

  it('goes on without an event before 2.0.3', () => {
    const goesOn = run((event) => modelCall(event, 'M2', () => text(event, 'M2', 'Good.')), 'f')
    const { conversation } = fold(decode(javaDialect, [[...suspends(false), ...goesOn]]))
    expect(conversation.messages).toHaveLength(1)
    expect(conversation.requests).toEqual([])
    expect(conversation.replies['e-run']?.phase).toBe('ended')
  })

  it('whose tool set no state is one that ran, when the agent goes on', () => {
    const frames = run((event) => [
      ...modelCall(event, 'M1', () => writtenCall(event, 'M1', 'c1', 'plain', '{}')),
      ...toolResult(event, 'A1', 'c1', 'plain', 'output', 'running'),
      ...modelCall(event, 'M2', () => text(event, 'M2', 'Good.')),
    ])
    const { conversation } = fold(decode(javaDialect, [frames]))
    expect(tellMessages(conversation.messages)[0]?.blocks).toContainEqual({
      result: 'plain',
      output: [{ text: 'output' }],
      state: 'success',
    })
  })
})

/** Two calls: one is asked about, a rule denied the other without a word. */
function asksOne(): readonly JsonObject[] {
  return run((event) => [
    ...modelCall(event, 'M1', () => [
      ...writtenCall(event, 'M1', 'c1', 'rm', '{"p":1}'),
      ...writtenCall(event, 'M1', 'c2', 'format', '{"p":2}'),
    ]),
    event('REQUIRE_USER_CONFIRM', { replyId: 'A1', toolCalls: [toolUse('c1', 'rm', { p: 1 })] }),
    agentResult(event, [], 'PERMISSION_ASKING', { agentscope_confirm_request_reply_id: 'A1' }),
  ])
}

function answered(confirmed: boolean): readonly JsonObject[] {
  return run(
    (event) => [
      event('USER_CONFIRM_RESULT', {
        replyId: 'A1',
        confirmResults: [{ confirmed, toolCall: toolUse('c1', 'rm', { p: 1 }), rules: null }],
      }),
      ...(confirmed ? toolResult(event, 'A2', 'c1', 'rm', 'gone') : []),
      ...modelCall(event, 'M2', () => text(event, 'M2', 'So be it.')),
    ],
    'f',
  )
}

describe('a resumed run', () => {
  it('is the parked reply, and settles what a rule denied without a word', () => {
    const { conversation } = fold(decode(javaDialect, [[...asksOne(), ...answered(true)]]))
    expect(tellMessages(conversation.messages)[0]?.blocks).toEqual([
      { call: 'rm', input: '{"p":1}', state: 'finished' },
      { call: 'format', input: '{"p":2}', state: 'finished' },
      { result: 'rm', output: [{ text: 'gone' }], state: 'success' },
      { result: 'format', output: [], state: 'denied' },
      { text: 'So be it.' },
    ])
  })

  it('read by a new decoder is the parked reply when it is told which', () => {
    const parked = decode(javaDialect, [asksOne()])
    const decoder = javaDialect.createDecoder({ resumes: 'e-run' })
    const goesOn = [...decoder.push(answered(true)).inputs, ...decoder.end('eof').inputs]
    const apart = fold([...parked, ...goesOn])
    expect(apart.anomalies).toEqual([])
    expect(apart.conversation.messages.map(({ id }) => id)).toEqual(['e-run'])
    expect(apart.conversation.requests).toEqual([])
    expect(apart.conversation.replies['e-run']?.phase).toBe('ended')
    const ids = [...parked, ...goesOn].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('denied and read by a new decoder shows the denial', () => {
    const decoder = javaDialect.createDecoder({ resumes: 'e-run' })
    const goesOn = [...decoder.push(answered(false)).inputs, ...decoder.end('eof').inputs]
    const { conversation } = fold([...decode(javaDialect, [asksOne()]), ...goesOn])
    expect(tellMessages(conversation.messages)[0]?.blocks).toContainEqual({
      result: 'rm',
      output: [],
      state: 'denied',
    })
  })

  it('read by a new decoder that is told nothing is a reply with its call', () => {
    const { conversation } = fold(decode(javaDialect, [answered(true)]))
    expect(tellMessages(conversation.messages)).toEqual([
      {
        name: 'Ops',
        blocks: [
          { call: 'rm', input: '{"p":1}', state: 'finished' },
          { result: 'rm', output: [{ text: 'gone' }], state: 'success' },
          { text: 'So be it.' },
        ],
        end: 'completed',
        tokens: TWO,
      },
    ])
  })

  it('without its events (2.0.0) is known by the call', () => {
    const silent = answered(true).filter(({ type }) => type !== 'USER_CONFIRM_RESULT')
    const { conversation } = fold(decode(javaDialect, [[...asksOne(), ...silent]]))
    expect(conversation.messages).toHaveLength(1)
    expect(conversation.requests).toEqual([])
  })

  it('is told apart from a new turn', () => {
    const next = run((event) => modelCall(event, 'M2', () => text(event, 'M2', 'New.')), 'f')
    const { conversation } = fold(decode(javaDialect, [[...asksOne(), ...next]]))
    expect(conversation.messages.map(({ id }) => id)).toEqual(['e-run', 'f-run'])
    expect(conversation.requests).toHaveLength(1)
  })

  it('that only part of the answers started waits again', () => {
    const both = run((event) => [
      ...modelCall(event, 'M1', () => [
        ...writtenCall(event, 'M1', 'c1', 'rm', '{"p":1}'),
        ...writtenCall(event, 'M1', 'c2', 'format', '{"p":2}'),
      ]),
      event('REQUIRE_USER_CONFIRM', {
        replyId: 'A1',
        toolCalls: [toolUse('c1', 'rm', { p: 1 }), toolUse('c2', 'format', { p: 2 })],
      }),
      agentResult(event, [], 'PERMISSION_ASKING'),
    ])
    const one = run(
      (event) => [
        event('USER_CONFIRM_RESULT', {
          replyId: 'A1',
          confirmResults: [{ confirmed: true, toolCall: toolUse('c1', 'rm', { p: 1 }) }],
        }),
        agentResult(event, [], 'PERMISSION_ASKING'),
      ],
      'f',
    )
    const { conversation } = fold(decode(javaDialect, [[...both, ...one]]))
    expect(conversation.messages).toHaveLength(1)
    expect(conversation.requests).toMatchObject([{ toolCall: { id: 'c2' } }])
    expect(conversation.messages[0]?.finished_at).toBeNull()
  })
})

describe('a question that only the result tells', () => {
  it('is asked all the same', () => {
    const frames = run((event) => [
      ...modelCall(event, 'M1', () => writtenCall(event, 'M1', 'c1', 'rm', '{"p":1}')),
      agentResult(event, [toolUse('c1', 'rm', { p: 1 }, 'ASKING')], 'PERMISSION_ASKING'),
    ])
    const { conversation } = fold(decode(javaDialect, [frames]))
    expect(conversation.requests).toMatchObject([{ kind: 'confirm', toolCall: { id: 'c1' } }])
    expect(conversation.replies['e-run']?.phase).toBe('parked')
  })
})

describe('an interrupt that is not told (2.0.0)', () => {
  const words = [{ type: 'text', text: 'I noticed that you have interrupted me.' }]

  it('shows by words that no model said, in the middle of a model call', () => {
    const frames = run((event) => [
      event('MODEL_CALL_START', { replyId: 'M1' }),
      event('TEXT_BLOCK_DELTA', { replyId: 'M1', blockId: 'text', delta: 'Half' }),
      agentResult(event, words),
    ])
    expect(fold(decode(javaDialect, [frames])).conversation.messages[0]?.finished_reason).toBe(
      'interrupted',
    )
  })

  it('shows by words after the results of tools', () => {
    const frames = run((event) => [
      ...modelCall(event, 'M1', () => writtenCall(event, 'M1', 'c1', 'slow', '{}')),
      ...toolResult(event, 'A1', 'c1', 'slow', 'waited'),
      agentResult(event, words),
    ])
    expect(fold(decode(javaDialect, [frames])).conversation.messages[0]?.finished_reason).toBe(
      'interrupted',
    )
  })

  it('is none where a controller sends no texts', () => {
    const frames = run((event) => [
      ...modelCall(event, 'M1', () => []),
      agentResult(event, [{ type: 'text', text: 'The answer.' }]),
    ])
    expect(tellMessages(fold(decode(javaDialect, [frames])).conversation.messages)).toEqual([
      { name: 'Ops', blocks: [{ text: 'The answer.' }], end: 'completed', tokens: TWO },
    ])
  })
})

describe('arguments that a person edited', () => {
  it.each([{ resumes: undefined }, { resumes: 'e-run' }])(
    'are what the call shows, as it is what Java runs and stores: $resumes',
    ({ resumes }) => {
      const edited = run(
        (event) => [
          event('USER_CONFIRM_RESULT', {
            replyId: 'A1',
            confirmResults: [{ confirmed: true, toolCall: toolUse('c1', 'rm', { p: 9 }) }],
          }),
          ...toolResult(event, 'A2', 'c1', 'rm', 'gone'),
        ],
        'f',
      )
      const inputs =
        resumes === undefined
          ? decode(javaDialect, [[...asksOne(), ...edited]])
          : [
              ...decode(javaDialect, [asksOne()]),
              ...javaDialect.createDecoder({ resumes }).push(edited).inputs,
            ]
      expect(tellMessages(fold(inputs).conversation.messages)[0]?.blocks).toContainEqual({
        call: 'rm',
        input: '{"p":9}',
        state: 'finished',
      })
    },
  )
})
