import type { Answer, JsonObject, JsonValue, UserInput } from '../../protocol/index.js'

/** One request to a Java backend. */
export interface JavaRequest {
  /** The path below `baseUrl`, with a slash at its beginning. */
  readonly path: string
  /** What stands in the query; what is no text as JSON, and undefined is left out. */
  readonly query?: Readonly<Record<string, JsonValue | undefined>>
  /** `POST` with a body, `GET` without one by default. */
  readonly method?: string
  /** Sent as JSON; absent = no body. */
  readonly body?: JsonValue
}

/** What a request is made of. */
export interface JavaRequestParts<Input> {
  /** What the kit wants said. */
  readonly input: Input
  /** The session. */
  readonly sessionId: string
  /** The same in Java's words, as the framing's dialect has it; empty where there is nothing to say. */
  readonly encoded: JsonObject
}

/**
 * Where something is sent, and how: a path, to which `{ sessionId, …encoded }` is posted (reading has both in the query), or a
 * function that makes the request. `false`: the backend has no such thing, and the interface does not offer it.
 */
export type JavaEndpoint<Input> = string | false | ((parts: JavaRequestParts<Input>) => JavaRequest)

/** Where a Java backend takes what. */
export interface JavaEndpoints {
  /** Messages of the user; the answer streams the run. */
  readonly chat: Exclude<JavaEndpoint<UserInput>, false>
  /** Decisions about tool calls; the answer streams how the run goes on. */
  readonly confirm: JavaEndpoint<Answer>
  /** Results of tools that the client ran; the answer streams how the run goes on. */
  readonly external: JavaEndpoint<Answer>
  /** Stops the run; its stream tells how it ends. `'abort'`: there is none, and leaving the stream is what stops it. */
  readonly interrupt: JavaEndpoint<null>
  /** All that is stored: a list of Java's `Msg`, or an object with the list in `messages`, `turns` or `content`. */
  readonly history: JavaEndpoint<null>
}

/**
 * Makes the request to an endpoint.
 *
 * @param endpoint - The endpoint.
 * @param parts - What it is made of.
 * @param isRead - Whether it reads: then nothing is posted.
 */
export function createJavaRequest<Input>(
  endpoint: Exclude<JavaEndpoint<Input>, false>,
  parts: JavaRequestParts<Input>,
  isRead = false,
): JavaRequest {
  if (typeof endpoint === 'function') return endpoint(parts)
  const { sessionId, encoded } = parts
  if (isRead) return { path: endpoint, query: { sessionId } }
  return { path: endpoint, body: { sessionId, ...encoded } }
}
