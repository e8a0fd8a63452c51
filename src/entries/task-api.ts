export { parseTaskApiMessages, taskApiDialect } from '../dialects/index.js'
export type { TaskApiMessagesOptions } from '../dialects/index.js'
