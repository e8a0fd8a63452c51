import fc from 'fast-check'

/** An event as it comes off the wire: any JSON object. */
export type RawEvent = Readonly<Record<string, unknown>>

/** A message to begin with, and what follows. */
export interface Stream {
  readonly init: RawEvent
  readonly events: readonly RawEvent[]
}

/** The reply that streams are about. */
const REPLY = 'r'

const ids = fc.constantFrom('a', 'b', 'a', 'b', 'c', '', '__proto__', 'toString')

/** What models and tools write: nothing, pieces of JSON, all kinds of scripts, and halves of a pair. */
const words: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('', 'a', 'b c', '{"a":', '1}', '\n', 'ä', '月亮') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '😀',
      '👩‍👩‍👧',
      'e\u0301',
      '\u2028',
      '\u0000',
      '\u202Eabc',
      '\uFEFF',
      '"\\',
    ),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 6, unit: 'binary' }) },
  { weight: 1, arbitrary: fc.constantFrom('\uD83D', '\uDE00') },
)

const bytes = fc.uint8Array({ maxLength: 12 }).map((list) => Buffer.from(list))

/** Base64 of a chunk of its own, pieces of one long text cut anywhere, and what is no base64. */
const chunks: fc.Arbitrary<readonly string[]> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(
      bytes.map((chunk) => chunk.toString('base64')),
      { maxLength: 4 },
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(bytes, fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }))
      .map(([whole, sizes]) => cutText(whole.toString('base64'), sizes)),
  },
  {
    weight: 1,
    arbitrary: fc.array(
      fc.constantFrom('A', 'AA', 'AA=', 'AAA=', '=AAA', 'AA==AA==', 'A A=\nA', '-_-_', 'é', '===='),
      { maxLength: 3 },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.array(fc.constantFrom('AA==', 'AQI=', 'AQID', 'A-Q=='), { maxLength: 4 }),
  },
)

function cutText(text: string, sizes: readonly number[]): readonly string[] {
  const cut: string[] = []
  for (let from = 0, turn = 0; from < text.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    cut.push(text.slice(from, from + size))
    from += size
  }
  return cut
}

const mediaTypes = fc.constantFrom('image/png', 'audio/pcm;rate=24000', '')
const addresses = fc.constantFrom(
  'https://example.com/a.png',
  'https://example.com',
  'HTTPS://Example.COM/ä b',
  'data:image/png;base64,AA==',
  'a.png',
  '//x/y',
  '',
)
/** Whatever a tool puts beside its result. */
const metadata = fc.oneof(
  fc.constant({}),
  fc.constant({ diff: '-a\n+b', n: 1.5 }),
  fc.dictionary(
    fc.constantFrom('a', 'b', '__proto__', 'constructor'),
    fc.jsonValue({ maxDepth: 1 }),
    {
      maxKeys: 2,
    },
  ),
)

const textPiece = fc.record(
  {
    type: fc.constant('text'),
    id: ids,
    text: words,
    created_at: fc.constant('2026-11-30T11:00:00'),
    finished_at: fc.constant(null),
  },
  { requiredKeys: ['type', 'text'] },
)
const source: fc.Arbitrary<unknown> = fc.oneof(
  fc.record({
    type: fc.constant('base64'),
    data: bytes.map((chunk) => chunk.toString('base64')),
    media_type: mediaTypes,
  }),
  fc.record({ data: fc.constantFrom('', 'AA=='), media_type: mediaTypes }),
  fc.record({
    type: fc.constant('url'),
    url: fc.constantFrom('https://example.com/a.png', 'https://example.com/'),
    media_type: mediaTypes,
  }),
)
const dataPiece = fc.record(
  { type: fc.constant('data'), id: ids, source, name: fc.option(words) },
  { requiredKeys: ['type', 'source'] },
)
const pieces = fc.oneof(words, fc.array(fc.oneof(textPiece, dataPiece), { maxLength: 3 }))

