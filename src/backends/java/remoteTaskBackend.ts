import { remoteTaskDialect } from '../../dialects/index.js'
import {
  isJsonObject,
  TransportError,
  type AgentBackend,
  type JsonObject,
  type RunStatus,
  type StreamHandle,
  type StreamSink,
} from '../../protocol/index.js'
import type { KeepOptions } from '../../transports/index.js'
import { createServiceClient, type ServiceOptions } from '../agent-service/createServiceClient.js'
import { followTask } from './followTask.js'

/** An agent that is reached by AgentScope Java's agent protocol. */
export interface RemoteTaskOptions extends ServiceOptions {
  /** Which agent. */
  readonly agentId: string
  /** The conversation: tasks name it as their parent's session. */
  readonly sessionId: string
  /** A task that is under way already, to be followed from its beginning. */
  readonly taskId?: string
  /** What else stands in `context` of a new task: `user_id`, `deny_rules`, `attributes`. */
  readonly context?: JsonObject
  /** Where tasks are; `/tasks` by default. */
  readonly path?: string
  /** How a task's stream is kept open. */
  readonly connection?: Omit<KeepOptions, 'onState' | 'onUnauthorized' | 'clock'>
}

/**
 * An agent behind AgentScope Java's agent protocol: each message is a task of its own, whose events are followed until it is over,
 * over lost lines from where it was (`Last-Event-ID`).
 *
 * Decisions are yes or no, all at once. Nothing is stored under the conversation, so there is no history.
 *
 * @param options - Where it is, and which agent.
 * @example
 * ```ts
 * const backend = remoteTaskBackend({ baseUrl: 'https://example.com', agentId: 'researcher', sessionId: 's1' })
 * ```
 */
export function remoteTaskBackend(options: RemoteTaskOptions): AgentBackend {
  const { agentId, sessionId, taskId, context, path = '/tasks', connection, ...service } = options
  const client = createServiceClient(service)
  const sinks = new Set<StreamSink>()
  let task = taskId
  let line: StreamHandle | undefined

  const all: StreamSink = {
    events: (batch) => sinks.forEach((sink) => sink.events(batch)),
    connection: (state) => sinks.forEach((sink) => sink.connection(state)),
    anomaly: (what) => sinks.forEach((sink) => sink.anomaly(what)),
  }

  const placeOf = (id: string): string => `${path}/${encodeURIComponent(id)}`

  function follow(id: string): void {
    line?.close()
    line = followTask({
      id,
      stream: { ...service, ...connection, url: client.urlOf(`${placeOf(id)}/events`) },
      read: () => client.call('GET', placeOf(id)),
      clock: service.clock,
      sink: all,
      onOver: () => {
        if (task === id) task = undefined
        line = undefined
        all.connection({ phase: 'open' })
      },
    })
  }

  /** Says something to the task that is under way. */
  async function post(action: string, body: JsonObject = {}): Promise<void> {
    if (task === undefined) {
      throw new TransportError('rejected', 'No task is under way, so it was not sent.')
    }
    await client.call('POST', `${placeOf(task)}/${action}`, { body })
  }

  return {
    key: `java-tasks:${client.baseUrl}${path}|${agentId}|${sessionId}|${taskId ?? ''}`,
    capabilities: {
      history: false,
      status: true,
      interrupt: true,
      resume: 'cursor',
      partialAnswers: false,
      editArguments: false,
      rules: false,
      denyReason: false,
      attachments: [],
      sendWhileRunning: 'refused',
    },
    open: (sink) => {
      sinks.add(sink)
      if (task !== undefined && line === undefined) follow(task)
      // Between two tasks there is nothing to connect to.
      else queueMicrotask(() => sinks.has(sink) && sink.connection({ phase: 'open' }))
      return {
        close: () => {
          sinks.delete(sink)
          if (sinks.size > 0) return
          line?.close()
          line = undefined
        },
        retryNow: () => line?.retryNow(),
      }
    },
    status: async () => {
      if (task === undefined) return 'idle'
      const { status } = await client.call('GET', placeOf(task))
      return (typeof status === 'string' ? STANDS[status] : undefined) ?? 'idle'
    },
    send: async (input) => {
      const encoded = remoteTaskDialect.encode.send(input)
      const message = input?.at(-1)
      if (message === undefined || !isJsonObject(encoded)) {
        throw new TransportError('rejected', 'A task needs words to begin with: it was not sent.')
      }
      const body: JsonObject = {
        ...encoded,
        task_id: message.id,
        agent_id: agentId,
        context: { ...context, parent_session_id: sessionId, stream: true, detail: 'full' },
      }
      const { task_id: id } = await client.call('POST', path, { body })
      task = typeof id === 'string' ? id : message.id
      for (const said of input ?? []) {
        all.events([{ type: 'kit.user_message', id: `${said.id}:sent`, message: said }])
      }
      follow(task)
    },
    answer: async (answers) => {
      // One request with all decisions: the task goes on with the first that comes.
      const decisions = answers.flatMap((answer) => {
        const encoded = remoteTaskDialect.encode.answer(answer)
        const given = isJsonObject(encoded) ? encoded['decisions'] : undefined
        return Array.isArray(given) ? given : []
      })
      await post('resume', { decisions })
      for (const answer of answers) {
        if (answer.kind !== 'confirm') continue
        const { id, reply_id, results: confirm_results } = answer
        all.events([{ type: 'USER_CONFIRM_RESULT', id, reply_id, confirm_results }])
      }
    },
    interrupt: () => post('cancel'),
  }
}

const STANDS: Readonly<Partial<Record<string, RunStatus>>> = {
  pending: 'running',
  running: 'running',
  awaiting_confirm: 'awaiting-confirm',
}
