import type { JsonObject } from '../../../../src/protocol/index.js'
import {
  after,
  CUT,
  imageOf,
  numbered,
  roundsOf,
  SPOKEN,
  STOPS,
  type Step,
  type Tool,
} from './scenarios.js'

/** A call as Java writes it. */
function toolUse({ id, name, input }: Tool): JsonObject {
  return {
    type: 'tool_use',
    id,
    name,
    input,
    content: JSON.stringify(input),
    metadata: {},
    state: 'pending',
  }
}

/** AgentScope Java: an id for each model call, `text` for every text, and an end where the run waits. */
export function java(steps: readonly Step[]): readonly JsonObject[] {
  let runs = 0
  const start = (): JsonObject => {
    runs += 1
    return { type: 'AGENT_START', replyId: `R${runs}`, name: 'Ops', role: 'assistant' }
  }
  const stop = (reason: string | undefined, text?: string): readonly JsonObject[] => [
    {
      type: 'AGENT_RESULT',
      result: {
        id: `m${runs}`,
        name: 'Ops',
        role: 'ASSISTANT',
        content: text === undefined ? [] : [{ type: 'text', text }],
        metadata: reason === undefined ? {} : { agentscope_generate_reason: reason },
        timestamp: '2026-08-22 18:00:01.204',
        usage: null,
      },
    },
    { type: 'AGENT_END', replyId: `R${runs}` },
  ]
  const block = (
    kind: 'text' | 'thinking',
    replyId: string,
    pieces: readonly string[],
    isCut: boolean,
  ) => {
    const at = { replyId, blockId: kind }
    const name = kind.toUpperCase()
    return [
      { type: `${name}_BLOCK_START`, ...at },
      ...pieces.map((delta) => ({ type: `${name}_BLOCK_DELTA`, ...at, delta })),
      ...(isCut ? [] : [{ type: `${name}_BLOCK_END`, ...at }]),
    ]
  }
  const tell = (step: Step, at: string, isCut: boolean): readonly JsonObject[] => {
    const of = 'of' in step ? step.of : undefined
    const tool = { replyId: at, toolCallId: of?.id ?? '', toolCallName: of?.name ?? '' }
    switch (step.does) {
      case 'think':
        return block('thinking', at, step.pieces, isCut)
      case 'say':
        return block('text', at, step.pieces, isCut)
      case 'call': {
        const delta = JSON.stringify(step.of.input)
        return [
          { type: 'TOOL_CALL_START', ...tool },
          { type: 'TOOL_CALL_DELTA', ...tool, toolCallName: '__fragment__', delta },
          { type: 'TOOL_CALL_END', ...tool },
        ]
      }
      case 'ask':
        return [
          { type: 'REQUIRE_USER_CONFIRM', replyId: 'Q', toolCalls: [toolUse(step.of)] },
          { type: 'REQUEST_STOP', generateReason: 'PERMISSION_ASKING' },
          ...stop('PERMISSION_ASKING'),
        ]
      case 'suspend':
        return [
          { type: 'TOOL_RESULT_START', ...tool },
          {
            type: 'TOOL_RESULT_TEXT_DELTA',
            ...tool,
            delta: '[Awaiting external execution]',
            metadata: { agentscope_suspended: true },
          },
          { type: 'TOOL_RESULT_END', ...tool, state: 'running' },
          { type: 'REQUIRE_EXTERNAL_EXECUTION', replyId: 'Q', toolCalls: [toolUse(step.of)] },
          ...stop('TOOL_SUSPENDED'),
        ]
      case 'approve':
      case 'deny': {
        const decision = {
          confirmed: step.does === 'approve',
          toolCall: toolUse(step.of),
          rules: null,
        }
        return [start(), { type: 'USER_CONFIRM_RESULT', replyId: 'Q', confirmResults: [decision] }]
      }
      case 'submit': {
        const { id, name } = step.of
        const output = [{ type: 'text', text: step.text }]
        const result = { type: 'tool_result', id, name, output, metadata: {}, state: 'success' }
        return [start(), { type: 'EXTERNAL_EXECUTION_RESULT', replyId: 'Q', toolResults: [result] }]
      }
      case 'result':
      case 'draw': {
        const source = { type: 'base64', media_type: 'image/png', data: imageOf(step) ?? '' }
        return [
          { type: 'TOOL_RESULT_START', ...tool },
          { type: 'TOOL_RESULT_TEXT_DELTA', ...tool, delta: step.text },
          ...(step.does === 'draw'
            ? [{ type: 'TOOL_RESULT_DATA_DELTA', ...tool, data: { type: 'image', source } }]
            : []),
          { type: 'TOOL_RESULT_END', ...tool, state: 'success' },
        ]
      }
      case 'exceed':
        return [{ type: 'EXCEED_MAX_ITERS', replyId: '', maxIters: 1, currentIter: 1 }]
      case 'interrupt':
        return stop('INTERRUPTED')
      case 'fail':
        return [{ type: 'ERROR', message: step.why }]
    }
  }
  const end = steps.at(-1)?.does ?? 'say'
  const exceeds = steps.some(({ does }) => does === 'exceed')
  const usage = { inputTokens: 10, outputTokens: 4, cachedTokens: 0, time: 0.7, totalTokens: 14 }
  return numbered([
    start(),
    ...roundsOf(steps).flatMap((round, index) => {
      const isSpoken = SPOKEN.has(round[0]?.does ?? 'ask')
      const isCut = CUT.has(after(steps, round)?.does ?? 'say')
      const replyId = `${isSpoken ? 'M' : 'A'}${index}`
      return [
        ...(isSpoken ? [{ type: 'MODEL_CALL_START', replyId }] : []),
        ...round.flatMap((step) => tell(step, replyId, isCut)),
        ...(isSpoken && !isCut ? [{ type: 'MODEL_CALL_END', replyId, usage }] : []),
      ]
    }),
    ...(STOPS.has(end) || CUT.has(end) ? [] : stop(exceeds ? 'MAX_ITERATIONS' : undefined)),
  ])
}
