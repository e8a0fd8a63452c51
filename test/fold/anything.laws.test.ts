// @vitest-environment node
// Whatever JSON a stream brings (made up keys, keys of prototypes, halves of characters, any depth), reading it never throws,
// leaves the prototypes alone, and gives plain JSON.
import { fc, runs } from '../fc.js'
import { describe, expect, it } from 'vitest'
import { decodeFrames } from '../../src/dialects/index.js'
import { appendEvent, applyEvents, createConversation } from '../../src/fold/index.js'
import type { AgentEvent, ConversationInput } from '../../src/protocol/index.js'
import { EVENT_FIELDS } from '../../src/protocol/eventFields.js'
import { parseBlock } from '../../src/protocol/parseBlock.js'
import { parseEvent } from '../../src/protocol/parseEvent.js'
import { parseMessages } from '../../src/protocol/parseMessages.js'
import { message, throughJson } from './script.js'

const OPERATIONS = [
  'kit.snapshot',
  'kit.user_message',
  'kit.remove_message',
  'kit.block_set',
  'kit.rollback',
  'kit.gap',
  'kit.input_request',
  'kit.input_resolved',
  'kit.unheard_of',
]
const types = fc.constantFrom(
  ...Object.keys(EVENT_FIELDS),
  ...OPERATIONS,
  'text',
  'data',
  'tool_call',
  'tool_result',
  'hint',
)
const names = fc.oneof(
  fc.constantFrom(...new Set(Object.values(EVENT_FIELDS).flatMap((fields) => Object.keys(fields)))),
  fc.constantFrom('content', 'messages', 'message', 'block', 'role', 'output', 'source', 'mode'),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'then',
    '',
  ),
)
const leaves = fc.oneof(
  types,
  fc.constantFrom('r', 'a', '__proto__', 'constructor', '', '\uD800', '\uDFFFx', '\u0000', 'AA=='),
  fc.constantFrom(null, true, false, 0, -0, 1e308, -1.5),
)
/** JSON whose keys and values are those that a fold looks for. */
const { anything } = fc.letrec<{ anything: unknown; object: object }>((tie) => ({
  anything: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaves,
    tie('object'),
    fc.array(tie('anything'), { maxLength: 4 }),
  ),
  object: fc
    .tuple(types, fc.array(fc.tuple(names, tie('anything')), { maxLength: 7 }))
    .map(([type, fields]) => Object.fromEntries([['type', type], ['reply_id', 'r'], ...fields])),
}))
const frames = fc.array(anything, { maxLength: 25 }).map((list) => throughJson(list))

/** What a fold is handed must be an object; what it holds may be anything. */
function inputs(values: readonly unknown[]): readonly ConversationInput[] {
  return values.filter(
    (value) => typeof value === 'object' && value !== null,
  ) as ConversationInput[]
}

function expectCleanPrototypes(): void {
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(Object.keys(Array.prototype)).toEqual([])
}

/** An object inside an object, and so on: parsers of JSON go along with it. */
function nested(): unknown {
  const depth = 50_000
  return JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
}

describe('any JSON off the wire', { timeout: 60_000 }, () => {
  it('is read by decodeFrames and folded, whatever it is', () => {
    fc.assert(
      fc.property(frames, (list) => {
        const folded = applyEvents(createConversation(), decodeFrames('agentscope', list))
        expect(throughJson(folded)).toEqual(folded)
        expectCleanPrototypes()
      }),
      { numRuns: runs(300) },
    )
  })

  it('is folded without a decoder in front, whatever it is', () => {
    fc.assert(
      fc.property(frames, (list) => {
        const folded = applyEvents(createConversation(), inputs(list))
        expect(throughJson(folded)).toEqual(folded)
        const again = applyEvents(folded, inputs(list))
        expect(new Set(again.messages.map(({ id }) => id)).size).toBe(again.messages.length)
        expectCleanPrototypes()
      }),
      { numRuns: runs(300) },
    )
  })

  it('is folded into a message, whatever it is', () => {
    fc.assert(
      fc.property(frames, (list) => {
        // The fold takes whatever JSON holds; its types speak of what is right.
        const events = inputs(list) as readonly AgentEvent[]
        const folded = events.reduce(appendEvent, message('r', []))
        expect(throughJson(folded)).toEqual(folded)
      }),
      { numRuns: runs(300) },
    )
  })

  it('is read as an event, a block or messages, and reading twice is reading once', () => {
    fc.assert(
      fc.property(frames, (list) => {
        const events = list.flatMap((value) => parseEvent(value).event ?? [])
        expect(events.filter((event) => parseEvent(event).event !== event)).toEqual([])
        const blocks = list.flatMap((value) => parseBlock(value, 'id') ?? [])
        expect(blocks.map((block) => parseBlock(block, 'other'))).toEqual(blocks)
        const { messages } = parseMessages(list)
        expect(parseMessages(messages).messages).toBe(messages)
      }),
      { numRuns: runs(300) },
    )
  })

  it('may have, where an id or a number belongs, what turns into neither', () => {
    const nothing = { toString: 'x', valueOf: 1 }
    const fields = ['reply_id', 'message_id', 'request_id', 'mark', 'id', 'created_at', 'before']
    const list = [...Object.keys(EVENT_FIELDS), ...OPERATIONS].flatMap((type) =>
      fields.map((field) => ({
        ...{ type, reply_id: 'r', mark: 0, messages: [], block_id: 'b', block: { type: 'text' } },
        [field]: nothing,
      })),
    )
    const folded = applyEvents(createConversation(), [
      { type: 'REPLY_START', reply_id: 'r' },
      ...inputs(list),
    ])
    expect(throughJson(folded)).toEqual(folded)
    expect(Object.keys(folded.replies)).toEqual(['r'])
  })

  it('may be nested deeper than a stack', () => {
    const deep = nested()
    const call = { type: 'tool_call', id: 'c', name: 't', input: '', metadata: deep }
    const result = {
      type: 'tool_result',
      id: 'c',
      output: [],
      state: 'success',
      metadata: nested(),
    }
    const list: readonly unknown[] = [
      deep,
      { type: 'REPLY_START', reply_id: 'r', metadata: deep },
      { type: 'TOOL_RESULT_START', reply_id: 'r', tool_call_id: 'c', tool_call_name: 't' },
      {
        type: 'TOOL_RESULT_END',
        reply_id: 'r',
        tool_call_id: 'c',
        state: 'success',
        metadata: deep,
      },
      { type: 'REQUIRE_USER_CONFIRM', reply_id: 'r', tool_calls: [call, deep] },
      {
        type: 'HINT_BLOCK',
        reply_id: 'r',
        block_id: 'h',
        hint: [deep, { type: 'text', text: deep }],
      },
      { type: 'CUSTOM', name: 'deep', value: deep },
      { type: 'CUSTOM', name: 'deep', value: nested() },
      { type: 'kit.snapshot', messages: [deep, { id: 'r', role: 'assistant', content: [result] }] },
    ]
    const decoded = decodeFrames('agentscope', list)
    const folded = applyEvents(createConversation(), [...decoded, ...inputs(list)])
    expect(folded.messages.map(({ id }) => id)).toContain('r')
    expect(Object.keys(folded.notices)).toEqual(['deep'])
  })
})
