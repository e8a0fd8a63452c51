import {
  isJsonObject,
  parseMessages,
  type JsonObject,
  type JsonValue,
  type Msg,
} from '../../protocol/index.js'

/** One thing that happened. */
export interface RecordingStep {
  /** What: `open`, `frame`, `heartbeat`, `close`, `post`, `interrupt`, `get_messages` or `status`. */
  readonly kind: string
  /** When, in milliseconds from the start; as the step before it by default. */
  readonly t_ms?: number
  /** The fields of its kind. */
  readonly [field: string]: unknown
}

/** A recorded session: what a client sent and what came back, in order. */
export interface Recording {
  /** Its name. */
  readonly name?: string
  /** The session; steps of other sessions (a team worker's) are not played. */
  readonly session_id: string
  /** What happened, in order. Kinds that are not known are passed over. */
  readonly steps: readonly RecordingStep[]
  /** What the server had stored after the last step. */
  readonly final?: { readonly messages: readonly unknown[]; readonly status?: string }
}

/** What an answer is about: the calls of one reply. */
export interface AnsweredCalls {
  /** The kind of answer. */
  readonly type: 'USER_CONFIRM_RESULT' | 'EXTERNAL_EXECUTION_RESULT'
  /** One key per call: its reply and its id. */
  readonly keys: readonly string[]
}

/** One step of the own session, read. `atMs` counts from the start. */
export type Step =
  | { readonly kind: 'open' | 'close'; readonly atMs: number; readonly conn: unknown }
  | { readonly kind: 'frame'; readonly atMs: number; readonly event: unknown }
  | { readonly kind: 'user'; readonly atMs: number; readonly messages: readonly Msg[] }
  | { readonly kind: 'answer'; readonly atMs: number; readonly calls: AnsweredCalls }
  | { readonly kind: 'stored'; readonly atMs: number; readonly messages: readonly Msg[] }
  | { readonly kind: 'status'; readonly atMs: number; readonly word: JsonValue | undefined }

/** A recording, read: no field needs to be doubted any more. */
export interface ReadRecording {
  /** Its name, or the session. */
  readonly name: string
  /** The steps of the own session, in order. */
  readonly steps: readonly Step[]
  /** The stored messages after the last step. */
  readonly finalMessages: readonly Msg[]
  /** The status after the last step, in the service's words. */
  readonly finalStatus: JsonValue | undefined
}

/**
 * Reads a recording. What is missing or odd is left out; nothing throws.
 *
 * @param value - A recording, or anything.
 */
export function readRecording(value: unknown): ReadRecording {
  const recording = objectOf(value)
  const session = recording['session_id']
  const steps = listOf(recording['steps']).filter(isJsonObject)
  const foreign = new Set(
    steps
      .filter((step) => step['kind'] === 'open' && !isOwn(step, session))
      .map((step) => step['conn']),
  )
  const final = objectOf(recording['final'])
  const finalMessages = parseMessages(final['messages']).messages
  const own = steps.filter((step) => isOwn(step, session) && !foreign.has(step['conn'] ?? null))
  let atMs = 0
  return {
    name: [recording['name'], session].find((name) => typeof name === 'string') ?? 'unnamed',
    steps: own.flatMap((step) => {
      if (typeof step['t_ms'] === 'number') atMs = Math.max(atMs, step['t_ms'])
      const read = readStep(step, atMs, finalMessages)
      return read === undefined ? [] : [read]
    }),
    finalMessages,
    finalStatus: final['status'],
  }
}

/** A post says in its body which session it is for. */
function isOwn(step: JsonObject, session: JsonValue | undefined): boolean {
  return (step['session_id'] ?? objectOf(step['body'])['session_id'] ?? session) === session
}

function readStep(step: JsonObject, atMs: number, final: readonly Msg[]): Step | undefined {
  const response = objectOf(step['response'])
  switch (step['kind']) {
    case 'open':
    case 'close':
      return { kind: step['kind'], atMs, conn: step['conn'] }
    case 'frame':
      return { kind: 'frame', atMs, event: step['event'] }
    case 'post':
      return readPost(step, atMs, final)
    case 'get_messages': {
      const isOlderPage = objectOf(step['params'])['before'] !== undefined
      if (isOlderPage) return undefined
      return { kind: 'stored', atMs, messages: parseMessages(response['messages']).messages }
    }
    case 'status':
      return { kind: 'status', atMs, word: response['status'] }
    default:
      return undefined
  }
}

function readPost(step: JsonObject, atMs: number, final: readonly Msg[]): Step | undefined {
  const wasTaken = typeof step['status'] !== 'number' || step['status'] < 400
  const { input } = objectOf(step['body'])
  if (!wasTaken || input === undefined) return undefined
  const calls = readAnsweredCalls(input)
  if (calls !== undefined) return { kind: 'answer', atMs, calls }
  const posted = parseMessages(Array.isArray(input) ? input : [input]).messages
  // The stored message, where there is one, has the ids that the server gave to its blocks.
  const messages = posted.map((message) => final.find(({ id }) => id === message.id) ?? message)
  return { kind: 'user', atMs, messages }
}

/**
 * Reads which calls an answer is about, of an input that was posted or of the event that echoes it.
 *
 * @param input - Anything.
 * @returns Undefined for what is no answer.
 */
export function readAnsweredCalls(input: unknown): AnsweredCalls | undefined {
  const { type, reply_id: replyId, confirm_results, execution_results } = objectOf(input)
  if (type === 'USER_CONFIRM_RESULT') {
    const calls = listOf(confirm_results).map((result) => objectOf(result)['tool_call'])
    return { type, keys: keysOf(replyId, calls) }
  }
  if (type !== 'EXTERNAL_EXECUTION_RESULT') return undefined
  return { type, keys: keysOf(replyId, listOf(execution_results)) }
}

function keysOf(
  replyId: JsonValue | undefined,
  calls: readonly (JsonValue | undefined)[],
): readonly string[] {
  return calls.flatMap((call) =>
    isJsonObject(call) ? [JSON.stringify([replyId, call['id']])] : [],
  )
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}
