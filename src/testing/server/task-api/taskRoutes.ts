import { createHash } from 'node:crypto'
import type { JsonObject, JsonValue } from '../../../protocol/index.js'
import { HttpProblem } from '../validation.js'
import { nowSeconds, type Task } from './Task.js'
import type { TaskConversation } from './TaskConversation.js'
import { taskSummary, type TaskDesk, type TaskInput } from './TaskDesk.js'
import type { InboxKind, InboxItem } from './TaskInbox.js'

/** A request, read. */
export interface TaskRequest {
  /** What the server knows. */
  readonly desk: TaskDesk
  /** Who asks. */
  readonly userId: string
  /** What the path names, in order. */
  readonly names: readonly string[]
  /** The query. */
  readonly query: URLSearchParams
  /** The body; empty where there is none. */
  readonly body: JsonObject
  /** What was uploaded. */
  readonly form: FormData | null
}

/** An answer: JSON, or the bytes of a file. */
export interface TaskAnswer {
  /** The status; 200 by default. */
  readonly status?: number
  /** The body. */
  readonly json: JsonObject
  /** A file, in its place. */
  readonly bytes?: Uint8Array
}

/** One endpoint. */
export interface TaskRoute {
  /** The method. */
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** The path; `{}` stands for a name. */
  readonly path: string
  /** Whether nobody needs a token. */
  readonly isOpen?: boolean
  /** Answers; throws an `HttpProblem`. */
  readonly answer: (request: TaskRequest) => Promise<TaskAnswer> | TaskAnswer
}

const RUN_MODES = ['fast', 'thinking', 'deep']

