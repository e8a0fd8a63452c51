import { describe, expect, it } from 'vitest'
import { decodeFrames } from '../../src/dialects/index.js'

describe('decodeFrames', () => {
  it('gives the inputs of all frames in order, without what is odd', () => {
    const start = { type: 'REPLY_START', reply_id: 'r1', name: 'Friday' }
    const end = { type: 'REPLY_END', reply_id: 'r1' }
    expect(decodeFrames('agentscope', [start, null, [end]])).toEqual([start, end])
    expect(decodeFrames('agentscope', [])).toEqual([])
  })

  it('takes very long recordings', () => {
    const frames = Array.from({ length: 300_000 }, (_, n) => ({
      type: 'CUSTOM',
      name: 'tick',
      id: `${n}`,
    }))
    expect(decodeFrames('agentscope', frames)).toHaveLength(300_000)
  })

  it.each(['morse', 'toString', ''])('tells the caller that there is no dialect %j', (name) => {
    // A name out of an address bar is no more than a string.
    const dialect = name as 'agentscope'
    expect(() => decodeFrames(dialect, [])).toThrow(TypeError)
  })
})
