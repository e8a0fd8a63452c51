export { agentServiceBackend } from './agent-service/agentServiceBackend.js'
export type { AgentServiceOptions } from './agent-service/agentServiceBackend.js'
export { agentServiceDirectory } from './agent-service/agentServiceDirectory.js'
export type { AgentServiceDirectoryOptions } from './agent-service/agentServiceDirectory.js'
export type { ServiceOptions } from './agent-service/createServiceClient.js'
export type { SessionOptions } from './agent-service/createServiceSession.js'
export { javaBackend } from './java/javaBackend.js'
export type { JavaBackendOptions, JavaFraming } from './java/javaBackend.js'
export type {
  JavaEndpoint,
  JavaEndpoints,
  JavaRequest,
  JavaRequestParts,
} from './java/JavaRequest.js'
export { managedSessionBackend } from './java/managedSessionBackend.js'
export type { ManagedSessionOptions } from './java/managedSessionBackend.js'
export { remoteTaskBackend } from './java/remoteTaskBackend.js'
export type { RemoteTaskOptions } from './java/remoteTaskBackend.js'
export { pollingBackend } from './polling/pollingBackend.js'
export type { PollingBackendOptions } from './polling/pollingBackend.js'
export type { Recording, RecordingStep } from './recording/Recording.js'
export { recordingBackend } from './recording/recordingBackend.js'
export type { RecordingOptions } from './recording/recordingBackend.js'
export { switchableBackend } from './switchable/switchableBackend.js'
export type { SwitchableBackend } from './switchable/switchableBackend.js'
export type { SocketOptions } from './web-socket/SocketOptions.js'
export type { TaskApiPolling } from './task-api/createTaskLine.js'
export type { TaskApiStorage } from './task-api/createTaskMemory.js'
export type { TaskApiPaths, TaskApiSurface } from './task-api/TaskApiPaths.js'
export { taskApiBackend } from './task-api/taskApiBackend.js'
export type { TaskApiOptions } from './task-api/TaskApiOptions.js'
export { taskApiDirectory } from './task-api/taskApiDirectory.js'
export { shareWebSocket, webSocketBackend } from './web-socket/webSocketBackend.js'
export type {
  SharedWebSocket,
  SocketSessionOptions,
  WebSocketBackendOptions,
} from './web-socket/webSocketBackend.js'
