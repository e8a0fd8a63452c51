import { fc, runs } from '../fc.js'
import { describe, expect, it } from 'vitest'
import { applyEvents, createConversation, type Conversation } from '../../src/fold/index.js'
import {
  parseEvent,
  type ConversationInput,
  type Dialect,
  type EndCause,
  type JsonObject,
} from '../../src/protocol/index.js'
import { tellMessages, type ToldMessage } from './tellMessages.js'

/** A stream and what must become of it, written by hand or captured; never printed by the decoder under test. */
export interface Golden {
  /** What happens in it. */
  readonly name: string
  /** What the transport hands over. */
  readonly frames: readonly unknown[]
  /** The inputs, in full; left out where the messages say enough. */
  readonly inputs?: readonly unknown[]
  /** The messages, without ids and stamps. */
  readonly messages: readonly ToldMessage[]
  /** How the stream ends; `eof` by default. */
  readonly end?: EndCause
}

const CAUSES: readonly EndCause[] = ['eof', 'abort', 'error']

/**
 * What every dialect promises: goldens come out as written, a replay changes nothing, batches do not matter, and whatever
 * comes in, nothing throws and nothing runs for ever.
 *
 * @param name - The dialect's name in `src`.
 * @param dialect - The dialect.
 * @param goldens - Its goldens.
 */
export function describeDialect(name: string, dialect: Dialect, goldens: readonly Golden[]): void {
  describe(`${name} as a dialect`, () => {
    it.each(goldens)('reads: $name', ({ frames, inputs, messages, end = 'eof' }) => {
      const decoded = decode(dialect, [frames], end)
      expect(decoded).toEqual(inputs ?? decoded)
      const { conversation, anomalies } = fold(decoded)
      expect(tellMessages(conversation.messages)).toEqual(messages)
      expect(anomalies).toEqual([])
    })

    it.each(goldens)('gives each input an id of its own: $name', ({ frames }) => {
      const ids = decode(dialect, [frames], 'eof').map(({ id }) => id)
      expect(ids).not.toContain(undefined)
      expect(new Set(ids).size).toBe(ids.length)
    })

    it.each(goldens)(
      'reads a replay the same, and folds it to nothing new: $name',
      ({ frames }) => {
        const once = decode(dialect, [frames], 'eof')
        const again = decode(dialect, [frames], 'eof')
        expect(again).toEqual(once)
        const { conversation } = fold(once)
        expect(applyEvents(conversation, again)).toBe(conversation)
      },
    )

    it('reads the same however frames are batched', () => {
      fc.assert(
        fc.property(
          fc.constantFrom(...goldens),
          fc.array(fc.nat({ max: 4 }), { maxLength: 60 }),
          ({ frames }, sizes) => {
            const single = frames.map((frame) => [frame])
            expect(decode(dialect, batch(frames, sizes), 'eof')).toEqual(
              decode(dialect, single, 'eof'),
            )
          },
        ),
      )
    })

    it('leaves nothing running when a stream ends, wherever and however', () => {
      fc.assert(
        fc.property(
          fc.constantFrom(...goldens),
          fc.double({ min: 0, max: 1, noNaN: true }),
          fc.constantFrom(...CAUSES),
          ({ frames }, part, cause) => {
            const begun = frames.slice(0, Math.round(frames.length * part))
            const { conversation } = fold(decode(dialect, [begun], cause))
            expect(Object.values(conversation.replies).filter(isRunning)).toEqual([])
          },
        ),
      )
    })

    it('survives goldens with frames lost, repeated, moved and damaged', () => {
      fc.assert(
        fc.property(
          fc.constantFrom(...goldens),
          fc.array(damage, { maxLength: 12 }),
          fc.constantFrom(...CAUSES),
          ({ frames }, damages, cause) => {
            const damaged = damages.reduce<readonly unknown[]>((all, change) => change(all), frames)
            expectSafe(decode(dialect, [damaged], cause))
          },
        ),
        { numRuns: runs(300) },
      )
    })

    it('survives any JSON', () => {
      fc.assert(
        fc.property(fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 20 }), (frames) => {
          expectSafe(decode(dialect, [frames], 'eof'))
        }),
        { numRuns: runs(300) },
      )
    })
  })
}

/** The inputs of batches of frames, with those of the end. */
export function decode(
  dialect: Dialect,
  batches: readonly (readonly unknown[])[],
  end: EndCause = 'eof',
): readonly ConversationInput[] {
  const decoder = dialect.createDecoder()
  const inputs = batches.flatMap((frames) => decoder.push(frames).inputs)
  return [...inputs, ...decoder.end(end).inputs]
}

/** The conversation that inputs give, and what was odd. */
export function fold(inputs: readonly ConversationInput[]): {
  readonly conversation: Conversation
  readonly anomalies: readonly string[]
} {
  const anomalies: string[] = []
  const conversation = applyEvents(createConversation(), inputs, ({ kind, message }) =>
    anomalies.push(`${kind}: ${message}`),
  )
  return { conversation, anomalies }
}

/** Whatever came in: each input is an event as it should be or an operation, and can be folded. */
function expectSafe(inputs: readonly ConversationInput[]): void {
  for (const input of inputs) {
    if (input.type.startsWith('kit.')) continue
    const { event, anomalies } = parseEvent(input)
    expect(event).toBe(input)
    expect(anomalies).toEqual([])
  }
  const { conversation } = fold(inputs)
  expect(applyEvents(conversation, inputs)).toBe(conversation)
  expect(Object.values(conversation.replies).filter(isRunning)).toEqual([])
}

function isRunning({ phase }: { readonly phase: string }): boolean {
  return phase === 'running'
}

function batch(frames: readonly unknown[], sizes: readonly number[]): readonly unknown[][] {
  const batches: unknown[][] = []
  let taken = 0
  for (const size of sizes) {
    batches.push(frames.slice(taken, taken + size))
    taken += size
  }
  return [...batches, frames.slice(taken)]
}

type Damage = (frames: readonly unknown[]) => readonly unknown[]

/** A change of the kinds that networks and servers make. */
const damage: fc.Arbitrary<Damage> = fc
  .record({
    place: fc.nat({ max: 1000 }),
    other: fc.nat({ max: 1000 }),
    kind: fc.constantFrom('lose', 'repeat', 'move', 'spoil', 'drop field'),
    value: fc.jsonValue({ maxDepth: 2 }),
  })
  .map(({ place, other, kind, value }) => (frames) => {
    if (frames.length === 0) return frames
    const at = place % frames.length
    const frame = frames[at]
    const rest = frames.toSpliced(at, 1)
    switch (kind) {
      case 'lose':
        return rest
      case 'repeat':
        return frames.toSpliced(other % frames.length, 0, frame)
      case 'move':
        return rest.toSpliced(other % frames.length, 0, frame)
      default:
        return frames.toSpliced(at, 1, spoil(frame, other, kind === 'spoil' ? value : undefined))
    }
  })

function spoil(frame: unknown, other: number, value: unknown): unknown {
  if (typeof frame !== 'object' || frame === null || Array.isArray(frame)) return value
  const fields: Record<string, unknown> = { ...(frame as JsonObject) }
  const names = Object.keys(fields)
  const name = names[other % Math.max(names.length, 1)]
  if (name === undefined) return value
  if (value === undefined) delete fields[name]
  else fields[name] = value
  return fields
}
