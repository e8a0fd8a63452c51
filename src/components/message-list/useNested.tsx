'use client'
import { useCallback, useRef } from 'react'
import { useChatSelector } from '../../hooks/index.js'
import type { ChatState } from '../../hooks/index.js'
import type { Msg } from '../../protocol/index.js'
import type { DrawNested } from '../message/NestedReplies.js'
import { NestedReply } from './NestedReply.js'

/** A sub-agent's reply, and the call that started it. */
interface Nested {
  readonly message: Msg
  readonly callId: string | null
}

const none: readonly Nested[] = []

/**
 * What draws the sub-agents of a reply; null while there are none. Re-renders when one of them says something.
 *
 * @param replyId - The reply.
 */
export function useNested(replyId: string): DrawNested | null {
  const last = useRef(none)
  const nested = useChatSelector(
    useCallback(
      ({ conversation: { runs, notices } }: ChatState) => {
        if (runs.length === 0) return none
        const found = runs.flatMap(({ messages }) =>
          messages.flatMap((message): readonly Nested[] => {
            const place = notices[`subagent_started:${message.id}`]
            if (place?.['reply_id'] !== replyId) return none
            const { tool_call_id: callId = null } = place
            return [{ message, callId: typeof callId === 'string' ? callId : null }]
          }),
        )
        const isSame =
          found.length === last.current.length &&
          found.every(({ message }, index) => message === last.current[index]?.message)
        if (!isSame) last.current = found
        return last.current
      },
      [replyId],
    ),
  )
  const draw = useCallback(
    (toolCallId: string | null) =>
      nested
        .filter(({ callId }) => callId === toolCallId)
        .map(({ message }) => <NestedReply key={message.id} message={message} />),
    [nested],
  )
  return nested.length === 0 ? null : draw
}
