import { managedSessionDialect } from '../../dialects/index.js'
import {
  getTextContent,
  isJsonObject,
  type AgentBackend,
  type ConversationInput,
  type JsonValue,
  type Msg,
  type StreamSink,
} from '../../protocol/index.js'
import { openSse, type KeepOptions } from '../../transports/index.js'
import { createServiceClient, type ServiceOptions } from '../agent-service/createServiceClient.js'
import { passText } from '../agent-service/passFrame.js'

/** A managed session of AgentScope Java's service. */
export interface ManagedSessionOptions extends ServiceOptions {
  /** The session. */
  readonly sessionId: string
  /** Where its events are; `/api/sessions/{sessionId}/events` by default, and their stream at `…/stream` below. */
  readonly path?: string
  /** How the stream is kept open. */
  readonly connection?: Omit<KeepOptions, 'onState' | 'onUnauthorized' | 'clock'>
}

/**
 * A managed session of AgentScope Java's service. Its stream begins with the session's first event, so it brings all that was said,
 * and a new connection goes on after the last stored event (`after`). Previews of what is being written are part of it, and
 * are replaced by what is stored.
 *
 * Decisions are yes or no, one event per call. The service gives messages ids of its own: what comes back is known by its words.
 *
 * @param options - Where the service is, and which session.
 * @example
 * ```ts
 * const backend = managedSessionBackend({ baseUrl: 'https://example.com', sessionId: 's1' })
 * ```
 */
export function managedSessionBackend(options: ManagedSessionOptions): AgentBackend {
  const { connection, sessionId, path, ...service } = options
  const client = createServiceClient(service)
  const events = path ?? `/api/sessions/${encodeURIComponent(sessionId)}/events`
  const sent: Msg[] = []

  async function post(encoded: JsonValue): Promise<void> {
    if (isJsonObject(encoded)) await client.call('POST', events, { body: encoded })
  }

  /** A message of one's own has the id it was sent with. */
  function nameOwn(input: ConversationInput): ConversationInput {
    if (input.type !== 'kit.user_message') return input
    const words = getTextContent(input.message)
    const own = sent.findIndex((message) => getTextContent(message) === words)
    const [message] = own < 0 ? [] : sent.splice(own, 1)
    return message === undefined ? input : { ...input, message }
  }

  return {
    key: `java-managed:${client.baseUrl}${events}`,
    capabilities: {
      history: false,
      status: false,
      interrupt: true,
      resume: 'cursor',
      partialAnswers: true,
      editArguments: false,
      rules: false,
      denyReason: false,
      attachments: [],
      sendWhileRunning: 'refused',
    },
    open: (sink) => {
      // What is told again after a loss goes on where this one was.
      const decoder = managedSessionDialect.createDecoder({ sessionId, seed: `${sessionId}:` })
      const own: StreamSink = {
        events: (batch) => sink.events(batch.map(nameOwn)),
        connection: (state) => sink.connection(state),
        anomaly: (what) => sink.anomaly(what),
      }
      return openSse({
        ...service,
        ...connection,
        get url() {
          const after = decoder.cursor?.() ?? '0'
          return client.urlOf(`${events}/stream`, { after, event_deltas: 'true' })
        },
        onFrame: ({ data }) => passText(data, decoder, own),
        onState: (state) => own.connection(state),
      })
    },
    send: async (input) => {
      sent.push(...(input ?? []))
      try {
        await post(managedSessionDialect.encode.send(input))
      } catch (error) {
        for (const message of input ?? []) {
          const index = sent.indexOf(message)
          if (index >= 0) sent.splice(index, 1)
        }
        throw error
      }
    },
    answer: async (answers) => {
      for (const answer of answers) await post(managedSessionDialect.encode.answer(answer))
    },
    interrupt: () => post({ events: [{ type: 'user.interrupt', payload: {} }] }),
  }
}
