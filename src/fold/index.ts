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
export { isEqualJson } from './isEqualJson.js'
export type { SeenIds } from './SeenIds.js'
export { getUsage } from './getUsage.js'
export { parseHintSource } from './parseHintSource.js'
export type { HintSource } from './parseHintSource.js'
export { parseToolInput } from './parseToolInput.js'
export type { ToolInput } from './parseToolInput.js'
export { stripReminder } from './stripReminder.js'
export type { StrippedText } from './stripReminder.js'
export { getTextGrowth } from './textGrowth.js'
export type { TextGrowth } from './textGrowth.js'
export { toolPhase } from './toolPhase.js'
export type { ToolPhase, ToolPhaseInput } from './toolPhase.js'
export { viewMessage } from './viewMessage.js'
export type { BlockView, MessageView, ToolView } from './viewMessage.js'
export { getReplyPhase } from './getReplyPhase.js'
export { isBlockOpen } from './isBlockOpen.js'
export { selectActiveReplies } from './selectActiveReplies.js'
