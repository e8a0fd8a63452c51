import { dataAgentDialect, javaDialect, javaTextDialect } from '../../dialects/index.js'
import {
  isJsonObject,
  TransportError,
  type AgentBackend,
  type Answer,
  type Capabilities,
  type ConfirmAnswer,
  type Dialect,
  type ExternalAnswer,
  type JsonObject,
  type JsonValue,
  type StreamSink,
} from '../../protocol/index.js'
import { request, systemClock } from '../../transports/index.js'
import type { ServiceOptions } from '../agent-service/createServiceClient.js'
import { tellAll } from '../agent-service/passFrame.js'
import { createJavaMemory } from './createJavaMemory.js'
import { createJavaTurns, type TurnInput } from './createJavaTurns.js'
import {
  createJavaRequest,
  type JavaEndpoint,
  type JavaEndpoints,
  type JavaRequest,
} from './JavaRequest.js'

/** How the answer to a `POST` tells a run. */
export type JavaFraming =
  /** Events as JSON, whole or trimmed. */
  | 'events'
  /** The bare text of the answer (`Flux<String>`). */
  | 'text'
  /** Frames of the data-agent and paw examples. */
  | 'data-agent'

/** A session of a Java backend that streams its answers. */
export interface JavaBackendOptions extends ServiceOptions, Partial<JavaEndpoints> {
  /** The session. */
  readonly sessionId: string
  /** How the answers tell a run; `events` by default. The body may be server-sent events, a JSON value per line, or a JSON list. */
  readonly framing?: JavaFraming
  /** What the controller can do beyond or below what its framing and its endpoints say. */
  readonly capabilities?: Partial<Capabilities>
  /** What the server's clock is ahead of UTC, in minutes: Java's stored stamps have no zone. Without it they are shown as they are. */
  readonly utcOffsetMinutes?: number
  /**
   * Names of the tools that this client runs. Java does not store that a call waits for the client, so after a reload only a name tells.
   */
  readonly clientTools?: readonly string[]
  /**
   * Silence after which a stream counts as dead, in milliseconds; 300 000 by default, since Java sends no heartbeats. A tool that takes longer
   * without a word needs more: leaving the stream ends the run on most servers.
   */
  readonly silenceMs?: number
}

interface Framing {
  readonly dialect: Dialect
  readonly endpoints: JavaEndpoints
}

const NOTHING = { confirm: false, external: false, history: false } as const

const framings: Readonly<Record<JavaFraming, Framing>> = {
  events: {
    dialect: javaDialect,
    endpoints: {
      chat: '/chat',
      confirm: '/confirm',
      external: '/external',
      interrupt: '/interrupt',
      history: '/memory',
    },
  },
  text: {
    dialect: javaTextDialect,
    endpoints: {
      ...NOTHING,
      chat: ({ sessionId, encoded }) => ({
        path: '/chat',
        query: { sessionId, message: encoded['message'] },
      }),
      interrupt: 'abort',
    },
  },
  'data-agent': {
    dialect: dataAgentDialect,
    endpoints: {
      ...NOTHING,
      chat: ({ sessionId, encoded }) => ({
        path: '/chat/stream',
        body: { ...encoded, sessionKey: sessionId },
      }),
      interrupt: false,
    },
  },
}

/** After an interrupt was taken, a stream that says no end is left, in milliseconds. */
const STOPS_WITHIN_MS = 15_000

/**
 * A session of a Java backend in which each turn is a request whose answer streams the run: a controller of one's own over AgentScope
 * Java's `streamEvents`, as `docs/java.md` has it, or one of its examples.
 *
 * There is no stream between turns, so the connection is open from the beginning, and what others say to the session is seen
 * only when history is read. Nothing is sent twice by itself. A stream that breaks off is lost: its reply ends with an error,
 * and history brings what the server stored of it. Closing the stream leaves the turn that is under way.
 *
 * @param options - Where the backend is, which session, and what differs from the defaults.
 * @example
 * ```ts
 * const backend = javaBackend({
 *   baseUrl: 'https://example.com/agent',
 *   sessionId: 's1',
 *   headers: async () => ({ authorization: `Bearer ${await getToken()}` }),
 * })
 * ```
 */
