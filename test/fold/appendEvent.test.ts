import { describe, expect, it } from 'vitest'
import { appendEvent } from '../../src/fold/index.js'
import type { AgentEvent, ContentBlock, Msg } from '../../src/protocol/index.js'
import { deepFreeze, message, script, stamp } from './script.js'
import { normalise, readVectors, type Vector } from './vectors.js'

/** Vectors where Python raises and we do not: docs/fold.md says what we do. */
const DIFFERENT: ReadonlySet<string> = new Set(['row-38'])

function fold(init: Msg, events: readonly AgentEvent[]): Msg {
  return events.reduce(appendEvent, init)
}

/** Whether an event left a message as it was. */
function isSame(before: Msg, after: Msg): boolean {
  return JSON.stringify(before) === JSON.stringify(after)
}

/** What Python made; where it raised, what it made of the other events. */
function expectedOf(vector: Vector): Msg {
  if (!('raises' in vector.expected)) return vector.expected
  if (vector.left === undefined) throw new Error(`${vector.name} lacks what is left.`)
  return vector.left
}

function dataOf(msg: Msg): string | undefined {
  const block = msg.content.find(({ type }) => type === 'data')
  return block?.type === 'data' && block.source.type === 'base64' ? block.source.data : undefined
}

function dataEvents(chunks: readonly string[]): readonly AgentEvent[] {
  const base = { reply_id: 'r', block_id: 'd', created_at: stamp(1) }
  return [
    { ...base, type: 'DATA_BLOCK_START', media_type: 'image/png' },
    ...chunks.map((data): AgentEvent => ({ ...base, type: 'DATA_BLOCK_DELTA', data })),
    { ...base, type: 'DATA_BLOCK_END' },
  ]
}

