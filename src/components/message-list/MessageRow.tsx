'use client'
import { memo, useCallback, useContext } from 'react'
import type { NamedExoticComponent } from 'react'
import {
  CONTINUE_ID,
  useChatSelector,
  useCommands,
  useMessage,
  useReply,
  useSendBlock,
  useSendState,
} from '../../hooks/index.js'
import type {
  ChatState,
  PendingRequest,
  ReplyInfo,
  SendBlock,
  ToolCallRequest,
} from '../../hooks/index.js'
import type { Msg } from '../../protocol/index.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import type { MessageProps } from '../chat-root/SlotProps.js'
import { TakeBackContext } from '../chat-root/TakeBack.js'
import { Message } from '../message/Message.js'
import { NestedReplies } from '../message/NestedReplies.js'
import { useNested } from './useNested.js'

/** Props of `MessageRow`. */
export interface MessageRowProps {
  /** The message's id. */
  readonly id: string
  /** Whether it is the last one. */
  readonly isLast: boolean
}

const none: readonly PendingRequest[] = []

/** One message of the conversation, with what can be done about it. Renders when that very message changes. */
export const MessageRow: NamedExoticComponent<MessageRowProps> = memo(function MessageRow(props) {
  const { id, isLast } = props
  const message = useMessage(id)
  const reply = useReply(id)
  const ownSend = useSendState(id)
  const goOnSend = useSendState(CONTINUE_ID)
  const commands = useCommands()
  const sendBlock = useSendBlock()
  const requests = useChatSelector(useCallback((state: ChatState) => selectOwn(state, id), [id]))
  const goOn = useCallback(() => void commands.send(null), [commands])
  const nested = useNested(id)
  const { slots } = useChatUi()
  const takeBack = useContext(TakeBackContext)?.takeBack
  const isOffline = useChatSelector(
    useCallback(
      ({ sends, connection }: ChatState) =>
        sends[id]?.phase === 'held' && connection.phase !== 'open',
      [id],
    ),
  )
  if (message === null) return null
  const Shown = slots.Message ?? Message
  const phase = phaseOf(message, reply, requests.length > 0)
  // Going on makes no message of its own: how that went is said where it was asked for.
  const isGoOn = isLast && message.role === 'assistant' && goOnSend?.phase === 'failed'
  const sendId = isGoOn ? CONTINUE_ID : id
  return (
    <NestedReplies.Provider value={nested}>
      <Shown
        message={message}
        phase={phase}
        isComplete={reply?.isComplete}
        metadata={reply?.metadata}
        isLast={isLast}
        requests={requests.filter(isToolCall)}
        send={isGoOn ? goOnSend : ownSend}
        onRetry={() => void commands.retry(sendId)}
        waitsFor={isOffline ? 'connection' : waitsFor(sendBlock)}
        onDiscard={() => commands.discard(sendId)}
        onSendLater={() => void commands.retry(sendId, { whenFree: true })}
        onEdit={
          takeBack && !isGoOn && canBeWrittenAnew(message)
            ? () => {
                takeBack(message)
                commands.discard(id)
              }
            : undefined
        }
        onContinue={isLast && !isGoOn && phase === 'ended' && sendBlock === null ? goOn : undefined}
      />
    </NestedReplies.Provider>
  )
})

function waitsFor(block: SendBlock | null): MessageProps['waitsFor'] {
  if (block === 'awaiting-person') return 'request'
  return block === 'running' ? 'run' : null
}

/** A picture that stands elsewhere cannot become a file again. */
function canBeWrittenAnew({ content }: Msg): boolean {
  return content.every((block) => block.type !== 'data' || block.source.type === 'base64')
}

/** The conversation's own list when something waits in this reply, so that it keeps its identity. */
function selectOwn({ conversation }: ChatState, id: string): readonly PendingRequest[] {
  const isAsked = conversation.requests.some((one) => one.kind !== 'input' && one.replyId === id)
  return isAsked ? conversation.requests : none
}

function isToolCall(request: PendingRequest): request is ToolCallRequest {
  return request.kind !== 'input'
}

/** A reply that was only read from history, and never ended, waits if something in it does. */
function phaseOf(
  message: Msg,
  reply: ReplyInfo | null,
  hasRequests: boolean,
): 'running' | 'parked' | 'ended' {
  if (message.role !== 'assistant') return 'ended'
  if (reply !== null) return reply.phase
  return hasRequests && message.finished_at === null ? 'parked' : 'ended'
}
