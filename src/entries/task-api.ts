export { taskApiBackend, taskApiDirectory } from '../backends/index.js'
export type {
  TaskApiOptions,
  TaskApiPaths,
  TaskApiPolling,
  TaskApiStorage,
  TaskApiSurface,
} from '../backends/index.js'
export { parseTaskApiMessages, taskApiDialect } from '../dialects/index.js'
export type { TaskApiMessagesOptions } from '../dialects/index.js'
