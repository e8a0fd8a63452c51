import type { ComponentType } from 'react'
import type {
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
} from './SlotProps.js'

/**
 * An app's own pieces. Each gets the props that the kit's piece would get, and may render that one with changes.
 * Keep their identity between renders: define them outside of components.
 */
export interface ChatSlots {
  /** A whole message. */
  readonly Message?: ComponentType<MessageProps>
  /** A text block. */
  readonly Text?: ComponentType<TextViewProps>
  /** A thinking block. */
  readonly ThinkingPanel?: ComponentType<ThinkingPanelProps>
  /** A tool call with its result. */
  readonly ToolCallCard?: ComponentType<ToolCallCardProps>
  /** Tool calls by the tool's name; before `ToolCallCard`. */
  readonly tools?: Readonly<Record<string, ComponentType<ToolCallCardProps>>>
  /** A call that waits for the person. */
  readonly ConfirmCard?: ComponentType<ConfirmCardProps>
  /** A question that waits for the person. */
  readonly QuestionCard?: ComponentType<QuestionCardProps>
  /** An image, a sound, a film, a file. */
  readonly DataBlockView?: ComponentType<DataBlockViewProps>
  /** A hint. */
  readonly HintView?: ComponentType<HintViewProps>
  /** A block of a kind that this version does not know. */
  readonly Unknown?: ComponentType<UnknownViewProps>
  /** Why a reply ended. */
  readonly ReplyNotice?: ComponentType<ReplyNoticeProps>
  /** The field for the person's message. */
  readonly Composer?: ComponentType<ComposerProps>
  /** What an empty conversation shows. */
  readonly EmptyState?: ComponentType<EmptyStateProps>
}