const rule = fc.record({
  tool_name: fc.constantFrom('Bash', 'transfer'),
  rule_content: fc.option(fc.constantFrom('git commit:*', '/tmp/**')),
  behavior: fc.constantFrom('allow', 'deny', 'ask', 'passthrough'),
  source: fc.constant('suggested'),
})
const askedCall = fc.record(
  {
    type: fc.constant('tool_call'),
    id: ids,
    name: words,
    input: words,
    state: fc.constantFrom('pending', 'asking', 'allowed', 'submitted', 'finished'),
    suggested_rules: fc.array(rule, { maxLength: 2 }),
  },
  { requiredKeys: ['type', 'id', 'name', 'input'] },
)
const resultStates = fc.constantFrom('success', 'error', 'interrupted', 'denied', 'running')
const givenResult = fc.record(
  {
    type: fc.constant('tool_result'),
    id: ids,
    name: words,
    output: pieces,
    state: resultStates,
    metadata,
    created_at: fc.constant('2026-11-30T11:00:01'),
    finished_at: fc.option(fc.constant('2026-11-30T11:00:02')),
  },
  { requiredKeys: ['type', 'id', 'name', 'output'] },
)

/** Some events that belong together: a block from its start to its end, a call with its result, an answer. */
type Segment = readonly RawEvent[]

function written(kind: 'TEXT' | 'THINKING'): fc.Arbitrary<Segment> {
  return fc
    .tuple(ids, fc.array(words, { maxLength: 4 }), fc.option(words, { freq: 4 }))
    .map(([block_id, deltas, text]) => [
      { type: `${kind}_BLOCK_START`, block_id },
      ...deltas.map((delta) => ({ type: `${kind}_BLOCK_DELTA`, block_id, delta })),
      { type: `${kind}_BLOCK_END`, block_id, ...(kind === 'TEXT' && { text }) },
    ])
}

const data: fc.Arbitrary<Segment> = fc
  .tuple(ids, mediaTypes, chunks, fc.option(addresses, { freq: 3 }), fc.option(words))
  .map(([block_id, media_type, parts, url, name]) => [
    { type: 'DATA_BLOCK_START', block_id, media_type, name },
    ...parts.map((part) => ({ type: 'DATA_BLOCK_DELTA', block_id, media_type, data: part })),
    ...(url === null ? [] : [{ type: 'DATA_BLOCK_DELTA', block_id, media_type: 'x/y', url }]),
    { type: 'DATA_BLOCK_END', block_id },
  ])

const hint: fc.Arbitrary<Segment> = fc
  .tuple(ids, fc.option(words), pieces)
  .map(([block_id, from, text]) => [{ type: 'HINT_BLOCK', block_id, source: from, hint: text }])

const call: fc.Arbitrary<Segment> = fc
  .tuple(ids, words, fc.array(words, { maxLength: 3 }))
  .map(([tool_call_id, name, deltas]) => [
    { type: 'TOOL_CALL_START', tool_call_id, tool_call_name: name },
    ...deltas.map((delta) => ({ type: 'TOOL_CALL_DELTA', tool_call_id, delta })),
    { type: 'TOOL_CALL_END', tool_call_id },
  ])

const resultPiece: fc.Arbitrary<Segment> = fc.oneof(
  words.map((delta) => [{ type: 'TOOL_RESULT_TEXT_DELTA', delta }]),
  fc
    .tuple(fc.option(ids, { nil: undefined }), mediaTypes, chunks)
    .map(([block_id, media_type, parts]) =>
      parts.map((part) => ({
        type: 'TOOL_RESULT_DATA_DELTA',
        ...(block_id !== undefined && { block_id }),
        media_type,
        data: part,
        url: null,
      })),
    ),
  fc
    .tuple(ids, mediaTypes, addresses)
    .map(([block_id, media_type, url]) => [
      { type: 'TOOL_RESULT_DATA_DELTA', block_id, media_type, data: null, url },
    ]),
)
const result: fc.Arbitrary<Segment> = fc
  .tuple(ids, fc.boolean(), fc.array(resultPiece, { maxLength: 3 }), resultStates, metadata)
  .map(([tool_call_id, isStarted, parts, state, extras]) => [
    ...(isStarted ? [{ type: 'TOOL_RESULT_START', tool_call_id, tool_call_name: 't' }] : []),
    ...parts.flat().map((part) => ({ ...part, tool_call_id })),
    { type: 'TOOL_RESULT_END', tool_call_id, state, metadata: extras },
  ])

