'use client'
import { memo, useCallback } from 'react'
import type { NamedExoticComponent } from 'react'
import {
  useChatSelector,
  useCommands,
  useMessage,
  useReply,
  useSendBlock,
  useSendState,
} from '../../hooks/index.js'
import type { ChatState, PendingRequest, ReplyInfo, ToolCallRequest } from '../../hooks/index.js'
import type { Msg } from '../../protocol/index.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { Message } from '../message/Message.js'

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
  const send = useSendState(id)
  const commands = useCommands()
  const sendBlock = useSendBlock()
  const requests = useChatSelector(useCallback((state: ChatState) => selectOwn(state, id), [id]))
  const goOn = useCallback(() => void commands.send(null), [commands])
  const { slots } = useChatUi()
  if (message === null) return null
  const Shown = slots.Message ?? Message
  const phase = phaseOf(message, reply, requests.length > 0)
  return (
    <Shown
      message={message}
      phase={phase}
      isLast={isLast}
      requests={requests.filter(isToolCall)}
      send={send}
      onRetry={() => void commands.retry(id)}
      onDiscard={() => commands.discard(id)}
      onContinue={isLast && phase === 'ended' && sendBlock === null ? goOn : undefined}
    />
  )
})

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
