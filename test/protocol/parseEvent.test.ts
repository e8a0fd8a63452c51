import { fc } from '../fc.js'
import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  type AgentEvent,
  EVENT_FIELDS,
  EventType,
  isEventType,
  parseEvent,
} from '../../src/protocol/index.js'
import { framesOf, readRecordings } from '../fold/recordings.js'

const start = {
  id: 'e1',
  created_at: 't',
  metadata: {},
  type: 'REPLY_START',
  reply_id: 'r',
  session_id: 's',
  name: 'bot',
  role: 'assistant',
}

function kinds(value: unknown): readonly string[] {
  return parseEvent(value).anomalies.map(({ kind }) => kind)
}

describe('parseEvent', () => {
  it('gives every recorded event back as the very same object, without a word', () => {
    for (const frame of readRecordings().flatMap(framesOf)) {
      expect(parseEvent(frame)).toEqual({ event: frame, anomalies: [] })
      expect(parseEvent(frame).event).toBe(frame)
    }
  })

  it.each([null, undefined, 42, 'text', true, [], [start]])(
    'turns away what is no object: %j',
    (value) => {
      expect(parseEvent(value).event).toBeUndefined()
      expect(kinds(value)).toEqual(['not-an-event'])
    },
  )

  it.each([{}, { id: 'e5' }, { type: 7 }, { type: null }])(
    'turns away what has no type: %j',
    (value) => {
      expect(kinds(value)).toEqual(['not-an-event'])
    },
  )

  it.each(['GALAXY_BLOCK_START', '', '__proto__', 'constructor', 'toString', 'reply_start'])(
    'turns away a type it does not know: %j',
    (type) => {
      expect(parseEvent({ ...start, type }).event).toBeUndefined()
      expect(kinds({ ...start, type })).toEqual(['unknown-event'])
    },
  )

  it('refuses the kit’s own operations from the wire', () => {
    const value = { type: 'kit.snapshot', messages: [], mode: 'replace' }
    expect(parseEvent(value).event).toBeUndefined()
    expect(kinds(value)).toEqual(['reserved-type'])
  })

  it('keeps unknown fields and names them', () => {
    const value = { ...start, visibility: 'user', new_field: { a: 1 } }
    const { event, anomalies } = parseEvent(value)
    expect(event).toBe(value)
    expect(anomalies).toMatchObject([{ kind: 'unknown-fields', raw: value }])
    expect(anomalies[0]?.message).toContain('new_field')
    expect(anomalies[0]?.message).not.toContain('visibility')
  })

  it.each(
    Object.entries(EVENT_FIELDS).flatMap(([type, specs]) =>
      Object.entries(specs)
        .filter(([name, { required }]) => required && name !== 'type')
        .map(([name]) => [type, name] as const),
    ),
  )('turns away a %s without %s, and names it', (type, name) => {
    const { [name]: _, ...rest } = example(type)
    expect(parseEvent(example(type)).event).toBeDefined()
    for (const value of [rest, { ...rest, [name]: null }, { ...rest, [name]: Symbol.iterator }]) {
      const { event, anomalies } = parseEvent(value)
      expect(event).toBeUndefined()
      expect(anomalies).toMatchObject([{ kind: 'malformed-event' }])
      expect(anomalies[0]?.message).toContain(name)
    }
  })

  it('leaves a wrong optional field out, and says so', () => {
    const { event, anomalies } = parseEvent({ ...start, role: 'robot', metadata: 'x' })
    expect(event).toEqual({
      id: 'e1',
      created_at: 't',
      type: 'REPLY_START',
      reply_id: 'r',
      session_id: 's',
      name: 'bot',
    })
    expect(anomalies.map(({ kind }) => kind)).toEqual(['malformed-event', 'malformed-event'])
  })

  it('counts null as absent where null says nothing, and keeps it where it does', () => {
    expect(parseEvent({ ...start, name: null }).event).not.toHaveProperty('name')
    const end = { type: 'TEXT_BLOCK_END', reply_id: 'r', block_id: 'b', text: null }
    expect(parseEvent(end).event).toBe(end)
  })

  it.each([
    ['both', { data: 'QQ==', url: 'https://example.com/a' }],
    ['neither', {}],
    ['two nulls', { data: null, url: null }],
  ])('turns away a piece of data with %s', (_, fields) => {
    const base = { reply_id: 'r', media_type: 'image/png', ...fields }
    expect(kinds({ ...base, type: 'TOOL_RESULT_DATA_DELTA', tool_call_id: 'c' })).toEqual([
      'malformed-event',
    ])
    expect(kinds({ ...base, type: 'DATA_BLOCK_DELTA', block_id: 'b' })).toEqual(['malformed-event'])
  })

  it('leaves blocks in an event as they came when they lack nothing, and completes those that do', () => {
    const whole = {
      type: 'tool_call',
      id: 'c',
      name: 't',
      input: '{ "n": 1.0 }',
      state: 'asking',
      suggested_rules: [{ x: 1 }],
      unknown_field: 'keep me',
    }
    const asking = { type: 'REQUIRE_USER_CONFIRM', reply_id: 'r', tool_calls: [whole] }
    expect(parseEvent(asking).event).toBe(asking)
    const sparse = { ...asking, tool_calls: [{ id: 'c', name: 't' }, { name: 'no id' }, null] }
    expect(parseEvent(sparse).event).toMatchObject({
      tool_calls: [
        { type: 'tool_call', id: 'c', input: '', state: 'pending', suggested_rules: [] },
      ],
    })
  })

  it.each([
    ['boom', { type: 'unknown', message: 'boom' }],
    [{}, { type: 'unknown', message: '' }],
    [
      { type: 'rate_limit', message: 'm', extra: 1 },
      { type: 'rate_limit', message: 'm', extra: 1 },
    ],
    [null, null],
  ])('reads what went wrong from %j', (error, expected) => {
    expect(parseEvent({ type: 'REPLY_END', reply_id: 'r', error }).event).toMatchObject({
      error: expected,
    })
  })

  it('survives any JSON under any known type', () => {
    const type = fc.constantFrom(...Object.keys(EVENT_FIELDS))
    const value = fc
      .tuple(type, fc.dictionary(fc.constantFrom(...FIELD_NAMES), fc.jsonValue()))
      .map(([name, fields]) => ({ ...fields, type: name }))
    fc.assert(
      fc.property(fc.oneof(value, fc.jsonValue()), (given) => {
        const { event, anomalies } = parseEvent(given)
        expect(event !== undefined || anomalies.length > 0).toBe(true)
      }),
    )
  })
})

