import { isJsonObject, type JsonObject } from '../../../../src/protocol/index.js'
import { java } from './java.js'
import { after, CUT, imageOf, roundsOf, SPOKEN, type Step } from './scenarios.js'

const OLD_NAMES: Readonly<Record<string, string>> = {
  AGENT_START: 'RUN_STARTED',
  AGENT_END: 'RUN_FINISHED',
  MODEL_CALL_START: 'MODEL_CALL_STARTED',
  MODEL_CALL_END: 'MODEL_CALL_ENDED',
  TOOL_RESULT_DATA_DELTA: 'TOOL_RESULT_BINARY_DELTA',
}

/** The TypeScript SDK before 2.0: one id for the whole reply, older names, calls as Python writes them. */
export function typescript(steps: readonly Step[]): readonly JsonObject[] {
  const unknown = new Set(['AGENT_RESULT', 'REQUEST_STOP'])
  let blocks = 0
  return java(steps)
    .filter(({ type }) => typeof type === 'string' && !unknown.has(type))
    .filter(({ state, metadata }) => state !== 'running' && metadata === undefined)
    .map((frame): JsonObject => {
      const type = typeof frame['type'] === 'string' ? frame['type'] : ''
      if (type.endsWith('_BLOCK_START')) blocks += 1
      const { usage: _, data, ...rest } = frame
      const block = isJsonObject(data) ? data : {}
      const source = isJsonObject(block['source']) ? block['source'] : undefined
      return {
        ...rest,
        type: OLD_NAMES[type] ?? type,
        replyId: 'R1',
        ...('blockId' in frame ? { blockId: `b${blocks}` } : {}),
        ...(type === 'MODEL_CALL_END' ? { inputTokens: 10, outputTokens: 4 } : {}),
        ...(source === undefined
          ? {}
          : { mediaType: source['media_type'] ?? null, data: source['data'] ?? null }),
      }
    })
}

/** The article: no ids of replies or blocks, words of its own. */
export function article(steps: readonly Step[]): readonly JsonObject[] {
  const tell = (step: Step, isCut: boolean): readonly JsonObject[] => {
    switch (step.does) {
      case 'think':
      case 'say': {
        const name = step.does === 'say' ? 'TEXT' : 'THINKING'
        return [
          { type: `${name}_BLOCK_START` },
          ...step.pieces.map((delta) => ({ type: `${name}_BLOCK_DELTA`, delta })),
          ...(isCut ? [] : [{ type: `${name}_BLOCK_END` }]),
        ]
      }
      case 'call':
        return [
          { type: 'TOOL_CALL_START', ...step.of },
          { type: 'TOOL_CALL_END', id: step.of.id, name: step.of.name },
        ]
      case 'ask': {
        const { id, name: toolName, input: parameters } = step.of
        return [{ type: 'PERMISSION_REQUEST', id, toolName, parameters }]
      }
      case 'approve':
      case 'deny':
        return [
          {
            type: 'PERMISSION_RESPONSE',
            toolCallId: step.of.id,
            approved: step.does === 'approve',
          },
        ]
      case 'result':
      case 'draw': {
        const source = { type: 'base64', mediaType: 'image/png', data: imageOf(step) ?? '' }
        const pieces = [
          { type: 'text', text: step.text },
          { type: 'image', source },
        ]
        const content = step.does === 'draw' ? pieces : step.text
        return [{ type: 'TOOL_RESULT', toolUseId: step.of.id, content, isError: false }]
      }
      case 'exceed':
        return [{ type: 'EXCEED_MAX_ITERS' }]
      case 'interrupt':
        return [{ type: 'INTERRUPT' }]
      case 'fail':
        return [{ type: 'ERROR', errorMessage: step.why }]
      default:
        throw new Error('The article has no word for it.')
    }
  }
  return [
    { type: 'AGENT_START', name: 'Ops' },
    ...roundsOf(steps).flatMap((round) => {
      const isSpoken = SPOKEN.has(round[0]?.does ?? 'ask')
      const isCut = CUT.has(after(steps, round)?.does ?? 'say')
      return [
        ...(isSpoken ? [{ type: 'MODEL_CALL_START', modelName: 'm' }] : []),
        ...round.flatMap((step) => tell(step, isCut)),
        ...(isSpoken && !isCut
          ? [{ type: 'MODEL_CALL_END', promptTokens: 10, completionTokens: 4 }]
          : []),
      ]
    }),
    ...(CUT.has(steps.at(-1)?.does ?? 'say') ? [] : [{ type: 'AGENT_END' }]),
  ]
}

/** A controller that trims events to a few fields. Arguments and results are not among them. */
export function trimmed(steps: readonly Step[]): readonly JsonObject[] {
  return java(steps)
    .filter(({ type }) => type !== 'AGENT_RESULT')
    .map(({ type = null, id = null, delta }) => ({
      type,
      id,
      ...(delta === undefined ? {} : { delta }),
    }))
}
