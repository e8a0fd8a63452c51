// @vitest-environment node
import { fc } from '../fc.js'
import { describe, expect, it } from 'vitest'
import { parseBlock, parsePieces } from '../../src/protocol/index.js'

const whole: readonly Record<string, unknown>[] = [
  { type: 'text', id: 'b', text: 'x' },
  { type: 'thinking', id: 'b', thinking: 'x', signature: 's' },
  {
    type: 'data',
    id: 'b',
    name: null,
    source: { type: 'base64', media_type: 'image/png', data: '' },
  },
  { type: 'data', id: 'b', name: 'n', source: { type: 'url', media_type: 'image/png', url: '/a' } },
  { type: 'hint', id: 'b', hint: 'x', source: null },
  { type: 'hint', id: 'b', hint: [{ type: 'text', id: 't', text: 'x' }], source: 'x' },
  {
    type: 'tool_call',
    id: 'b',
    name: 't',
    input: '',
    state: 'brand_new',
    suggested_rules: [{ x: 1 }],
  },
  { type: 'tool_result', id: 'b', name: 't', output: [], state: 'success', metadata: {} },
]

describe('parseBlock', () => {
  it.each(whole)(
    'gives a block that lacks nothing back as the very same object: $type',
    (block) => {
      expect(parseBlock(block, 'fallback')).toBe(block)
      const stamped = { ...block, created_at: 't', finished_at: null, later_key: 1 }
      expect(parseBlock(stamped, 'fallback')).toBe(stamped)
    },
  )

  it.each([
    [{ type: 'text', id: 'b', text: null }, { text: '' }],
    [
      { type: 'text', text: 'x' },
      { id: 'fallback', text: 'x' },
    ],
    [{ type: 'text', id: 7, text: 'x' }, { id: 'fallback' }],
    [{ type: 'text', id: '', text: 'x' }, { id: '' }],
    [
      { type: 'text', id: 7, text: 'x', created_at: 7 },
      { id: 'fallback', created_at: null },
    ],
    [
      { type: 'tool_call', id: 'b', name: 'f', input: null },
      { input: '', state: 'pending', suggested_rules: [] },
    ],
    [
      { type: 'tool_call', id: 'b', suggested_rules: [null, { x: 1 }, 'x'] },
      { name: '', suggested_rules: [{ x: 1 }] },
    ],
    [
      { type: 'tool_result', id: 'b', output: null },
      { output: '', state: 'running', metadata: {} },
    ],
    [
      { type: 'hint', id: 'b' },
      { hint: '', source: null },
    ],
    [
      { type: 'data', id: 'b', source: { type: 'url', url: 'a', media_type: 'x/y' } },
      { name: null },
    ],
  ])('fills in what %j lacks', (block, expected) => {
    expect(parseBlock(block, 'fallback')).toMatchObject(expected)
  })

  it.each([
    [{ type: 'hologram', id: 'h1' }, 'h1'],
    [{ id: 'h2' }, 'h2'],
    [{ type: '__proto__' }, 'fallback'],
    [{ type: 'data', id: 'd', source: { type: 'tape' } }, 'd'],
    [{ type: 'data', id: 'd', source: null }, 'd'],
  ])('keeps %j whole, as a block of an unknown kind', (block, id) => {
    expect(parseBlock(block, 'fallback')).toEqual({ type: 'kit.unknown', id, block })
  })

  it.each([null, undefined, 'x', 1, []])('finds no block in %j', (value) => {
    expect(parseBlock(value, 'fallback')).toBeUndefined()
  })

  it('survives any JSON and gives what it gave before', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...whole), (value, block) => {
        for (const given of [value, { ...block, ...Object(value) }]) {
          const parsed = parseBlock(given, 'fallback')
          expect(parsed && parseBlock(parsed, 'other')).toBe(parsed)
        }
      }),
    )
  })
})

describe('parsePieces', () => {
  it('keeps a string, and a list that lacks nothing as the very same list', () => {
    const pieces = [{ type: 'text', id: 't', text: 'x' }]
    expect(parsePieces('x', 'b')).toBe('x')
    expect(parsePieces(pieces, 'b')).toBe(pieces)
  })

  it('leaves out what is neither text nor data, and gives ids from the block', () => {
    const pieces = [
      null,
      { type: 'text', text: 'x' },
      { type: 'tool_call', id: 'c' },
      { type: 'hologram' },
    ]
    expect(parsePieces(pieces, 'b')).toEqual([{ type: 'text', id: 'b:1', text: 'x' }])
    expect(parsePieces(7, 'b')).toBe('')
  })
})
