import {
  isJsonObject,
  TransportError,
  type AgentDirectory,
  type JsonObject,
  type SessionSummary,
} from '../../protocol/index.js'
import {
  createServiceClient,
  missingField,
  type ServiceOptions,
} from '../agent-service/createServiceClient.js'
import { readData, readList, readWord } from './readBody.js'

/** The longest page of conversations that the server gives. */
const LONGEST_PAGE = 100

/**
 * The workspaces and conversations of a Task API server (v1), for choosing one: a workspace stands where others have an agent, a conversation
 * where they have a session. The server lists no more than the hundred conversations used last here, does not say which of
 * them run, and gives all titles itself: a name for a new one is not used, and renaming rejects.
 *
 * @param options - Where the server is and who asks.
 */
export function taskApiDirectory(options: ServiceOptions): AgentDirectory {
  const client = createServiceClient(options)
  const workspaces = '/api/v1/workspaces'
  const conversationsOf = (workspaceId: string): string =>
    `${workspaces}/${encodeURIComponent(workspaceId)}/conversations`
  return {
    key: `task-api:${client.baseUrl}`,
    agents: async () => {
      const answer = await client.call('GET', workspaces)
      return listOf(answer, 'workspaces', 'items').flatMap((workspace) => {
        const id = readWord(workspace['workspace_id'] ?? workspace['id'])
        if (id === undefined) return []
        return [{ id, name: readWord(workspace['label'] ?? workspace['name']) ?? id }]
      })
    },
    sessions: async (workspaceId) => {
      const query = { limit: LONGEST_PAGE }
      const answer = await client.call('GET', conversationsOf(workspaceId), { query })
      return listOf(answer, 'conversations', 'items').flatMap((value) =>
        readConversation(value, workspaceId),
      )
    },
    createSession: async (workspaceId) => {
      const answer = await client.call('POST', conversationsOf(workspaceId), { body: {} })
      const id = readWord(readData(answer)['conversation_id'])
      if (id === undefined) throw missingField('The id of the new conversation')
      return id
    },
    renameSession: () =>
      Promise.reject(
        new TransportError('rejected', 'The Task API gives conversations their titles itself.'),
      ),
    deleteSession: async (workspaceId, conversationId) => {
      const path = `${conversationsOf(workspaceId)}/${encodeURIComponent(conversationId)}`
      await client.call('DELETE', path)
    },
  }
}

/** A list that is the answer's `data`, or stands in it or beside it under one of these names. */
function listOf(answer: JsonObject, ...names: readonly string[]): readonly JsonObject[] {
  const { data } = answer
  if (Array.isArray(data)) return readList(data)
  const holder = isJsonObject(data) ? data : answer
  const list = names.map((name) => holder[name]).find((value) => Array.isArray(value))
  if (list === undefined) throw missingField(`The list of ${names[0] ?? 'items'}`)
  return readList(list)
}

function readConversation(value: JsonObject, agentId: string): readonly SessionSummary[] {
  const id = readWord(value['id'] ?? value['conversation_id'])
  if (id === undefined) return []
  const updatedAt = readWord(value['updated_at']) ?? null
  return [{ id, agentId, name: readWord(value['title']) ?? id, updatedAt, isRunning: false }]
}
