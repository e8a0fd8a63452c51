export {
  dataAgentDialect,
  javaDialect,
  javaTextDialect,
  managedSessionDialect,
  parseJavaMessages,
  readExposedSubagents,
  remoteTaskDialect,
} from '../dialects/index.js'
export type { ExposedSubagent, JavaMessagesOptions } from '../dialects/index.js'
