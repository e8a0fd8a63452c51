import { describe, expect, it } from 'vitest'
import { appendEvent, type MessageView, viewMessage } from '../../src/fold/index.js'
import type {
  AgentEvent,
  ContentBlock,
  Msg,
  ToolCallBlock,
  ToolResultBlock,
} from '../../src/protocol/index.js'
import { framesOf, readRecording } from './recordings.js'
import { message, script } from './script.js'

function call(id: string, fields: Partial<ToolCallBlock> = {}): ToolCallBlock {
  return {
    type: 'tool_call',
    id,
    name: 't',
    input: '{}',
    state: 'finished',
    suggested_rules: [],
    ...fields,
  }
}

function result(id: string, fields: Partial<ToolResultBlock> = {}): ToolResultBlock {
  return {
    type: 'tool_result',
    id,
    name: 't',
    output: 'x',
    state: 'success',
    metadata: {},
    ...fields,
  }
}

function view(...content: readonly ContentBlock[]): readonly MessageView[] {
  return viewMessage(message('r', content))
}

function fold(events: readonly AgentEvent[], id: string): Msg {
  return events.reduce(appendEvent, message(id, []))
}

function firstReply(name: string): readonly MessageView[] {
  const frames = framesOf(readRecording(name))
  const start = frames.find(({ type }) => type === 'REPLY_START')
  const id = start?.type === 'REPLY_START' ? start.reply_id : ''
  return viewMessage(fold(frames, id))
}

describe('viewMessage', () => {
  it('shows each call with its result, where the call stands', () => {
    expect(view(call('a'), call('b'), result('b'), result('a'))).toMatchObject([
      { kind: 'tool', call: { id: 'a' }, result: { id: 'a' } },
      { kind: 'tool', call: { id: 'b' }, result: { id: 'b' } },
    ])
  })

  it('shows a call without a result, and a result without a call', () => {
    expect(view(call('a'), result('b'))).toMatchObject([
      { kind: 'tool', call: { id: 'a' }, result: null },
      { kind: 'tool', call: null, result: { id: 'b' } },
    ])
  })

  it('gives the n-th call of an id its n-th result', () => {
    const items = view(
      call('a', { input: '1' }),
      result('a', { output: 'one' }),
      call('a', { input: '2' }),
      result('a', { output: 'two' }),
    )
    expect(items).toMatchObject([
      { call: { input: '1' }, result: { output: 'one' } },
      { call: { input: '2' }, result: { output: 'two' } },
    ])
    expect(new Set(items.map(({ key }) => key)).size).toBe(2)
  })

  it('shows one block for each kind under one id, and no empty repeat of one', () => {
    const r = script('r')
    const items = viewMessage(
      fold(
        [
          { type: 'THINKING_BLOCK_START', reply_id: 'r', block_id: 'x' },
          { type: 'THINKING_BLOCK_DELTA', reply_id: 'r', block_id: 'x', delta: 'think' },
          ...r.text('x', 'say'),
          ...r.call('x', '{}'),
          r.resultStart('x'),
          r.resultText('x', 'out'),
          r.textStart('x'),
        ],
        'r',
      ),
    )
    expect(items.map(({ kind }) => kind)).toEqual(['thinking', 'text', 'tool'])
    expect(items[1]).toMatchObject({ block: { text: 'say' } })
    expect(new Set(items.map(({ key }) => key)).size).toBe(3)
  })

  it('never gives two items one key, whatever the ids are', () => {
    const text = (id: string): ContentBlock => ({ type: 'text', id, text: 'x' })
    const items = view(
      text('a'),
      text('a'),
      text('0:a'),
      text('1:a'),
      text('a:1'),
      text('__proto__'),
      text(''),
    )
    expect(new Set(items.map(({ key }) => key)).size).toBe(items.length)
  })

  it('leaves out a repeated hint, but not one that says something else', () => {
    const hint = (text: string): ContentBlock => ({
      type: 'hint',
      id: 'h',
      hint: text,
      source: null,
    })
    expect(view(hint('a'), hint('a'), hint('b'))).toMatchObject([
      { block: { hint: 'a' } },
      { block: { hint: 'b' } },
    ])
  })

  it('gives the same array for the same message, and the same items for the same blocks', () => {
    const r = script('r')
    const before = fold(
      [...r.text('a', 'x'), ...r.call('c', '{}'), r.resultStart('c'), r.textStart('b')],
      'r',
    )
    const after = appendEvent(before, r.textDelta('b', 'y'))
    expect(viewMessage(before)).toBe(viewMessage(before))
    const [one, two] = [viewMessage(before), viewMessage(after)]
    expect(two[0]).toBe(one[0])
    expect(two[1]).toBe(one[1])
    expect(two[2]).not.toBe(one[2])
    expect(two.map(({ key }) => key)).toEqual(one.map(({ key }) => key))
  })

  it('keeps a card’s key when its result comes', () => {
    const r = script('r')
    const before = fold(r.call('c', '{}'), 'r')
    const after = appendEvent(before, r.resultStart('c'))
    expect(viewMessage(after).map(({ key }) => key)).toEqual(
      viewMessage(before).map(({ key }) => key),
    )
  })

  it.each([
    ['fragments-in-turns', 2],
    ['repeated-call-ids', 1],
    ['interrupt-tool', 1],
  ])('shows no ghost of what the service stored by mistake in %s', (name, cards) => {
    expect(firstReply(name).filter(({ kind }) => kind === 'tool')).toHaveLength(cards)
  })

  it('keeps a block of an unknown kind', () => {
    expect(view({ type: 'kit.unknown', id: 'h', block: { type: 'hologram' } })).toMatchObject([
      { kind: 'unknown' },
    ])
  })
})
