import { isDeepStrictEqual } from 'node:util'
import { appendEvent } from '../../src/fold/index.js'
import { isJsonObject, parseMessages, type AgentEvent, type Msg } from '../../src/protocol/index.js'
import { throughJson } from '../fold/script.js'
import { normalise } from '../fold/vectors.js'
import { DIFFERENCES } from './differences.js'
import type { RawEvent, Stream } from './streams.js'

/** What Python says of a stream; see oracle.py. */
export interface Answer {
  readonly init: Msg
  readonly steps: readonly (Step | null)[]
}

interface Step {
  readonly message?: Msg
  readonly refused?: string
}

/** One event, folded by both from the same message. */
export interface Pair {
  readonly event: RawEvent
  /** The message before, as both have it, and as it is here afterwards. */
  readonly before: Msg
  readonly after: Msg
  /** Both messages afterwards, without what clocks and random ids put in. */
  readonly ours: unknown
  readonly python: unknown
  /** Why Python would not have the event. */
  readonly refused: string | undefined
}

/** Where both part, and nothing says that they may; or something does, and they don't. */
export interface Finding extends Pair {
  readonly at: number
  readonly problem: string
}

/** What came of comparing one stream. */
export interface Comparison {
  readonly finding: Finding | undefined
  /** The names of the differences that were met, once for each time. */
  readonly met: readonly string[]
  readonly refused: number
}

/**
 * Folds a stream event by event, each time from the message that both had before. Where a named difference is met, ours goes on
 * from Python's message, so that all that follows is compared too.
 *
 * @param stream - The stream, as JSON gave it.
 * @param answer - Python's.
 */
export function compare(stream: Stream, answer: Answer): Comparison {
  const known = stringsIn(stream)
  const met: string[] = []
  let before = readMessage(answer.init)
  let dumped = answer.init
  let refused = 0
  for (const [at, event] of stream.events.entries()) {
    const step = answer.steps[at]
    const after = appendEvent(before, reading(event))
    dumped = step?.message ?? dumped
    if (step?.refused !== undefined) refused += 1
    if (step === null && after === before) continue
    const python = withoutClocks(dumped, known)
    const ours: unknown = throughJson(normalise(after, python))
    const pair = { event, before, after, ours, python, refused: step?.refused }
    const names = DIFFERENCES.filter(({ applies }) => applies(pair)).map(({ name }) => name)
    const isEqual = isDeepStrictEqual(ours, python)
    const problem = problemOf(isEqual, names)
    if (problem !== undefined) return { finding: { ...pair, at, problem }, met, refused }
    met.push(...names)
    before = isEqual ? after : readMessage(dumped)
  }
  return { finding: undefined, met, refused }
}

function problemOf(isEqual: boolean, names: readonly string[]): string | undefined {
  if (isEqual && names.length > 0)
    return `both are equal, yet they should differ: ${names.join(', ')}`
  if (!isEqual && names.length === 0) return 'they differ, and no difference is known here'
  if (names.length > 1) return `more than one difference claims this: ${names.join(', ')}`
  return undefined
}

/**
 * Python's message without what its clock and its random ids put in, as the README of the vectors lists it.
 *
 * @param message - As Python dumped it.
 * @param known - All strings of the input: an id that is none of them was made up.
 */
export function withoutClocks(message: Msg, known: ReadonlySet<string>): Msg {
  const clean = (blocks: unknown): unknown =>
    Array.isArray(blocks)
      ? blocks.map((block: object) => cleanBlock(Object.fromEntries(Object.entries(block))))
      : blocks
  const cleanBlock = (block: Record<string, unknown>): object => ({
    ...block,
    created_at: null,
    ...(typeof block['id'] === 'string' && !known.has(block['id']) && { id: '*' }),
    ...(block['type'] === 'hint' && { hint: clean(block['hint']), finished_at: null }),
    ...(block['type'] === 'tool_result' && { output: clean(block['output']) }),
  })
  // Cleaned blocks are blocks still, apart from their times.
  return { ...message, content: clean(message.content) as Msg['content'] }
}

/** All strings in a value, keys left out. */
export function stringsIn(value: unknown, found: Set<string> = new Set()): ReadonlySet<string> {
  if (typeof value === 'string') found.add(value)
  else if (Array.isArray(value)) for (const item of value) stringsIn(item, found)
  else if (isJsonObject(value)) stringsIn(Object.values(value), found)
  return found
}

function readMessage(message: Msg): Msg {
  const [read] = parseMessages([message]).messages
  if (read === undefined) throw new Error('Python gave no message.')
  return read
}

/** The fold takes whatever JSON holds; its types speak of what is right. */
function reading(event: object): AgentEvent {
  return event as AgentEvent
}
