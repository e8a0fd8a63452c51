import type { Task } from './Task.js'
import type { JsonObject } from '../../../protocol/index.js'
import { integerOf, nameOf, ok, type TaskAnswer, type TaskRequest } from './TaskRoute.js'

/** A page of a task's events. */
export function poll(request: TaskRequest, isWeb: boolean): TaskAnswer {
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

/** Stops a task; also one that is over is well stopped. */
export function cancel(request: TaskRequest): TaskAnswer {
  const { desk, userId } = request
  const task = desk.task(userId, nameOf(request))
  desk.conversation(userId, task.init.session.id).cancel(task)
  return ok({})
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