/** The endpoints for external clients: what they cannot do is answer questions. */
const v1: readonly TaskRoute[] = [
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

/** The endpoints of the web application. */
const web: readonly TaskRoute[] = [
  { method: 'POST', path: '/tasks', answer: createTask },
  { method: 'GET', path: '/tasks', answer: listTasks },
  { method: 'GET', path: '/tasks/{}', answer: (request) => poll(request, true) },
  { method: 'POST', path: '/tasks/{}/cancel', answer: cancel },
  { method: 'POST', path: '/tasks/{}/runtime_guidance', answer: guide },
  { method: 'POST', path: '/conversations', answer: createWebConversation },
  { method: 'GET', path: '/conversations/{}/running-status', answer: tellRunning },
  { method: 'GET', path: '/conversations/{}/bootstrap', answer: bootstrap },
  { method: 'GET', path: '/tool-approvals/pending', answer: pending('approval') },
  { method: 'POST', path: '/tool-approvals/{}/decision', answer: decide },
  { method: 'GET', path: '/user-questions/pending', answer: pending('question') },
  { method: 'POST', path: '/user-questions/{}/answer', answer: answerQuestion },
  { method: 'GET', path: '/plan-approvals/pending', answer: pending('plan') },
  { method: 'POST', path: '/plan-approvals/{}/answer', answer: answerPlan },
]

/** All endpoints, with their whole paths. */
export const taskRoutes: readonly TaskRoute[] = [
  ...v1.map((route) => ({ ...route, path: `/api/v1${route.path}` })),
  ...web.map((route) => ({ ...route, path: `/api${route.path}` })),
]

function ok(json: JsonObject, status = 200): TaskAnswer {
  return { status, json: { success: true, ...json } }
}

function nameOf({ names }: TaskRequest, index = 0): string {
  return names[index] ?? ''
}

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

function createWebConversation(request: TaskRequest): TaskAnswer {
  const { desk, userId } = request
  const { session, workspaceId } = desk.createConversation(userId, workspaceOf(request))
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
  return ok(begin(request, nameOf(request)), 202)
}

/** The web application has them in `data`. */
function createTask(request: TaskRequest): TaskAnswer {
  return ok({ data: begin(request, workspaceOf(request)) }, 202)
}

function begin({ desk, userId, body }: TaskRequest, workspaceId: string): JsonObject {
  const input = readInput(body)
  const { conversation_id: id, run_mode: mode } = body
  if (mode !== undefined && mode !== null && !RUN_MODES.some((each) => each === mode)) {
    throw new HttpProblem(400, 'run_mode must be fast, thinking or deep.')
  }
  desk.files(userId, workspaceId)
  const conversation =
    typeof id === 'string' && id !== ''
      ? desk.conversation(userId, id)
      : desk.createConversation(userId, workspaceId)
  const task = desk.start(userId, conversation, input)
  return {
    task_id: task.id,
    conversation_id: conversation.session.id,
    workspace_id: conversation.workspaceId,
    status: task.status,
    created_at: task.createdAt,
  }
}

function readInput({ message, images, videos }: JsonObject): TaskInput {
  const input = {
    message: typeof message === 'string' ? message.trim() : '',
    images: pathsOf(images),
    videos: pathsOf(videos),
  }
  if (input.message === '' && input.images.length + input.videos.length === 0) {
    throw new HttpProblem(400, 'A message or images are needed.')
  }
  return input
}

function pathsOf(value: JsonValue | undefined): readonly string[] {
  const all: readonly JsonValue[] = Array.isArray(value) ? value : []
  return all.filter((path) => typeof path === 'string')
}

function poll(request: TaskRequest, isWeb: boolean): TaskAnswer {
  const { desk, userId, query } = request
  const task = desk.task(userId, nameOf(request))
  const { events, nextOffset } = task.read(integerOf(query.get('from')) ?? 0)
  const data = {
    task_id: task.id,
    workspace_id: task.init.workspaceId,
    status: task.status,
    created_at: task.createdAt,
    updated_at: task.updatedAt,
    error: task.error,
    events: events.map((event) => ({ ...event })),
    next_offset: nextOffset,
  }
  return ok({ data: isWeb ? { ...data, ...webExtras(task, desk.isCurrent) } : data })
}

function webExtras(task: Task, isCurrent: boolean): JsonObject {
  const { session, message, type } = task.init
  const extras = {
    message,
    conversation_id: session.id,
    message_source: type === 'notice' ? 'notify' : 'user',
    goal_mode: false,
    goal_progress: null,
    runtime_queued_messages: [],
  }
  if (!isCurrent) return extras
  const window_start = task.events[0]?.idx ?? 0
  return { ...extras, task_type: type, runtime_queue_paused: false, window_start }
}

function listTasks({ desk, userId, query }: TaskRequest): TaskAnswer {
  const wanted = query.get('status') ?? ''
  const workspaceId = query.get('workspace_id') ?? ''
  const words = wanted.split(',').map((word) => word.trim())
  const data = desk
    .tasks(userId)
    .filter(({ init }) => workspaceId === '' || init.workspaceId === workspaceId)
    .filter(({ isActive, status }) =>
      wanted === 'active' ? isActive : wanted === '' || words.includes(status),
    )
  return ok({ data: data.map(taskSummary) })
}

function cancel(request: TaskRequest): TaskAnswer {
  const { desk, userId } = request
  const task = desk.task(userId, nameOf(request))
  desk.conversation(userId, task.init.session.id).cancel(task)
  return ok({})
}

function guide(request: TaskRequest): TaskAnswer {
  const { desk, userId, body } = request
  const { message } = body
  if (typeof message !== 'string' || message.trim() === '') {
    throw new HttpProblem(400, 'The message is empty.')
  }
  const task = desk.task(userId, nameOf(request))
  const source = JSON.stringify({ label: 'guidance', sublabel: '' })
  const hint = { kind: 'hint', source, hint: message.trim() } as const
  if (!task.isActive || !task.init.session.tell(hint)) {
    throw new HttpProblem(409, 'The task is not running.')
  }
  return ok({ data: { task_id: task.id, queued_count: 1 } })
}

function runningOf({ active, background, session }: TaskConversation): JsonObject {
  return {
    conversation_id: session.id,
    is_main_running: active !== null,
    main_task_id: active?.id ?? null,
    main_task_type: active?.init.type ?? null,
    ...background,
    is_truly_active: active !== null || Object.values(background).includes(true),
  }
}

function tellRunning(request: TaskRequest): TaskAnswer {
  const { desk, userId } = request
  return ok({ data: runningOf(desk.conversation(userId, nameOf(request))) })
}

/** All that is needed to enter a conversation, at once. */
function bootstrap(request: TaskRequest): TaskAnswer {
  const { desk, userId } = request
  const conversation = desk.conversation(userId, nameOf(request))
  const { active, messages, session } = conversation
  const meta = { title: session.name, run_mode: 'fast', messages_count: messages.length }
  const data = {
    conversation_id: session.id,
    meta,
    messages,
    running: runningOf(conversation),
    ...(active && { task_replay: replayOf(active, messages) }),
  }
  return ok({ data })
}

/** Whether a client should drop the last stored turn and read the task from its beginning. */
function replayOf(task: Task, messages: readonly JsonObject[]): JsonObject {
  const { events } = task
  const last = messages.at(-1)
  const isAssistant = last?.['role'] === 'assistant'
  const isEmpty =
    isAssistant && ['content', 'reasoning_content', 'tool_calls'].every((name) => !last[name])
  const hasCalls = isAssistant && last['tool_calls'] !== undefined
  const openOf = (kind: string): boolean =>
    events.findLast(({ type }) => type === `${kind}_start` || type === `${kind}_end`)?.type ===
    `${kind}_start`
  const hasText = events.some(({ type }) => type === 'text_chunk')
  const isStreaming = hasText || openOf('text') || openOf('thinking')
  const needsRebuild = !isAssistant || isEmpty || hasCalls || isStreaming
  return {
    task_id: task.id,
    task: taskSummary(task),
    events: events.map((event) => ({ ...event })),
    event_count: events.length,
    needs_rebuild: needsRebuild,
    replay_from: needsRebuild ? 0 : events.length,
    decision_inputs: { is_assistant_last: isAssistant, has_pending_tool_calls: hasCalls },
  }
}

function pending(kind: InboxKind): TaskRoute['answer'] {
  return ({ desk, userId, query }) => {
    const conversation_id = query.get('conversation_id')
    const items = desk.inbox
      .pending(kind, conversation_id)
      .filter(({ task }) => task.init.session.init.userId === userId)
    return ok({ items: items.map(({ record }) => record), conversation_id })
  }
}

function decide(request: TaskRequest): TaskAnswer {
  const item = itemOf(request, 'approval')
  const { decision } = request.body
  if (decision !== 'approved' && decision !== 'rejected') {
    throw new HttpProblem(400, 'decision must be approved or rejected.')
  }
  request.desk.inbox.decide(item, decision === 'approved')
  return ok({ item: item.record })
}

function answerPlan(request: TaskRequest): TaskAnswer {
  const item = itemOf(request, 'plan')
  const { approved, comment } = request.body
  request.desk.inbox.decide(item, approved === true, typeof comment === 'string' ? comment : null)
  return ok({ item: item.record })
}

function answerQuestion(request: TaskRequest): TaskAnswer {
  const item = itemOf(request, 'question')
  const { selected_option_id: option, text, dismissed } = request.body
  const hasOption = typeof option === 'string' && option !== ''
  const hasText = typeof text === 'string' && text.trim() !== ''
  if (dismissed !== true && !hasOption && !hasText) {
    throw new HttpProblem(400, 'An option or a text is needed.')
  }
  const type = hasOption ? (hasText ? 'option_with_text' : 'option') : 'free_text'
  request.desk.inbox.reply(item, {
    type: dismissed === true ? 'dismissed' : type,
    ...(hasOption && { selected_option_id: option }),
    ...(hasText && { text: text.trim() }),
  })
  return ok({ item: item.record })
}

function itemOf(request: TaskRequest, kind: InboxKind): InboxItem {
  const item = request.desk.inbox.find(kind, nameOf(request))
  if (item === undefined) throw new HttpProblem(404, 'Nothing waits under this id.')
  if (item.task.init.session.init.userId !== request.userId) {
    throw new HttpProblem(403, 'It waits for somebody else.')
  }
  return item
}

async function uploadFile(request: TaskRequest): Promise<TaskAnswer> {
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

/** A workspace that is not named is the first one. */
function workspaceOf({ desk, userId, body }: TaskRequest): string {
  const { workspace_id: given } = body
  return typeof given === 'string' && given !== '' ? given : (desk.workspaces(userId)[0] ?? '')
}

/** Reads a number as Python does; undefined for what is none. */
function integerOf(text: string | null): number | undefined {
  return text !== null && /^\s*[+-]?\d+\s*$/.test(text) ? Number(text) : undefined
}
