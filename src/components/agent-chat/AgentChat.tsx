'use client'
import { forwardRef, useCallback, useState } from 'react'
import type { ForwardRefExoticComponent, ReactElement, Ref, RefAttributes } from 'react'
import { AgentStreamProvider, ownEntry, useChatSelector, useRequests } from '../../hooks/index.js'
import type { ChatOptions, ChatState } from '../../hooks/index.js'
import type { AgentBackend, TransportError } from '../../protocol/index.js'
import { ChatRoot } from '../chat-root/ChatRoot.js'
import type { ChatRootProps } from '../chat-root/ChatRoot.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { Composer } from '../composer/Composer.js'
import type { ComposerFormProps } from '../chat-root/SlotProps.js'
import { ConfirmDialog, isConfirm } from '../confirm/ConfirmDialog.js'
import { MessageList } from '../message-list/MessageList.js'
import { ConnectionLine } from '../notice/ConnectionLine.js'
import { CurrentNotice } from '../notice/CurrentNotice.js'
import { Notice } from '../notice/Notice.js'
import { partProps } from '../part/partProps.js'
import { useMergedCallbackRef } from '../part/useMergedRef.js'
import { ApprovalBar } from './ApprovalBar.js'

/** Props of `AgentChat`. */
export interface AgentChatProps
  extends
    Omit<ChatRootProps, 'children'>,
    Pick<ComposerFormProps, 'placeholder' | 'defaultText' | 'onTextChange' | 'submitKey'> {
  /** Where the agent runs; may be made anew with each render, its `key` decides. Left out, the provider's conversation. */
  readonly backend?: AgentBackend | undefined
  /** Settings and taps of the conversation. */
  readonly options?: ChatOptions | undefined
  /** Stands above an empty conversation. */
  readonly greeting?: string | undefined
  /** What the person might ask first; up to four. */
  readonly suggestions?: readonly string[] | undefined
  /** Where questions are asked: in the flow of the conversation (default), or also in a dialog that opens by itself. */
  readonly approvals?: 'inline' | 'dialog' | undefined
}

/**
 * A whole chat: connects to a backend, shows the conversation, asks for approvals, sends messages. Fills the element it stands in;
 * in one whose height comes from its content it takes `--as-chat-block-size`, by default what the screen has, up to 48rem.
 *
 * Renders a `div` (a `ChatRoot`, see there for `words`, `urlPolicy`, `slots`, `theme` and `density`).
 * Data attributes: `data-as-part="agent-chat"`.
 *
 * @example
 * ```tsx
 * <AgentChat backend={agentServiceBackend({ baseUrl, agentId, sessionId })} />
 * ```
 */
export const AgentChat: ForwardRefExoticComponent<AgentChatProps & RefAttributes<HTMLDivElement>> =
  forwardRef(function AgentChat({ backend, options, ...rest }, ref) {
    return (
      <AgentStreamProvider backend={backend} options={options}>
        {/* Another conversation starts with another draft, another place in the list. */}
        <Chat key={backend?.key} {...rest} chatRef={ref} />
      </AgentStreamProvider>
    )
  })

type ChatProps = Omit<AgentChatProps, 'backend' | 'options'> & {
  readonly chatRef: Ref<HTMLDivElement>
}

function Chat(props: ChatProps): ReactElement {
  const { greeting, suggestions, approvals = 'inline', ...others } = props
  const { placeholder, defaultText, onTextChange, submitKey, slots, chatRef, ...rest } = others
  const [root, setRoot] = useState<HTMLDivElement | null>(null)
  const ref = useMergedCallbackRef(setRoot, chatRef)
  const Field = slots?.Composer ?? Composer
  // The person closed the dialog for what waited then; a question that comes later opens it again.
  const [closedFor, setClosedFor] = useState<string | null>(null)
  const isDialog = approvals === 'dialog'
  const review = (): void => {
    // A question stands in the flow only; the dialog, if it opens, takes the focus from there.
    if (isDialog) setClosedFor(null)
    showQuestion(root)
  }
  return (
    <ChatRoot {...partProps('agent-chat', rest)} ref={ref} slots={slots}>
      <MessageList greeting={greeting} suggestions={suggestions} />
      <div className="as-agent-chat-foot">
        <ApprovalBar within={root} always={isDialog} onReview={review} />
        {isDialog ? <Dialog closedFor={closedFor} onClose={setClosedFor} /> : null}
        <ConnectionLine />
        <CurrentNotice />
        <CommandFailure />
        <Field {...{ placeholder, defaultText, onTextChange, submitKey }} onReview={review} />
      </div>
    </ChatRoot>
  )
}

/** A command that failed and has no place of its own in the conversation, such as a stop. */
function CommandFailure(): ReactElement | null {
  const { notice } = useChatUi().words
  const error = useChatSelector(selectHomelessError)
  return error === null ? null : (
    <Notice kind="error" role="alert" details={error.detail}>
      {ownEntry(notice.transportErrors, error.reason) ?? notice.transportErrors['unknown']}
    </Notice>
  )
}

/** What failed under an id is told at that message or question; a lost connection on its own line. */
function selectHomelessError({ connection, error, sends }: ChatState): TransportError | null {
  if (connection.phase === 'failed' && connection.cause === error) return null
  const isTold = Object.values(sends).some(
    (send) => send.phase === 'failed' && send.error === error,
  )
  return isTold ? null : error
}

function Dialog(props: {
  readonly closedFor: string | null
  readonly onClose: (newest: string | null) => void
}): ReactElement {
  const { closedFor, onClose } = props
  const newest = useRequests().findLast(isConfirm)?.key ?? null
  const change = useCallback(
    ({ open }: { readonly open: boolean }) => onClose(open ? null : newest),
    [onClose, newest],
  )
  return <ConfirmDialog open={newest !== null && closedFor !== newest} onOpenChange={change} />
}

/** The title takes the focus, not a button: nothing is decided by a key too many. */
function showQuestion(root: HTMLElement | null): void {
  const title = root?.querySelector<HTMLElement>(
    '[data-as-part="message-list"] [data-as-part="confirm-card-title"]',
  )
  // A test's DOM without layout scrolls nothing.
  title?.closest('[data-as-part="confirm-card"]')?.scrollIntoView?.({ block: 'center' })
  title?.focus({ preventScroll: true })
}
