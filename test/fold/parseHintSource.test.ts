// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { parseHintSource } from '../../src/fold/index.js'

describe('parseHintSource', () => {
  it.each([
    [
      '{"label":"System","sublabel":"Runtime State"}',
      { label: 'System', sublabel: 'Runtime State' },
    ],
    ['{"label":"KnowledgeBase","sublabel":""}', { label: 'KnowledgeBase', sublabel: null }],
    ['{"label":"team"}', { label: 'team', sublabel: null }],
    ['plain words', { label: 'plain words', sublabel: null }],
    ['[1]', { label: '[1]', sublabel: null }],
    ['42', { label: '42', sublabel: null }],
    ['{"other":1}', null],
    ['  ', null],
    [null, null],
  ])('reads %j', (source, expected) => {
    expect(parseHintSource(source)).toEqual(expected)
  })
})
