import { describe, expect, it } from 'vitest'
import {
  appendEvent,
  applyEvents,
  createConversation,
  getTextGrowth,
} from '../../src/fold/index.js'
import type { Conversation, TextGrowth } from '../../src/fold/index.js'
import type { ConversationInput, Msg, TextBlock } from '../../src/protocol/index.js'
import { message, script } from './script.js'

const { start, textStart, textDelta, textEnd } = script('r')

function textOf(msg: Msg | undefined): TextBlock {
  const block = msg?.content[0]
  if (block?.type !== 'text') throw new Error('There is no text.')
  return block
}

function commit(conversation: Conversation, ...inputs: readonly ConversationInput[]): Conversation {
  return applyEvents(conversation, inputs)
}

function growthOf({ messages }: Conversation): TextGrowth | undefined {
  return getTextGrowth(textOf(messages[0]))
}

describe('getTextGrowth', () => {
  const begun = commit(createConversation(), start(), textStart('t'), textDelta('t', 'One'))

  it('tells the text before a commit, and all that the commit added', () => {
    expect(growthOf(begun)).toMatchObject({ before: '', added: 'One' })
    const next = commit(begun, textDelta('t', ' two'), textDelta('t', ''), textDelta('t', ' three'))
    expect(growthOf(next)).toMatchObject({ before: 'One', added: ' two three' })
    expect(growthOf(begun)).toMatchObject({ before: '', added: 'One' })
  })

  it('tells each of two that go on from the same text apart', () => {
    const first = commit(begun, textDelta('t', ' two'))
    const second = commit(begun, textDelta('t', ' zwei'))
    expect(growthOf(first)).toMatchObject({ before: 'One', added: ' two' })
    expect(growthOf(second)).toMatchObject({ before: 'One', added: ' zwei' })
  })

  it('knows nothing of a text that has ended, or was replaced', () => {
    expect(growthOf(commit(begun, textDelta('t', ' two'), textEnd('t')))).toBeUndefined()
    expect(growthOf(commit(begun, textEnd('t')))).toBeUndefined()
    const revised = { ...textEnd('t'), text: 'Another text, which is longer.' }
    const inputs: readonly ConversationInput[] = [textDelta('t', ' two'), revised]
    expect(growthOf(commit(begun, ...inputs))).toBeUndefined()
  })

  it('is undefined for a block that was stored', () => {
    const stored = message('r', [{ type: 'text', id: 't', text: 'One' }])
    expect(getTextGrowth(textOf(stored))).toBeUndefined()
    const grown = textOf(appendEvent(stored, textDelta('t', ' two')))
    expect(getTextGrowth(grown)).toMatchObject({ before: 'One', added: ' two' })
    expect(getTextGrowth({ ...grown })).toBeUndefined()
  })

  it('does not explain a text that was put in the place of the one that grew', () => {
    const block = textOf(appendEvent(message('r', []), textStart('t')))
    const grown = textOf(appendEvent(message('r', [block]), textDelta('t', 'abc')))
    Object.assign(grown, { text: 'xyz' })
    expect(getTextGrowth(grown)).toBeUndefined()
  })
})
