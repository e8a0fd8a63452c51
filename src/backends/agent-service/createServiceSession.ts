import { agentscopeDialect } from '../../dialects/index.js'
import {
  parseMessages,
  type AgentBackend,
  type Capabilities,
  type JsonObject,
  type JsonValue,
  type Msg,
  type RunStatus,
  type StreamSink,
} from '../../protocol/index.js'
import {
  createServiceClient,
  missingField,
  type QueryParameters,
  type ServiceOptions,
} from './createServiceClient.js'
import { tellAll } from './passFrame.js'
import { readRunStatus } from './readRunStatus.js'

/** One session of an AgentScope agent service, and how to reach it. */
export interface SessionOptions extends ServiceOptions {
  /** The agent. */
  readonly agentId: string
  /** The session. */
  readonly sessionId: string
  /** Media types a message may carry; all by default. Narrow it to what the session's model can take. */
  readonly attachments?: readonly string[]
}

/** What of a backend goes over the service's plain requests, however its events travel. */
export interface ServiceSession {
  /** Names the service, the agent and the session, for keys. */
  readonly place: string
  /** The address of a path below the session's. */
  urlOf(path: string, query?: QueryParameters): string
  /** What the service can do. */
  capabilities(resume: Capabilities['resume']): Capabilities
  /** Has a sink hear what is odd about stored messages, until it is called off. */
  attach(sink: StreamSink): () => void
  /** The requests. */
  readonly calls: Required<
    Pick<AgentBackend, 'history' | 'status' | 'workerStatus' | 'send' | 'answer'>
  > & {
    /** Stops the run, or what is parked. */
    interrupt(): Promise<void>
  }
}

const LONGEST_PAGE = 200

/**
 * Makes the part that all backends of an agent service have in common: history, status, chat and interrupt endpoints.
 *
 * Nothing is sent twice by itself: the service starts a run for every `POST`.
 *
 * @param options - Where the service is, who asks, and which session.
 */
export function createServiceSession(options: SessionOptions): ServiceSession {
  const { agentId, sessionId, attachments = ['*/*'], ...service } = options
  const client = createServiceClient(service)
  const session = sessionPath(sessionId)
  const agent = { agent_id: agentId }
  const sinks = new Set<StreamSink>()
  let reading = new AbortController()

  async function post(input: JsonValue): Promise<void> {
    await client.call('POST', '/chat/', { body: { ...agent, session_id: sessionId, input } })
  }

  function read(path: string, query: QueryParameters): Promise<JsonObject> {
    return client.call('GET', path, { query, signal: reading.signal })
  }

  async function readStatus(path: string, agent_id: string): Promise<RunStatus> {
    const answer = await read(`${path}/status`, { agent_id })
    const status = readRunStatus(answer['status'])
    if (status === undefined) throw missingField('A status known here')
    return status
  }

  return {
    place: `${client.baseUrl}|${agentId}|${sessionId}`,
    urlOf: (path, query) => client.urlOf(`${session}${path}`, { ...agent, ...query }),
    capabilities: (resume) => ({
      history: true,
      status: true,
      interrupt: true,
      resume,
      partialAnswers: true,
      editArguments: true,
      rules: true,
      denyReason: false,
      attachments,
      sendWhileRunning: 'refused',
    }),
    attach: (sink) => {
      sinks.add(sink)
      return () => {
        // Nobody is left to be told what was read. What was posted goes on: it is to have its effect.
        if (!sinks.delete(sink) || sinks.size > 0) return
        reading.abort()
        reading = new AbortController()
      }
    },
    calls: {
      history: async ({ before, limit }) => {
        const size = Math.min(LONGEST_PAGE, Math.max(1, Math.floor(limit)))
        const page = await read(`${session}/messages`, { ...agent, before, limit: size })
        if (!Array.isArray(page['messages'])) throw missingField('The list of messages')
        const { messages, anomalies } = parseMessages(page['messages'])
        for (const sink of sinks) tellAll(anomalies, sink)
        return {
          messages: keepLatest(messages),
          hasMore: page['has_more'] === true,
          isRunning: page['is_running'] === true,
        }
      },
      status: () => readStatus(session, agentId),
      workerStatus: (worker) => readStatus(sessionPath(worker.sessionId), worker.agentId),
      send: (input) => post(agentscopeDialect.encode.send(input)),
      answer: async (answers) => {
        for (const answer of answers) await post(agentscopeDialect.encode.answer(answer))
      },
      interrupt: async () => {
        await client.call('POST', `${session}/interrupt`, { query: agent })
      },
    },
  }
}

function sessionPath(sessionId: string): string {
  return `/sessions/${encodeURIComponent(sessionId)}`
}

/** On Redis the service may store a reply twice, parked and finished: the later version stands in the place of the first. */
function keepLatest(messages: readonly Msg[]): readonly Msg[] {
  return [...new Map(messages.map((message) => [message.id, message])).values()]
}
