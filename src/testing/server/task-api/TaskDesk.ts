import type { JsonObject } from '../../../protocol/index.js'
import { createId, UserMsg } from '../../../protocol/index.js'
import type { AgentSession } from '../../index.js'
import type { SessionRegistry } from '../SessionRegistry.js'
import { stampNow } from '../stampNow.js'
import { HttpProblem } from '../validation.js'
import { nowSeconds, type Task } from './Task.js'
import type { TaskApiServerOptions } from './TaskApiServerOptions.js'
import { TaskConversation } from './TaskConversation.js'
import { TaskInbox } from './TaskInbox.js'

/** What a person sends. */
export interface TaskInput {
  /** The text. */
  readonly message: string
  /** Paths in the workspace, or addresses. */
  readonly images: readonly string[]
  /** Paths in the workspace, or addresses. */
  readonly videos: readonly string[]
}

/** A file of a workspace. */
export interface TaskFile {
  /** Its bytes. */
  readonly bytes: Uint8Array
  /** Since when, in seconds since 1970. */
  readonly modifiedAt: number
}

const HOUR = 3_600_000

/** What one server knows of the Task API: workspaces, conversations, tasks. A workspace is an agent of the script, under any name. */
export class TaskDesk {
  /** How the API is to be. */
  readonly options: TaskApiServerOptions
  /** What waits for people. */
  readonly inbox: TaskInbox = new TaskInbox()
  readonly #registry: SessionRegistry
  readonly #conversations = new WeakMap<AgentSession, TaskConversation>()
  readonly #tasks = new Map<string, Task>()
  /** Workspaces that were made, and the files of all, by user. */
  readonly #workspaces = new Map<string, Map<string, Map<string, TaskFile>>>()

  /**
   * @param registry - The sessions.
   * @param options - How the API is to be.
   */
  constructor(registry: SessionRegistry, options: TaskApiServerOptions) {
    this.#registry = registry
    this.options = options
    registry.onDelete((session) => {
      for (const task of this.#tasks.values()) {
        if (task.init.session === session) this.#tasks.delete(task.id)
      }
    })
  }

  /** Whether the API is as it is now. */
  get isCurrent(): boolean {
    return this.options.version !== 'classic'
  }

