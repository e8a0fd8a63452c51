export { AgentStreamProvider } from './AgentStreamProvider.js'
export type { AgentStreamProviderProps } from './AgentStreamProvider.js'
export { useAgentStream } from './useAgentStream.js'
export type { AgentStream } from './useAgentStream.js'
export { useChatSelector, useChatStore } from './useChatStore.js'
export { useCapabilities, useCommands } from './useCommands.js'
export {
  useBlock,
  useBlockKeys,
  useMessage,
  useMessageIds,
  useMessageView,
  useReply,
} from './useMessage.js'
export {
  useChatError,
  useConnection,
  useHistory,
  usePhase,
  useSendBlock,
  useSendState,
} from './usePhase.js'
export { useRequest, useRequestOfCall, useRequests } from './useRequests.js'
export {
  useAgents,
  useCreateSession,
  useDeleteSession,
  useRenameSession,
  useSessions,
} from './useSessions.js'
export { useNotice, useUsage } from './useUsage.js'
