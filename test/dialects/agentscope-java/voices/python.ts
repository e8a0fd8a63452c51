import type { JsonObject } from '../../../../src/protocol/index.js'
import {
  after,
  CUT,
  numbered,
  roundsOf,
  SPOKEN,
  STOPS,
  type Step,
  type Tool,
  type Voice,
} from './scenarios.js'

/** The stream of AgentScope Python. What is never told by others is left out here, so that the rest can be compared. */
export function python(speaker: string, hasModelCalls: boolean): Voice['speak'] {
  return (steps) => {
    let blocks = 0
    const of = (type: string, fields: JsonObject = {}): JsonObject => ({
      type,
      reply_id: 'r',
      ...fields,
    })
    const block = (kind: string, pieces: readonly string[], isCut: boolean) => {
      blocks += 1
      const at = { block_id: `b${blocks}` }
      return [
        of(`${kind}_BLOCK_START`, at),
        ...pieces.map((delta) => of(`${kind}_BLOCK_DELTA`, { ...at, delta })),
        ...(isCut ? [] : [of(`${kind}_BLOCK_END`, at)]),
      ]
    }
    const call = (tool: Tool, state: string): JsonObject => ({
      type: 'tool_call',
      id: tool.id,
      name: tool.name,
      input: JSON.stringify(tool.input),
      state,
    })
    const result = (tool: Tool, output: readonly JsonObject[], state: string) => {
      const at = { tool_call_id: tool.id }
      return [
        of('TOOL_RESULT_START', { ...at, tool_call_name: tool.name }),
        ...output.map((piece) => of(`TOOL_RESULT_${textOr(piece)}_DELTA`, { ...at, ...piece })),
        of('TOOL_RESULT_END', { ...at, state }),
      ]
    }
    const tell = (step: Step, isCut: boolean): readonly JsonObject[] => {
      switch (step.does) {
        case 'think':
          return block('THINKING', step.pieces, isCut)
        case 'say':
          return block('TEXT', step.pieces, isCut)
        case 'call': {
          const at = { tool_call_id: step.of.id }
          return [
            of('TOOL_CALL_START', { ...at, tool_call_name: step.of.name }),
            of('TOOL_CALL_DELTA', { ...at, delta: JSON.stringify(step.of.input) }),
            of('TOOL_CALL_END', at),
          ]
        }
        case 'ask':
          return [of('REQUIRE_USER_CONFIRM', { tool_calls: [call(step.of, 'asking')] })]
        case 'suspend':
          return [of('REQUIRE_EXTERNAL_EXECUTION', { tool_calls: [call(step.of, 'submitted')] })]
        case 'approve':
        case 'deny': {
          const confirmed = step.does === 'approve'
          const tool_call = call(step.of, 'asking')
          const told = of('USER_CONFIRM_RESULT', { confirm_results: [{ confirmed, tool_call }] })
          return confirmed ? [told] : [told, ...result(step.of, [], 'denied')]
        }
        case 'result':
          return result(step.of, [{ delta: step.text }], 'success')
        case 'draw': {
          const image = { block_id: 'p1', media_type: 'image/png', data: step.image }
          return result(step.of, [{ delta: step.text }, image], 'success')
        }
        case 'submit': {
          const { id, name } = step.of
          const output = [{ type: 'text', id: 'o', text: step.text }]
          const results = [{ type: 'tool_result', id, name, output, state: 'success' }]
          return [
            of('EXTERNAL_EXECUTION_RESULT', { execution_results: results }),
            of('TOOL_RESULT_END', { tool_call_id: id, state: 'success' }),
          ]
        }
        case 'exceed':
          return [of('EXCEED_MAX_ITERS', { name: speaker })]
        default:
          return []
      }
    }
    const end = steps.at(-1)
    const reason =
      end?.does === 'interrupt' ? 'interrupted' : end?.does === 'fail' ? 'error' : undefined
    const exceeds = steps.some(({ does }) => does === 'exceed')
    return numbered([
      of('REPLY_START', { name: speaker, role: 'assistant' }),
      ...roundsOf(steps).flatMap((round) => {
        const isSpoken = hasModelCalls && SPOKEN.has(round[0]?.does ?? 'ask')
        const isCut = CUT.has(after(steps, round)?.does ?? 'say')
        return [
          ...(isSpoken ? [of('MODEL_CALL_START', { model_name: '' })] : []),
          ...round.flatMap((step) => tell(step, isCut)),
          ...(isSpoken && !isCut
            ? [of('MODEL_CALL_END', { input_tokens: 10, output_tokens: 4 })]
            : []),
        ]
      }),
      ...(end !== undefined && STOPS.has(end.does)
        ? []
        : [
            of('REPLY_END', {
              finished_reason: reason ?? (exceeds ? 'exceed_max_iters' : 'completed'),
              ...(end?.does === 'fail' ? { error: { type: 'unknown', message: end.why } } : {}),
            }),
          ]),
    ])
  }
}

function textOr(piece: JsonObject): string {
  return 'delta' in piece ? 'TEXT' : 'DATA'
}
