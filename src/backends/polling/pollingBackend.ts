import { agentscopeDialect } from '../../dialects/index.js'
import { isJsonObject, type AgentBackend } from '../../protocol/index.js'
import {
  openPolling,
  type KeepOptions,
  type PolledPage,
  type PollingHandle,
  type PollingIntervals,
  type PollingOffset,
} from '../../transports/index.js'
import { createServiceSession, type SessionOptions } from '../agent-service/createServiceSession.js'
import { passFrame } from '../agent-service/passFrame.js'

/** One session whose events are polled. */
export interface PollingBackendOptions extends SessionOptions {
  /** Where the events are, with all of the query but `from`; `{baseUrl}/sessions/{sessionId}/events?agent_id={agentId}` by default. */
  readonly eventsUrl?: string
  /** How often to ask, and how to wait after failures. */
  readonly connection?: PollingIntervals &
    Omit<KeepOptions, 'onState' | 'onUnauthorized' | 'watchdogMs' | 'clock'>
}

/**
 * A session of an AgentScope agent service whose events are polled, for networks that let no stream through. History, status,
 * chat and interrupt go over the service's own endpoints. The service has no endpoint to poll: an app puts one in front,
 * as `createAgentServer` of the testing kit has it.
 *
 * `GET {eventsUrl}&from=N` answers `{"events":[{"idx":7,"data":{…}}],"next_offset":8}`: the events from number N on, which
 * count from 0 and never anew while the session lives, and the offset to go on from, which is N when nothing is new.
 * Without `from` the server begins with the current run. `"has_more":true` says that the page was cut. Numbers that are
 * missing become a gap, which history heals; an entry without `idx` is told beside the count, such as a request that still
 * waits though its entry is gone.
 *
 * @param options - Where the service is, who asks, which session, and how often.
 * @example
 * ```ts
 * const backend = pollingBackend({
 *   baseUrl: 'https://example.com/agents',
 *   agentId: 'a1',
 *   sessionId: 's1',
 *   headers: async () => ({ authorization: `Bearer ${await getToken()}` }),
 * })
 * ```
 */
export function pollingBackend(options: PollingBackendOptions): AgentBackend {
  const { connection, eventsUrl, ...service } = options
  const session = createServiceSession(service)
  const { calls } = session
  const address = eventsUrl ?? session.urlOf('/events')
  const polls = new Set<PollingHandle>()

  /** What was sent will be heard of soon, also if only the answer to it was lost. */
  async function thenPoll(sending: Promise<void>): Promise<void> {
    try {
      await sending
    } finally {
      for (const polling of polls) polling.pollNow()
    }
  }

  return {
    key: `polling:${session.place}`,
    capabilities: session.capabilities('cursor'),
    open: (sink) => {
      const detach = session.attach(sink)
      const decoder = agentscopeDialect.createDecoder()
      const polling = openPolling({
        ...service,
        ...connection,
        from: null,
        url: (from) => addOffset(address, from),
        readPage,
        onFrames: (events) => passFrame(events, decoder, sink),
        onGap: (gap) => sink.events([{ type: 'kit.gap', ...gap }]),
        onReset: () => sink.events([{ type: 'kit.gap' }]),
        onState: (state) => sink.connection(state),
      })
      polls.add(polling)
      return {
        close: () => {
          polls.delete(polling)
          detach()
          polling.close()
        },
        retryNow: () => polling.retryNow(),
      }
    },
    ...calls,
    send: (input) => thenPoll(calls.send(input)),
    answer: (answers) => thenPoll(calls.answer(answers)),
    interrupt: () => thenPoll(calls.interrupt()),
  }
}

function addOffset(address: string, from: PollingOffset): string {
  if (from === null) return address
  return `${address}${address.includes('?') ? '&' : '?'}from=${from}`
}

function readPage(body: unknown): PolledPage<unknown> {
  if (!isJsonObject(body) || !Array.isArray(body['events']))
    throw new TypeError('No list of events.')
  const { events, next_offset: next, has_more: hasMore } = body
  const entries = events.filter(isJsonObject)
  return {
    frames: entries.map(({ data }) => data),
    next: typeof next === 'number' ? next : Number.NaN,
    indexes: entries.flatMap(({ idx }) => (typeof idx === 'number' ? [idx] : [])),
    hasMore: hasMore === true,
  }
}
