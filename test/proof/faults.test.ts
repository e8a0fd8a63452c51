// @vitest-environment node
import { describe, it } from 'vitest'
import { eventsOf, pairsOf, playChanged, PROOF_TIMEOUT_MS, timelines } from './faults.js'
import { expectHealed } from './scenario.js'

describe.each(timelines)(
  'a recorded session whose events are disturbed: %s',
  { timeout: PROOF_TIMEOUT_MS },
  (_name, timeline) => {
    it('is as stored when any one event is lost', async () => {
      const options = { storeDelayMs: 400 }
      await expectHealed(timeline, eventsOf(timeline), options, (scenario, position) =>
        playChanged(scenario, timeline, position, 1, () => []),
      )
    })

    it('is as stored when any one event comes twice, and is stored late', async () => {
      const options = { storeDelayMs: 700, latencyMs: 30, isLossless: true }
      await expectHealed(timeline, eventsOf(timeline), options, (scenario, position) =>
        playChanged(scenario, timeline, position, 1, (heard) => [...heard, ...heard]),
      )
    })

    it('is as stored when any two neighbours change places, in another tab', async () => {
      const options = { isOwnTab: false }
      await expectHealed(timeline, pairsOf(timeline), options, (scenario, position) =>
        playChanged(scenario, timeline, position, 2, (heard) => heard.toReversed()),
      )
    })
  },
)
