export { AgentChat } from './agent-chat/AgentChat.js'
export type { AgentChatProps } from './agent-chat/AgentChat.js'
export { ApprovalBar } from './agent-chat/ApprovalBar.js'
export type { ApprovalBarProps } from './agent-chat/ApprovalBar.js'
export { Button } from './button/Button.js'
export type { ButtonProps } from './button/Button.js'
export { CopyButton } from './button/CopyButton.js'
export type { CopyButtonProps } from './button/CopyButton.js'
export { ChatRoot } from './chat-root/ChatRoot.js'
export type { ChatRootProps } from './chat-root/ChatRoot.js'
export type { ChatSlots } from './chat-root/ChatSlots.js'
export type {
  ComposerBlock,
  ComposerFormProps,
  ComposerProps,
  ConfirmCardProps,
  DataBlockViewProps,
  EmptyStateProps,
  HintViewProps,
  MessageProps,
  QuestionCardProps,
  ReplyNoticeProps,
  TextViewProps,
  ThinkingPanelProps,
  ToolCallCardProps,
  UnknownViewProps,
} from './chat-root/SlotProps.js'
export { useChatUi } from './chat-root/ChatUi.js'
export type { ChatUiValue } from './chat-root/ChatUi.js'
export { Composer } from './composer/Composer.js'
export { ComposerForm } from './composer/ComposerForm.js'
export { ComposerInput } from './composer/ComposerInput.js'
export type { ComposerInputProps } from './composer/ComposerInput.js'
export {
  ComposerActions,
  ComposerAttachments,
  ComposerField,
  ComposerLine,
  ComposerRoot,
  ComposerStatus,
} from './composer/ComposerParts.js'
export { ConfirmCard } from './confirm/ConfirmCard.js'
export {
  ConfirmCardActions,
  ConfirmCardCall,
  ConfirmCardRoot,
  ConfirmCardStatus,
  ConfirmCardTitle,
} from './confirm/ConfirmCardParts.js'
export { ConfirmDialog } from './confirm/ConfirmDialog.js'
export type { ConfirmDialogProps } from './confirm/ConfirmDialog.js'
export { ConfirmForm } from './confirm/ConfirmForm.js'
export type { ConfirmFormProps } from './confirm/ConfirmForm.js'
export { DataBlockView } from './data-block-view/DataBlockView.js'
export { FileCard } from './data-block-view/FileCard.js'
export type { FileCardProps } from './data-block-view/FileCard.js'
export type {
  DisclosureContent,
  DisclosureRoot,
  DisclosureRootProps,
  DisclosureTrigger,
} from './disclosure/createDisclosure.js'
export { HintView, HintViewContent, HintViewRoot, HintViewTrigger } from './hint-view/HintView.js'
export { EmptyState } from './message-list/EmptyState.js'
export { MessageList } from './message-list/MessageList.js'
export type { MessageListProps } from './message-list/MessageList.js'
export {
  MessageListColumn,
  MessageListRoot,
  MessageListScroller,
} from './message-list/MessageListParts.js'
export { Message } from './message/Message.js'
export { MessageFacts } from './message/MessageFacts.js'
export type { MessageFactsProps } from './message/MessageFacts.js'
export {
  MessageActions,
  MessageBody,
  MessageFooter,
  MessageRoot,
  MessageStatus,
} from './message/MessageParts.js'
export { TextView } from './message/TextView.js'
export { UnknownView } from './message/UnknownView.js'
export { ConnectionLine, ConnectionLineView } from './notice/ConnectionLine.js'
export type { ConnectionLineProps, ConnectionLineViewProps } from './notice/ConnectionLine.js'
export { CurrentNotice } from './notice/CurrentNotice.js'
export type { CurrentNoticeProps } from './notice/CurrentNotice.js'
export { Notice } from './notice/Notice.js'
export type { NoticeProps } from './notice/Notice.js'
export { ReplyNotice } from './notice/ReplyNotice.js'
export type { Part, PartTag } from './part/createPart.js'
export { QuestionCard } from './question/QuestionCard.js'
export { QuestionForm } from './question/QuestionForm.js'
export type { GivenAnswer, QuestionAnswer, QuestionFormProps } from './question/QuestionForm.js'
export type { Question, QuestionOption } from './question/readQuestion.js'
export {
  ThinkingPanel,
  ThinkingPanelContent,
  ThinkingPanelPreview,
  ThinkingPanelRoot,
  ThinkingPanelTrigger,
} from './thinking-panel/ThinkingPanel.js'
export { ToolCallCard } from './tool-call-card/ToolCallCard.js'
export {
  ToolCallCardContent,
  ToolCallCardExcerpt,
  ToolCallCardMedia,
  ToolCallCardRoot,
  ToolCallCardSection,
  ToolCallCardTitle,
  ToolCallCardTrigger,
} from './tool-call-card/ToolCallCardParts.js'
export { ToolPhaseMark } from './tool-call-card/ToolPhaseMark.js'
export type { ToolPhaseMarkProps } from './tool-call-card/ToolPhaseMark.js'
