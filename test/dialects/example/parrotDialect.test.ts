// @vitest-environment node
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { TransportError, UserMsg } from '../../../src/entries/core.js'
import { describeDialect } from '../describeDialect.js'
import { parrotDialect } from './parrotDialect.js'

describeDialect('parrotDialect', parrotDialect, [
  {
    name: 'an answer',
    frames: [
      { n: 1, turn: 't1', say: 'Pretty ' },
      { n: 2, turn: 't1', say: 'Polly!' },
      { n: 3, turn: 't1', over: true },
    ],
    inputs: [
      { type: 'REPLY_START', id: 't1:start', reply_id: 't1', name: 'Polly' },
      { type: 'TEXT_BLOCK_START', id: 't1:text', reply_id: 't1', block_id: 'text' },
      {
        type: 'TEXT_BLOCK_DELTA',
        id: 'frame-1',
        reply_id: 't1',
        block_id: 'text',
        delta: 'Pretty ',
      },
      {
        type: 'TEXT_BLOCK_DELTA',
        id: 'frame-2',
        reply_id: 't1',
        block_id: 'text',
        delta: 'Polly!',
      },
      { type: 'TEXT_BLOCK_END', id: 't1:text-end', reply_id: 't1', block_id: 'text' },
      { type: 'REPLY_END', id: 't1:end', reply_id: 't1', finished_reason: 'completed' },
    ],
    messages: [{ name: 'Polly', blocks: [{ text: 'Pretty Polly!' }], end: 'completed' }],
  },
])

describe('parrotDialect', () => {
  it('sends what the person said, and refuses answers', () => {
    const { encode } = parrotDialect
    expect(encode.send([UserMsg({ name: 'me', content: 'Hello' })])).toMatchObject({
      question: ['Hello'],
    })
    expect(() =>
      encode.answer({ kind: 'input', id: 'a', request_id: 'q', action: 'cancel' }),
    ).toThrow(TransportError)
  })

  it('stands in docs/dialects.md as it is here', () => {
    const shown = readFileSync('docs/dialects.md', 'utf8')
    const example = readFileSync('test/dialects/example/parrotDialect.ts', 'utf8').replace(
      "'../../../src/entries/core.js'",
      "'agentscope-react/core'",
    )
    expect(shown).toContain(example.trim())
  })
})
