'use client'
import { memo, useCallback, useContext } from 'react'
import type { NamedExoticComponent } from 'react'
import { useCapabilities, useChatValue, useCommands } from '../../hooks/index.js'
import type { Msg } from '../../protocol/index.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { TakeBackContext } from '../chat-root/TakeBack.js'
import { Message } from '../message/Message.js'
import { NestedReplies } from '../message/NestedReplies.js'
import { NestedReply } from './NestedReply.js'
import { selectRow } from './selectRow.js'

/** Props of `MessageRow`. */
export interface MessageRowProps {
  /** The message's id. */
  readonly id: string
  /** Whether it is the last one. */
  readonly isLast: boolean
}

/** One message of the conversation, with what can be done about it. Renders when that very message changes. */
export const MessageRow: NamedExoticComponent<MessageRowProps> = memo(function MessageRow(props) {
  const { id, isLast } = props
  const commands = useCommands()
  const capabilities = useCapabilities()
  const row = useChatValue((state) => selectRow(state, id, isLast, capabilities))
  const { slots } = useChatUi()
  const takeBack = useContext(TakeBackContext)?.takeBack
  const nested = row?.[4]
  const drawNested = useCallback(
    (toolCallId: string | null) =>
      nested
        ?.filter(({ callId }) => callId === toolCallId)
        .map(({ message }) => <NestedReply key={message.id} message={message} />),
    [nested],
  )
  if (row === null) return null
  const [message, reply, phase, requests, , sendId, send, waitsFor, canContinue] = row
  const Shown = slots.Message ?? Message
  return (
    <NestedReplies.Provider value={nested?.length ? drawNested : null}>
      <Shown
        message={message}
        phase={phase}
        isComplete={reply?.isComplete}
        metadata={reply?.metadata}
        isLast={isLast}
        requests={requests}
        send={send}
        onRetry={() => void commands.retry(sendId)}
        waitsFor={waitsFor}
        onDiscard={() => commands.discard(sendId)}
        onSendLater={() => void commands.retry(sendId, { whenFree: true })}
        onEdit={
          takeBack && sendId === id && canBeWrittenAnew(message)
            ? () => {
                takeBack(message)
                commands.discard(id)
              }
            : undefined
        }
        onContinue={canContinue ? () => void commands.send(null) : undefined}
      />
    </NestedReplies.Provider>
  )
})

/** A picture that stands elsewhere cannot become a file again. */
function canBeWrittenAnew({ content }: Msg): boolean {
  return content.every((block) => block.type !== 'data' || block.source.type === 'base64')
}
