// @vitest-environment node
import { createParser } from 'eventsource-parser'
import { fc, runs } from '../fc.js'
import { describe, expect, it } from 'vitest'
import { createSseParser, type SseEvent } from '../../src/transports/index.js'

interface Heard {
  events: SseEvent[]
  comments: string[]
  retries: number[]
  ids: string[]
}

const encoder = new TextEncoder()

function parse(chunks: readonly (string | Uint8Array)[], keepLeadingSpace = false): Heard {
  const heard: Heard = { events: [], comments: [], retries: [], ids: [] }
  const parser = createSseParser({
    onEvent: (event) => heard.events.push(event),
    onComment: (text) => heard.comments.push(text),
    onRetry: (delayMs) => heard.retries.push(delayMs),
    onId: (id) => heard.ids.push(id),
    keepLeadingSpace,
  })
  for (const chunk of chunks) {
    parser.push(typeof chunk === 'string' ? encoder.encode(chunk) : chunk)
  }
  parser.end()
  return heard
}

const dataOf = (chunks: readonly (string | Uint8Array)[]) =>
  parse(chunks).events.map((event) => event.data)

/** All ways to cut bytes in two, and one way to cut them into single bytes. */
function cutsOf(bytes: Uint8Array): Uint8Array[][] {
  const twos = Array.from({ length: bytes.length - 1 }, (_, at) => [
    bytes.slice(0, at + 1),
    bytes.slice(at + 1),
  ])
  return [...twos, Array.from(bytes, (byte) => Uint8Array.of(byte))]
}

describe('createSseParser', () => {
  it.each(['data: 你好\n\n', 'data: 👍🏽\n\n', 'data: \u2028é\r\n\r\n'])(
    'keeps every character of %j whole at every cut',
    (body) => {
      const expected = parse([body])
      for (const chunks of cutsOf(encoder.encode(body))) expect(parse(chunks)).toEqual(expected)
      expect(expected.events[0]?.data).not.toContain('\uFFFD')
    },
  )

  it.each([
    [
      ['data: A\r', '\ndata: B\r', '\n\r', '\n', 'data: C\n\n'],
      ['A\nB', 'C'],
    ],
    [['data: A\r\n', 'data: B\r', 'data: C\r\n', '\r\n'], ['A\nB\nC']],
    [['data: A\r\n', 'data: B\r', '\n', 'data: C\r\n', '\r\n'], ['A\nB\nC']],
    [
      ['data: A\r\r', 'data: B\r', '\r', 'data: C\n\n'],
      ['A', 'B', 'C'],
    ],
  ])('counts CR LF, LF and CR as one line end each: %j', (chunks, expected) => {
    expect(dataOf(chunks)).toEqual(expected)
  })

  it('gives the same events wherever a body with CRLF is cut', () => {
    const body = 'id: 1\r\ndata: {"a":\r\ndata: 1}\r\n\r\n: hb\r\n\r\nevent: x\r\ndata: 你\r\n\r\n'
    const expected = [
      { id: '1', data: '{"a":\n1}' },
      { event: 'x', data: '你' },
    ]
    for (const chunks of cutsOf(encoder.encode(body))) {
      expect(parse(chunks)).toEqual({ events: expected, comments: ['hb'], retries: [], ids: ['1'] })
    }
  })

  it('drops an event without its blank line, and its id with it', () => {
    const heard = parse(['id: 1\ndata: a\n\nid: 2\ndata: {"type":"REPLY_END"}'])
    expect(heard.events).toEqual([{ id: '1', data: 'a' }])
    expect(heard.ids).toEqual(['1'])
  })

  it('dispatches when the blank line is a lone CR at the end', () => {
    expect(dataOf(['data: x\n\r'])).toEqual(['x'])
    expect(dataOf(['data: x\r', '\r'])).toEqual(['x'])
  })

  it('drops a byte order mark, also a split one, and only the first', () => {
    const bom = [0xef, 0xbb, 0xbf]
    const body = Uint8Array.of(...bom, ...encoder.encode('data: a\n\n'))
    for (const chunks of cutsOf(body)) expect(dataOf(chunks)).toEqual(['a'])
    expect(dataOf([Uint8Array.of(...bom, ...body)])).toEqual([])
  })

  it('takes an id at the end of its event, ignores one with NUL, and lets an empty one reset', () => {
    expect(parse(['id: 10\n\nid: 6\0x\ndata: a\n\nid\ndata: b\n\n'])).toMatchObject({
      events: [{ data: 'a' }, { id: '', data: 'b' }],
      ids: ['10', ''],
    })
  })

  it('reads fields as the standard says', () => {
    const body = [
      'data',
      '',
      'data',
      'data',
      '',
      'data:  two spaces',
      'Data: not a field',
      'unknown: not a field',
      'event:',
      '',
      'event: named',
      '',
      'data:x',
      '',
      ':',
      ': one',
      ':two',
      'retry: 1500',
      'retry: 15s',
      'retry: -1',
      'retry:',
      '',
    ]
    expect(parse([body.join('\n')])).toEqual({
      events: [{ data: '' }, { data: '\n' }, { data: ' two spaces' }, { data: 'x' }],
      comments: ['', 'one', 'two'],
      retries: [1500],
      ids: [],
    })
  })

  it('keeps the space after data: when asked', () => {
    expect(parse(['data: Hello\n\ndata:,\n\nid: 1\ndata: world\n\n'], true).events).toEqual([
      { data: ' Hello' },
      { data: ',' },
      { id: '1', data: ' world' },
    ])
  })

  it('reads another body after end', () => {
    const events: SseEvent[] = []
    const parser = createSseParser({ onEvent: (event) => events.push(event) })
    parser.push(encoder.encode('id: 1\ndata: lost\r'))
    parser.push(encoder.encode('data: 你').slice(0, -1))
    parser.end()
    parser.push(encoder.encode('\uFEFFdata: b\n\n'))
    expect(events).toEqual([{ data: 'b' }])
  })

  it('agrees with eventsource-parser on any body and any cuts', () => {
    const piece = fc.oneof(
      fc.constantFrom('\n', '\r', '\r\n', '\n\n', ':', ' ', 'data:', 'data: ', 'data', 'id: 7'),
      fc.constantFrom('event: x', 'retry: 10', 'id:', 'id: \0', '你', '👍🏽', 'dat', ': hb'),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
    )
    const bodies = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))
    const cuts = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(bodies, cuts, (text, sizes) => {
        // That parser knows no byte order mark once decoded, and leaves a CR at the very end undecided.
        const body = `: start\n${text}\n`
        const { ids: _, ...heard } = parse(cutInto(encoder.encode(body), sizes))
        expect(heard).toEqual(parseWithPeer(body))
      }),
      { numRuns: runs(2_000) },
    )
  })
})

function cutInto(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    chunks.push(bytes.slice(at, at + size))
    at += size
  }
  return chunks
}

/** It tells ids only with events; an id without one is in the table above. */
function parseWithPeer(body: string): Omit<Heard, 'ids'> {
  const heard: Omit<Heard, 'ids'> = { events: [], comments: [], retries: [] }
  const parser = createParser({
    onEvent: ({ data, event, id }) => {
      heard.events.push({
        data,
        ...(event === undefined ? {} : { event }),
        ...(id === undefined ? {} : { id }),
      })
    },
    onComment: (text) => heard.comments.push(text),
    onRetry: (delayMs) => heard.retries.push(delayMs),
  })
  parser.feed(body)
  return heard
}