describe('appendEvent', () => {
  describe('against the vectors made by Python', () => {
    const equal = readVectors().filter(({ name }) => !DIFFERENT.has(name))

    it.each(equal)('gives the message of $name', (vector) => {
      const expected = expectedOf(vector)
      expect(normalise(fold(vector.init, vector.events), expected)).toEqual(expected)
    })

    it.each(equal.filter(({ after }) => after !== undefined))(
      'gives the message after each event of $name',
      (vector) => {
        const { after = [], events } = vector
        const steps = events.map((_, index) => fold(vector.init, events.slice(0, index + 1)))
        const given = steps.map((step, index) => {
          const expected = after[index]
          if (expected !== undefined && !('raises' in expected)) return normalise(step, expected)
          const before = steps[index - 1] ?? vector.init
          return isSame(before, step) ? expected : step
        })
        expect(given).toEqual(after)
      },
    )

    it.each(equal.filter((vector) => vector.expected_without_repeats !== undefined))(
      'gives the message of $name when its repeats are dropped',
      (vector) => {
        const ids = new Set<string>()
        const events = vector.events.filter(({ id = '' }) => !ids.has(id) && ids.add(id))
        const expected = vector.expected_without_repeats ?? vector.init
        expect(normalise(fold(vector.init, events), expected)).toEqual(expected)
      },
    )
  })

  it('keeps a relative address of a result as it came', () => {
    const vector = readVectors().find(({ name }) => name === 'row-38')
    const result = vector && fold(vector.init, vector.events).content[1]
    expect(result).toMatchObject({
      state: 'success',
      output: [{ type: 'data', source: { type: 'url', url: 'a.png', media_type: 'image/png' } }],
    })
  })

  it('takes times from the event, also where Python takes them from its clock', () => {
    const r = script('r')
    const [text] = fold(message('r', []), [r.textStart('b')]).content
    expect(text).toEqual({
      type: 'text',
      id: 'b',
      text: '',
      created_at: stamp(1),
      finished_at: null,
    })
    const hint: AgentEvent = {
      type: 'HINT_BLOCK',
      reply_id: 'r',
      created_at: stamp(7),
      block_id: 'h',
      hint: 'x',
    }
    const [block] = appendEvent(message('r', []), hint).content
    expect(block).toMatchObject({ created_at: stamp(7), finished_at: stamp(7) })
  })

  it('closes with the time of the message when an end has none, so that nothing stays open', () => {
    const events: readonly AgentEvent[] = [
      { type: 'TEXT_BLOCK_START', reply_id: 'r', block_id: 'b' },
      { type: 'TEXT_BLOCK_END', reply_id: 'r', block_id: 'b' },
      { type: 'REPLY_END', reply_id: 'r' },
    ]
    const folded = fold(message('r', []), events)
    expect(folded.finished_at).toBe(stamp(0))
    expect(folded.content[0]?.finished_at).toBe(stamp(0))
  })

  it('makes up ids from the event, different ones for two pieces of one event', () => {
    const result: ContentBlock = {
      type: 'tool_result',
      id: 'c',
      name: 't',
      output: 'abc',
      state: 'running',
      metadata: {},
    }
    const event: AgentEvent = {
      type: 'TOOL_RESULT_DATA_DELTA',
      id: 'e9',
      reply_id: 'r',
      tool_call_id: 'c',
      media_type: 'image/png',
      data: 'QQ==',
    }
    const init = message('r', [result])
    const first = appendEvent(init, event)
    expect(first).toEqual(appendEvent(init, event))
    const pieces = first.content[0]?.type === 'tool_result' ? first.content[0].output : ''
    expect(pieces).toMatchObject([{ type: 'text', text: 'abc' }, { type: 'data' }])
    const ids = typeof pieces === 'string' ? [] : pieces.map(({ id }) => id)
    expect(new Set(ids).size).toBe(2)
    expect(ids.every((id) => id.startsWith('e9'))).toBe(true)
  })

  it.each([
    ['absent', {}, 'Hi there'],
    ['null', { text: null }, 'Hi there'],
    ['a text', { text: 'Hi' }, 'Hi'],
    ['empty', { text: '' }, ''],
  ])('lets the end of a text replace it when its text is not null: %s', (_, fields, expected) => {
    const r = script('r')
    const folded = fold(message('r', []), [
      r.textStart('b'),
      r.textDelta('b', 'Hi there'),
      { type: 'TEXT_BLOCK_END', reply_id: 'r', block_id: 'b', ...fields },
    ])
    expect(folded.content).toMatchObject([{ text: expected }])
  })

  it('takes a name and an address for a data block', () => {
    const base = { reply_id: 'r', block_id: 'd', created_at: stamp(1) }
    const folded = fold(message('r', []), [
      { ...base, type: 'DATA_BLOCK_START', media_type: 'image/png', name: 'plot.png' },
      { ...base, type: 'DATA_BLOCK_DELTA', data: 'AAAA' },
      { ...base, type: 'DATA_BLOCK_DELTA', url: 'https://example.com/a', media_type: 'image/webp' },
    ])
    expect(folded.content).toMatchObject([
      {
        name: 'plot.png',
        source: { type: 'url', url: 'https://example.com/a', media_type: 'image/webp' },
      },
    ])
  })

  describe('bytes that come in pieces', () => {
    const bytes = Uint8Array.from({ length: 1000 }, (_, index) => (index * 37) % 256)
    const whole = Buffer.from(bytes).toString('base64')

    it.each([1, 2, 3, 4, 5, 7, 64, 333, 999])(
      'joins chunks of %i bytes, each with its own padding',
      (size) => {
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          Buffer.from(bytes.slice(index * size, (index + 1) * size)).toString('base64'),
        )
        expect(dataOf(fold(message('r', []), dataEvents(chunks)))).toBe(whole)
      },
    )

    it.each([1, 2, 3, 5, 6, 7, 11, 250])(
      'joins one text that was cut every %i characters',
      (size) => {
        const chunks = Array.from({ length: Math.ceil(whole.length / size) }, (_, index) =>
          whole.slice(index * size, (index + 1) * size),
        )
        expect(dataOf(fold(message('r', []), dataEvents(chunks)))).toBe(whole)
      },
    )

    it('drops a chunk that cannot be decoded and keeps what came before and after', () => {
      const chunks = ['AA==', 'A', 'AAAAA', 'A=A=', 'AQ==']
      expect(dataOf(fold(message('r', []), dataEvents(chunks)))).toBe('AAE=')
    })

    it('ignores what is no base64 between the characters, and what follows a padding', () => {
      const chunks = ['A\nA==\n', 'AQ\r\n==', '-_A=g==Q*', 'Aw==AAAA']
      expect(dataOf(fold(message('r', []), dataEvents(chunks)))).toBe('AAECAw==')
    })

    it('ends a cut text with whole bytes', () => {
      expect(dataOf(fold(message('r', []), dataEvents(['AAEC', 'A'])))).toBe('AAEC')
      expect(dataOf(fold(message('r', []), dataEvents(['AAEC', 'Aw'])))).toBe('AAECAw==')
    })

    it('goes on with bytes that were stored', () => {
      const stored = fold(message('r', []), dataEvents(['AA==']))
      const [, delta] = dataEvents(['AQ=='])
      expect(dataOf(delta === undefined ? stored : appendEvent(stored, delta))).toBe('AAE=')
    })
  })

  describe('identity', () => {
    const r = script('r')
    const init = deepFreeze(fold(message('r', []), [...r.text('a', 'one'), ...r.text('b', 'two')]))

    it('shares the blocks that an event does not touch', () => {
      const next = appendEvent(init, r.textDelta('b', '!'))
      expect(next.content[0]).toBe(init.content[0])
      expect(next.content[1]).not.toBe(init.content[1])
      expect(init.content[1]).toMatchObject({ text: 'two' })
    })

    it.each<[string, AgentEvent]>([
      ['an event of another reply', script('other').textDelta('a', 'x')],
      ['an unknown block', r.textDelta('nope', 'x')],
      ['an empty delta', r.textDelta('a', '')],
      ['REPLY_START', r.start()],
      ['MODEL_CALL_START', r.modelStart()],
      ['CUSTOM', { type: 'CUSTOM', name: 'state_updated', value: {} }],
      ['CUSTOM with a reply', { type: 'CUSTOM', name: 'x', reply_id: 'r' }],
      [
        'an end with the same stamp',
        { ...r.textEnd('a'), created_at: init.content[0]?.finished_at ?? '' },
      ],
    ])('gives the very same message for %s', (_, event) => {
      expect(appendEvent(init, event)).toBe(init)
    })

    it('changes a thinking block with each delta that says something', () => {
      const base = { reply_id: 'r', block_id: 'k' }
      const steps = ['a', 'b', '', 'c'].map((delta): AgentEvent => ({
        ...base,
        type: 'THINKING_BLOCK_DELTA',
        delta,
      }))
      let current = appendEvent(message('r', []), { ...base, type: 'THINKING_BLOCK_START' })
      const seen = new Set([current.content[0]])
      for (const step of steps) {
        current = appendEvent(current, step)
        seen.add(current.content[0])
      }
      expect(current.content).toMatchObject([{ thinking: 'abc' }])
      expect(seen.size).toBe(4)
    })

    it('does not write to what an old message shares with a newer one', () => {
      const longer = appendEvent(init, r.textStart('c'))
      const other = appendEvent(init, r.textStart('d'))
      const written = appendEvent(appendEvent(other, r.textStart('c')), r.textDelta('c', 'x'))
      expect(longer.content.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
      expect(written.content.map(({ id }) => id)).toEqual(['a', 'b', 'd', 'c'])
      expect(written.content[3]).toMatchObject({ text: 'x' })
    })
  })

  it('keeps calls that arrive at the same time apart, also from those of another reply', () => {
    const events = interleaved('r1').flatMap((event, index) => [
      event,
      interleaved('r2')[index] ?? event,
    ])
    for (const id of ['r1', 'r2']) {
      expect(fold(message(id, []), events).content).toMatchObject([
        { type: 'tool_call', id: 't1', input: '{"q":"x"}', state: 'finished' },
        { type: 'tool_call', id: 't2', input: '{"a":1,"b":2}', state: 'finished' },
        { type: 'tool_result', id: 't2', state: 'success', output: [{ text: '3' }] },
        { type: 'tool_result', id: 't1', state: 'error', output: [] },
      ])
    }
  })
})