describe('EventType', () => {
  it('names the events that the table of fields describes', () => {
    expect(Object.keys(EventType).toSorted()).toEqual(Object.keys(EVENT_FIELDS).toSorted())
    expect(Object.entries(EventType).every(([name, value]) => name === value)).toBe(true)
    expectTypeOf<AgentEvent['type']>().toEqualTypeOf<EventType>()
  })

  it('is known by isEventType, and nothing else is', () => {
    expect(Object.keys(EventType).every(isEventType)).toBe(true)
    expect(['__proto__', 'constructor', 'kit.gap', ''].some(isEventType)).toBe(false)
  })
})

const FIELD_NAMES: readonly string[] = [
  ...new Set(Object.values(EVENT_FIELDS).flatMap((specs) => Object.keys(specs))),
].filter((name) => name !== 'type')

/** An event with every field it needs. */
function example(type: string): Record<string, unknown> {
  const call = {
    type: 'tool_call',
    id: 'c',
    name: 't',
    input: '',
    state: 'asking',
    suggested_rules: [],
  }
  const filled: Readonly<Record<string, unknown>> = {
    string: 'x',
    number: 1,
    hint: 'x',
    'tool calls': [call],
    'confirm results': [{ confirmed: true, tool_call: call }],
    'tool results': [],
  }
  const specs = Object.entries(EVENT_FIELDS).find(([name]) => name === type)?.[1] ?? {}
  const needed = Object.entries(specs).filter(([, { required }]) => required)
  const data = type.endsWith('DATA_DELTA') || type === 'DATA_BLOCK_DELTA' ? { data: 'QQ==' } : {}
  return {
    ...Object.fromEntries(needed.map(([name, { kind }]) => [name, filled[kind]])),
    ...data,
    type,
  }
}
