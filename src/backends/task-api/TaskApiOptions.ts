import type { JsonObject } from '../../protocol/index.js'
import type { ServiceOptions } from '../agent-service/createServiceClient.js'
import type { TaskApiPolling } from './createTaskLine.js'
import type { TaskApiStorage } from './createTaskMemory.js'
import type { TaskApiPaths, TaskApiSurface } from './TaskApiPaths.js'

/** A conversation over the Task API. */
export interface TaskApiOptions extends ServiceOptions {
  /** Which face of the server; `v1` by default. */
  readonly surface?: TaskApiSurface
  /** The workspace. */
  readonly workspaceId: string
  /** The conversation; without it the first message begins one. */
  readonly conversationId?: string
  /**
   * Called when a first message began the conversation, and when the server goes on with it under another id: give this one as
   * `conversationId` next time.
   */
  readonly onConversation?: (conversationId: string) => void
  /** Fields of every new task, such as `model_key` or `run_mode`. */
  readonly taskDefaults?: JsonObject
  /** Paths that differ from the surface's own. */
  readonly paths?: Partial<TaskApiPaths>
  /** What the agent is called: the wire does not tell. Without it a reply has no name. */
  readonly agentName?: string
  /** Media types a message may carry; pictures by default. */
  readonly attachments?: readonly string[]
  /** How often to ask, and how to wait after failures. */
  readonly connection?: TaskApiPolling
  /**
   * What finds a running task again after a reload, which v1 cannot be asked for: the tab's `sessionStorage` by default, null = nothing.
   */
  readonly storage?: TaskApiStorage | null
}
