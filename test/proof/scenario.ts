import { expect } from 'vitest'
import type { AnomalyKind, Msg } from '../../src/protocol/index.js'
import type { ChatState, ChatStore } from '../../src/store/index.js'
import { createChatStore, selectPhase } from '../../src/store/index.js'
import { withoutClocks } from '../fold/recordings.js'
import type { RecordedService, ServiceOptions } from './recordedService.js'
import { createRecordedService, waitingIn } from './recordedService.js'
import type { Moment, Timeline } from './timeline.js'
import { inVirtualTime } from './virtualTime.js'

/** A client of a recorded session, while it is played. */
export interface Scenario {
  readonly service: RecordedService
  readonly store: ChatStore
  /** Plays all moments from one up to another, run by run, with the pauses in which a run is stored and a person thinks. */
  readonly playTo: (end: number) => Promise<void>
  /** Lets time pass. */
  readonly pass: (ms: number) => Promise<void>
  /** The next moment to be played. */
  readonly position: () => number
  /** Moves on without playing: the test did it. */
  readonly skip: (count: number) => void
}

/** What a scenario depends on. */
export interface ScenarioOptions extends ServiceOptions {
  /** How long after its last event a run is stored. */
  readonly storeDelayMs?: number
  /** Each event comes alone, a frame apart. */
  readonly isSlow?: boolean
  /** The client hears all that was recorded, so that nothing needs to be healed. */
  readonly isLossless?: boolean
}

/** What comes of a scenario. */
export interface Outcome {
  readonly state: ChatState
  /** How often messages were read. */
  readonly reads: number
  /** Kinds of what was odd. */
  readonly anomalies: readonly AnomalyKind[]
}

const FRAME_MS = 16
/** Longer than all looks at what is stored, and shorter than a silence that would be asked about. */
const THINKING_MS = 3_000

/**
 * Plays a session to a real store, in virtual time, and sees that the store ends with what the service has stored.
 *
 * @param timeline - What the service does.
 * @param options - How.
 * @param act - What happens to the client; what is left of the session is played after it.
 * @returns The store's last state, what it cost, and what was odd.
 */
export async function playScenario(
  timeline: Timeline,
  options: ScenarioOptions,
  act: (scenario: Scenario) => Promise<void> = () => Promise.resolve(),
): Promise<Outcome> {
  const { moments } = timeline
  const { storeDelayMs = 40, isSlow = false } = options
  let result: Outcome | undefined
  const anomalies: AnomalyKind[] = []
  await inVirtualTime(async (time) => {
    const service = createRecordedService(timeline, time, options)
    const store = createChatStore(service.backend, {
      schedule: (commit) => time.after(FRAME_MS, commit),
      onAnomaly: ({ kind }) => anomalies.push(kind),
    })
    const disconnect = store.connect()
    let position = 0

    async function playTo(end: number): Promise<void> {
      while (position < Math.min(end, moments.length)) {
        const batch = nextBatch(moments, position, end, isSlow)
        if (batch[0]?.kind === 'stored') await time.pass(storeDelayMs)
        if (batch[0]?.kind === 'user') await time.pass(THINKING_MS)
        service.play(batch)
        position += batch.length
        await time.pass(isSlow ? FRAME_MS + 1 : 1)
        if (batch[0]?.kind === 'stored') await time.pass(THINKING_MS)
      }
    }

    await act({
      service,
      store,
      playTo,
      pass: time.pass,
      position: () => position,
      skip: (count) => {
        position += count
      },
    })
    await playTo(moments.length)
    await time.pass(120_000)
    result = { state: store.getState(), reads: service.reads(), anomalies }
    disconnect()
    await time.pass(1)
  })
  if (result === undefined) throw new Error('The scenario did not end.')
  return result
}

function nextBatch(
  moments: readonly Moment[],
  start: number,
  end: number,
  isSlow: boolean,
): readonly Moment[] {
  if (isSlow || moments[start]?.kind !== 'event') return moments.slice(start, start + 1)
  const stop = moments.findIndex((moment, index) => index > start && moment.kind !== 'event')
  return moments.slice(start, Math.min(end, stop < 0 ? moments.length : stop))
}

/** Plays a fault at each of some positions, and sees each time that all is as stored. Says at which it is not. */
export async function expectHealed(
  timeline: Timeline,
  positions: readonly number[],
  options: ScenarioOptions,
  fault: (scenario: Scenario, position: number) => Promise<void>,
): Promise<void> {
  for (const position of positions) {
    const outcome = await playScenario(timeline, options, (scenario) => fault(scenario, position))
    const healed = options.isLossless === true && !HOLES.has(timeline.name) ? healedIn(outcome) : []
    const wrong = [...differences(timeline, outcome.state), ...healed]
    if (wrong.length > 0) {
      const moment = timeline.moments[position]
      const what = moment?.kind === 'event' ? moment.event.type : moment?.kind
      expect(wrong, `fault at ${position} (${what})`).toEqual([])
    }
  }
}

/** Recordings in which events are missing: no client can have them from the stream. */
export const HOLES: ReadonlySet<string> = new Set(['slow-consumer-hole'])

/** What had to be put right although nothing was lost. */
export function healedIn({ anomalies }: Outcome): readonly string[] {
  return anomalies.filter((kind) => kind === 'differs-from-history' || kind === 'gap')
}

/** In what a store differs from what the service has stored: in nothing, when all is well. */
export function differences(timeline: Timeline, state: ChatState): readonly string[] {
  const { final } = timeline
  const { messages, replies, requests } = state.conversation
  const shown = messages.map(({ id }) => id)
  if (shown.join() !== final.map(({ id }) => id).join()) return [`messages ${shown.join()}`]
  const expectedTexts = textsOf(final)
  const differing = final.filter((_message, index) => {
    const held = messages[index]
    return held === undefined || textOf(held) !== expectedTexts[index]
  })
  const asked = requests.flatMap((request) =>
    request.kind === 'input' || request.worker !== null
      ? []
      : [`${request.replyId} ${request.toolCall.id}`],
  )
  const waiting = waitingIn(final).map(({ key }) => key)
  const phase = selectPhase(state)
  const expected = requests.length > 0 ? 'awaiting-person' : 'idle'
  return [
    ...differing.map(({ id }) => `message ${id} differs`),
    ...Object.values(replies)
      .filter((reply) => reply.phase === 'running')
      .map(({ replyId }) => `reply ${replyId} runs for ever`),
    ...Object.values(replies)
      .filter(({ isComplete, replyId }) => !isComplete && shown.includes(replyId))
      .map(({ replyId }) => `reply ${replyId} is said to be incomplete`),
    ...(isSameSet(asked, waiting) ? [] : [`requests ${asked.join()}`]),
    ...(phase === expected ? [] : [`phase ${phase}`]),
    ...(state.history.error === null && state.history.phase === 'ready' ? [] : ['history failed']),
    ...(state.connection.phase === 'open' ? [] : [`connection ${state.connection.phase}`]),
  ]
}

/** Requests stand in the order in which they were heard of, which a fault may change. */
function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join() === other.toSorted().join()
}

/** Stored messages as text; they are compared with thousands of outcomes. */
const texts = new WeakMap<readonly Msg[], readonly string[]>()

function textsOf(messages: readonly Msg[]): readonly string[] {
  const known = texts.get(messages) ?? messages.map((message) => textOf(message))
  texts.set(messages, known)
  return known
}

function textOf(message: Msg): string {
  return JSON.stringify(sorted(withoutClocks(message)))
}

/** The same JSON with its keys in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]))
}
