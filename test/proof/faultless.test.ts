// @vitest-environment node
import { describe, expect, it } from 'vitest'
import type { ContentBlock } from '../../src/protocol/index.js'
import { timelines } from './faults.js'
import {
  differences,
  healedIn,
  HOLES,
  playScenario,
  type Scenario,
  type ScenarioOptions,
} from './scenario.js'
import type { Timeline } from './timeline.js'

/** Looks at what is stored beyond the first one and one for each time that a reply ended or parked. */
const MORE_LOOKS: Readonly<Record<string, readonly [number, string]>> = {
  'exceed-max-iters': [1, 'the reply that goes on answers nothing shown: nobody here asked for it'],
  'phantom-reply-start': [1, 'a start that nothing follows is looked into'],
}

function stopsOf({ moments }: Timeline): number {
  return moments.filter((moment) => moment.kind === 'stored' && moment.messages.length > 0).length
}

/** Whether the last thing that was heard is a start that nothing followed. */
function isStartLast({ moments }: Timeline): boolean {
  const last = moments.findLast(({ kind }) => kind === 'event')
  return last?.kind === 'event' && last.event.type === 'REPLY_START'
}

async function listen({ service, store }: Scenario, ends: Map<string, readonly ContentBlock[]>) {
  store.subscribe(({ conversation }) => {
    for (const { id, content } of conversation.messages) {
      const reply = conversation.replies[id]
      if (reply?.phase === 'running') ends.delete(id)
      else if (reply !== undefined && !ends.has(id)) ends.set(id, content)
    }
  })
  service.connect()
}

describe.each(timelines)('a recorded session without a fault: %s', (name, timeline) => {
  it.each<[string, ScenarioOptions]>([
    ['stored soon', {}],
    ['stored late', { storeDelayMs: 100, latencyMs: 30 }],
    ['the last event left in the log', { leavesLast: true }],
  ])('keeps every block and looks once per stop: %s', async (_how, how) => {
    const ends = new Map<string, readonly ContentBlock[]>()
    const options = { ...how, isSlow: true }
    const outcome = await playScenario(timeline, options, (scenario) => listen(scenario, ends))
    const { state, reads } = outcome
    expect(differences(timeline, state)).toEqual([])
    const [more = 0] = MORE_LOOKS[name] ?? []
    expect(reads).toBe(1 + stopsOf(timeline) + more)
    if (HOLES.has(name)) return
    expect(healedIn(outcome)).toEqual([])
    const moved = state.conversation.messages.filter(
      ({ id, content }) => ends.has(id) && ends.get(id) !== content,
    )
    expect(moved).toEqual([])
  })

  it('is the same in a tab that did not ask', async () => {
    const options = { isSlow: true, isOwnTab: false }
    const { state, reads } = await playScenario(timeline, options, async ({ service }) =>
      service.connect(),
    )
    expect(differences(timeline, state)).toEqual([])
    const starts = timeline.moments.filter(({ kind }) => kind === 'user').length
    const [more = 0] = MORE_LOOKS[name] ?? []
    expect(reads).toBeLessThanOrEqual(1 + stopsOf(timeline) + starts + more)
  })

  it('is the same for a client that comes after all of it', async () => {
    let readBefore = 0
    const { state, reads } = await playScenario(
      timeline,
      { leavesLast: true },
      async (scenario) => {
        await scenario.playTo(timeline.moments.length)
        readBefore = scenario.service.reads()
        scenario.service.connect()
      },
    )
    expect(differences(timeline, state)).toEqual([])
    // The first look, and one more for a last event that leaves something open.
    expect(reads - readBefore).toBe(isStartLast(timeline) ? 2 : 1)
  })
})
