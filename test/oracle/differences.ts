import { isDeepStrictEqual } from 'node:util'
import { EVENT_FIELDS } from '../../src/protocol/eventFields.js'
import { isJsonObject, type JsonObject, type Msg } from '../../src/protocol/index.js'
import { isEventType } from '../../src/protocol/parseEvent.js'
import type { Pair } from './compare.js'
import type { RawEvent } from './streams.js'

/** Where our fold and Python's part on purpose: a row of the table in docs/fold.md. */
export interface Difference {
  /** How the row's case begins. */
  readonly name: string
  /** True for just the events after which the two messages differ for this reason. */
  readonly applies: (pair: Pair) => boolean
}

/** A field that Python would not have, and what it says of it. */
interface Problem {
  readonly field: string
  readonly kind: string
}

/** Base64 as a decoder wants it. */
const WHOLE = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Why Python refuses a field that we can do without, or can make something of. */
const REASONS: Readonly<Record<string, (problem: Problem, pair: Pair) => boolean>> = {
  'a word that no list of words has': ({ kind }) =>
    ['enum', 'literal_error', 'string_unicode'].includes(kind),
  'a block or a decision inside an event that is not whole': ({ field }) => field.includes('.'),
  'an error that is only a text': ({ field, kind }) => field === 'error' && kind === 'model_type',
  'a count that is no whole number': ({ kind }) =>
    kind === 'int_from_float' || kind === 'int_parsing_size',
  'a field that says nothing about the message is missing': (problem, pair) =>
    problem.kind === 'missing' && isOptional(problem, pair),
  'an optional field of a wrong type': (problem, pair) =>
    problem.kind !== 'missing' && isOptional(problem, pair),
}

/** All of them. */
export const DIFFERENCES: readonly Difference[] = [
  ...Object.keys(REASONS).map((name) => ({
    name,
    applies: (pair: Pair): boolean => {
      const [first] = problemsOf(pair)
      return first !== undefined && isChanged(pair) && isFirstReason(name, first, pair)
    },
  })),
  {
    name: 'an end without `created_at`',
    applies: (pair) =>
      typeof pair.event['created_at'] !== 'string' && isForgiven(pair, 'finished_at', () => null),
  },
  {
    name: 'base64 in pieces that are not whole by themselves',
    applies: (pair) =>
      /^raised: (Value)?Error$/.test(pair.refused ?? '') &&
      isChanged(pair) &&
      !isApart(pair) &&
      [...base64In(pair.before), ...base64In(pair.after)].some((data) => !WHOLE.test(data)),
  },
  {
    name: 'a count in quotes, or a truth value as a count',
    applies: (pair) =>
      Object.values(pair.event).some(isCountOfSorts) && isForgiven(pair, 'usage', () => 0),
  },
  {
    name: 'a decision that is a number or a word',
    applies: (pair) =>
      decisionsIn(pair.event).some((confirmed) => typeof confirmed !== 'boolean') &&
      isForgiven(pair, 'state', () => ''),
  },
  {
    name: 'a piece of text or data that does not say what it is',
    applies: (pair) =>
      pair.refused === undefined &&
      piecesIn(pair.event).some(({ type, source }) => type === undefined || lacksType(source)) &&
      !isDeepStrictEqual(pair.ours, pair.python),
  },
  {
    name: 'chunks of one picture that stand apart',
    applies: (pair) =>
      pair.event['type'] === 'TOOL_RESULT_DATA_DELTA' &&
      pair.refused?.startsWith('no event') !== true &&
      isApart(pair) &&
      !isDeepStrictEqual(pair.ours, pair.python),
  },
  {
    name: 'an address that is not absolute',
    applies: (pair) => pair.refused === 'raised: ValidationError' && isChanged(pair),
  },
  {
    name: 'an address in another form than the standard one',
    applies: (pair) => isForgiven(pair, 'url', standardAddress),
  },
]

/** What Python's parser found wrong with an event. */
function problemsOf({ refused = '' }: Pair): readonly Problem[] {
  const [, list] = refused.split('no event: ')
  if (list === undefined || list === 'unknown type') return []
  return list.split(', ').map((problem) => {
    const [field = '', kind = ''] = problem.split(' ')
    return { field, kind }
  })
}

/** The first reason that explains a problem counts, so that each refusal has one name. */
function isFirstReason(name: string, problem: Problem, pair: Pair): boolean {
  return Object.entries(REASONS).find(([, explains]) => explains(problem, pair))?.[0] === name
}

function isOptional({ field }: Problem, { event }: Pair): boolean {
  const { type } = event
  return typeof type === 'string' && isEventType(type) && !EVENT_FIELDS[type][field]?.required
}

function isChanged({ before, after }: Pair): boolean {
  return !isDeepStrictEqual(before, after)
}

/** Whether the two differ, and only in fields of one name, and there only until both are seen through this. */
function isForgiven(
  { ours, python, refused }: Pair,
  field: string,
  see: (value: unknown) => unknown,
): boolean {
  if (refused !== undefined || isDeepStrictEqual(ours, python)) return false
  return isDeepStrictEqual(through(ours, field, see), through(python, field, see))
}

function through(value: unknown, field: string, see: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => through(item, field, see))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      name === field ? see(each) : through(each, field, see),
    ]),
  )
}

function standardAddress(url: unknown): unknown {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).href : url
}

/** Whether the piece that Python adds an event's bytes to is not the last one of its result. */
function isApart({ event, before }: Pair): boolean {
  if (typeof event['data'] !== 'string') return false
  const result = before.content.find(
    (block) => block.type === 'tool_result' && block.id === event['tool_call_id'],
  )
  if (result?.type !== 'tool_result' || typeof result.output === 'string') return false
  const { output } = result
  const at = output.findIndex(
    (piece) =>
      piece.type === 'data' && piece.id === event['block_id'] && piece.source.type === 'base64',
  )
  return at >= 0 && at < output.length - 1
}

/** The pieces of text and data that an event brings. */
function piecesIn({ hint, execution_results: results }: RawEvent): readonly JsonObject[] {
  return [hint, ...objectsIn(results).map(({ output }) => output)].flatMap(objectsIn)
}

function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

function lacksType(source: unknown): boolean {
  return isJsonObject(source) && source['type'] === undefined
}

function decisionsIn({ confirm_results: results }: RawEvent): readonly unknown[] {
  return objectsIn(results).map(({ confirmed }) => confirmed)
}

function isCountOfSorts(value: unknown): boolean {
  return typeof value === 'boolean' || (typeof value === 'string' && /^\d+$/.test(value))
}

/** All base64 in a message. */
function base64In({ content }: Msg): readonly string[] {
  return content.flatMap((block) => {
    if (block.type === 'data') return block.source.type === 'base64' ? [block.source.data] : []
    if (block.type !== 'tool_result' || typeof block.output === 'string') return []
    return block.output.flatMap((piece) =>
      piece.type === 'data' && piece.source.type === 'base64' ? [piece.source.data] : [],
    )
  })
}
