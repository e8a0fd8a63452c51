// @vitest-environment node
// The laws of the kit's own operations: heard twice is heard once, any moment is a checkpoint, what an operation is not about
// stays the same object, and what was taken back was never there.
import { fc, runs } from '../fc.js'
import { describe, expect, it } from 'vitest'
import { applyEvents, type Conversation, createConversation } from '../../src/fold/index.js'
import type { AgentEvent, ContentBlock, ConversationInput } from '../../src/protocol/index.js'
import { deepFreeze, message, script, stamp, throughJson } from './script.js'

const names = fc.constantFrom('a', 'b', 'c', '__proto__')
const words = fc.constantFrom('', 'x', 'Hello **there**.', '月亮')

/** A block of any kind that a dialect may set. */
const block: fc.Arbitrary<ContentBlock> = fc.oneof(
  fc.record({ id: names, text: words }).map((each): ContentBlock => ({ type: 'text', ...each })),
  fc
    .record({ id: names, thinking: words })
    .map((each): ContentBlock => ({ type: 'thinking', ...each })),
  fc
    .record({ id: names, input: words, state: fc.constantFrom('pending', 'asking', 'finished') })
    .map((each): ContentBlock => ({
      ...{ type: 'tool_call', name: 't', suggested_rules: [], metadata: { intent: 'i' } },
      ...each,
    })),
  fc
    .record({ id: names, output: words, state: fc.constantFrom('running', 'success', 'error') })
    .map((each): ContentBlock => ({ type: 'tool_result', name: 't', metadata: {}, ...each })),
)

/** An operation on the replies `r` and `s`. */
const operation: fc.Arbitrary<ConversationInput> = fc.oneof(
  fc
    .record({ reply_id: fc.constantFrom('r', 's', 'unheard'), mark: fc.nat(4) })
    .map((each): ConversationInput => ({ type: 'kit.rollback', ...each })),
  fc
    .record({ reply_id: fc.constantFrom('r', 's', 'unheard'), block })
    .map((each): ConversationInput => ({ type: 'kit.block_set', ...each })),
  fc
    .record({
      request_id: names,
      kind: fc.constantFrom('form', 'choice', 'url', 'free'),
      message: words,
    })
    .map((each): ConversationInput => ({ type: 'kit.input_request', reply_id: 'r', ...each })),
  names.map((request_id): ConversationInput => ({ type: 'kit.input_resolved', request_id })),
  fc
    .record({ from: fc.nat(9), to: fc.nat(9) })
    .map((each): ConversationInput => ({ type: 'kit.gap', ...each })),
  names.map((id): ConversationInput => ({
    type: 'kit.user_message',
    message: message(`u-${id}`, [], { role: 'user' }),
  })),
  fc
    .tuple(fc.array(names, { maxLength: 3 }), fc.constantFrom('merge', 'replace'))
    .map(([ids, mode]): ConversationInput => ({
      type: 'kit.snapshot',
      mode,
      messages: ids.map((id) => message(`h-${id}`, [{ type: 'text', id: 't', text: 'stored' }])),
    })),
)

/** Two replies under way: what a model says, tools, questions. */
const events: fc.Arbitrary<readonly AgentEvent[]> = fc
  .array(fc.tuple(fc.constantFrom('r', 's'), fc.nat(3), names, words), { maxLength: 12 })
  .map((steps) => {
    const clock = { moment: 0 }
    const replies = { r: script('r', clock), s: script('s', clock) }
    const said = steps.flatMap(([name, kind, id, text], index): readonly AgentEvent[] => {
      const reply = replies[name === 's' ? 's' : 'r']
      const own = `${id}${index}`
      if (kind === 0) return reply.text(own, text)
      if (kind === 1) return [reply.textStart(own)]
      if (kind === 2) return reply.call(own, '{}')
      const call = { type: 'tool_call', name: 't', input: '{}', state: 'asking' } as const
      return [...reply.call(own, '{}'), reply.ask({ ...call, id: own, suggested_rules: [] })]
    })
    return [replies.r.start(), replies.s.start(), ...said]
  })

