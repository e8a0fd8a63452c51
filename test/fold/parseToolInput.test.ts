// @vitest-environment node
import { fc } from '../fc.js'
import { describe, expect, it } from 'vitest'
import { parseToolInput } from '../../src/fold/index.js'

describe('parseToolInput', () => {
  it.each(['', '   ', '\n'])('finds no arguments in %j', (input) => {
    expect(parseToolInput(input, false)).toEqual({ kind: 'empty' })
    expect(parseToolInput(input, true)).toEqual({ kind: 'empty' })
  })

  it.each(['{"city":"Par', '{"a":1}{"a":1}', '{]', 'nul'])(
    'shows %j raw when nothing more comes',
    (raw) => {
      expect(parseToolInput(raw, false)).toEqual({ kind: 'invalid', raw })
    },
  )

  it.each([
    ['[1,2]', [1, 2]],
    ['null', null],
    ['"x"', 'x'],
    ['{"a":1}', { a: 1 }],
  ])('reads %j as it is', (input, value) => {
    expect(parseToolInput(input, false)).toEqual({ kind: 'json', value })
  })

  it('keeps __proto__ a key like any other', () => {
    for (const [input, isOpen] of [
      ['{"__proto__":{"polluted":true}}', false],
      ['{"__proto__":{"polluted":true', true],
    ] as const) {
      expect(parseToolInput(input, isOpen)).toMatchObject({ kind: isOpen ? 'partial' : 'json' })
    }
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  it('shows of a beginning what can be read, and it only grows', () => {
    const steps = [
      '{',
      '{"pa',
      '{"path":"C:\\',
      '{"path":"C:\\\\x',
      '{"path":"C:\\\\x","u":"\\ud83',
    ]
    expect(steps.map((input) => parseToolInput(input, true))).toMatchObject([
      { kind: 'partial', value: {} },
      { kind: 'partial', value: {} },
      { kind: 'partial', value: { path: 'C:' } },
      { kind: 'partial', value: { path: 'C:\\x' } },
      { kind: 'partial', value: { path: 'C:\\x', u: '' } },
    ])
    expect(parseToolInput('{"path":"C:\\\\x","u":"\\ud83d\\udc4d"}', true)).toEqual({
      kind: 'json',
      value: { path: 'C:\\x', u: '👍' },
    })
  })

  it('never fails on the beginning of any JSON while it is open', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (json, place) => {
        const input = json.slice(0, place % (json.length + 1))
        expect(['empty', 'json', 'partial']).toContain(parseToolInput(input, true).kind)
      }),
    )
  })

  it('survives any text, also one that nests deeper than a stack is', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.boolean(),
        (input, isOpen) => parseToolInput(input, isOpen) !== undefined,
      ),
    )
    const deep = '['.repeat(200_000)
    expect(parseToolInput(deep, true)).toMatchObject({ kind: 'partial' })
    expect(parseToolInput(deep, false)).toMatchObject({ kind: 'invalid' })
  })
})