/** Yes or no; now and then what pydantic takes for it. */
const decided = fc.oneof(
  { weight: 12, arbitrary: fc.boolean() },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(0, 1, 'yes', 'off', 'true') },
)
const decision = fc.record(
  {
    confirmed: decided,
    tool_call: askedCall,
    rules: fc.option(fc.array(rule, { maxLength: 1 })),
  },
  { requiredKeys: ['confirmed', 'tool_call'] },
)
const question: fc.Arbitrary<Segment> = fc
  .tuple(
    fc.constantFrom('REQUIRE_USER_CONFIRM', 'REQUIRE_EXTERNAL_EXECUTION'),
    fc.array(askedCall, { maxLength: 2 }),
  )
  .map(([type, tool_calls]) => [{ type, tool_calls }])
const answer: fc.Arbitrary<Segment> = fc.oneof(
  fc
    .array(decision, { maxLength: 2 })
    .map((confirm_results) => [{ type: 'USER_CONFIRM_RESULT', confirm_results }]),
  fc
    .array(givenResult, { maxLength: 2 })
    .map((execution_results) => [{ type: 'EXTERNAL_EXECUTION_RESULT', execution_results }]),
)
/** A call that is asked for and decided about. */
const asked: fc.Arbitrary<Segment> = fc
  .tuple(call, askedCall, decided, result)
  .map(([start, block, confirmed, outcome]) => {
    const id = start[0]?.['tool_call_id']
    return [
      ...start,
      { type: 'REQUIRE_USER_CONFIRM', tool_calls: [{ ...block, id }] },
      {
        type: 'USER_CONFIRM_RESULT',
        confirm_results: [{ confirmed, tool_call: { ...block, id } }],
      },
      ...outcome.map((event) => ({ ...event, tool_call_id: id })),
    ]
  })

const tokens = fc.oneof(
  { weight: 12, arbitrary: fc.nat(500) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>('5', true, 1.5, 1e300, 2 ** 40) },
)
const usage: fc.Arbitrary<Segment> = fc
  .record(
    {
      type: fc.constant('MODEL_CALL_END'),
      input_tokens: tokens,
      output_tokens: tokens,
      cache_input_tokens: tokens,
      cache_creation_input_tokens: tokens,
      finished_reason: fc.constantFrom('completed', 'interrupted'),
    },
    { requiredKeys: ['type', 'input_tokens', 'output_tokens'] },
  )
  .map((event) => [{ type: 'MODEL_CALL_START', model_name: 'm' }, event])

const replyError = fc.record(
  { type: fc.constantFrom('rate_limit', 'setup', 'unknown'), message: words },
  { requiredKeys: ['message'] },
)
const bounds: fc.Arbitrary<Segment> = fc.oneof(
  fc.constant([{ type: 'REPLY_START', session_id: 's', name: 'Friday', role: 'assistant' }]),
  fc
    .record(
      {
        type: fc.constant('REPLY_END'),
        session_id: fc.constant('s'),
        finished_reason: fc.constantFrom('completed', 'interrupted', 'exceed_max_iters', 'error'),
        error: fc.option(
          fc.oneof({ weight: 4, arbitrary: replyError }, { weight: 1, arbitrary: words }),
        ),
      },
      { requiredKeys: ['type', 'session_id'] },
    )
    .map((event) => [event]),
  fc.constantFrom<Segment>(
    [{ type: 'EXCEED_MAX_ITERS', name: 'Friday' }],
    [{ type: 'USER_INTERRUPT' }],
    [{ type: 'CUSTOM', name: 'state_updated', value: { tasks_context: { tasks: [] } } }],
    [{ type: 'NOT_YET_KNOWN', block_id: 'a' }],
  ),
)