  /** The workspaces of a user. */
  workspaces(userId: string): readonly string[] {
    return [...this.#workspacesOf(userId).keys()]
  }

  /** Makes a workspace; one that is there stays. */
  createWorkspace(userId: string, id: string): void {
    const known = this.#workspacesOf(userId)
    if (!known.has(id)) known.set(id, new Map())
  }

  /** Deletes a workspace with its conversations. Throws an `HttpProblem` while a task is under way there. */
  deleteWorkspace(userId: string, id: string): void {
    const conversations = this.conversations(userId, id)
    if (conversations.some(({ active }) => active !== null)) {
      throw new HttpProblem(409, 'A task of this workspace is running.')
    }
    for (const { session } of conversations) this.#registry.delete(session)
    this.#workspacesOf(userId).delete(id)
  }

  /** The files of a workspace, by path. Throws an `HttpProblem` for one that is not there. */
  files(userId: string, id: string): Map<string, TaskFile> {
    const files = this.#workspacesOf(userId).get(id)
    if (files === undefined) throw new HttpProblem(404, `Workspace ${id} not found.`)
    return files
  }

  /** The conversations of a workspace, the newest first. */
  conversations(userId: string, workspaceId: string): readonly TaskConversation[] {
    this.files(userId, workspaceId)
    return this.#registry
      .list(userId, this.#agentOf(workspaceId))
      .filter((session) => this.#workspaceOf(session) === workspaceId)
      .map((session) => this.#open(session, workspaceId))
  }

  /** A conversation of a user. Throws an `HttpProblem` for one that is not there, or not in this workspace. */
  conversation(userId: string, id: string, workspaceId?: string): TaskConversation {
    const session = this.#registry.agents
      .map((agent) => this.#registry.find(userId, agent.id, id))
      .find((found) => found !== undefined)
    const home = session && this.#workspaceOf(session)
    if (session === undefined || (workspaceId !== undefined && home !== workspaceId)) {
      throw new HttpProblem(404, `Conversation ${id} not found.`)
    }
    return this.#open(session, home ?? session.init.agent.id)
  }

  /** Begins a conversation. */
  createConversation(userId: string, workspaceId: string): TaskConversation {
    this.files(userId, workspaceId)
    const session = this.#registry.create(userId, this.#agentOf(workspaceId))
    return this.#open(session, workspaceId)
  }

  /** Deletes a conversation. */
  deleteConversation({ session }: TaskConversation): void {
    this.#registry.delete(session)
  }

  /** Begins a task. Throws an `HttpProblem` with status 409 where another one is under way. */
  start(userId: string, conversation: TaskConversation, input: TaskInput): Task {
    const { session, workspaceId } = conversation
    const others = this.isCurrent ? [conversation] : this.conversations(userId, workspaceId)
    if (session.isRunning || others.some(({ active }) => active !== null)) {
      throw new HttpProblem(
        409,
        `A task is running in this ${this.isCurrent ? 'conversation' : 'workspace'}.`,
      )
    }
    const { message: text, images, videos } = input
    const message = UserMsg({
      id: createId(),
      name: 'user',
      content: [
        ...(text === '' ? [] : [{ type: 'text', id: createId(), text } as const]),
        ...images.map((path) => blockOf(path, 'image')),
        ...videos.map((path) => blockOf(path, 'video')),
      ],
      created_at: stampNow(),
    })
    return conversation.start(message, text, { images, videos })
  }

  /** The tasks of a user that are remembered, the newest first. */
  tasks(userId: string): readonly Task[] {
    this.#forget()
    return [...this.#tasks.values()]
      .filter(({ init }) => init.session.init.userId === userId)
      .toReversed()
  }

  /** A task. Throws an `HttpProblem` for another user's, and for one that is not there any more. */
  task(userId: string, id: string): Task {
    const task = this.tasks(userId).find((each) => each.id === id)
    if (task === undefined) throw new HttpProblem(404, 'Task not found.')
    return task
  }

  #forget(): void {
    const { forgetAfterMs = HOUR } = this.options
    for (const { id, isActive, updatedAt } of this.#tasks.values()) {
      if (!isActive && (nowSeconds() - updatedAt) * 1000 >= forgetAfterMs) this.#tasks.delete(id)
    }
  }

  #workspacesOf(userId: string): Map<string, Map<string, TaskFile>> {
    const known =
      this.#workspaces.get(userId) ??
      new Map(this.#registry.agents.map(({ id }) => [id, new Map<string, TaskFile>()]))
    this.#workspaces.set(userId, known)
    return known
  }

  #agentOf(workspaceId: string): string {
    const { agents } = this.#registry
    return (agents.find(({ id }) => id === workspaceId) ?? agents[0])?.id ?? ''
  }

  #workspaceOf(session: AgentSession): string {
    return this.#conversations.get(session)?.workspaceId ?? session.init.agent.id
  }

  #open(session: AgentSession, workspaceId: string): TaskConversation {
    const known = this.#conversations.get(session)
    if (known !== undefined) return known
    const { bufferSize = this.isCurrent ? 20_000 : 1000, tailRace = 0 } = this.options
    const conversation = new TaskConversation(session, {
      workspaceId,
      inbox: this.inbox,
      tasks: { bufferSize, tailRace, isNamedInPayloads: this.isCurrent },
      onTask: (task) => this.#tasks.set(task.id, task),
    })
    this.#conversations.set(session, conversation)
    return conversation
  }
}

function blockOf(path: string, kind: 'image' | 'video') {
  const extension = /[.]([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '*'
  const media_type = `${kind}/${extension === 'jpg' ? 'jpeg' : extension}`
  const name = path.split('/').at(-1) ?? path
  return {
    type: 'data',
    id: createId(),
    name,
    source: { type: 'url', url: path, media_type },
  } as const
}

/** Which conversation a task belongs to, and where it stands, as lists of tasks say it. */
export function taskSummary(task: Task): JsonObject {
  const { session, workspaceId, message, type } = task.init
  return {
    task_id: task.id,
    workspace_id: workspaceId,
    workspace_label: workspaceId,
    status: task.status,
    created_at: task.createdAt,
    updated_at: task.updatedAt,
    message,
    conversation_id: session.id,
    conversation_title: session.name,
    task_type: type,
    error: task.error,
  }
}