export function javaBackend(options: JavaBackendOptions): AgentBackend {
  const { sessionId, framing = 'events', clock = systemClock } = options
  const { dialect, endpoints: defaults } = framings[framing]
  const endpoints: JavaEndpoints = {
    chat: options.chat ?? defaults.chat,
    confirm: options.confirm ?? defaults.confirm,
    external: options.external ?? defaults.external,
    interrupt: options.interrupt ?? defaults.interrupt,
    history: options.history ?? defaults.history,
  }
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const memory = createJavaMemory(options, clock)
  /** Who listens, and what each of them missed. */
  const sinks = new Map<StreamSink, ReadonlySet<string>>()
  const turns = createJavaTurns({
    dialect,
    isText: framing === 'text',
    sessionId,
    silenceMs: options.silenceMs,
    clock,
    target: (asked) => targetOf(options, baseUrl, asked),
    onInputs: (inputs) => {
      for (const sink of sinks.keys()) sink.events(inputs)
    },
    onAnomaly: (anomaly) => {
      for (const sink of sinks.keys()) sink.anomaly(anomaly)
    },
    memory,
  })
  let reading = new AbortController()

  function call(asked: JavaRequest, signal?: AbortSignal): Promise<unknown> {
    const { timeoutMs } = options
    return request({
      ...targetOf(options, baseUrl, asked),
      clock,
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(signal && { signal }),
    })
  }

  async function answerOne(answer: Answer): Promise<void> {
    if (answer.kind === 'input') throw refuse('an answer of the kind "input"')
    const endpoint: JavaEndpoint<Answer> = endpoints[answer.kind]
    if (endpoint === false) throw refuse(`an answer of the kind "${answer.kind}"`)
    const encoded = objectOf(dialect.encode.answer(answer))
    const asked = createJavaRequest(endpoint, { input: answer, sessionId, encoded })
    if (!isOfTask(answer)) {
      await turns.run({ ...resumed(answer, encoded), asked })
      return
    }
    // The agent's own turn goes on, and waits for this.
    await call(asked)
    const { id, reply_id, results: confirm_results } = answer
    for (const sink of sinks.keys()) {
      sink.events([{ type: 'USER_CONFIRM_RESULT', id, reply_id, confirm_results }])
    }
  }

  async function interrupt(): Promise<void> {
    const { interrupt: endpoint } = endpoints
    if (!turns.isRunning) {
      const message =
        'What waits cannot be stopped here, since nothing runs on the server: deny it, or answer it.'
      throw new TransportError('rejected', message)
    }
    if (endpoint === 'abort' || endpoint === false) return turns.abort()
    await call(createJavaRequest(endpoint, { input: null, sessionId, encoded: {} }))
    turns.abortLater(STOPS_WITHIN_MS)
  }

  return {
    key: `java:${baseUrl}|${framing}|${sessionId}`,
    capabilities: { ...capabilitiesOf(framing, endpoints), ...options.capabilities },
    open: (sink) => {
      sinks.set(sink, memory.heard())
      queueMicrotask(() => {
        if (sinks.has(sink)) sink.connection({ phase: 'open' })
      })
      return {
        close: () => {
          if (!sinks.delete(sink) || sinks.size > 0) return
          reading.abort()
          reading = new AbortController()
          void turns.abort()
        },
        retryNow: () => {},
      }
    },
    ...(endpoints.history !== false && {
      history: async (page) => {
        if (endpoints.history === false) throw refuse('a request for history')
        const asked = createJavaRequest(
          endpoints.history,
          { input: null, sessionId, encoded: {} },
          true,
        )
        const stored = await call(asked, reading.signal)
        const { anomalies, ...read } = memory.read(stored, page, [...sinks.values()])
        for (const sink of sinks.keys()) tellAll(anomalies, sink)
        return { ...read, isRunning: turns.isRunning || memory.mayGoOn }
      },
    }),
    // Only this page's turns are known, and they are all that could tell it anything.
    status: async () => {
      if (turns.isRunning) return 'running'
      const { latest } = memory
      return latest === 'awaiting-confirm' || latest === 'awaiting-external' ? latest : 'idle'
    },
    send: async (input) => {
      const encoded = dialect.encode.send(input ?? [])
      if (input === null && framing !== 'events') throw refuse('a request to go on')
      const message = input?.at(-1)
      const parts = { input, sessionId, encoded: objectOf(encoded) }
      const asked = createJavaRequest(endpoints.chat, parts)
      for (const each of input ?? []) memory.noteSent(each)
      await turns.run({ ...started(message?.id, (id) => memory.replyIdOf(id)), asked })
    },
    answer: async (answers) => {
      for (const answer of answers) await answerOne(answer)
    },
    ...(endpoints.interrupt !== false && { interrupt }),
  }
}

/** A remote sub-agent asks, and says which task is to go on. */
function isOfTask(answer: ConfirmAnswer | ExternalAnswer): answer is ConfirmAnswer {
  return answer.kind === 'confirm' && answer.results.some(({ tool_call }) => 'task_id' in tool_call)
}

/** An answer's run goes on with the reply that asked. */
function resumed(
  answer: ConfirmAnswer | ExternalAnswer,
  encoded: JsonObject,
): Omit<TurnInput, 'asked'> {
  const { id, kind, reply_id: resumes } = answer
  const type = kind === 'confirm' ? 'USER_CONFIRM_RESULT' : 'EXTERNAL_EXECUTION_RESULT'
  return { seed: `${id}:`, resumes, echo: { ...encoded, type, id } }
}

/** A message's run is a reply of its own. */
function started(
  messageId: string | undefined,
  replyIdOf: (messageId: string) => string,
): Omit<TurnInput, 'asked'> {
  if (messageId === undefined) return {}
  return { seed: `${messageId}:`, replyId: replyIdOf(messageId) }
}

function capabilitiesOf(framing: JavaFraming, endpoints: JavaEndpoints): Capabilities {
  const canConfirm = endpoints.confirm !== false
  return {
    history: endpoints.history !== false,
    status: true,
    // Nothing runs on the server while a call waits.
    interrupt: endpoints.interrupt !== false && 'running',
    resume: 'none',
    partialAnswers: canConfirm,
    editArguments: canConfirm,
    rules: canConfirm,
    denyReason: false,
    attachments: framing === 'events' ? ['*/*'] : [],
    sendWhileRunning: 'refused',
  }
}

function targetOf(
  { headers, fetch: send, onUnauthorized }: ServiceOptions,
  baseUrl: string,
  { path, query = {}, method, body }: JavaRequest,
) {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    parameters.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  const text = parameters.toString()
  return {
    url: `${baseUrl}${path}${text === '' ? '' : `${path.includes('?') ? '&' : '?'}${text}`}`,
    ...(method !== undefined && { method }),
    ...(body !== undefined && { body }),
    ...(headers && { headers }),
    ...(send && { fetch: send }),
    ...(onUnauthorized && { onUnauthorized }),
  }
}

function objectOf(value: JsonValue): JsonObject {
  return isJsonObject(value) ? value : {}
}

function refuse(what: string): TransportError {
  return new TransportError(
    'rejected',
    `This Java backend has no place for ${what}: it was not sent.`,
  )
}
