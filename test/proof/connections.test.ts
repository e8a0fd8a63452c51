// @vitest-environment node
import { describe, it } from 'vitest'
import {
  endsOf,
  eventsOf,
  laterEventsOf,
  playCut,
  playOverlap,
  playTooLate,
  playTrimmed,
  PROOF_TIMEOUT_MS,
  timelines,
} from './faults.js'
import { expectHealed } from './scenario.js'

describe.each(timelines)(
  'a recorded session whose connection is disturbed: %s',
  { timeout: PROOF_TIMEOUT_MS },
  (_name, timeline) => {
    it('is as stored when the connection is lost after any event', async () => {
      const options = { leavesLast: true, isLossless: true }
      await expectHealed(timeline, eventsOf(timeline), options, (scenario, position) =>
        playCut(scenario, position, 0),
      )
    })

    it('is as stored when events are missed after any event, and pages are slow', async () => {
      const options = { storeDelayMs: 700, latencyMs: 30 }
      await expectHealed(timeline, eventsOf(timeline), options, (scenario, position) =>
        playCut(scenario, position, 7),
      )
    })

    it('is as stored when a client joins to a replay that begins at any event', async () => {
      await expectHealed(timeline, laterEventsOf(timeline), {}, (scenario, position) =>
        playTrimmed(scenario, timeline, position),
      )
    })

    it('is as stored when a client comes back to a replay that begins at any event', async () => {
      const options = { latencyMs: 30, isOwnTab: false }
      await expectHealed(timeline, laterEventsOf(timeline), options, (scenario, position) =>
        playTrimmed(scenario, timeline, position, 3),
      )
    })

    it('is as stored when a run is in history and replayed at once', async () => {
      // A log that has dropped its beginning is no more lossless than a stream that has.
      const options = { isLossless: timeline.moments.length < 1_000, latencyMs: 30 }
      await expectHealed(timeline, endsOf(timeline), options, (scenario, position) =>
        playOverlap(scenario, timeline, position),
      )
      await expectHealed(timeline, endsOf(timeline), {}, (scenario, position) =>
        playOverlap(scenario, timeline, position, 5),
      )
    })

    it('is as stored when a run is neither in history nor replayed', async () => {
      for (const heard of [undefined, 5, 40]) {
        await expectHealed(timeline, endsOf(timeline), { latencyMs: 30 }, (scenario, position) =>
          playTooLate(scenario, position, heard),
        )
      }
    })
  },
)
