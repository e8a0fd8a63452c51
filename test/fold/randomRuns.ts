import { fc } from '../fc.js'
import {
  bytes,
  createScenario,
  hint,
  link,
  text,
  thinking,
  toolCall,
  type Scenario,
  type ScriptPart,
} from '../../src/testing/index.js'

/** A part of a reply, told the number of its place so that ids are new. */
type MakePart = (place: string) => ScriptPart

const words = fc.constantFrom(
  '',
  'a',
  'Hello **there**.',
  '月亮和太阳',
  '😀👩‍👩‍👧',
  'line\nline\n',
  '"}\\',
)
const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { maxLength: 3 })

const part: fc.Arbitrary<MakePart> = fc.oneof(
  fc.tuple(words, sizes).map(
    ([said, cut]): MakePart =>
      () =>
        text(said, ...cut),
  ),
  fc.tuple(words, sizes).map(
    ([said, cut]): MakePart =>
      () =>
        thinking(said, ...cut),
  ),
  words.map(
    (said): MakePart =>
      () =>
        hint('System', 'Reminder', said),
  ),
  fc.array(fc.uint8Array({ maxLength: 7 }), { maxLength: 4 }).map(
    (chunks): MakePart =>
      (place) =>
        bytes(`data-${place}`, 'audio/pcm', chunks),
  ),
  fc.constant<MakePart>((place) => link(`link-${place}`, 'image/png', 'https://example.com/a.png')),
  fc
    .record({
      said: words,
      needs: fc.constantFrom<'approval' | 'execution' | undefined>(
        undefined,
        undefined,
        'approval',
        'approval',
        'execution',
      ),
      takesMs: fc.nat(3),
    })
    .map(({ said, needs, takesMs }): MakePart => (place) => {
      const outcome = () => ({
        output: [
          { text: said },
          { id: `png-${place}`, mediaType: 'image/png', bytes: Uint8Array.of(1, 2, 3) },
          { text: said },
        ],
        metadata: { said },
      })
      return toolCall(
        `call-${place}`,
        'tool',
        { said },
        { takesMs, outcome, ...(needs && { needs }) },
      )
    }),
)

/** How a person meets what waits. */
type Answer = 'approve' | 'deny' | 'one by one' | 'interrupt'

interface Turn {
  readonly parts: readonly MakePart[]
  readonly answer: Answer
  readonly isAnnounced: boolean
}

const turns: fc.Arbitrary<readonly Turn[]> = fc.array(
  fc.record<Turn>({
    parts: fc.array(part, { minLength: 1, maxLength: 5 }),
    answer: fc.constantFrom<Answer>('approve', 'deny', 'one by one', 'interrupt'),
    isAnnounced: fc.boolean(),
  }),
  { minLength: 1, maxLength: 3 },
)

/** Conversations as a service would have them: what is said, what its stream tells, and what it has stored. */
export const randomRun: fc.Arbitrary<Scenario> = fc
  .tuple(turns, fc.boolean())
  .map(([list, isParked]) =>
    list.reduce((scenario, turn, index) => {
      const said = scenario.user(`question ${index}`)
      const announced = turn.isAnnounced ? said.announce('state_updated', { turn: index }) : said
      const replied = announced.reply(...turn.parts.map((make, place) => make(`${index}-${place}`)))
      const isLast = index === list.length - 1
      return isLast && isParked ? replied : answered(replied, turn.answer)
    }, createScenario()),
  )

function answered(scenario: Scenario, answer: Answer): Scenario {
  const [call] = scenario.waitingCalls
  if (call === undefined) return scenario
  if (answer === 'interrupt') return scenario.interrupt()
  if (call.state === 'submitted')
    return answered(scenario.submit(call.id, 'from the client'), answer)
  if (answer === 'one by one') return answered(scenario.approve(call.id), answer)
  return answered(answer === 'deny' ? scenario.deny(call.id) : scenario.approve(call.id), answer)
}

/** What may go wrong with the events of a stream. */
export type StreamFault = 'drop' | 'duplicate' | 'swap' | 'replay' | 'replay without its beginning'

/** Faults at some places; a place counts from the beginning of the stream, and round and round. */
export const streamFaults: fc.Arbitrary<readonly (readonly [StreamFault, number])[]> = fc.array(
  fc.tuple(
    fc.constantFrom<StreamFault>(
      'drop',
      'drop',
      'duplicate',
      'swap',
      'replay',
      'replay without its beginning',
    ),
    fc.nat(400),
  ),
  { minLength: 1, maxLength: 6 },
)

/**
 * What a client hears when faults have their way with a stream.
 *
 * @param events - What was sent.
 * @param faults - What goes wrong, one after the other.
 */
export function disturbed<Input>(
  events: readonly Input[],
  faults: readonly (readonly [StreamFault, number])[],
): readonly Input[] {
  return faults.reduce<readonly Input[]>((heard, [fault, place]) => {
    const at = place % Math.max(1, heard.length)
    const [before, one, after] = [heard.slice(0, at), heard.slice(at, at + 1), heard.slice(at + 1)]
    switch (fault) {
      case 'drop':
        return [...before, ...after]
      case 'duplicate':
        return [...before, ...one, ...one, ...after]
      case 'swap':
        return [...before, ...after.slice(0, 1), ...one, ...after.slice(1)]
      case 'replay':
        return [...before, ...before, ...one, ...after]
      case 'replay without its beginning':
        return [...before, ...before.slice(at / 2), ...one, ...after]
    }
  }, events)
}
