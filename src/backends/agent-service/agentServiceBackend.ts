import { agentscopeDialect } from '../../dialects/index.js'
import type { AgentBackend } from '../../protocol/index.js'
import { openSse, type KeepOptions } from '../../transports/index.js'
import { createServiceSession, type SessionOptions } from './createServiceSession.js'
import { passText } from './passFrame.js'

/** One session of an AgentScope agent service. */
export interface AgentServiceOptions extends SessionOptions {
  /** How the stream is kept open. */
  readonly connection?: Omit<KeepOptions, 'onState' | 'onUnauthorized' | 'clock'>
}

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
  const { connection, ...service } = options
  const session = createServiceSession(service)
  return {
    key: `agentservice:${session.place}`,
    capabilities: session.capabilities('replay'),
    open: (sink) => {
      const detach = session.attach(sink)
      const decoder = agentscopeDialect.createDecoder()
      const stream = openSse({
        ...service,
        ...connection,
        url: session.urlOf('/stream'),
        onFrame: ({ data }) => passText(data, decoder, sink),
        onState: (state) => sink.connection(state),
      })
      return {
        close: () => {
          detach()
          stream.close()
        },
        retryNow: () => stream.retryNow(),
      }
    },
    ...session.calls,
  }
}
