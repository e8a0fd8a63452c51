// @vitest-environment node
import { describe, expect, it } from 'vitest'
import {
  applyEvents,
  createConversation,
  equalsStored,
  getReplyPhase,
  getUsage,
  isBlockOpen,
  selectActiveReplies,
} from '../../src/fold/index.js'
import type { ContentBlock, Msg } from '../../src/protocol/index.js'
import { askedCall, message, script, stamp, throughJson } from './script.js'

describe('getUsage', () => {
  it('adds up the tokens of all messages', () => {
    const [one, two] = [script('r1'), script('r2')]
    const folded = applyEvents(createConversation(), [
      one.start(),
      one.modelEnd(1, 2),
      two.start(),
      two.modelEnd(10, 20),
    ])
    expect(getUsage(folded)).toEqual({
      input_tokens: 11,
      output_tokens: 22,
      cache_input_tokens: 0,
      cache_creation_input_tokens: 0,
    })
  })
})

describe('isBlockOpen', () => {
  it('is true only for a block without an end in a reply that runs', () => {
    const r = script('r')
    const going = applyEvents(createConversation(), [
      r.start(),
      ...r.text('a', 'x'),
      r.textStart('b'),
    ])
    const [closed, open] = going.messages[0]?.content ?? []
    const states = [closed, open].map((block) => block && isBlockOpen(block, going.replies['r']))
    expect(states).toEqual([false, true])
    const failed = applyEvents(going, [r.end({ finished_reason: 'error' })])
    expect(open && isBlockOpen(open, failed.replies['r'])).toBe(false)
    expect(open && isBlockOpen(open, undefined)).toBe(false)
  })
})

describe('getReplyPhase', () => {
  it('knows parked and ended replies that only history knows', () => {
    const messages = [message('p', [askedCall('c')]), message('e', [], { finished_at: stamp(1) })]
    const read = createConversation({ messages })
    expect(['p', 'e', 'nobody', '__proto__'].map((id) => getReplyPhase(read, id))).toEqual([
      'parked',
      'ended',
      'ended',
      'ended',
    ])
  })
})

describe('selectActiveReplies', () => {
  it('gives the replies that have not ended, the same array while none changes', () => {
    const [one, two] = [script('r1'), script('r2')]
    const folded = applyEvents(createConversation(), [
      one.start(),
      one.end(),
      two.start(),
      two.textStart('b'),
    ])
    expect(selectActiveReplies(folded).map(({ replyId }) => replyId)).toEqual(['r2'])
    const more = applyEvents(folded, [two.textDelta('b', 'x')])
    expect(selectActiveReplies(more)).toBe(selectActiveReplies(folded))
  })
})

describe('equalsStored', () => {
  const text: ContentBlock = {
    type: 'text',
    id: 't',
    text: 'x',
    created_at: stamp(1),
    finished_at: stamp(2),
  }
  const output: ContentBlock = {
    type: 'tool_result',
    id: 'c',
    name: 't',
    output: [{ type: 'text', id: 'e1:0', text: 'out' }],
    state: 'success',
    metadata: {},
    finished_at: stamp(3),
  }
  const hint: ContentBlock = {
    type: 'hint',
    id: 'h',
    hint: 'x',
    source: null,
    finished_at: stamp(1),
  }
  const local = message('r', [text, output, hint])

  it.each<[string, (stored: Msg) => Msg]>([
    [
      'times of creation',
      (stored) => ({
        ...stored,
        created_at: stamp(9),
        content: [{ ...text, created_at: null }, output, hint],
      }),
    ],
    [
      'ids of text inside an output',
      (stored) => ({
        ...stored,
        content: [
          text,
          {
            ...output,
            output: [
              { type: 'text', id: 'random', text: 'out', created_at: stamp(9), finished_at: null },
            ],
          },
          hint,
        ],
      }),
    ],
    [
      'when a hint was finished',
      (stored) => ({ ...stored, content: [text, output, { ...hint, finished_at: stamp(9) }] }),
    ],
    [
      'metadata and structured output',
      (stored) => ({ ...stored, metadata: { a: 1 }, structured_output: [] }),
    ],
  ])('does not look at %s', (_, change) => {
    expect(equalsStored(local, change(throughJson(local)))).toBe(true)
  })

  it.each<[string, (stored: Msg) => Msg]>([
    ['a text', (stored) => ({ ...stored, content: [{ ...text, text: 'y' }, output, hint] })],
    [
      'when a block was finished',
      (stored) => ({ ...stored, content: [{ ...text, finished_at: null }, output, hint] }),
    ],
    ['a missing block', (stored) => ({ ...stored, content: [text, output] })],
    ['one more block', (stored) => ({ ...stored, content: [text, output, hint, text] })],
    [
      'an extra key of a block',
      (stored) => ({
        ...stored,
        content: [{ ...text, signature: 's' } as ContentBlock, output, hint],
      }),
    ],
    [
      'usage',
      (stored) => ({
        ...stored,
        usage: {
          input_tokens: 1,
          output_tokens: 1,
          cache_input_tokens: 0,
          cache_creation_input_tokens: 0,
        },
      }),
    ],
    ['the end', (stored) => ({ ...stored, finished_at: stamp(9) })],
    ['the reason', (stored) => ({ ...stored, finished_reason: 'error' })],
  ])('sees a difference in %s', (_, change) => {
    expect(equalsStored(local, change(throughJson(local)))).toBe(false)
  })
})
