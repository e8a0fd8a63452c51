export { AgentStreamProvider } from './AgentStreamProvider.js'
export type { AgentStreamProviderProps } from './AgentStreamProvider.js'
export { useAgentStream } from './useAgentStream.js'
export type { AgentStream } from './useAgentStream.js'
export { useChatSelector, useChatStore, useChatValue } from './useChatStore.js'
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
// What components need of the rooms behind: they import this door only.
export {
  getTextGrowth,
  parseHintSource,
  parseToolInput,
  stripReminder,
  toolPhase,
  viewMessage,
} from '../fold/index.js'
export type {
  MessageView,
  PendingRequest,
  ReplyInfo,
  TextGrowth,
  ToolCallRequest,
  ToolPhase,
} from '../fold/index.js'
export { ownEntry } from './ownEntry.js'
export { CONTINUE_ID, selectMessage, selectSendBlock, takesReason } from '../store/index.js'
export type {
  ChatOptions,
  ChatPhase,
  ChatState,
  Decision,
  MessageContent,
  SendBlock,
  SendState,
} from '../store/index.js'
