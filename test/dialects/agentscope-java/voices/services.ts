import type { JsonObject } from '../../../../src/protocol/index.js'
import { java } from './java.js'
import { after, CUT, roundsOf, SPOKEN, STOPS, type Step } from './scenarios.js'

/** The events of a managed session: what is written is previewed, and stored when it is whole. */
export function managed(steps: readonly Step[]): readonly JsonObject[] {
  let seq = 0
  const stored = (type: string, payload: JsonObject = {}, given?: string): JsonObject => {
    seq += 1
    return { id: given ?? `evt_${seq}`, sessionId: 's', seq, type, payload }
  }
  const tell = (step: Step, index: number): readonly JsonObject[] => {
    switch (step.does) {
      case 'think':
      case 'say': {
        const type = step.does === 'say' ? 'agent.message' : 'agent.thinking'
        const event_id = `p${index}`
        const preview = (kind: string, payload: JsonObject = {}): JsonObject => ({
          seq: -1,
          type: kind,
          payload: { event_id, type, ...payload },
        })
        const next = steps[index + 1]?.does ?? 'end'
        const isStored = step.does === 'say' && next === 'end'
        return [
          preview('event_start'),
          ...step.pieces.map((delta) => preview('event_delta', { delta })),
          ...(isStored ? [stored('agent.message', { text: step.pieces.join('') }, event_id)] : []),
        ]
      }
      case 'call':
        return [stored('agent.tool_use', { ...step.of, toolCallId: step.of.id })]
      case 'result': {
        const payload = { tool_use_id: step.of.id, state: 'SUCCESS', output: step.text }
        return [stored('agent.tool_result', payload)]
      }
      case 'ask': {
        const { id, name, input } = step.of
        return [
          stored('session.requires_action', { tool_use_id: id, tool_name: name, input }),
          stored('session.status_requires_action', { tool_use_id: id }),
        ]
      }
      case 'approve':
      case 'deny':
        return [
          stored('user.tool_confirmation', {
            tool_use_id: step.of.id,
            allow: step.does === 'approve',
          }),
          stored('session.status_running'),
        ]
      case 'interrupt':
        return [stored('session.interrupted', { status: 'interrupted' })]
      case 'fail':
        return [stored('session.error', { error: { message: step.why } })]
      default:
        throw new Error('Managed sessions have no word for it.')
    }
  }
  const usage = { inputTokens: 10, outputTokens: 4 }
  let index = 0
  const end = steps.at(-1)?.does ?? 'say'
  return [
    stored('session.status_running'),
    ...roundsOf(steps).flatMap((round) => {
      const isSpoken = SPOKEN.has(round[0]?.does ?? 'ask')
      const isCut = CUT.has(after(steps, round)?.does ?? 'say')
      return [
        ...(isSpoken ? [stored('span.model_request_start')] : []),
        ...round.flatMap((step) => {
          index += 1
          return tell(step, index - 1)
        }),
        ...(isSpoken && !isCut ? [stored('span.model_request_end', { usage })] : []),
      ]
    }),
    ...(STOPS.has(end) || CUT.has(end) ? [] : [stored('session.status_idle')]),
  ]
}

/** A task of the agent protocol, with the events themselves in it. */
export function task(steps: readonly Step[]): readonly JsonObject[] {
  const events = java(steps).filter(({ type }) => type !== 'ERROR')
  const end = steps.at(-1)
  const frames: JsonObject[] = events.map((event) => ({
    type: 'AGENT_EVENT',
    eventType: event['type'] ?? '',
    payload: JSON.stringify(event),
  }))
  if (end?.does === 'fail') frames.push({ type: 'RUN_ERROR', error: end.why })
  else if (end !== undefined && !STOPS.has(end.does)) {
    frames.push({ type: 'STATUS', status: 'success' })
  }
  return inTask(frames)
}

/** A task whose events are flat. */
export function flatTask(steps: readonly Step[]): readonly JsonObject[] {
  const tell = (step: Step): readonly JsonObject[] => {
    const tool = 'of' in step ? { toolCallId: step.of.id, toolName: step.of.name } : {}
    switch (step.does) {
      case 'think':
        return step.pieces.map((text) => ({ type: 'THINKING_DELTA', text }))
      case 'say':
        return step.pieces.map((text) => ({ type: 'TEXT_DELTA', text }))
      case 'call':
        return [
          { type: 'TOOL_CALL_START', ...tool },
          { type: 'TOOL_CALL_END', ...tool, toolInput: JSON.stringify(step.of.input) },
        ]
      case 'ask': {
        const pendingConfirms = [{ ...tool, toolInputJson: JSON.stringify(step.of.input) }]
        return [
          { type: 'REQUIRE_CONFIRM', pendingConfirms },
          { type: 'RUN_FINISHED' },
          { type: 'REQUIRE_CONFIRM', status: 'awaiting_confirm', pendingConfirms },
        ]
      }
      case 'approve':
        return [{ type: 'RUN_STARTED' }]
      case 'result':
        return [{ type: 'TOOL_RESULT', ...tool, text: step.text, status: 'SUCCESS' }]
      case 'interrupt':
        return [{ type: 'STATUS', status: 'cancelled' }]
      case 'fail':
        return [{ type: 'RUN_ERROR', error: step.why }]
      default:
        throw new Error('A flat task has no word for it.')
    }
  }
  const end = steps.at(-1)?.does ?? 'say'
  const isOver = !STOPS.has(end) && !CUT.has(end)
  return inTask([
    { type: 'RUN_STARTED' },
    ...steps.flatMap(tell),
    ...(isOver ? [{ type: 'RUN_FINISHED' }, { type: 'STATUS', status: 'success' }] : []),
  ])
}

function inTask(frames: readonly JsonObject[]): readonly JsonObject[] {
  return frames.map((frame, index) => ({
    seq: index + 1,
    taskId: 't1',
    agentId: 'Ops',
    ...frame,
  }))
}
