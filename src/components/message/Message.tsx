'use client'
import { forwardRef, Fragment, useContext } from 'react'
import type { ForwardRefExoticComponent, RefAttributes } from 'react'
import { viewMessage } from '../../hooks/index.js'
import type { MessageView, ToolCallRequest } from '../../hooks/index.js'
import { getTextContent, hasContentBlocks } from '../../protocol/index.js'
import type { Msg } from '../../protocol/index.js'
import { CopyButton } from '../button/CopyButton.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { Icon } from '../icon/Icon.js'
import { ReplyNotice } from '../notice/ReplyNotice.js'
import { MessageBlock } from './MessageBlock.js'
import { MessageFacts } from './MessageFacts.js'
import {
  MessageActions,
  MessageBody,
  MessageFooter,
  MessageRoot,
  MessageStatus,
} from './MessageParts.js'
import { NestedReplies } from './NestedReplies.js'
import { SendStatus } from './SendStatus.js'
import type { MessageProps } from '../chat-root/SlotProps.js'

/**
 * A message: the person's in a bubble at the end side, the agent's without one, its pieces in order of arrival. A message without
 * anything to show renders nothing.
 *
 * Renders an `article` named after its speaker. Parts: `MessageRoot`, `MessageBody`, `MessageStatus`, `MessageFooter`, `MessageActions`, `MessageFacts`.
 * Data attributes of the root: `data-role`, `data-phase`, `data-last`, `data-send` = `held`, `sending`, `sent` or `failed`,
 * `data-incomplete`.
 */
export const Message: ForwardRefExoticComponent<MessageProps & RefAttributes<HTMLElement>> =
  forwardRef(function Message(props, ref) {
    const { message, phase = 'ended', isLast = false, requests, send, ...others } = props
    const { isComplete = true, metadata, ...more } = others
    const { waitsFor, onRetry, onDiscard, onEdit, onSendLater, onContinue, ...rest } = more
    const { words, slots } = useChatUi()
    const nested = useContext(NestedReplies)
    const { conversation } = words
    const views = viewMessage(message)
    const isLive = phase !== 'ended'
    const Notice = slots.ReplyNotice ?? ReplyNotice
    if (views.length === 0 && !isLive && !send && !hasEndToTell(message)) return null
    const name = nameOf(message, conversation)
    return (
      <MessageRoot
        {...rest}
        ref={ref}
        aria-label={conversation.messageFrom(name)}
        data-role={message.role}
        data-phase={message.role === 'assistant' ? phase : undefined}
        data-last={isLast ? '' : undefined}
        data-send={send?.phase}
        data-incomplete={isComplete ? undefined : ''}
      >
        <MessageBody>
          {send && views.every(isBlank) ? (
            <p className="as-quiet">
              <Icon name="attach" />
              {conversation.attachments}
            </p>
          ) : null}
          {views.map((item) => (
            <Fragment key={item.key}>
              <MessageBlock
                item={item}
                from={message.role}
                isLive={!isSettled(item) && (item.kind === 'tool' ? isLive : phase === 'running')}
                request={requests?.length ? requestOf(item, message.id, requests) : null}
              />
              {item.kind === 'tool' && item.call !== null ? nested?.(item.call.id) : null}
            </Fragment>
          ))}
          {nested?.(null)}
        </MessageBody>
        {message.role === 'assistant' && !isLive ? (
          <Notice message={message} onContinue={onContinue} />
        ) : null}
        {isComplete ? null : <MessageStatus>{conversation.incomplete}</MessageStatus>}
        {send === null || send === undefined ? null : (
          <SendStatus {...{ send, waitsFor, onRetry, onDiscard, onEdit, onSendLater }} />
        )}
        <MessageFooter>
          {hasContentBlocks(message, 'text') ? (
            <MessageActions>
              <CopyButton
                label={words.actions.copyMessage}
                getText={() => getTextContent(message, '\n\n') ?? ''}
              />
            </MessageActions>
          ) : null}
          <MessageFacts message={message} name={name} metadata={metadata} />
        </MessageFooter>
      </MessageRoot>
    )
  })

/** `user` is what the kit and the service call a person who gave no name. */
function nameOf(message: Msg, words: { readonly you: string; readonly assistant: string }): string {
  if (message.role !== 'user') return message.name === '' ? words.assistant : message.name
  return message.name === '' || message.name === 'user' ? words.you : message.name
}

/** Of a message too large to be kept only its words are left, and there may have been none. */
function isBlank(item: MessageView): boolean {
  return item.kind === 'text' && item.block.text.trim() === ''
}

function hasEndToTell({ error, finished_reason: reason, role }: Msg): boolean {
  return role === 'assistant' && (error !== null || (reason !== null && reason !== 'completed'))
}

/** A settled piece does not change with its reply's end, so it need not render for it. */
function isSettled(item: MessageView): boolean {
  if (item.kind !== 'tool') return (item.block.finished_at ?? null) !== null
  return item.result !== null && item.result.state !== 'running'
}

function requestOf(
  item: MessageView,
  replyId: string,
  requests: readonly ToolCallRequest[],
): ToolCallRequest | null {
  if (item.kind !== 'tool' || item.call === null) return null
  const { id } = item.call
  return (
    requests.find((request) => request.replyId === replyId && request.toolCall.id === id) ?? null
  )
}
