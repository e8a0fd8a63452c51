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
export { applyEvents } from './applyEvents.js'
export { createConversation } from './createConversation.js'
export { equalsStored } from './equalsStored.js'
export type { SeenIds } from './SeenIds.js'
