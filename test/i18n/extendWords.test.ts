// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { en, extendWords, zh } from '../../src/i18n/index.js'

/** Paths of all words, such as `actions.copy`. */
function pathsOf(value: unknown, path = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, `${path}.${key}`))
}

describe('extendWords', () => {
  it('gives the language itself when nothing is replaced', () => {
    expect(extendWords(zh)).toBe(zh)
  })

  it('takes a whole language in place of another', () => {
    expect(extendWords(en, zh)).toEqual(zh)
  })

  it('replaces single words and keeps the others of the same place', () => {
    const words = extendWords(zh, { actions: { copy: '拷贝' } })
    expect(words.actions.copy).toBe('拷贝')
    expect(words.actions.retry).toBe(zh.actions.retry)
    expect(words.composer).toEqual(zh.composer)
  })

  it('says the same things in both languages', () => {
    expect(pathsOf(zh).toSorted()).toEqual(pathsOf(en).toSorted())
  })

  it.each([
    [0, '0 s'],
    [-5, '0 s'],
    [Number.NaN, '0 s'],
    [420, '0.4 s'],
    [9_940, '9.9 s'],
    [9_960, '10 s'],
    [59_400, '59 s'],
    [60_000, '1 min'],
    [64_000, '1 min 4 s'],
    [3_600_000, '1 h'],
    [3_900_000, '1 h 5 min'],
  ])('writes %d ms as %s', (ms, written) => {
    expect(en.units.duration(ms)).toBe(written)
  })
})
