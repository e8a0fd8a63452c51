import { createRandom, type Random } from '../../index.js'
import type { BodyFault, EventFault, Fault, FaultKind, RequestPattern } from './Fault.js'
import type { FaultyRequest } from './FaultBook.js'
import { isPageFault, type BodyKind } from './pageFaults.js'

/** Faults that are drawn. */
export interface RandomFaults {
  /** The same seed draws the same faults. By default one that is made up; the proxy tells it. */
  readonly seed?: number | string
  /** Requests that may meet them; any by default. */
  readonly on?: RequestPattern
  /**
   * How likely each kind is, from 0 to 1: `drop`, `duplicate`, `swap` and `hold` for each event, the others for each
   * request or its body. Kinds that are left out do not happen. By default a bad day from which a client can recover.
   */
  readonly intensity?: Readonly<Partial<Record<FaultKind, number>>>
}

const BAD_DAY: NonNullable<RandomFaults['intensity']> = {
  answer: 0.05,
  reset: 0.05,
  delay: 0.1,
  'broken-json': 0.02,
  cut: 0.25,
  close: 0.15,
  echo: 0.2,
  drop: 0.01,
  duplicate: 0.02,
  swap: 0.02,
  hold: 0.02,
}

/** Failures of a server after which trying again may help. */
const STATUSES = [500, 502, 503]

/** How each kind is drawn once it is to happen; `dice` goes on to be thrown for each event. */
const draws: Readonly<Record<FaultKind, (dice: Random, probability: number) => Fault>> = {
  answer: (dice) => ({
    kind: 'answer',
    status: STATUSES[dice.between(0, STATUSES.length - 1)] ?? 500,
    forwarded: dice.happens(0.5),
  }),
  hang: (dice) => ({ kind: 'hang', forwarded: dice.happens(0.5) }),
  reset: (dice) => ({ kind: 'reset', forwarded: dice.happens(0.5) }),
  delay: (dice) => ({ kind: 'delay', by: dice.between(1, 50), forwarded: dice.happens(0.5) }),
  'broken-json': () => ({ kind: 'broken-json' }),
  cut: (dice) => ({ kind: 'cut', at: dice.between(1, 12_000) }),
  slow: (dice) => ({ kind: 'slow', bytes: dice.between(16, 512), everyMs: dice.between(1, 5) }),
  drop: (dice, probability) => ({ kind: 'drop', events: () => dice.happens(probability) }),
  duplicate: (dice, probability) => ({
    kind: 'duplicate',
    events: () => dice.happens(probability),
  }),
  swap: (dice, probability) => ({ kind: 'swap', events: () => dice.happens(probability) }),
  hold: (dice, probability) => ({
    kind: 'hold',
    by: dice.between(1, 20),
    events: () => dice.happens(probability),
  }),
  stall: (dice) => ({ kind: 'stall', after: dice.between(1, 60) }),
  close: (dice) => ({ kind: 'close', after: dice.between(1, 60) }),
  echo: (dice) => ({ kind: 'echo', after: dice.between(1, 60), event: dice.between(1, 60) }),
  'no-heartbeats': () => ({ kind: 'no-heartbeats' }),
}

const PER_EVENT: ReadonlySet<string> = new Set(['drop', 'duplicate', 'swap', 'hold'])

/**
 * Draws the faults of one request. What is drawn depends on the seed, the method, the path with `*` for each segment that
 * has a digit (ids differ from run to run), and how many requests went before on it: not on the time.
 *
 * @param random - What may happen.
 * @param request - The request.
 * @param count - It is the n-th of its kind, from 1.
 */
export function drawFaults(
  random: RandomFaults & { readonly seed: number | string },
  request: FaultyRequest,
  count: number,
): readonly Fault[] {
  const key = `${random.seed} ${routeOf(request)} ${count}`
  const { intensity = BAD_DAY } = random
  const kinds = Object.entries(draws).map(([kind, draw]) => {
    const probability = Object.entries(intensity).find(([name]) => name === kind)?.[1] ?? 0
    const dice = createRandom(`${key} ${kind}`)
    const isDrawn = PER_EVENT.has(kind) ? probability > 0 : dice.happens(probability)
    return isDrawn ? [draw(dice, probability)] : []
  })
  return kinds.flat()
}

/** A method and a path without ids. */
export function routeOf({ method, path }: FaultyRequest): string {
  const segments = path.split('/').map((segment) => (/\d/.test(segment) ? '*' : segment))
  return `${method} ${segments.join('/')}`
}

/** Of drawn faults those of a body, as far as they can happen to it. */
export function fitsBody(
  fault: BodyFault | EventFault,
  kind: BodyKind,
  { on }: RandomFaults,
): boolean {
  if (kind === 'stream') return fault.kind !== 'broken-json'
  if (kind === 'page' && on?.path !== undefined && isPageFault(fault)) return true
  return fault.kind === 'broken-json'
}
