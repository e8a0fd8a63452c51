import { readdirSync, readFileSync } from 'node:fs'
import {
  type AgentEvent,
  type ConversationInput,
  type Msg,
  parseMessages,
} from '../../src/protocol/index.js'

/** One step of a recording; the README of the recordings says what the fields mean. */
export interface Step {
  readonly kind: string
  readonly conn?: number
  readonly session_id?: string
  readonly status?: number | string
  readonly event?: AgentEvent
  readonly body?: { readonly session_id?: string; readonly input?: unknown }
  readonly params?: { readonly before?: string }
  readonly response?: {
    readonly messages?: unknown
    readonly is_running?: boolean
    readonly has_more?: boolean
    readonly status?: string
  }
}

/** A recorded session. */
export interface Recording {
  readonly name: string
  readonly session_id: string
  readonly fold_equals_final: boolean
  readonly steps: readonly Step[]
  readonly final: { readonly messages: readonly Msg[]; readonly status: string }
}

const FOLDER = 'test/recordings/agentscope-python'

/** A recording by its name. */
export function readRecording(name: string): Recording {
  // The files are part of the repository, and their README describes them.
  return JSON.parse(readFileSync(`${FOLDER}/${name}.json`, 'utf8')) as Recording
}

/** All recordings. */
export function readRecordings(): readonly Recording[] {
  return readdirSync(FOLDER).map((file) => readRecording(file.replace('.json', '')))
}

/** The steps of the session's own stream and history, without those of a sub-agent's session. */
export function ownSteps(recording: Recording): readonly Step[] {
  const foreign = new Set(
    recording.steps
      .filter((step) => step.kind === 'open' && step.session_id !== undefined)
      .map((step) => step.conn),
  )
  return recording.steps.filter(
    (step) =>
      !(step.kind === 'frame' && foreign.has(step.conn)) &&
      !(step.kind === 'get_messages' && step.session_id),
  )
}

/** All frames of the session's own stream, of all its connections, in order of arrival. */
export function framesOf(recording: Recording): readonly AgentEvent[] {
  return ownSteps(recording).flatMap((step) =>
    step.kind === 'frame' && step.event ? [step.event] : [],
  )
}

/** What a step puts into the conversation, history left out. */
export function inputsOf(step: Step): readonly ConversationInput[] {
  if (step.kind === 'frame' && step.event) return [step.event]
  if (step.kind !== 'post' || step.status !== 200) return []
  const { input } = step.body ?? {}
  const posted = Array.isArray(input) ? input : [input]
  return parseMessages(posted.filter((value) => isMessage(value))).messages.map((message) => ({
    type: 'kit.user_message',
    message,
  }))
}

/** The history a step read, as an operation. */
export function snapshotOf(step: Step): ConversationInput {
  const { messages, is_running = false } = step.response ?? {}
  return {
    type: 'kit.snapshot',
    mode: 'merge',
    is_running,
    messages: parseMessages(messages).messages,
  }
}

function isMessage(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'role' in value
}

/** Whether a step read all of the session's own history. */
export function isWholeHistory(step: Step): boolean {
  return (
    step.kind === 'get_messages' &&
    step.status === 200 &&
    step.response?.has_more === false &&
    step.params?.before === undefined
  )
}

/**
 * A message without what no event carries, as the README of the recordings lists it. Written here a second time, so that
 * the fold's own comparison is not what it is measured with.
 */
export function withoutClocks(message: Msg): unknown {
  return {
    ...message,
    created_at: null,
    metadata: null,
    structured_output: null,
    content: message.content.map((block) => ({
      ...block,
      created_at: null,
      finished_at: block.type === 'hint' ? null : (block.finished_at ?? null),
      ...(block.type === 'tool_result' && { output: withoutPieceIds(block.output) }),
      ...(block.type === 'hint' && { hint: withoutPieceClocks(block.hint) }),
    })),
  }
}

function withoutPieceClocks(pieces: unknown): unknown {
  if (!Array.isArray(pieces)) return pieces
  return pieces.map((piece: object) => ({ ...piece, created_at: null }))
}

function withoutPieceIds(pieces: unknown): unknown {
  if (!Array.isArray(pieces)) return pieces
  return pieces.map((piece: { type: string }) => ({
    ...piece,
    created_at: null,
    ...(piece.type === 'text' && { id: null }),
  }))
}