/** A session: events, with operations under ids of their own in between. */
const session = fc
  .tuple(events, fc.array(fc.tuple(operation, fc.nat()), { maxLength: 8 }))
  .map(([list, operations]) => {
    const inputs: ConversationInput[] = [...list]
    for (const [index, [each, place]] of operations.entries()) {
      inputs.splice(place % (inputs.length + 1), 0, { ...each, id: `operation-${index}` })
    }
    return inputs
  })

function fold(inputs: readonly ConversationInput[], from = createConversation()): Conversation {
  return applyEvents(from, inputs)
}

const RUNS = { numRuns: runs(150) }

describe('operations of the kit', () => {
  it('change nothing when they come again under the same id', () => {
    fc.assert(
      fc.property(session, fc.nat(), (inputs, place) => {
        const conversation = fold(inputs)
        const again = inputs[place % inputs.length]
        expect(fold(again === undefined ? [] : [again], conversation)).toBe(conversation)
        expect(fold(inputs, conversation)).toBe(conversation)
      }),
      RUNS,
    )
  })

  it('may follow any moment that was stored as JSON', () => {
    fc.assert(
      fc.property(session, fc.nat(), (inputs, place) => {
        const cut = place % (inputs.length + 1)
        const before = fold(inputs.slice(0, cut))
        expect(throughJson(before)).toEqual(before)
        expect(fold(inputs.slice(cut), throughJson(before))).toEqual(fold(inputs))
      }),
      RUNS,
    )
  })

  it('never write to what they are given', () => {
    fc.assert(
      fc.property(session, operation, (inputs, one) => {
        const before = deepFreeze(fold(inputs))
        const copy = throughJson(before)
        fold([deepFreeze(one)], before)
        expect(before).toEqual(copy)
      }),
      RUNS,
    )
  })

  it('share the blocks that they are not about, and other messages whole', () => {
    fc.assert(
      fc.property(session, operation, (inputs, one) => {
        const before = fold(inputs)
        const after = fold([one], before)
        const about = 'reply_id' in one ? one.reply_id : undefined
        for (const each of after.messages) {
          const old = before.messages.find(({ id }) => id === each.id)
          if (old === undefined || one.type === 'kit.snapshot') continue
          const isAbout = each.id === about && one.type !== 'kit.input_request'
          const set = one.type === 'kit.block_set' ? one.block : undefined
          const shared = each.content.filter(
            ({ type, id }) => !(isAbout && set?.type === type && set.id === id),
          )
          expect(isAbout || each === old).toBe(true)
          expect(shared.filter((held) => !old.content.includes(held))).toEqual([])
        }
      }),
      RUNS,
    )
  })

  it('survive any value in any field', () => {
    const fields = fc.constantFrom('reply_id', 'mark', 'block', 'message', 'messages', 'request_id')
    fc.assert(
      fc.property(session, operation, fields, fc.json(), (inputs, one, field, json) => {
        // Through text, since JSON writes no negative zero.
        const value: unknown = JSON.parse(json)
        // A dialect of another version may make what the types do not allow.
        const odd = { ...one, [field]: value } as ConversationInput
        const folded = fold([odd, odd], fold(inputs))
        expect(throughJson(folded)).toEqual(folded)
      }),
      RUNS,
    )
  })
})

