// @vitest-environment node
// The laws of the fold: repeats change nothing, any cut of the stream gives the same, any moment is a checkpoint,
// what is not touched stays the same object, and no JSON breaks it.
import { fc } from '../fc.js'
import { describe, expect, it } from 'vitest'
import {
  appendEvent,
  applyEvents,
  type Conversation,
  createConversation,
} from '../../src/fold/index.js'
import type { AgentEvent, ConversationInput } from '../../src/protocol/index.js'
import { streams } from '../oracle/streams.js'
import { inputsOf, isWholeHistory, ownSteps, readRecordings, snapshotOf } from './recordings.js'
import { deepFreeze, message, script, stamp, throughJson } from './script.js'
import { readVectors } from './vectors.js'

const HOSTILE_IDS = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  'a:b',
  '%',
  'r',
  'x',
]

/** Sessions as they were recorded, with history wherever it was read. */
const sessions: readonly (readonly ConversationInput[])[] = readRecordings()
  .filter(({ steps }) => steps.length < 500)
  .map((recording) =>
    ownSteps(recording).flatMap((step) =>
      isWholeHistory(step) ? [snapshotOf(step)] : inputsOf(step),
    ),
  )
const vectorEvents = readVectors().flatMap(({ events }) => events)

const id = fc.constantFrom(...HOSTILE_IDS)
/** Events in any order over few ids, so that they meet; ids repeat, blocks are missing, ends come first. */
const chaos = fc.array(
  fc
    .tuple(fc.constantFrom(...vectorEvents), id, id, fc.nat(60), fc.boolean())
    .map(([event, replyId, blockId, moment, hasPath]) =>
      reading({
        ...event,
        id: `${moment}`,
        created_at: stamp(moment),
        reply_id: replyId,
        ...('block_id' in event && { block_id: blockId }),
        ...('tool_call_id' in event && { tool_call_id: blockId }),
        ...(hasPath && { agent_path: [replyId] }),
      }),
    ),
  { maxLength: 60 },
)

/** Operations over the same ids. */
const operation: fc.Arbitrary<ConversationInput> = fc.oneof(
  fc.record({ replyId: id, mark: fc.nat(3) }).map(({ replyId, mark }): ConversationInput => ({
    type: 'kit.rollback',
    reply_id: replyId,
    mark,
  })),
  fc.record({ replyId: id, blockId: id }).map(({ replyId, blockId }): ConversationInput => ({
    type: 'kit.block_set',
    reply_id: replyId,
    block: { type: 'text', id: blockId, text: 'set' },
  })),
  fc
    .tuple(fc.array(id, { maxLength: 4 }), fc.boolean(), fc.boolean(), fc.option(id))
    .map(([ids, isRunning, isPage, before]): ConversationInput => ({
      type: 'kit.snapshot',
      mode: isPage ? 'merge' : 'replace',
      is_running: isRunning,
      messages: ids.map((each) => message(each, [{ type: 'text', id: 'b', text: 'stored' }])),
      ...(before !== null && { before }),
    })),
  id.map((each): ConversationInput => ({
    type: 'kit.user_message',
    message: message(each, [], { role: 'user' }),
  })),
  id.map((each): ConversationInput => ({ type: 'kit.remove_message', message_id: each })),
  id.map((each): ConversationInput => ({
    type: 'kit.input_request',
    request_id: each,
    reply_id: each,
    kind: 'free',
    message: '?',
  })),
  id.map((each): ConversationInput => ({ type: 'kit.input_resolved', request_id: each })),
  fc.constant<ConversationInput>({ type: 'kit.gap' }),
)
const anything = fc
  .tuple(chaos, fc.array(operation, { maxLength: 10 }), fc.infiniteStream(fc.nat()))
  .map(([events, operations, places]) => {
    const inputs: ConversationInput[] = [...events]
    for (const one of operations)
      inputs.splice((places.next().value ?? 0) % (inputs.length + 1), 0, one)
    return inputs
  })
const session = fc.oneof(fc.constantFrom(...sessions), anything)

/** Reads an event that a generator put together; the fold looks at it all the same. */
function reading(event: object): AgentEvent {
  return event as AgentEvent
}

function fold(inputs: readonly ConversationInput[], from = createConversation()): Conversation {
  return applyEvents(from, inputs)
}