/** Two calls, written in turns; the second answers before the first is written. */
function interleaved(reply_id: string): readonly AgentEvent[] {
  const first = { reply_id, tool_call_id: 't1' }
  const second = { reply_id, tool_call_id: 't2' }
  return [
    { ...first, type: 'TOOL_CALL_START', tool_call_name: 'search' },
    { ...second, type: 'TOOL_CALL_START', tool_call_name: 'add' },
    { ...first, type: 'TOOL_CALL_DELTA', delta: '{"q":' },
    { ...second, type: 'TOOL_CALL_DELTA', delta: '{"a":1' },
    { ...first, type: 'TOOL_CALL_DELTA', delta: '"x"}' },
    { ...second, type: 'TOOL_CALL_DELTA', delta: ',"b":2}' },
    { ...second, type: 'TOOL_CALL_END' },
    { ...second, type: 'TOOL_RESULT_START', tool_call_name: 'add' },
    { ...first, type: 'TOOL_CALL_END' },
    { ...second, type: 'TOOL_RESULT_TEXT_DELTA', delta: '3' },
    { ...second, type: 'TOOL_RESULT_END', state: 'success' },
    { ...first, type: 'TOOL_RESULT_START', tool_call_name: 'search' },
    { ...first, type: 'TOOL_RESULT_END', state: 'error' },
  ]
}
