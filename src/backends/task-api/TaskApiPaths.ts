/** Which of a server's two faces is spoken to. */
export type TaskApiSurface =
  /** `/api/v1/*` with a bearer token: for clients outside. It takes no answers, and says of no task that it was not asked for. */
  | 'v1'
  /** `/api/*` with the cookies of the server's own page: it takes answers, and tells what runs. */
  | 'web'

/** Where a server takes what: paths below `baseUrl`, without the query that asks for a position. */
export interface TaskApiPaths {
  /** Takes a message, which begins a task. */
  readonly create: () => string
  /** A task; `/cancel` below it stops it. */
  readonly task: (taskId: string) => string
  /** A conversation with all its messages. */
  readonly conversation: (conversationId: string) => string
  /** What of a conversation runs; null = the server does not tell. */
  readonly running: ((conversationId: string) => string) | null
  /** Takes a file. */
  readonly upload: () => string
}

/**
 * The paths of a surface.
 *
 * @param surface - Which one.
 * @param workspaceId - The workspace.
 * @param own - Those that differ.
 */
export function createTaskApiPaths(
  surface: TaskApiSurface,
  workspaceId: string,
  own: Partial<TaskApiPaths> = {},
): TaskApiPaths {
  const encode = encodeURIComponent
  const workspace = `/api/v1/workspaces/${encode(workspaceId)}`
  const paths: TaskApiPaths =
    surface === 'v1'
      ? {
          create: () => `${workspace}/messages`,
          task: (id) => `/api/v1/tasks/${encode(id)}`,
          conversation: (id) => `${workspace}/conversations/${encode(id)}?full=1`,
          running: null,
          upload: () => `${workspace}/files/upload`,
        }
      : {
          create: () => '/api/tasks',
          task: (id) => `/api/tasks/${encode(id)}`,
          conversation: (id) =>
            `/api/conversations/${encode(id)}/bootstrap?workspace_id=${encode(workspaceId)}`,
          running: (id) => `/api/conversations/${encode(id)}/running-status`,
          upload: () => '/api/upload',
        }
  return { ...paths, ...own }
}
