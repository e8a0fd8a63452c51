// @vitest-environment node
// The law of the journal: what is kept folds to what was heard, whoever wrote it and however it was written.
import { fc, runs } from '../fc.js'
import { describe, expect, it } from 'vitest'
import { applyEvents, createConversation } from '../../src/fold/index.js'
import { createJournalDatabase } from '../../src/journal/createJournalDatabase.js'
import { readConversation } from '../../src/journal/readConversation.js'
import type { KeptLimits } from '../../src/journal/writeBatch.js'
import { writeBatch } from '../../src/journal/writeBatch.js'
import type { ConversationInput } from '../../src/protocol/index.js'
import { withoutClocks } from '../fold/recordings.js'
import { pageOf, useEmptyDevice } from './database.js'
import { fold, look, run, storedRun } from './runs.js'

const FOREVER_MS = Number.MAX_SAFE_INTEGER
let count = 0

interface Tab {
  readonly read: () => Promise<readonly ConversationInput[]>
  readonly write: (inputs: readonly ConversationInput[]) => Promise<boolean>
}

/** Opens another tab of the same conversation. */
function openTab(key: string, maxSize = FOREVER_MS): Tab {
  const database = createJournalDatabase('laws')
  count += 1
  const limits: KeptLimits = { key, maxSize, writer: `w${count}` }
  return {
    read: () => database.run((tx) => readConversation(tx, limits, FOREVER_MS)),
    write: (inputs) => database.run((tx) => writeBatch(tx, limits, inputs)),
  }
}

/** Inputs in batches of the sizes given, again and again. A store gives a sent message together with what it began. */
function batchesOf(
  items: readonly ConversationInput[],
  wanted: readonly number[],
): ConversationInput[][] {
  const batches: ConversationInput[][] = []
  for (let start = 0; start < items.length; start += batches.at(-1)?.length ?? 1) {
    let size = wanted[batches.length % wanted.length] ?? 1
    if (items[start + size - 1]?.type === 'kit.user_message') size += 1
    batches.push(items.slice(start, start + size))
  }
  return batches
}

/** Which tab writes what next: as `turns` say, as long as both have something left. */
function interleave<Batch>(
  ofOne: readonly Batch[],
  ofOther: readonly Batch[],
  turns: readonly boolean[],
): [tab: 0 | 1, batch: Batch][] {
  const [one, other] = [[...ofOne], [...ofOther]]
  const order: [tab: 0 | 1, batch: Batch][] = []
  for (let turn = 0; one.length + other.length > 0; turn += 1) {
    const isOne = other.length === 0 || (one.length > 0 && turns[turn % turns.length] !== false)
    const batch = (isOne ? one : other).shift()
    if (batch !== undefined) order.push([isOne ? 0 : 1, batch])
  }
  return order
}

/** A store keeps a sent message when its answer has begun. */
function withoutLoneMessage(heard: readonly ConversationInput[]): readonly ConversationInput[] {
  const last = heard.findLastIndex(({ type }) => type === 'kit.user_message')
  const isAnswered = heard.slice(last).some(({ type }) => type === 'MODEL_CALL_START')
  return isAnswered ? heard : heard.slice(0, Math.max(0, last))
}

const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 })

describe('indexedDbJournal', () => {
  it('gives what folds to what was heard, wherever it was cut into batches and wherever it ended', async () => {
    useEmptyDevice()
    await fc.assert(
      fc.asyncProperty(run, sizes, fc.nat(), async (inputs, cuts, place) => {
        const heard = inputs.slice(0, place % (inputs.length + 1))
        const key = `one-${(count += 1)}`
        const tab = openTab(key)
        await tab.read()
        for (const batch of batchesOf(heard, cuts)) await tab.write(batch)
        expect(fold(await openTab(key).read())).toEqual(fold(heard))
      }),
      { numRuns: runs(120) },
    )
  }, 30_000)

  it('goes on after a reload, and another', async () => {
    useEmptyDevice()
    await fc.assert(
      fc.asyncProperty(run, sizes, async (inputs, cuts) => {
        const key = `reload-${(count += 1)}`
        await openTab(key).read()
        for (const batch of batchesOf(inputs, cuts)) {
          const tab = openTab(key)
          await tab.read()
          await tab.write(batch)
        }
        expect(fold(await openTab(key).read())).toEqual(fold(inputs))
      }),
      { numRuns: runs(60) },
    )
  }, 30_000)

  it('makes one log of what two tabs heard, each with holes, whichever wrote first', async () => {
    useEmptyDevice()
    const holes = fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(run, sizes, sizes, holes, fc.array(fc.boolean()), async (...all) => {
        const [inputs, cutsOfOne, cutsOfOther, lost, turns] = all
        const missed = new Map(lost.map(([place, byOne]) => [place % inputs.length, byOne]))
        const heardBy = (isOne: boolean): ConversationInput[] =>
          inputs.filter((input, index) => {
            // A message is known to the tab it was sent from, with the beginning of its answer; each tab reads history for itself.
            if (input.type === 'kit.user_message') return isOne
            if (input.type === 'REPLY_START' || input.type === 'MODEL_CALL_START') return true
            return input.id === undefined || missed.get(index) !== isOne
          })
        const key = `two-${(count += 1)}`
        const tabs = [openTab(key), openTab(key)] as const
        await tabs[0].read()
        await tabs[1].read()
        const queues = [
          batchesOf(heardBy(true), cutsOfOne),
          batchesOf(heardBy(false), cutsOfOther),
        ] as const
        for (const [tab, batch] of interleave(queues[0], queues[1], turns))
          await tabs[tab].write(batch)
        expect(fold(await openTab(key).read())).toEqual(fold(inputs))
      }),
      { numRuns: runs(60) },
    )
  }, 30_000)

  it('gives what history heals, whatever was lost on the way, dropped for want of room, or is old', async () => {
    useEmptyDevice()
    const losses = fc.array(fc.nat(), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(storedRun, sizes, losses, fc.nat(), fc.nat(), fc.nat(), async (...all) => {
        const [inputs, cuts, lost, place, room, length] = all
        const gone = new Set(lost.map((index) => inputs[index % inputs.length]))
        const heard = withoutLoneMessage(inputs.slice(0, place % (inputs.length + 1))).filter(
          (input) =>
            input.id === undefined || input.type === 'MODEL_CALL_START' || !gone.has(input),
        )
        const key = `lossy-${(count += 1)}`
        const tab = openTab(key, 300 + (room % 6_000))
        await tab.read()
        for (const batch of batchesOf(heard, cuts)) await tab.write(batch)
        const { messages } = applyEvents(createConversation(), inputs)
        const newest = messages.slice(-2 - 2 * (length % (messages.length / 2)))
        const healed = applyEvents(createConversation(), [
          ...(await openTab(key).read()),
          pageOf(newest, false),
        ])
        // What is shown ends the history without a hole.
        const shown = messages.slice(-healed.messages.length)
        expect(healed.messages.length).toBeGreaterThanOrEqual(newest.length)
        expect(look(healed)).toEqual({ messages: shown.map(withoutClocks), requests: [], open: [] })
      }),
      { numRuns: runs(120) },
    )
  }, 30_000)
})
