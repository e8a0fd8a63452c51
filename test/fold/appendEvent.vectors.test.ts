import { describe, expect, it } from 'vitest'
import { appendEvent } from '../../src/fold/index.js'
import { normalise, readVectors } from './vectors.js'

describe('appendEvent', () => {
  const vectors = readVectors()
  it.each(vectors)('$name', (v) => {
    let m = v.init
    for (const e of v.events) m = appendEvent(m, e)
    const want = 'raises' in v.expected ? v.left : v.expected
    expect(normalise(m, want!)).toEqual(want)
  })
})
