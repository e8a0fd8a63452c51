export { javaDialect, parseJavaMessages, readExposedSubagents } from '../dialects/index.js'
export type {
  ExposedSubagent,
  JavaDialectOptions,
  JavaFraming,
  JavaMessagesOptions,
} from '../dialects/index.js'
