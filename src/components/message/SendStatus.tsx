'use client'
import { ownEntry } from '../../hooks/index.js'
import type { ReactElement } from 'react'
import type { SendState } from '../../hooks/index.js'
import { Offers } from '../button/Offers.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import type { MessageProps } from '../chat-root/SlotProps.js'
import { Details } from '../details/Details.js'
import { Icon } from '../icon/Icon.js'
import { MessageStatus } from './MessageParts.js'

/** Props of `SendStatus`. */
export interface SendStatusProps extends Pick<
  MessageProps,
  'waitsFor' | 'onRetry' | 'onDiscard' | 'onEdit' | 'onSendLater'
> {
  /** Where the message stands on its way. */
  readonly send: SendState
}

/** How sending a message goes, and what can be done about it; nothing once the server took it. */
export function SendStatus(props: SendStatusProps): ReactElement | null {
  const { send, waitsFor = null } = props
  const { conversation } = useChatUi().words
  switch (send.phase) {
    case 'sent':
      return null
    case 'sending':
      return <MessageStatus>{conversation.sending}</MessageStatus>
    case 'held': {
      const words = {
        run: conversation.waitsForRun,
        request: conversation.waitsForRequest,
        connection: conversation.waitsForConnection,
      }
      return (
        <MessageStatus data-kind="held">
          <span className="as-status-words">
            <Icon name="clock" />
            <span role="status">{waitsFor === null ? conversation.sending : words[waitsFor]}</span>
          </span>
          <Choices {...props} onRetry={undefined} onSendLater={undefined} />
        </MessageStatus>
      )
    }
    case 'failed':
      return <Failure {...props} error={send.error} isSure={send.isSure} />
  }
}

type FailureProps = SendStatusProps &
  Pick<Extract<SendState, { readonly phase: 'failed' }>, 'error' | 'isSure'>

function Failure(props: FailureProps): ReactElement {
  const { error, isSure, onRetry, onSendLater } = props
  const { conversation, notice } = useChatUi().words
  const isConflict = error.reason === 'conflict'
  const isIncomplete = error.reason === 'not-kept' && isSure
  // A conflict without an answer of the server is the kit's own: the agent waits for the person.
  const why =
    isConflict && error.status === undefined
      ? conversation.neverSeen
      : ownEntry(notice.transportErrors, error.reason)
  return (
    <MessageStatus data-kind="error">
      <span className="as-status-words">
        <Icon name="warning" />
        <span role="alert">
          {isSure ? conversation.sendFailed : conversation.sendUnknown} {why}
        </span>
      </span>
      <Choices
        {...props}
        // The same would be refused again; what is not whole can only be looked for.
        onRetry={error.reason === 'rejected' || isIncomplete ? undefined : onRetry}
        onSendLater={isConflict ? onSendLater : undefined}
      />
      <Details>{error.detail}</Details>
    </MessageStatus>
  )
}

function Choices(
  props: Pick<SendStatusProps, 'onRetry' | 'onDiscard' | 'onEdit' | 'onSendLater'>,
): ReactElement {
  const { onRetry, onDiscard, onEdit, onSendLater } = props
  const { actions } = useChatUi().words
  return (
    <span className="as-status-choices">
      <Offers
        offers={[
          [actions.sendLater, onSendLater],
          [actions.retry, onRetry],
          [actions.edit, onEdit],
          [actions.discard, onDiscard],
        ]}
      />
    </span>
  )
}
