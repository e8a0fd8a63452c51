import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../protocol/index.js'
import { HttpProblem } from '../validation.js'
import { beginTask } from './beginTask.js'
import { nowSeconds } from './Task.js'
import { cancel, poll } from './taskAnswers.js'
import type { TaskConversation } from './TaskConversation.js'
import {
  integerOf,
  nameOf,
  ok,
  type TaskAnswer,
  type TaskRequest,
  type TaskRoute,
} from './TaskRoute.js'

/** The endpoints for external clients: what they cannot do is answer questions. */
export const v1Routes: readonly TaskRoute[] = [
  { method: 'GET', path: '/health', isOpen: true, answer: () => ok({ status: 'ok' }) },
  {
    method: 'GET',
    path: '/models',
    isOpen: true,
    answer: () =>
      ok({ items: [{ model_key: 'scripted-1', name: 'Scripted', multimodal: 'image' }] }),
  },
  { method: 'GET', path: '/workspaces', answer: listWorkspaces },
  { method: 'POST', path: '/workspaces', answer: createWorkspace },
  { method: 'GET', path: '/workspaces/{}', answer: getWorkspace },
  { method: 'DELETE', path: '/workspaces/{}', answer: deleteWorkspace },
  { method: 'GET', path: '/workspaces/{}/conversations', answer: listConversations },
  { method: 'POST', path: '/workspaces/{}/conversations', answer: createConversation },
  { method: 'GET', path: '/workspaces/{}/conversations/{}', answer: getConversation },
  { method: 'DELETE', path: '/workspaces/{}/conversations/{}', answer: deleteConversation },
  { method: 'POST', path: '/workspaces/{}/messages', answer: postMessage },
  { method: 'POST', path: '/workspaces/{}/files/upload', answer: uploadFile },
  { method: 'GET', path: '/workspaces/{}/files', answer: listFiles },
  { method: 'GET', path: '/workspaces/{}/files/download', answer: downloadFile },
  { method: 'GET', path: '/tasks/{}', answer: (request) => poll(request, false) },
  { method: 'POST', path: '/tasks/{}/cancel', answer: cancel },
]

function listWorkspaces({ desk, userId }: TaskRequest): TaskAnswer {
  const items = desk.workspaces(userId).map((workspace_id) => ({ workspace_id }))
  return ok({ items, total: items.length })
}

function createWorkspace({ desk, userId, body }: TaskRequest): TaskAnswer {
  const { workspace_id: id } = body
  if (typeof id !== 'string' || !/^[A-Za-z0-9._-]{1,40}$/.test(id)) {
    throw new HttpProblem(400, 'workspace_id must be 1 to 40 letters, digits, dots, dashes.')
  }
  desk.createWorkspace(userId, id)
  return ok({ workspace_id: id })
}

function getWorkspace(request: TaskRequest): TaskAnswer {
  const workspace_id = nameOf(request)
  request.desk.files(request.userId, workspace_id)
  return ok({ workspace_id })
}

function deleteWorkspace(request: TaskRequest): TaskAnswer {
  const workspace_id = nameOf(request)
  request.desk.deleteWorkspace(request.userId, workspace_id)
  return ok({ workspace_id })
}

function listConversations(request: TaskRequest): TaskAnswer {
  const { desk, userId, query } = request
  const all = desk.conversations(userId, nameOf(request))
  const limit = Math.min(100, Math.max(1, integerOf(query.get('limit')) ?? 20))
  const offset = Math.max(0, integerOf(query.get('offset')) ?? 0)
  const data = all.slice(offset, offset + limit).map(conversationSummary)
  return ok({ data, total: all.length })
}

function createConversation(request: TaskRequest): TaskAnswer {
  const { session, workspaceId } = request.desk.createConversation(request.userId, nameOf(request))
  return ok({ conversation_id: session.id, workspace_id: workspaceId })
}

function getConversation(request: TaskRequest): TaskAnswer {
  const { desk, userId, query } = request
  const conversation = desk.conversation(userId, nameOf(request, 1), nameOf(request))
  const isFull = ['1', 'true'].includes(query.get('full') ?? '')
  const messages = isFull ? conversation.messages : null
  const data = { ...conversationSummary(conversation), messages }
  return ok({ data, workspace_id: conversation.workspaceId })
}

function deleteConversation(request: TaskRequest): TaskAnswer {
  const { desk, userId } = request
  desk.deleteConversation(desk.conversation(userId, nameOf(request, 1), nameOf(request)))
  return ok({})
}

function conversationSummary({ session, messages }: TaskConversation): JsonObject {
  return {
    id: session.id,
    title: session.name,
    created_at: session.createdAt,
    updated_at: session.updatedAt,
    run_mode: 'fast',
    model_key: 'scripted-1',
    messages_count: messages.length,
  }
}

/** Version 1 has its fields at the top. */
function postMessage(request: TaskRequest): TaskAnswer {
  return ok(beginTask(request, nameOf(request)), 202)
}

/** Keeps a file of the workspace that the request names. */
export async function uploadFile(request: TaskRequest): Promise<TaskAnswer> {
  const { desk, userId, form } = request
  const files = desk.files(userId, nameOf(request))
  const file = form?.get('file')
  if (file === null || file === undefined || typeof file === 'string') {
    throw new HttpProblem(400, 'A file is needed.')
  }
  const [given, dir] = [form?.get('filename'), form?.get('dir')]
  const filename = (typeof given === 'string' && given) || file.name
  const path = `${typeof dir === 'string' && dir !== '' ? dir : 'uploads'}/${filename}`
  const bytes = new Uint8Array(await file.arrayBuffer())
  files.set(path, { bytes, modifiedAt: nowSeconds() })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return ok({ path, filename, size: bytes.length, sha256 })
}

function listFiles(request: TaskRequest): TaskAnswer {
  const { desk, userId, query } = request
  const base = query.get('path') ?? ''
  const items = [...desk.files(userId, nameOf(request))]
    .filter(([path]) => path.startsWith(base))
    .map(([path, { bytes, modifiedAt }]) => {
      const name = path.split('/').at(-1) ?? path
      return { name, is_dir: false, size: bytes.length, modified_at: modifiedAt, path }
    })
  return ok({ items, base })
}

function downloadFile(request: TaskRequest): TaskAnswer {
  const { desk, userId, query } = request
  const file = desk.files(userId, nameOf(request)).get(query.get('path') ?? '')
  if (file === undefined) throw new HttpProblem(404, 'File not found.')
  return { json: {}, bytes: file.bytes }
}