describe('applyEvents', () => {
  it('gives the same for any way of cutting the inputs into batches', () => {
    fc.assert(
      fc.property(
        session,
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        (inputs, sizes) => {
          let conversation = createConversation()
          for (let start = 0, turn = 0; start < inputs.length; turn += 1) {
            const size = sizes[turn % sizes.length] ?? 1
            conversation = applyEvents(conversation, inputs.slice(start, start + size))
            start += size
          }
          expect(conversation).toEqual(fold(inputs))
        },
      ),
    )
  })

  it('goes on from any moment that was stored as JSON', () => {
    fc.assert(
      fc.property(session, fc.nat(), (inputs, place) => {
        const cut = place % (inputs.length + 1)
        const before = fold(inputs.slice(0, cut))
        expect(throughJson(before)).toEqual(before)
        const rest = inputs.slice(cut)
        expect(fold(rest, throughJson(before))).toEqual(fold(rest, before))
      }),
    )
  })

  it('changes nothing when inputs with ids come again', () => {
    fc.assert(
      fc.property(session, fc.nat(), fc.nat(), (inputs, place, length) => {
        const from = place % (inputs.length + 1)
        const repeated = inputs
          .slice(from, from + (length % 50))
          .filter((input) => input.id !== undefined)
        const conversation = fold(inputs)
        expect(fold(repeated, conversation)).toBe(conversation)
        const replayed = [
          ...inputs.slice(0, from + (length % 50)),
          ...repeated,
          ...inputs.slice(from + (length % 50)),
        ]
        expect(fold(replayed)).toEqual(conversation)
      }),
    )
  })

  it('never writes to the conversation or the inputs it is given', () => {
    fc.assert(
      fc.property(session, fc.nat(), (inputs, place) => {
        const cut = place % (inputs.length + 1)
        const frozen = deepFreeze(throughJson(inputs))
        const before = deepFreeze(fold(frozen.slice(0, cut)))
        const copy = throughJson(before)
        expect(fold(frozen.slice(cut), before)).toEqual(fold(inputs))
        expect(before).toEqual(copy)
      }),
    )
  })

  it('gives the same from an old moment again, after it went on from there once', () => {
    fc.assert(
      fc.property(session, anything, fc.nat(), (inputs, other, place) => {
        const cut = place % (inputs.length + 1)
        const before = fold(inputs.slice(0, cut))
        const expected = fold(inputs.slice(cut), throughJson(before))
        fold(other, before)
        expect(fold(inputs.slice(cut), before)).toEqual(expected)
      }),
    )
  })

  it('does not look at the order of keys', () => {
    fc.assert(
      fc.property(session, (inputs) => {
        expect(fold(inputs.map((input) => reversed(input)))).toEqual(fold(inputs))
      }),
    )
  })

  it('shares messages and blocks that no input of a batch is about', () => {
    fc.assert(
      fc.property(fc.constantFrom(...sessions), fc.nat(), (inputs, place) => {
        const before = fold(inputs.slice(0, place % (inputs.length + 1)))
        const next = script('unheard-of', { moment: 999_000 })
        const after = fold([next.start(), ...next.text('b', 'x')], before)
        expect(
          after.messages.slice(0, -1).every((each, index) => each === before.messages[index]),
        ).toBe(true)
        expect(after.requests).toBe(before.requests)
        expect(after.notices).toBe(before.notices)
        expect(after.runs).toBe(before.runs)
      }),
    )
  })

  it('survives any JSON, and keeps ids of messages unique', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.jsonValue(), mutated(fc.oneof(chaos, anything))), { maxLength: 30 }),
        (values) => {
          const inputs = values.flat().map((value) => reading(Object(value)))
          const folded = fold([...inputs, ...inputs])
          const ids = folded.messages.map(({ id: each }) => each)
          expect(new Set(ids).size).toBe(ids.length)
          expect(throughJson(folded)).toEqual(folded)
        },
      ),
    )
  })

  it('takes ids such as __proto__ like any other', () => {
    for (const each of HOSTILE_IDS) {
      const r = script(each)
      const call = {
        type: 'tool_call' as const,
        id: each,
        name: 't',
        input: '{}',
        state: 'asking',
        suggested_rules: [],
      }
      const inputs = [r.start(), ...r.text(each, 'hello'), ...r.call(each, '{}'), r.ask(call)]
      const folded = throughJson(fold(throughJson(inputs)))
      expect(folded.messages).toMatchObject([
        { id: each, content: [{ text: 'hello' }, { state: 'asking' }] },
      ])
      expect(Object.entries(folded.replies)).toMatchObject([[each, { phase: 'parked' }]])
      expect(folded.requests).toMatchObject([{ replyId: each, toolCall: { id: each } }])
      const named = fold([{ type: 'CUSTOM', name: each, value: { a: 1 } }])
      expect(Object.entries(named.notices)).toEqual([[each, { a: 1 }]])
    }
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})

