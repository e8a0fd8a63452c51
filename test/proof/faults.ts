import { readRecordings } from '../fold/recordings.js'
import type { Heard } from './recordedService.js'
import type { Scenario } from './scenario.js'
import { readTimeline, type Timeline } from './timeline.js'

/** All recorded sessions, by name. */
export const timelines: readonly (readonly [string, Timeline])[] = readRecordings().map(
  (recording) => [recording.name, readTimeline(recording)],
)

/** A test plays a session once for each of its events. */
export const PROOF_TIMEOUT_MS = 120_000

/** Where an event is published. */
export function eventsOf({ moments }: Timeline): readonly number[] {
  return moments.flatMap(({ kind }, index) => (kind === 'event' ? [index] : []))
}

/** Where an event is published, and another one right after it. */
export function pairsOf(timeline: Timeline): readonly number[] {
  return eventsOf(timeline).filter((index) => timeline.moments[index + 1]?.kind === 'event')
}

/** Where a run is stored. */
export function endsOf({ moments }: Timeline): readonly number[] {
  return moments.flatMap(({ kind }, index) => (kind === 'stored' ? [index] : []))
}

/** Where an event is published that is not the first one of its run. */
export function laterEventsOf(timeline: Timeline): readonly number[] {
  const { moments } = timeline
  return eventsOf(timeline).filter((index) => {
    const [one, other] = [moments[index - 1], moments[index]]
    return one?.kind === 'event' && other?.kind === 'event' && one.run === other.run
  })
}

/** A connected client hears so many moments at a position otherwise than they were. */
export async function playChanged(
  { service, playTo, skip, pass }: Scenario,
  { moments }: Timeline,
  position: number,
  count: number,
  change: (heard: Heard) => Heard,
): Promise<void> {
  service.connect()
  await playTo(position)
  service.play(moments.slice(position, position + count), change)
  skip(count)
  await pass(20)
}

/** A client loses its connection after an event, and is back when some more moments have passed. */
export async function playCut(scenario: Scenario, position: number, missed: number): Promise<void> {
  const { service, playTo, pass } = scenario
  service.connect()
  await playTo(position + 1)
  service.cut()
  await playTo(position + 1 + missed)
  await pass(20)
  service.connect()
  await pass(20)
}

/**
 * A client connects in mid-run when the log begins at a position only.
 *
 * @param heard - How many moments before the position it was cut off; undefined = it was not there before.
 */
export async function playTrimmed(
  { service, playTo, pass }: Scenario,
  { moments }: Timeline,
  position: number,
  heard?: number,
): Promise<void> {
  if (heard !== undefined) {
    service.connect()
    await playTo(Math.max(0, position - heard))
    service.cut()
  }
  await playTo(position)
  const lost = service.logLength()
  const stop = moments.findIndex(({ kind }, index) => index > position && kind !== 'event')
  await playTo(Math.min(position + 5, stop < 0 ? moments.length : stop))
  service.connect(lost)
  await pass(20)
}

/**
 * A client comes when a run is over and stored, and its log not yet cut: all of it is in history and replayed.
 *
 * @param heard - How many moments before the end it was cut off; undefined = it was not there before.
 */
export async function playOverlap(
  { service, playTo, pass }: Scenario,
  { moments }: Timeline,
  position: number,
  heard?: number,
): Promise<void> {
  if (heard !== undefined) {
    service.connect()
    await playTo(Math.max(0, position - heard))
    service.cut()
  }
  await playTo(position)
  service.storeEarly(moments[position])
  service.connect()
  await pass(100)
}

/**
 * A client reads history before a run is stored, and hears nothing of it: its log is cut already.
 *
 * @param heard - How many moments before the end it was cut off; undefined = it was not there before.
 */
export async function playTooLate(
  { service, playTo, pass }: Scenario,
  position: number,
  heard?: number,
): Promise<void> {
  if (heard !== undefined) {
    service.connect()
    await playTo(Math.max(0, position - heard))
    service.cut()
  }
  await playTo(position)
  service.connect(service.logLength())
  await pass(20)
}
