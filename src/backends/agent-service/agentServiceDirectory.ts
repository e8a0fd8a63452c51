import {
  isJsonObject,
  type AgentDirectory,
  type AgentSummary,
  type JsonObject,
  type JsonValue,
  type SessionSummary,
} from '../../protocol/index.js'
import { createServiceClient, missingField, type ServiceOptions } from './createServiceClient.js'

/** An agent service, for choosing agents and sessions. */
export interface AgentServiceDirectoryOptions extends ServiceOptions {
  /** Whose sessions they are, when one page serves several people: part of the key, so that their lists are not mixed. */
  readonly user?: string
  /**
   * Fields of every new session. A session without a `chat_model_config` answers every message with an error, so when none is
   * given here, a new session takes over that of the agent's newest session that has one.
   */
  readonly sessionDefaults?: JsonObject
}

/**
 * The agents and sessions of an AgentScope Python agent service (2.0).
 *
 * @param options - Where the service is and who asks.
 */
export function agentServiceDirectory(options: AgentServiceDirectoryOptions): AgentDirectory {
  const { user, sessionDefaults, ...service } = options
  const client = createServiceClient(service)
  const pathOf = (sessionId: string) => `/sessions/${encodeURIComponent(sessionId)}`
  const listSessions = async (agentId: string) =>
    listOf(await client.call('GET', '/sessions/', { query: { agent_id: agentId } }), 'sessions')
  const modelInUse = async (agentId: string) =>
    newestFirst(await listSessions(agentId))
      .map(modelOf)
      .find((model) => model !== undefined)
  return {
    key: `agentservice:${client.baseUrl}${user === undefined ? '' : `|${user}`}`,
    agents: async () => {
      const answer = await client.call('GET', '/agent/')
      return listOf(answer, 'agents').flatMap(readAgent)
    },
    sessions: async (agentId) =>
      (await listSessions(agentId)).flatMap((view) => readSession(view, agentId)),
    createSession: async (agentId, init = {}) => {
      const model = sessionDefaults?.['chat_model_config'] ?? (await modelInUse(agentId))
      const defaults = {
        ...sessionDefaults,
        ...(model === undefined ? {} : { chat_model_config: model }),
      }
      const body = { ...defaults, ...init, agent_id: agentId }
      const { session_id: id } = await client.call('POST', '/sessions/', { body })
      if (typeof id !== 'string') throw missingField('The id of the new session')
      return id
    },
    renameSession: async (agentId, sessionId, name) => {
      const query = { agent_id: agentId }
      await client.call('PATCH', pathOf(sessionId), { query, body: { name } })
    },
    deleteSession: async (agentId, sessionId) => {
      await client.call('DELETE', pathOf(sessionId), { query: { agent_id: agentId } })
    },
  }
}

function listOf(answer: JsonObject, name: string): readonly JsonValue[] {
  const list = answer[name]
  if (!Array.isArray(list)) throw missingField(`The list of ${name}`)
  return list
}

function readAgent(view: JsonValue): readonly AgentSummary[] {
  if (!isJsonObject(view)) return []
  const { id, data } = view
  if (typeof id !== 'string') return []
  const name = isJsonObject(data) ? data['name'] : undefined
  return [{ id, name: typeof name === 'string' ? name : id }]
}

/** The records inside session views; naive stamps of one server sort as text. */
function newestFirst(views: readonly JsonValue[]): readonly JsonObject[] {
  return views
    .map((view) => (isJsonObject(view) ? view['session'] : undefined))
    .filter(isJsonObject)
    .toSorted((one, other) => stampOf(other).localeCompare(stampOf(one)))
}

function stampOf({ updated_at: stamp }: JsonObject): string {
  return typeof stamp === 'string' ? stamp : ''
}

function modelOf({ config }: JsonObject): JsonObject | undefined {
  const model = isJsonObject(config) ? config['chat_model_config'] : undefined
  return isJsonObject(model) ? model : undefined
}

function readSession(view: JsonValue, agentId: string): readonly SessionSummary[] {
  if (!isJsonObject(view) || !isJsonObject(view['session'])) return []
  const { id, updated_at: updatedAt, config } = view['session']
  if (typeof id !== 'string') return []
  const name = isJsonObject(config) ? config['name'] : undefined
  const isRunning =
    typeof view['status'] === 'string' ? view['status'] === 'running' : view['is_running'] === true
  return [
    {
      id,
      agentId,
      name: typeof name === 'string' ? name : id,
      updatedAt: typeof updatedAt === 'string' ? updatedAt : null,
      isRunning,
    },
  ]
}