const segment: fc.Arbitrary<Segment> = fc.oneof(
  { weight: 4, arbitrary: written('TEXT') },
  { weight: 1, arbitrary: written('THINKING') },
  { weight: 3, arbitrary: data },
  { weight: 2, arbitrary: hint },
  { weight: 2, arbitrary: call },
  { weight: 4, arbitrary: result },
  { weight: 2, arbitrary: asked },
  { weight: 1, arbitrary: question },
  { weight: 2, arbitrary: answer },
  { weight: 2, arbitrary: usage },
  { weight: 1, arbitrary: bounds },
)

/** What may stand where something else should. */
const oddity: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, 0, 1, -1, 1.5, 1e300, true, '', '5', 'no such word', [], {}),
  fc.constantFrom<unknown>([null], [1], [{}], ['a'], [{ type: 'text' }], { type: 'x' }),
  words,
)

/** What may go wrong with one event. */
const fault = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ kind: 'drop' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'repeat' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'swap' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'elsewhere' as const }) },
  { weight: 2, arbitrary: fc.nat().map((field) => ({ kind: 'lack' as const, field })) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.nat(), oddity)
      .map(([field, value]) => ({ kind: 'replace' as const, field, value })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.nat(), fc.option(oddity, { nil: undefined }))
      .map(([leaf, value]) => ({ kind: 'inside' as const, leaf, value })),
  },
)
type Fault = typeof fault extends fc.Arbitrary<infer Value> ? Value : never

function disturb(events: readonly RawEvent[], place: number, what: Fault): readonly RawEvent[] {
  const at = place % Math.max(1, events.length)
  const event = events[at]
  if (event === undefined) return events
  const before = events.slice(0, at)
  const after = events.slice(at + 1)
  switch (what.kind) {
    case 'drop':
      return [...before, ...after]
    case 'repeat':
      return [...before, event, event, ...after]
    case 'swap':
      return [...before, ...after.slice(0, 1), event, ...after.slice(1)]
    case 'elsewhere':
      return [...before, { ...event, reply_id: 'another' }, ...after]
    case 'lack': {
      const { [fieldOf(event, what.field)]: _, ...rest } = event
      return [...before, rest, ...after]
    }
    case 'replace':
      return [...before, { ...event, [fieldOf(event, what.field)]: what.value }, ...after]
    case 'inside':
      return [...before, disturbInside(event, what.leaf, what.value), ...after]
  }
}

/** Replaces a value anywhere inside the blocks that an event brings, or takes it out. */
function disturbInside(event: RawEvent, leaf: number, value: unknown): RawEvent {
  let left = 0
  const visit = (given: unknown): unknown => {
    if (typeof given !== 'object' || given === null) return given
    const items = Object.entries(given).flatMap(([name, each]) => {
      left += 1
      if (left !== target) return [[name, visit(each)] as const]
      return value === undefined ? [] : [[name, value] as const]
    })
    return Array.isArray(given) ? items.map(([, each]) => each) : Object.fromEntries(items)
  }
  let target = 0
  visit(event)
  target = left - (leaf % Math.max(1, left - Object.keys(event).length + 1))
  left = 0
  // What comes off the wire is an object, and stays one.
  return visit(event) as RawEvent
}

function fieldOf(event: RawEvent, field: number): string {
  const names = Object.keys(event)
  return names[field % names.length] ?? 'type'
}

/** Takes turns between segments: what comes at once on the wire comes in any mixture. */
function interleave(segments: readonly Segment[], turns: readonly number[]): readonly RawEvent[] {
  const rest = segments.map((events) => [...events])
  const mixed: RawEvent[] = []
  for (let turn = 0; rest.some((events) => events.length > 0); turn += 1) {
    const open = rest.filter((events) => events.length > 0)
    const chosen = open[(turns[turn % turns.length] ?? 0) % open.length]
    const event = chosen?.shift()
    if (event !== undefined) mixed.push(event)
  }
  return mixed
}

/** An id and a time for each event, as the service gives them. */
function stamped(events: readonly RawEvent[]): readonly RawEvent[] {
  return events.map((event, index) => ({
    type: event['type'],
    id: `e${index}`,
    created_at: `2026-11-30T12:00:00.${String(index).padStart(6, '0')}`,
    ...(event['type'] !== 'CUSTOM' && { reply_id: REPLY }),
    ...event,
  }))
}

