export type {
  Conversation,
  InputRequest,
  ModelCall,
  NestedRun,
  PendingRequest,
  ReplyInfo,
  ToolCallRequest,
  WorkerRef,
} from './Conversation.js'
export { appendEvent } from './appendEvent.js'
