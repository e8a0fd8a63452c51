export { CONTINUE_ID } from './ChatCommands.js'
export type {
  ChatCommands,
  Decision,
  ExternalResult,
  InputResponse,
  MessageContent,
  SendOptions,
} from './ChatCommands.js'
export type { ChatOptions, ChatSettings, ChatTaps, UsageReport } from './ChatOptions.js'
export type { ChatState, HistoryState, SendState } from './ChatState.js'
export type { ChatStore } from './ChatStore.js'
export type { CommitScheduler } from './CommitScheduler.js'
export { createChatStore } from './createChatStore.js'
export type { Outbox, OutboxEntry } from './Outbox.js'
export { hasNotArrived } from './hasNotArrived.js'
export { selectError } from './selectError.js'
export { selectMessage } from './selectMessage.js'
export { selectPhase } from './selectPhase.js'
export { takesReason } from './takesReason.js'
export type { ChatPhase } from './selectPhase.js'
export { selectSendBlock } from './selectSendBlock.js'
export type { SendBlock } from './selectSendBlock.js'
export { sessionOutbox } from './sessionOutbox.js'