const block = { created_at: '2026-11-30T11:00:00', finished_at: null }
const empty = {
  id: REPLY,
  name: 'Friday',
  role: 'assistant',
  content: [],
  metadata: {},
  created_at: '2026-11-30T11:59:59',
  usage: null,
  finished_at: null,
  finished_reason: null,
  structured_output: null,
  error: null,
}
/** Messages as they are stored: nothing yet, parked with calls that wait, finished, of the user. */
export const inits: readonly RawEvent[] = [
  empty,
  {
    ...empty,
    usage: {
      input_tokens: 1,
      output_tokens: 2,
      cache_input_tokens: 0,
      cache_creation_input_tokens: 3,
    },
    content: [
      { type: 'text', id: 'a', text: 'stored', ...block, finished_at: '2026-11-30T11:00:01' },
      {
        type: 'tool_call',
        id: 'a',
        name: 't',
        input: '{}',
        state: 'asking',
        suggested_rules: [],
        ...block,
      },
      {
        type: 'tool_call',
        id: 'b',
        name: 't',
        input: '{}',
        state: 'submitted',
        suggested_rules: [],
        ...block,
      },
      {
        type: 'tool_result',
        id: 'b',
        name: 't',
        output: [],
        state: 'running',
        metadata: {},
        ...block,
      },
    ],
  },
  {
    ...empty,
    finished_at: '2026-11-30T11:59:59.5',
    finished_reason: 'error',
    error: { type: 'unknown', message: 'gone' },
    content: [
      {
        type: 'tool_result',
        id: 'a',
        name: 't',
        output: 'a string',
        state: 'success',
        metadata: { k: 1 },
        ...block,
      },
      {
        type: 'data',
        id: 'a',
        source: { type: 'base64', data: 'AQI=', media_type: 'image/png' },
        name: 'x',
        ...block,
      },
      {
        type: 'data',
        id: 'b',
        source: { type: 'url', url: 'https://example.com/a.png', media_type: 'image/png' },
        name: null,
        ...block,
      },
    ],
  },
  { ...empty, role: 'user', content: [{ type: 'text', id: 'a', text: 'hi', ...block }] },
  {
    ...empty,
    content: [
      { type: 'thinking', id: 'a', thinking: 'hm', signature: 's', ...block },
      {
        type: 'hint',
        id: 'a',
        hint: [{ type: 'text', id: 'a', text: 'x' }],
        source: null,
        ...block,
      },
      { type: 'text', id: 'b', text: 'first', ...block },
      { type: 'text', id: 'b', text: 'second of an id', ...block },
      {
        type: 'tool_call',
        id: 'a',
        name: 't',
        input: '{"half',
        state: 'finished',
        suggested_rules: [],
        ...block,
      },
      {
        type: 'tool_result',
        id: 'a',
        name: 't',
        output: [
          { type: 'text', id: 'x', text: 'words', ...block },
          {
            type: 'data',
            id: 'a',
            source: { type: 'base64', data: 'AQI=', media_type: 'image/png' },
            name: 'n',
            ...block,
          },
        ],
        state: 'running',
        metadata: { k: null },
        ...block,
      },
      {
        type: 'tool_result',
        id: 'a',
        name: 't',
        output: [],
        state: 'running',
        metadata: {},
        ...block,
      },
    ],
  },
]

/**
 * Streams for one message: segments in any mixture, and then faults.
 *
 * @param size - At most how many segments; a segment has up to a dozen events.
 */
export function streams(size: number): fc.Arbitrary<Stream> {
  return fc
    .tuple(
      fc.constantFrom(empty, ...inits),
      fc.array(segment, { minLength: 1, maxLength: size }),
      fc.array(fc.nat(7), { minLength: 1, maxLength: 20 }),
      fc.array(fc.tuple(fc.nat(), fault), { maxLength: 6, size: 'max' }),
    )
    .map(([init, segments, turns, faults]) => ({
      init,
      events: faults.reduce(
        (events, [place, what]) => disturb(events, place, what),
        stamped(interleave(segments, turns)),
      ),
    }))
}
