// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { isEqualJson } from '../../src/fold/index.js'

describe('isEqualJson', () => {
  it('looks at what values say, not at the order of their keys or at keys that are undefined', () => {
    expect(isEqualJson({ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1, d: undefined })).toBe(
      true,
    )
    expect(isEqualJson({ a: 1 }, { a: '1' })).toBe(false)
    expect(isEqualJson([1, 2], [2, 1])).toBe(false)
    expect(isEqualJson([], {})).toBe(false)
  })

  it('finds a sum that is no number equal to itself, so that nothing renders for ever', () => {
    expect(isEqualJson({ input_tokens: Infinity - Infinity }, { input_tokens: NaN })).toBe(true)
  })
})
