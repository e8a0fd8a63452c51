import type { JsonObject } from '../../../protocol/index.js'
import type { TaskDesk } from './TaskDesk.js'

/** A request, read. */
export interface TaskRequest {
  /** What the server knows. */
  readonly desk: TaskDesk
  /** Who asks. */
  readonly userId: string
  /** What the path names, in order. */
  readonly names: readonly string[]
  /** The query. */
  readonly query: URLSearchParams
  /** The body; empty where there is none. */
  readonly body: JsonObject
  /** What was uploaded. */
  readonly form: FormData | null
}

/** An answer: JSON, or the bytes of a file. */
export interface TaskAnswer {
  /** The status; 200 by default. */
  readonly status?: number
  /** The body. */
  readonly json: JsonObject
  /** A file, in its place. */
  readonly bytes?: Uint8Array
}

/** One endpoint. */
export interface TaskRoute {
  /** The method. */
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** The path; `{}` stands for a name. */
  readonly path: string
  /** Whether nobody needs a token. */
  readonly isOpen?: boolean
  /** Answers; throws an `HttpProblem`. */
  readonly answer: (request: TaskRequest) => Promise<TaskAnswer> | TaskAnswer
}

/** An answer that says yes. */
export function ok(json: JsonObject, status = 200): TaskAnswer {
  return { status, json: { success: true, ...json } }
}

/** A name of the path. */
export function nameOf({ names }: TaskRequest, index = 0): string {
  return names[index] ?? ''
}

/** Reads a number as Python does; undefined for what is none. */
export function integerOf(text: string | null): number | undefined {
  return text !== null && /^\s*[+-]?\d+\s*$/.test(text) ? Number(text) : undefined
}