describe('appendEvent', () => {
  it('survives any JSON', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.jsonValue(), mutated(chaos)), { maxLength: 30 }),
        (values) => {
          const events = values.flat().map((value) => reading(Object(value)))
          const folded = events.reduce(appendEvent, deepFreeze(message('r', [])))
          expect(throughJson(folded)).toEqual(folded)
        },
      ),
    )
  })

  it('says the same as applyEvents for one reply whose events come once', () => {
    for (const { init, events } of readVectors()) {
      if (init.content.length > 0 || new Set(events.map((event) => event.id)).size < events.length)
        continue
      const own = events.filter((event) => event.type !== 'CUSTOM' && event.reply_id === init.id)
      const start: AgentEvent = {
        type: 'REPLY_START',
        reply_id: init.id,
        name: init.name,
        created_at: init.created_at,
      }
      const folded = fold([start, ...own])
      expect(folded.messages[0]?.content ?? []).toEqual(own.reduce(appendEvent, init).content)
    }
  })

  it('says the same as applyEvents of random streams of two replies at once', () => {
    const two = fc.tuple(streams(5), streams(5), fc.array(fc.boolean(), { minLength: 1 }))
    fc.assert(
      fc.property(two, ([one, other, turns]) => {
        const replies = [one, other].map(({ events }, number) => {
          const replyId = `r${number}`
          const own = throughJson(events).map((event, at) =>
            reading({
              ...event,
              id: `${replyId}-${at}`,
              ...(event['reply_id'] === 'r' && { reply_id: replyId }),
            }),
          )
          return { replyId, own: own.filter(({ type }) => type !== 'CUSTOM') }
        })
        // An answer alone is no word of the agent, and makes no message: so each says something first.
        const starts = replies.flatMap(({ replyId: reply_id }): AgentEvent[] => [
          { type: 'REPLY_START', reply_id, name: 'Friday', created_at: stamp(0) },
          { type: 'MODEL_CALL_START', reply_id, model_name: 'm', created_at: stamp(0) },
        ])
        const folded = fold([...starts, ...mixed(replies, turns)])
        for (const { replyId, own } of replies) {
          const alone = own.reduce(appendEvent, message(replyId, []))
          const {
            content = [],
            usage = null,
            finished_at = null,
            error = null,
          } = folded.messages.find((each) => each.id === replyId) ?? {}
          expect({ content, usage, finished_at, error }).toEqual({
            content: alone.content,
            usage: alone.usage,
            finished_at: alone.finished_at,
            error: alone.error,
          })
        }
      }),
    )
  })
})

/** The events of two replies, taking turns. */
function mixed(
  replies: readonly { readonly own: readonly AgentEvent[] }[],
  turns: readonly boolean[],
): readonly AgentEvent[] {
  const [one = [], other = []] = replies.map(({ own }) => [...own])
  const list: AgentEvent[] = []
  for (let turn = 0; one.length + other.length > 0; turn += 1) {
    const [first, second] = turns[turn % turns.length] ? [one, other] : [other, one]
    const next = first.shift() ?? second.shift()
    if (next !== undefined) list.push(next)
  }
  return list
}

/** The same with its keys, and those of all objects in it, in the other order. */
function reversed<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(reversed) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, each]) => [key, reversed(each)]),
  ) as Value
}

/** Believable inputs with one field replaced by anything. */
function mutated(
  inputs: fc.Arbitrary<readonly ConversationInput[]>,
): fc.Arbitrary<readonly unknown[]> {
  return fc
    .tuple(inputs, fc.array(fc.tuple(fc.nat(), fc.nat(), fc.jsonValue()), { maxLength: 8 }))
    .map(([list, changes]) => {
      const changed: object[] = [...list]
      for (const [place, field, value] of changes) {
        const target = changed[place % changed.length]
        if (target === undefined) continue
        const keys = Object.keys(target)
        changed[place % changed.length] = {
          ...target,
          [keys[field % keys.length] ?? 'type']: value,
        }
      }
      return changed
    })
}
