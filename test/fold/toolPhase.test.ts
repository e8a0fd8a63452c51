// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { toolPhase } from '../../src/fold/index.js'
import type { ToolCallBlock, ToolResultBlock } from '../../src/protocol/index.js'

function call(state: string, finished_at: string | null = 'then'): ToolCallBlock {
  return {
    type: 'tool_call',
    id: 'c',
    name: 't',
    input: '{}',
    state,
    suggested_rules: [],
    finished_at,
  }
}

function result(state: string, finished_at: string | null = null): ToolResultBlock {
  return { type: 'tool_result', id: 'c', name: 't', output: [], state, metadata: {}, finished_at }
}

describe('toolPhase', () => {
  it.each([
    ['writing', call('pending', null), null],
    ['pending', call('pending'), null],
    ['asking', call('asking'), null],
    ['submitted', call('submitted'), null],
    ['submitted', call('submitted'), result('running')],
    ['running', call('allowed'), null],
    ['running', call('allowed'), result('running')],
    ['denied', call('finished'), null],
    ['succeeded', call('finished'), result('success', 'then')],
    ['succeeded', call('finished'), result('running', 'then')],
    ['succeeded', call('finished'), result('brand_new', 'then')],
    ['failed', call('finished'), result('error')],
    ['denied', call('finished'), result('denied')],
    ['interrupted', call('finished'), result('interrupted')],
    ['pending', call('brand_new'), null],
    ['running', null, result('running')],
  ] as const)('says %s while the reply is live (%#)', (phase, one, other) => {
    expect(toolPhase({ call: one, result: other, isReplyLive: true })).toBe(phase)
  })

  it.each([
    ['not-run', call('pending', null), null],
    ['not-run', call('pending'), null],
    ['not-run', call('asking'), null],
    ['not-run', call('submitted'), null],
    ['not-run', call('allowed'), null],
    ['denied', call('finished'), null],
    ['interrupted', call('allowed'), result('running')],
    ['interrupted', call('submitted'), result('running')],
    ['succeeded', call('finished'), result('success')],
    ['interrupted', null, result('running')],
  ] as const)('says %s in a reply that is over (%#)', (phase, one, other) => {
    expect(toolPhase({ call: one, result: other, isReplyLive: false })).toBe(phase)
  })
})
