// @vitest-environment node
import { fc, runs } from '../fc.js'
import { describe, expect, it } from 'vitest'
import { applyEvents, createConversation, equalsStored } from '../../src/fold/index.js'
import type { ConversationInput, Msg } from '../../src/protocol/index.js'
import {
  bytes,
  createScenario,
  hint,
  link,
  text,
  thinking,
  toolCall,
  worker,
  type OutputScript,
  type Scenario,
  type ScriptPart,
} from '../../src/testing/index.js'

// Any conversation that can be scripted: what the fold makes of its events is what the script says is stored. Neither
// knows of the other.

const words = fc.string({ unit: 'grapheme', maxLength: 40 })
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 3 })
const data = fc.array(fc.uint8Array({ maxLength: 12 }), { maxLength: 3 })

/** A piece of what a tool gives back: a text, a picture in chunks, an address. The id makes it its own. */
const piece: fc.Arbitrary<(id: string) => readonly OutputScript[]> = fc.oneof(
  words.map((said) => () => [{ text: said }]),
  fc
    .array(fc.uint8Array({ minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 })
    .map(
      (chunks) => (id: string) =>
        chunks.map((chunk) => ({ id, mediaType: 'image/png', bytes: chunk })),
    ),
  fc.webUrl().map((url) => (id: string) => [{ id, mediaType: 'video/mp4', url }]),
)

const output = fc
  .array(piece, { maxLength: 4 })
  .map((pieces) => pieces.flatMap((make, index) => make(`p${index}`)))

/** A reply's part; ids are given when the reply is made, since they must be its own. */
type PartOf = (id: string) => ScriptPart

const call: fc.Arbitrary<PartOf> = fc
  .record({
    args: fc.dictionary(words, words, { maxKeys: 3 }),
    needs: fc.constantFrom(undefined, 'approval', 'execution'),
    state: fc.constantFrom('success', 'error'),
    takesMs: fc.integer({ min: 0, max: 50 }),
    output,
  })
  .map(({ args, needs, state, takesMs, output: given }) => (id: string): ScriptPart => {
    const outcome = () => ({ output: given, state, metadata: { id } })
    return toolCall(id, 'tool', args, { ...(needs ? { needs } : {}), takesMs, outcome })
  })

const part: fc.Arbitrary<PartOf> = fc.oneof(
  fc.tuple(words, sizes).map(
    ([said, cut]) =>
      () =>
        text(said, ...cut),
  ),
  fc.tuple(words, sizes).map(
    ([said, cut]) =>
      () =>
        thinking(said, ...cut),
  ),
  words.map((said) => () => hint('system', 'State', said)),
  data.map((chunks) => (id: string) => bytes(id, 'audio/wav', chunks, 'voice.wav')),
  fc.webUrl().map((url) => (id: string) => link(id, 'video/mp4', url)),
  words.map((name): PartOf => () => ({ kind: 'custom', name })),
  call,
  call,
  fc.tuple(call, words).map(
    ([made, report]): PartOf =>
      (id) =>
        worker('worker', [text('Working.'), made(id)], () => [report]),
  ),
  fc.constantFrom<PartOf>(
    () => ({ kind: 'end', reason: 'exceed_max_iters' }),
    () => ({ kind: 'end', reason: 'error', error: { type: 'upstream', message: 'No.' } }),
    () => ({ kind: 'model', says: [text('Cut off')], fails: { type: 'unknown', message: 'No.' } }),
    () => ({ kind: 'model', says: [text('Spoken words'), thinking('aside')], isWoven: true }),
  ),
)

/** What happens next: to be tried on a scenario, which may have no place for it. */
type Turn = (scenario: Scenario, turn: number) => Scenario

function partsOf(parts: readonly PartOf[], turn: number): readonly ScriptPart[] {
  return parts.map((make, index) => make(`t${turn}-${index}`))
}

const reply = fc.array(part, { maxLength: 6 })

const turn: fc.Arbitrary<Turn> = fc.oneof(
  fc.tuple(words, reply).map(
    ([said, parts]): Turn =>
      (scenario, at) =>
        scenario.waitingCalls.length > 0
          ? scenario.user(said)
          : scenario.user(said).reply(...partsOf(parts, at)),
  ),
  reply.map(
    (parts): Turn =>
      (scenario, at) =>
        scenario.reply(...partsOf(parts, at)),
  ),
  fc
    .tuple(words, reply, fc.integer({ min: 1, max: 30 }), fc.boolean())
    .map(([said, parts, events, isStopped]): Turn => (scenario, at) => {
      if (scenario.waitingCalls.length > 0) return scenario
      const begun = scenario.user(said).replyUpTo(events, ...partsOf(parts, at))
      if (begun.status !== 'running' || !isStopped) return begun.finish()
      return begun.interrupt()
    }),
  fc
    .record({ at: fc.nat(9), confirmed: fc.boolean(), all: fc.boolean(), result: words })
    .map(({ at, confirmed, all, result }): Turn => (scenario) => {
      const chosen = scenario.waitingCalls[at % Math.max(1, scenario.waitingCalls.length)]
      if (chosen === undefined) return scenario
      if (chosen.state === 'submitted') return scenario.submit(chosen.id, result)
      const ids = all ? [] : [chosen.id]
      return confirmed ? scenario.approve(...ids) : scenario.deny(...ids)
    }),
)

const conversations = fc
  .array(turn, { minLength: 1, maxLength: 6 })
  .map((turns) => turns.reduce((scenario, next, at) => next(scenario, at), createScenario()))

function folded(inputs: readonly ConversationInput[]): readonly Msg[] {
  return applyEvents(createConversation(), inputs).messages
}

/** The stored messages that a client that only heard the stream does not have as they are. */
function differing(messages: readonly Msg[], stored: readonly Msg[]): readonly unknown[] {
  return stored.flatMap((wanted) => {
    const held = messages.find(({ id }) => id === wanted.id)
    return held !== undefined && equalsStored(held, wanted) ? [] : [{ held, wanted }]
  })
}

describe('createScenario', () => {
  it('gives events that fold to the messages it says are stored', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(conversations, ({ inputs, messages }) => {
        const held = folded(inputs)
        expect(differing(held, messages)).toEqual([])
        expect(held.map(({ id }) => id).toSorted()).toEqual(messages.map(({ id }) => id).toSorted())
      }),
      { numRuns: runs(150) },
    )
  })

  it('gives no two events the same id, and later events later times', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(conversations, ({ events }) => {
        const stamps = events.map(({ created_at = '' }) => created_at)
        expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
        expect(stamps).toEqual([...new Set(stamps)].toSorted())
      }),
      { numRuns: runs(100) },
    )
  })
})
