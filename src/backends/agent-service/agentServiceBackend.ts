import { agentscopeDialect } from '../../dialects/index.js'
import {
  parseMessages,
  type AgentBackend,
  type Anomaly,
  type Capabilities,
  type FrameDecoder,
  type HistoryPage,
  type JsonValue,
  type Msg,
  type StreamHandle,
  type StreamSink,
} from '../../protocol/index.js'
import { openSse, type KeepOptions } from '../../transports/index.js'
import { createServiceClient, missingField, type ServiceOptions } from './createServiceClient.js'
import { readRunStatus } from './readRunStatus.js'

/** One session of an AgentScope agent service. */
export interface AgentServiceOptions extends ServiceOptions {
  /** The agent. */
  readonly agentId: string
  /** The session. */
  readonly sessionId: string
  /** Media types a message may carry; all by default. Narrow it to what the session's model can take. */
  readonly attachments?: readonly string[]
  /** How the stream is kept open. */
  readonly connection?: Omit<KeepOptions, 'onState' | 'clock'>
}

const LONGEST_PAGE = 200

/**
 * A session of the AgentScope Python agent service (2.0): its stream, history, status, chat and interrupt endpoints.
 *
 * Nothing is sent twice by itself: the service starts a run for every `POST`. The stream has no cursor; a reconnect replays
 * the current run, and events keep their ids.
 *
 * @param options - Where the service is, who asks, and which session.
 * @example
 * ```ts
 * const backend = agentServiceBackend({
 *   baseUrl: 'http://127.0.0.1:8000',
 *   agentId: 'a1',
 *   sessionId: 's1',
 *   headers: { 'X-User-ID': 'me' },
 * })
 * ```
 */
export function agentServiceBackend(options: AgentServiceOptions): AgentBackend {
  const { agentId, sessionId, attachments = ['*/*'], connection, ...service } = options
  const client = createServiceClient(service)
  const session = `/sessions/${encodeURIComponent(sessionId)}`
  const agent = { agent_id: agentId }
  const sinks = new Set<StreamSink>()

  async function post(input: JsonValue): Promise<void> {
    await client.call('POST', '/chat/', { body: { ...agent, session_id: sessionId, input } })
  }

  return {
    key: `agentservice:${client.baseUrl}|${agentId}|${sessionId}`,
    capabilities: describeService(attachments),
    open: (sink): StreamHandle => {
      sinks.add(sink)
      const decoder = agentscopeDialect.createDecoder()
      const stream = openSse({
        ...service,
        ...connection,
        url: client.urlOf(`${session}/stream`, agent),
        onFrame: ({ data }) => passFrame(data, decoder, sink),
        onState: (state) => sink.connection(state),
      })
      return {
        close: () => {
          sinks.delete(sink)
          stream.close()
        },
        retryNow: () => stream.retryNow(),
      }
    },
    history: async ({ before, limit }): Promise<HistoryPage> => {
      const size = Math.min(LONGEST_PAGE, Math.max(1, Math.floor(limit)))
      const query = { ...agent, before, limit: size }
      const page = await client.call('GET', `${session}/messages`, { query })
      if (!Array.isArray(page['messages'])) throw missingField('The list of messages')
      const { messages, anomalies } = parseMessages(page['messages'])
      for (const sink of sinks) tellAll(anomalies, sink)
      return {
        messages: keepLatest(messages),
        hasMore: page['has_more'] === true,
        isRunning: page['is_running'] === true,
      }
    },
    status: async () => {
      const answer = await client.call('GET', `${session}/status`, { query: agent })
      const status = readRunStatus(answer['status'])
      if (status === undefined) throw missingField('A status known here')
      return status
    },
    send: (input) => post(agentscopeDialect.encode.send(input)),
    answer: async (answers) => {
      for (const answer of answers) await post(agentscopeDialect.encode.answer(answer))
    },
    interrupt: async () => {
      await client.call('POST', `${session}/interrupt`, { query: agent })
    },
  }
}

function describeService(attachments: readonly string[]): Capabilities {
  return {
    history: true,
    status: true,
    interrupt: true,
    resume: 'replay',
    partialAnswers: true,
    editArguments: true,
    rules: true,
    denyReason: false,
    attachments,
    sendWhileRunning: 'refused',
  }
}

function passFrame(data: string, decoder: FrameDecoder, sink: StreamSink): void {
  let frame: unknown
  try {
    frame = JSON.parse(data)
  } catch {
    sink.anomaly({ kind: 'not-json', message: 'A frame of the stream is no JSON.', raw: data })
    return
  }
  const { inputs, anomalies } = decoder.push(frame)
  if (inputs.length > 0) sink.events(inputs)
  tellAll(anomalies, sink)
}

function tellAll(anomalies: readonly Anomaly[], sink: StreamSink): void {
  for (const anomaly of anomalies) sink.anomaly(anomaly)
}

/** On Redis the service may store a reply twice, parked and finished: the later version stands in the place of the first. */
function keepLatest(messages: readonly Msg[]): readonly Msg[] {
  return [...new Map(messages.map((message) => [message.id, message])).values()]
}