describe('kit.rollback', () => {
  it('leaves a message as if what came after its mark had never been', () => {
    fc.assert(
      fc.property(
        fc.array(block, { maxLength: 6 }),
        fc.array(block, { maxLength: 6 }),
        (kept, lost) => {
          const begin = script('r').start()
          const set = (list: readonly ContentBlock[], name: string): ConversationInput[] =>
            list.map((each, index): ConversationInput => ({
              type: 'kit.block_set',
              id: `${name}-${index}`,
              reply_id: 'r',
              created_at: stamp(1),
              block: { ...each, id: `${name}-${index}` },
            }))
          const back = {
            type: 'kit.rollback',
            id: 'back',
            reply_id: 'r',
            mark: kept.length,
          } as const
          const rest = set(lost, 'second')
          const without = fold([begin, ...set(kept, 'kept'), ...rest])
          const withBoth = fold([begin, ...set(kept, 'kept'), ...set(lost, 'first'), back, ...rest])
          expect(withBoth.messages).toEqual(kept.length + lost.length === 0 ? [] : without.messages)
          expect(withBoth.requests).toEqual(without.requests)
        },
      ),
      RUNS,
    )
  })

  it('takes the same events a second time, under new ids, as if they came once', () => {
    fc.assert(
      fc.property(events, (list) => {
        const own = list.filter((each) => 'reply_id' in each && each.reply_id === 'r')
        const [start, ...said] = own
        if (start === undefined) return
        const begin: AgentEvent = {
          ...{ type: 'TEXT_BLOCK_START', reply_id: 'r', block_id: 'first' },
          ...{ id: 'first', created_at: stamp(0) },
        }
        const again = said.map((each): ConversationInput => ({ ...each, id: `again-${each.id}` }))
        const back = { type: 'kit.rollback', id: 'back', reply_id: 'r', mark: 1 } as const
        const once = fold([start, begin, ...again])
        const twice = fold([start, begin, ...said, back, ...again])
        expect(twice.messages).toEqual(once.messages)
        expect(twice.requests).toEqual(once.requests)
        expect(Object.values(twice.replies).map(({ phase }) => phase)).toEqual(
          Object.values(once.replies).map(({ phase }) => phase),
        )
      }),
      RUNS,
    )
  })
})

describe('kit.block_set', () => {
  it('gives a block that the stream goes on with', () => {
    fc.assert(
      fc.property(words, words, (set, delta) => {
        const r = script('r')
        const of = { reply_id: 'r', created_at: stamp(5) }
        const { messages } = fold([
          r.start(),
          ...r.text('a', 'chunks'),
          { type: 'kit.block_set', id: 'set', ...of, block: { type: 'text', id: 'a', text: set } },
          { type: 'TEXT_BLOCK_DELTA', id: 'd', ...of, block_id: 'a', delta },
        ])
        expect(messages[0]?.content).toMatchObject([{ text: set + delta }])
      }),
      RUNS,
    )
  })

  it('keeps what a call is known to be about through all that follows', () => {
    const r = script('r')
    const call = { type: 'tool_call', id: 'c', name: 't', input: '', state: 'pending' } as const
    const { messages } = fold([
      r.start(),
      {
        ...{ type: 'kit.block_set', id: 'set', reply_id: 'r' },
        block: { ...call, suggested_rules: [], metadata: { intent: 'look' } },
      },
      { type: 'TOOL_CALL_DELTA', id: 'd', reply_id: 'r', tool_call_id: 'c', delta: '{}' },
      r.ask({ ...call, input: '{}', state: 'asking', suggested_rules: [] }),
    ])
    expect(messages[0]?.content).toMatchObject([
      { input: '{}', state: 'asking', metadata: { intent: 'look' } },
    ])
  })
})

describe('kit.gap', () => {
  it('marks what is under way as incomplete, and nothing else', () => {
    fc.assert(
      fc.property(events, (list) => {
        const before = fold(list)
        const after = fold([{ type: 'kit.gap', id: 'gap', from: 1, to: 3 }], before)
        expect(after.messages).toBe(before.messages)
        expect(after.requests).toBe(before.requests)
        expect(Object.values(after.replies).filter(({ isComplete }) => isComplete)).toEqual([])
      }),
      RUNS,
    )
  })
})

describe('REPLY_END', () => {
  it('says what stands in its metadata about the reply, and nothing to the message', () => {
    const r = script('r')
    const end = { type: 'REPLY_END', reply_id: 'r' } as const
    const { messages, replies } = fold([
      r.start(),
      { ...end, id: '1', metadata: { total_tool_calls: 2, reason: 'a' } },
      { ...end, id: '2', metadata: { reason: 'b' } },
      { ...end, id: '3' },
    ])
    expect(replies['r']?.metadata).toEqual({ total_tool_calls: 2, reason: 'b' })
    expect(messages[0]?.metadata).toEqual({})
  })
})
