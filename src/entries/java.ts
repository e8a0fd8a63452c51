export { javaBackend, managedSessionBackend, remoteTaskBackend } from '../backends/index.js'
export type {
  JavaBackendOptions,
  JavaEndpoint,
  JavaEndpoints,
  JavaFraming,
  JavaRequest,
  JavaRequestParts,
  ManagedSessionOptions,
  RemoteTaskOptions,
} from '../backends/index.js'
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
