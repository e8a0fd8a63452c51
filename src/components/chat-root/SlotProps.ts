import type { ComponentPropsWithoutRef } from 'react'
import type {
  MessageContent,
  PendingRequest,
  SendState,
  ToolCallRequest,
} from '../../hooks/index.js'
import type {
  DataBlock,
  HintBlock,
  JsonObject,
  Msg,
  Role,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolResultBlock,
  UnknownBlock,
} from '../../protocol/index.js'
import type { DisclosureRootProps } from '../disclosure/createDisclosure.js'

// Props of the pieces that an app may replace. They stand apart from the pieces so that `ChatSlots`, which every piece reads, can
// name them without importing the pieces.

/** Props of `Message`. */
export interface MessageProps extends Omit<ComponentPropsWithoutRef<'article'>, 'children'> {
  /** The message. */
  readonly message: Msg
  /** Where a reply stands: it is being written, it waits for the person or the app, or it is over (default). */
  readonly phase?: 'running' | 'parked' | 'ended' | undefined
  /** `false` while parts of a reply are known to be missing; what is stored fills them in later. */
  readonly isComplete?: boolean | undefined
  /** What the reply's end said about it (`ReplyInfo.metadata`). */
  readonly metadata?: JsonObject | undefined
  /** Whether it is the last one: its actions stay in sight. */
  readonly isLast?: boolean | undefined
  /** What waits for the person in it; a call that waits shows its question in place of its card. */
  readonly requests?: readonly ToolCallRequest[] | undefined
  /** Where the person's own message stands on its way; null or absent when it has arrived. */
  readonly send?: SendState | null | undefined
  /** What a message waits for that is held; null or absent when it is about to go out. */
  readonly waitsFor?: 'run' | 'request' | 'connection' | null | undefined
  /** Sends it again after it failed. */
  readonly onRetry?: (() => void) | undefined
  /** Gives it up after it failed, or while it is held. */
  readonly onDiscard?: (() => void) | undefined
  /** Gives it up and takes its content back into the field; absent when that cannot be done. */
  readonly onEdit?: (() => void) | undefined
  /** Sends it by itself once the agent is free, after it was refused because the agent was busy. */
  readonly onSendLater?: (() => void) | undefined
  /** Lets the agent go on after this reply. */
  readonly onContinue?: (() => void) | undefined
}

/** Props of `TextView`. */
export interface TextViewProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children' | 'role'> {
  /** The text. */
  readonly block: TextBlock
  /** Who wrote it; the agent by default. */
  readonly from?: Role | undefined
  /** Whether more may come; `false` by default. */
  readonly isStreaming?: boolean | undefined
}

/** Props of `ThinkingPanel`. */
export interface ThinkingPanelProps extends Omit<DisclosureRootProps, 'children'> {
  /** The model's reasoning. */
  readonly block: ThinkingBlock
  /** Whether it is still being written; `false` by default. */
  readonly isStreaming?: boolean | undefined
}

/** Props of `ToolCallCard`. */
export interface ToolCallCardProps extends Omit<DisclosureRootProps, 'children'> {
  /** The call; null when only its result is known. */
  readonly call: ToolCallBlock | null
  /** The result; null until there is one. */
  readonly result: ToolResultBlock | null
  /** Whether the reply may still go on; `false` by default. A call of a reply that ended is never shown as running. */
  readonly isReplyLive?: boolean | undefined
}

/** Props of `ConfirmCard`. */
export interface ConfirmCardProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** What waits: an approval, or a tool that the app is to run. */
  readonly request: ToolCallRequest
}

/** Props of `QuestionCard`. */
export interface QuestionCardProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** What waits: a call of `ask_user`, or an input request. */
  readonly request: PendingRequest
}

/** Props of `DataBlockView`. */
export interface DataBlockViewProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** The image, sound, film or file. */
  readonly block: DataBlock
  /** Whether more of its bytes may come; `false` by default. Until they are all there only its size is shown. */
  readonly isStreaming?: boolean | undefined
}

/** Props of `HintView`. */
export interface HintViewProps extends Omit<DisclosureRootProps, 'children'> {
  /** The hint. */
  readonly block: HintBlock
}

/** Props of `UnknownView`. */
export interface UnknownViewProps extends Omit<ComponentPropsWithoutRef<'p'>, 'children'> {
  /** The block, whole. */
  readonly block: UnknownBlock
}

/** Props of `ReplyNotice`. */
export interface ReplyNoticeProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** The reply's message. */
  readonly message: Msg
  /** Lets the agent go on; absent when that is not possible now, such as for a reply that is not the last. */
  readonly onContinue?: (() => void) | undefined
}

/** Why a message cannot be sent now. */
export type ComposerBlock = 'request' | 'tool' | 'run' | 'offline' | 'gone' | 'failure'

/** Props of `ComposerForm`. */
export interface ComposerFormProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** Stands in the empty field. */
  readonly placeholder?: string | undefined
  /** The text at first; empty by default. */
  readonly defaultText?: string | undefined
  /** Told the text after each change: what is typed, and `''` when it is sent. */
  readonly onTextChange?: ((text: string) => void) | undefined
  /** Which key sends; `enter` by default. */
  readonly submitKey?: 'enter' | 'mod-enter' | undefined
  /** Why nothing can be sent now; the text stays. Null or absent when it can. */
  readonly blockedBy?: ComposerBlock | null | undefined
  /** What the main button does: it sends, it stops the run, or it waits for the stop. `send` by default. */
  readonly mode?: 'send' | 'stop' | 'stopping' | undefined
  /** Media types of files that can be sent, such as `image/*`; none by default. */
  readonly accept?: readonly string[] | undefined
  /** A message to be written anew: its text and files are put into the field, before what is in it. */
  readonly takenBack?: Msg | null | undefined
  /** Told what to send. */
  readonly onSend: (content: MessageContent) => void
  /** Told what to send once the run is over; absent when that cannot be done. */
  readonly onSendLater?: ((content: MessageContent) => void) | undefined
  /** Told to show what waits for the person; absent when that cannot be done. */
  readonly onReview?: (() => void) | undefined
  /** Told to stop the run, or what waits; absent when that cannot be done now. */
  readonly onStop?: (() => void) | undefined
}

/** Props of `Composer`. */
export type ComposerProps = Omit<
  ComposerFormProps,
  'blockedBy' | 'mode' | 'accept' | 'takenBack' | 'onSend' | 'onSendLater' | 'onStop'
>

/** Props of `EmptyState`. */
export interface EmptyStateProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** The greeting; the kit's own by default. */
  readonly greeting?: string | undefined
  /** What the person might ask; the first four are shown. */
  readonly suggestions?: readonly string[] | undefined
  /** Told which suggestion was picked. */
  readonly onPick: (picked: { readonly suggestion: string }) => void
}
