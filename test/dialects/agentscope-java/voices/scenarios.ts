// What happens in a conversation, told by each kind of sender in its own words. Written by hand after what the senders do; it knows
// nothing of the decoders. Stamps are left out, since not all senders have them.
import type { Dialect, JsonObject } from '../../../../src/protocol/index.js'

/** One thing that happens. */
export type Step =
  | { readonly does: 'think' | 'say'; readonly pieces: readonly string[] }
  | { readonly does: 'call' | 'ask' | 'approve' | 'deny' | 'suspend'; readonly of: Tool }
  | { readonly does: 'result' | 'submit'; readonly of: Tool; readonly text: string }
  | { readonly does: 'draw'; readonly of: Tool; readonly text: string; readonly image: string }
  | { readonly does: 'exceed' | 'interrupt' }
  | { readonly does: 'fail'; readonly why: string }

/** A call. */
export interface Tool {
  readonly id: string
  readonly name: string
  readonly input: JsonObject
}

/** How a kind of sender tells it. */
export interface Voice {
  readonly name: string
  readonly dialect: Dialect
  /** The agent's name, where the sender tells it. */
  readonly speaker: string
  /** Whether it tells of model calls, and their tokens. */
  readonly hasModelCalls: boolean
  /** What it has words for. */
  readonly tells: ReadonlySet<Step['does']>
  /** Its frames. */
  readonly speak: (steps: readonly Step[]) => readonly unknown[]
}

/** What a model says at a time, or what comes between. */
export type Round = readonly Step[]
/** What a model says. */
export const SPOKEN: ReadonlySet<Step['does']> = new Set(['think', 'say', 'call'])
/** All that can happen. */
export const EVERYTHING: ReadonlySet<Step['does']> = new Set([
  ...SPOKEN,
  'ask',
  'approve',
  'deny',
  'suspend',
  'result',
  'draw',
  'submit',
  'exceed',
  'interrupt',
  'fail',
])
/** What cuts off what is being said. */
export const CUT: ReadonlySet<Step['does']> = new Set(['interrupt', 'fail'])
/** What makes a run wait. */
export const STOPS: ReadonlySet<Step['does']> = new Set(['ask', 'suspend'])

/** What a model says at a time, and what comes between. */
export function roundsOf(steps: readonly Step[]): readonly Round[] {
  const rounds: Step[][] = []
  for (const step of steps) {
    const last = rounds.at(-1)
    const isOn = last?.[0] !== undefined && SPOKEN.has(last[0].does) === SPOKEN.has(step.does)
    if (isOn) last.push(step)
    else rounds.push([step])
  }
  return rounds
}

/** Numbers frames, as their senders do. */
export function numbered(frames: readonly JsonObject[]): readonly JsonObject[] {
  return frames.map((frame, index) => ({ id: `e${index}`, ...frame }))
}

/** What comes after what was said. */
export function after(steps: readonly Step[], round: Round): Step | undefined {
  const last = round.at(-1)
  return last === undefined ? undefined : steps[steps.indexOf(last) + 1]
}

/** The picture of a result. */
export function imageOf(step: Step): string | undefined {
  return step.does === 'draw' ? step.image : undefined
}

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const rm: Tool = { id: 'c1', name: 'rm_file', input: { path: '/a' } }
const grep: Tool = { id: 'c2', name: 'grep', input: { for: 'x "y"' } }
const say = (...pieces: readonly string[]): Step => ({ does: 'say', pieces })
const think = (...pieces: readonly string[]): Step => ({ does: 'think', pieces })

/** What is told in every voice that has words for it. */
export const scenarios: readonly { readonly name: string; readonly steps: readonly Step[] }[] = [
  { name: 'a plain answer', steps: [say('Hello', ' world', '.\n\n- one\n', '- **two**')] },
  { name: 'a thought, then words', steps: [think('Hm', '. So.'), say('It is {"type": 1}.')] },
  {
    name: 'words around a tool',
    steps: [
      say('Let me look.'),
      { does: 'call', of: grep },
      { does: 'result', of: grep, text: 'a line\nanother' },
      say('Found.'),
    ],
  },
  {
    name: 'two tools at once',
    steps: [
      { does: 'call', of: rm },
      { does: 'call', of: grep },
      { does: 'result', of: rm, text: 'gone' },
      { does: 'result', of: grep, text: 'here' },
      say('Both done.'),
    ],
  },
  {
    name: 'a picture as a result',
    steps: [
      { does: 'call', of: grep },
      { does: 'draw', of: grep, text: 'Drawn.', image: PNG },
      say('See.'),
    ],
  },
  {
    name: 'a question that waits',
    steps: [say('May I?'), { does: 'call', of: rm }, { does: 'ask', of: rm }],
  },
  {
    name: 'an approval',
    steps: [
      { does: 'call', of: rm },
      { does: 'ask', of: rm },
      { does: 'approve', of: rm },
      { does: 'result', of: rm, text: 'gone' },
      say('It is gone.'),
    ],
  },
  {
    name: 'a denial',
    steps: [
      { does: 'call', of: rm },
      { does: 'ask', of: rm },
      { does: 'deny', of: rm },
      say('As you wish.'),
    ],
  },
  {
    name: 'a tool that the client is to run',
    steps: [
      { does: 'call', of: grep },
      { does: 'suspend', of: grep },
    ],
  },
  {
    name: 'a tool that the client ran',
    steps: [
      { does: 'call', of: grep },
      { does: 'suspend', of: grep },
      { does: 'submit', of: grep, text: 'of the client' },
      say('Thanks.'),
    ],
  },
  {
    name: 'too many rounds',
    steps: [
      { does: 'call', of: grep },
      { does: 'result', of: grep, text: 'x' },
      { does: 'exceed' },
      say('In short.'),
    ],
  },
  { name: 'a stop', steps: [say('One, t'), { does: 'interrupt' }] },
  { name: 'a failure', steps: [say('One, t'), { does: 'fail', why: 'No model.' }] },
]
