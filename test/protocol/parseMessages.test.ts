// @vitest-environment node
import { fc } from '../fc.js'
import { describe, expect, it } from 'vitest'
import { parseMessages } from '../../src/protocol/index.js'
import { readRecordings } from '../fold/recordings.js'

describe('parseMessages', () => {
  it('gives every recorded message back as it was stored', () => {
    for (const { final } of readRecordings()) {
      expect(parseMessages(final.messages)).toEqual({ messages: final.messages, anomalies: [] })
    }
  })

  it('reads sparse messages without dropping one', () => {
    const sparse = [
      { id: 'm1', role: 'assistant', name: 'bot', content: null },
      {
        id: 'm2',
        role: 'assistant',
        name: 'bot',
        content: [
          null,
          { type: 'text', id: 'b1', text: null },
          { type: 'text', id: 'b2', text: 'ok' },
        ],
      },
      { id: 'm3', role: 'assistant', name: 'bot', content: 'plain string' },
      {
        id: 'm4',
        role: 'assistant',
        name: 'bot',
        content: [
          { type: 'tool_call', id: 't1', name: 'f', input: null, state: 'finished' },
          { type: 'tool_result', id: 't1', name: 'f', output: 'str', state: 'success' },
        ],
      },
      {
        id: 'm5',
        role: 'assistant',
        name: 'bot',
        content: [
          { type: 'tool_result', id: 't2', name: 'g', output: null, state: 'success' },
          { type: 'hologram', id: 'h1' },
        ],
      },
      { id: 'm6', role: 'system', name: 'system' },
      {
        id: 'm7',
        role: 'assistant',
        name: 'bot',
        content: [{ type: 'thinking', id: 'k1', thinking: '', redacted_thinking_data: 'zzz' }],
      },
    ]
    const { messages, anomalies } = parseMessages(sparse)
    expect(messages.map(({ content }) => content)).toMatchObject([
      [],
      [{ text: '' }, { text: 'ok' }],
      [{ type: 'text', text: 'plain string' }],
      [
        { input: '', suggested_rules: [] },
        { output: 'str', metadata: {} },
      ],
      [{ output: '' }, { type: 'kit.unknown', id: 'h1', block: { type: 'hologram' } }],
      [],
      [{ thinking: '', redacted_thinking_data: 'zzz' }],
    ])
    expect(messages[0]).toMatchObject({ metadata: {}, usage: null, finished_at: null, error: null })
    expect(anomalies.map(({ kind }) => kind)).toEqual(['unknown-block', 'unknown-block'])
  })

  it('leaves out what is no message, and says so', () => {
    const { messages, anomalies } = parseMessages([null, 'x', { id: 'm' }])
    expect(messages).toMatchObject([{ id: 'm', role: 'assistant', name: '' }])
    expect(anomalies.map(({ kind }) => kind)).toEqual(['malformed-message', 'malformed-message'])
  })

  it('gives messages without an id ids of their own', () => {
    const { messages } = parseMessages([{ content: [] }, { content: [] }, { id: '' }])
    expect(new Set(messages.map(({ id }) => id)).size).toBe(3)
  })

  it.each([null, undefined, {}, 'x'])('finds nothing in %j', (value) => {
    expect(parseMessages(value)).toEqual({ messages: [], anomalies: [] })
  })

  it('survives any JSON', () => {
    const field = fc.constantFrom(
      'id',
      'name',
      'role',
      'content',
      'metadata',
      'usage',
      'error',
      'created_at',
      'finished_at',
    )
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.jsonValue(), fc.dictionary(field, fc.jsonValue()))),
        (values) => {
          const { messages } = parseMessages(values)
          expect(parseMessages(messages).messages).toEqual(messages)
        },
      ),
    )
  })
})
