// @vitest-environment node
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Conversation } from '../../../src/entries/core.js'
import { collect } from './appendSample.js'
import { follow } from './foldStream.js'

async function* of(frames: readonly unknown[]): AsyncGenerator {
  for (const frame of frames) yield frame
}

const old = [
  { type: 'RUN_STARTED', id: 'e1', replyId: 'r1', name: 'Friday' },
  { type: 'TEXT_BLOCK_START', id: 'e2', replyId: 'r1', blockId: 'b' },
  { type: 'TEXT_BLOCK_DELTA', id: 'e3', replyId: 'r1', blockId: 'b', delta: 'Hi' },
  { type: 'TEXT_BLOCK_DELTA', id: 'e3', replyId: 'r1', blockId: 'b', delta: 'Hi' },
  { type: 'RUN_FINISHED', id: 'e4', replyId: 'r1' },
]

describe('docs/typescript-sample.md', () => {
  it('collects the message of one reply', () => {
    const message = collect([
      { type: 'REPLY_START', reply_id: 'r1', name: 'Friday' },
      { type: 'TEXT_BLOCK_START', reply_id: 'r1', block_id: 'b' },
      { type: 'TEXT_BLOCK_DELTA', reply_id: 'r1', block_id: 'b', delta: 'Hi' },
    ])
    expect(message).toMatchObject({ id: 'r1', name: 'Friday', content: [{ text: 'Hi' }] })
  })

  it('follows a whole stream, whatever is said twice in it', async () => {
    const moments: Conversation[] = []
    for await (const moment of follow(of(old))) moments.push(moment)
    expect(moments).toHaveLength(old.length + 1)
    expect(moments.at(-1)?.messages).toMatchObject([
      { name: 'Friday', content: [{ text: 'Hi' }], finished_reason: 'completed' },
    ])
  })

  it.each(['appendSample', 'foldStream'])('shows %s as it is', (name) => {
    const sample = readFileSync(`test/dialects/example/${name}.ts`, 'utf8').replaceAll(
      /'[.][.]\/[.][.]\/[.][.]\/src\/entries\/(\w+)[.]js'/g,
      "'agentscope-react/$1'",
    )
    expect(readFileSync('docs/typescript-sample.md', 'utf8')).toContain(sample.trim())
  })
})
