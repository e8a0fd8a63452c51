import type { JsonObject } from '../../../src/protocol/index.js'

/** The first moment of a test: 2026-01-21T12:53:20Z, as the wire counts. */
const START = 1_769_000_000

/** An event of a task: its type and its data. */
export type Said = readonly [type: string, data?: JsonObject]

/** The n-th moment as the kit writes it. */
export function stamp(second: number): string {
  return `2026-01-21T12:53:${String(20 + second).padStart(2, '0')}.000Z`
}

/** Events with their places, from the first one on; one a second. */
export function entries(said: readonly Said[], first = 0): readonly JsonObject[] {
  return said.map(([type, data = {}], index) => ({
    idx: first + index,
    type,
    data,
    ts: START + first + index,
  }))
}

/** One page of a task, wrapped as newer servers wrap it. */
export function page(
  said: readonly Said[],
  fields: JsonObject & { readonly first?: number } = {},
): JsonObject {
  const { first = 0, ...rest } = fields
  return {
    success: true,
    data: {
      task_id: 't-1',
      status: 'running',
      next_offset: first + said.length,
      events: entries(said, first),
      ...rest,
    },
  }
}

/** A whole task, each event on a page of its own, and the empty page that says that it is over. */
export function task(
  said: readonly Said[],
  status = 'succeeded',
  fields: JsonObject = {},
): JsonObject[] {
  const pages = said.map((each, index) => page([each], { first: index, ...fields }))
  return [...pages, page([], { first: said.length, status, ...fields })]
}

/** A turn of the agent begins, and calls the model. */
export const BEGIN: readonly Said[] = [
  ['ai_message_start'],
  ['api_request_start', { attempt: 1, max_attempts: 5 }],
]

/** The model is called again. */
export const CALL: Said = ['api_request_start', { attempt: 1, max_attempts: 5 }]

/** A text of one model call. */
export function text(...chunks: readonly string[]): readonly Said[] {
  return [
    ['text_start'],
    ...chunks.map((content, index): Said => [
      'text_chunk',
      { content, index: index + 1, elapsed: index },
    ]),
    ['text_end', { full_content: chunks.join('') }],
  ]
}

/** A call of a tool that runs. */
export function toolRuns(
  id: string,
  name = 'gauge',
  input: JsonObject = { river: 'Elbe' },
): readonly Said[] {
  return [
    ['tool_preparing', { id, name, message: `Preparing ${name}`, intent: null }],
    [
      'tool_start',
      { id: `run_${id}`, name, arguments: input, preparing_id: id, monitor_snapshot: null },
    ],
  ]
}

/** A tool that is done. */
export function toolEnds(id: string, result: JsonObject | string, status = 'completed'): Said {
  return ['update_action', { id: `run_${id}`, preparing_id: id, status, result }]
}

/** The agent is done. */
export const COMPLETE: Said = [
  'task_complete',
  { total_iterations: 1, total_tool_calls: 0, auto_fix_attempts: 0 },
]
