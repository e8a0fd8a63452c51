import type { JsonObject } from '../../../protocol/index.js'
import { HttpProblem } from '../validation.js'
import { beginTask } from './beginTask.js'
import type { Task } from './Task.js'
import { cancel, poll } from './taskAnswers.js'
import type { TaskConversation } from './TaskConversation.js'
import { taskSummary } from './TaskDesk.js'
import type { InboxItem, InboxKind } from './TaskInbox.js'
import { nameOf, ok, type TaskAnswer, type TaskRequest, type TaskRoute } from './TaskRoute.js'
import { uploadFile } from './v1Routes.js'

/** The endpoints of the web application. */
export const webRoutes: readonly TaskRoute[] = [
  { method: 'POST', path: '/tasks', answer: createTask },
  { method: 'GET', path: '/tasks', answer: listTasks },
  { method: 'GET', path: '/tasks/{}', answer: (request) => poll(request, true) },
  { method: 'POST', path: '/tasks/{}/cancel', answer: cancel },
  { method: 'POST', path: '/tasks/{}/runtime_guidance', answer: guide },
  { method: 'POST', path: '/conversations', answer: createWebConversation },
  { method: 'POST', path: '/upload', answer: uploadWebFile },
  { method: 'GET', path: '/conversations/{}/running-status', answer: tellRunning },
  { method: 'GET', path: '/conversations/{}/bootstrap', answer: bootstrap },
  { method: 'GET', path: '/tool-approvals/pending', answer: pending('approval') },
  { method: 'POST', path: '/tool-approvals/{}/decision', answer: decide },
  { method: 'GET', path: '/user-questions/pending', answer: pending('question') },
  { method: 'POST', path: '/user-questions/{}/answer', answer: answerQuestion },
  { method: 'GET', path: '/plan-approvals/pending', answer: pending('plan') },
  { method: 'POST', path: '/plan-approvals/{}/answer', answer: answerPlan },
]

function createWebConversation(request: TaskRequest): TaskAnswer {
  const { desk, userId } = request
  const { session, workspaceId } = desk.createConversation(userId, workspaceOf(request))
  return ok({ conversation_id: session.id, workspace_id: workspaceId })
}

/** The form names the workspace. */
function uploadWebFile(request: TaskRequest): Promise<TaskAnswer> {
  const given = request.form?.get('workspace_id')
  const workspace_id = typeof given === 'string' ? given : ''
  return uploadFile({ ...request, names: [workspaceOf({ ...request, body: { workspace_id } })] })
}

/** The web application has them in `data`. */
function createTask(request: TaskRequest): TaskAnswer {
  return ok({ data: beginTask(request, workspaceOf(request)) }, 202)
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

/** A workspace that is not named is the first one. */
function workspaceOf({ desk, userId, body }: TaskRequest): string {
  const { workspace_id: given } = body
  return typeof given === 'string' && given !== '' ? given : (desk.workspaces(userId)[0] ?? '')
}
