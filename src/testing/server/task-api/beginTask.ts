import type { JsonObject, JsonValue } from '../../../protocol/index.js'
import { HttpProblem } from '../validation.js'
import type { TaskInput } from './TaskDesk.js'
import type { TaskRequest } from './TaskRoute.js'

const RUN_MODES = ['fast', 'thinking', 'deep']

/**
 * Begins a task with what was posted.
 *
 * @param request - The request.
 * @param workspaceId - The workspace; the conversation's own counts where one is named.
 * @returns What is said of the task.
 */
export function beginTask({ desk, userId, body }: TaskRequest, workspaceId: string): JsonObject {
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
