export type { Answer, ConfirmAnswer, ExternalAnswer, InputAnswer } from './AgentBackend.js'
export type { AgentBackend, Capabilities, HistoryPage, RunStatus } from './AgentBackend.js'
export type { StreamHandle, StreamSink, UserInput } from './AgentBackend.js'
export type { AgentDirectory, AgentSummary, SessionSummary } from './AgentDirectory.js'
export type {
  AgentEvent,
  BlockEventBase,
  ConfirmResult,
  CustomEvent,
  DataBlockDeltaEvent,
  DataBlockEndEvent,
  DataBlockStartEvent,
  EventBase,
  ExceedMaxItersEvent,
  ExternalExecutionResultEvent,
  HintBlockEvent,
  ModelCallEndEvent,
  ModelCallStartEvent,
  ReplyEndEvent,
  ReplyEventBase,
  ReplyStartEvent,
  RequireExternalExecutionEvent,
  RequireUserConfirmEvent,
  TextBlockDeltaEvent,
  TextBlockEndEvent,
  TextBlockStartEvent,
  ThinkingBlockDeltaEvent,
  ThinkingBlockEndEvent,
  ThinkingBlockStartEvent,
  ToolCallDeltaEvent,
  ToolCallEndEvent,
  ToolCallStartEvent,
  ToolEventBase,
  ToolResultDataDeltaEvent,
  ToolResultEndEvent,
  ToolResultStartEvent,
  ToolResultTextDeltaEvent,
  UserConfirmResultEvent,
  UserInterruptEvent,
} from './AgentEvent.js'
export type { Anomaly, AnomalyKind } from './Anomaly.js'
export type { ConnectionState } from './ConnectionState.js'
export type {
  Base64Source,
  BlockStamps,
  ContentBlock,
  ContentBlockType,
  DataBlock,
  HintBlock,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolCallState,
  ToolResultBlock,
  ToolResultState,
  UnknownBlock,
  UrlSource,
} from './ContentBlock.js'
export type { Decoded, DecoderOptions, Dialect, EndCause, FrameDecoder } from './Dialect.js'
export { EventType } from './EventType.js'
export type { Journal, KeptConversation } from './Journal.js'
export { isJsonObject } from './JsonValue.js'
export type { JsonObject, JsonValue } from './JsonValue.js'
export type {
  BlockSetOperation,
  ConversationInput,
  GapOperation,
  InputRequestOperation,
  InputResolvedOperation,
  KitOperation,
  KitOperationBase,
  RemoveMessageOperation,
  RollbackOperation,
  SnapshotOperation,
  UserMessageOperation,
} from './KitOperation.js'
export type { FinishedReason, Msg, ReplyError, Role, Usage } from './Msg.js'
export type { OpenEnum } from './OpenEnum.js'
export type { PermissionRule } from './PermissionRule.js'
export { TransportError } from './TransportError.js'
export type { TransportErrorDetails, TransportErrorReason } from './TransportError.js'
export {
  getContentBlocks,
  getFirstContentBlock,
  getTextContent,
  hasContentBlocks,
} from './accessors.js'
export type { BlockOfType } from './accessors.js'
export { EVENT_FIELDS } from './eventFields.js'
export type { FieldKind, FieldSpec, FieldSpecs } from './eventFields.js'
export { AssistantMsg, SystemMsg, UserMsg } from './messages.js'
export type { AssistantMsgInit, BlockInit, MsgConstructor, MsgInit } from './messages.js'
export { parseBlock, parsePieces } from './parseBlock.js'
export { isEventType, parseEvent, unknownFields } from './parseEvent.js'
export type { ParsedEvent } from './parseEvent.js'
export { parseMessages } from './parseMessages.js'
export type { ParsedMessages } from './parseMessages.js'
export { createId, createTimestamp } from './stamp.js'
