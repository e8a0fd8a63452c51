// @vitest-environment node
// Random conversations, a store that listens to them, and several faults at random moments of each.
import { fc, runs } from '../fc.js'
import { describe, expect, it } from 'vitest'
import type { Scenario as Conversation } from '../../src/testing/index.js'
import { disturbed, randomRun, streamFaults, type StreamFault } from '../fold/randomRuns.js'
import type { Recording } from '../fold/recordings.js'
import { throughJson } from '../fold/script.js'
import { differences, playScenario, type Scenario } from './scenario.js'
import { readTimeline, type Timeline } from './timeline.js'

/** What happens to the client after some moments. */
interface Disturbance {
  /** After how many more moments. */
  readonly after: number
  /** How many moments are missed, heard late, or heard otherwise than they were. */
  readonly count: number
  readonly how: 'cut' | 'trimmed' | readonly (readonly [StreamFault, number])[]
}

const disturbances: fc.Arbitrary<readonly Disturbance[]> = fc.array(
  fc.record<Disturbance>({
    after: fc.nat(25),
    count: fc.integer({ min: 1, max: 12 }),
    how: fc.oneof(fc.constantFrom('cut' as const, 'trimmed' as const), streamFaults),
  }),
  { minLength: 1, maxLength: 4 },
)
const service = fc.record({
  isSlow: fc.boolean(),
  isOwnTab: fc.boolean(),
  leavesLast: fc.boolean(),
  storeDelayMs: fc.constantFrom(0, 40, 700),
  latencyMs: fc.constantFrom(0, 30),
})

function timelineOf(conversation: Conversation): Timeline {
  // A scenario's recording has the shape of a recorded session, in JSON.
  return readTimeline(throughJson<unknown>(conversation.toRecording()) as Recording)
}

/** What happens, moment by moment: a counterexample that can be read. */
function outlineOf({ moments }: Timeline): string {
  return moments
    .map((moment, at) => `${at} ${moment.kind === 'event' ? moment.event.type : moment.kind}`)
    .join('\n')
}

/** Up to where nothing was heard of the run under way. */
const unheard = new WeakMap<Scenario, number>()

async function disturb(
  scenario: Scenario,
  { moments }: Timeline,
  { after, count, how }: Disturbance,
): Promise<void> {
  const { service: server, playTo, position, skip, pass } = scenario
  await playTo(position() + after)
  if (how === 'cut' || how === 'trimmed') {
    server.cut()
    await playTo(position() + count)
    await pass(20)
    server.connect(how === 'trimmed' ? Math.floor(server.logLength() / 2) : 0)
    await pass(20)
    return
  }
  const next = moments.slice(position(), position() + count)
  const stop = next.findIndex(({ kind }) => kind !== 'event')
  const events = stop < 0 ? next : next.slice(0, stop)
  const isUnheard =
    moments[position() - 1]?.kind !== 'event' || unheard.get(scenario) === position()
  server.play(events, (heard) => {
    const left = disturbed(heard, how)
    if (isUnheard && left.length === 0) unheard.set(scenario, position() + events.length)
    return left
  })
  skip(events.length)
  await pass(20)
  // A run of which nothing is heard leaves no trace on an open connection: the next one brings it to light.
  if (unheard.get(scenario) !== position() || moments[position()]?.kind !== 'stored') return
  await playTo(position() + 1)
  server.cut()
  server.connect()
  await pass(20)
}

describe('a store on a random conversation', { timeout: 120_000 }, () => {
  it('ends with what is stored, whatever happens on the way', async () => {
    await fc.assert(
      fc.asyncProperty(randomRun, service, disturbances, async (conversation, options, list) => {
        const timeline = timelineOf(conversation)
        const { state } = await playScenario(timeline, options, async (scenario) => {
          scenario.service.connect()
          for (const disturbance of list) await disturb(scenario, timeline, disturbance)
        })
        expect(differences(timeline, state), outlineOf(timeline)).toEqual([])
      }),
      { numRuns: runs(150) },
    )
  })
})
