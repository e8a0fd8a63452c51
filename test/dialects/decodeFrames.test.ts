// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { decodeFrames } from '../../src/dialects/index.js'

describe('decodeFrames', () => {
  it('gives the inputs of all frames in order, without what is odd', () => {
    const start = { type: 'REPLY_START', reply_id: 'r1', name: 'Friday' }
    const end = { type: 'REPLY_END', reply_id: 'r1' }
    expect(decodeFrames('agentscope', [start, null, [end]])).toEqual([start, end])
    expect(decodeFrames('agentscope', [])).toEqual([])
  })

  it('reads whole polls of a task, and ends what they leave open', () => {
    const events = [{ idx: 0, type: 'text_chunk', data: { content: 'Hi' }, ts: 1 }]
    const inputs = decodeFrames('task-api', [{ task_id: 't', status: 'running', events }])
    expect(inputs.map(({ type }) => type)).toEqual([
      'REPLY_START',
      'TEXT_BLOCK_START',
      'TEXT_BLOCK_DELTA',
      'TEXT_BLOCK_END',
      'REPLY_END',
    ])
    expect(inputs.at(-1)).toMatchObject({ finished_reason: 'error' })
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
