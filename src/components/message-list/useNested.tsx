'use client'
import { useCallback, useRef } from 'react'
import { useChatSelector } from '../../hooks/index.js'
import type { ChatState } from '../../hooks/index.js'
import type { DrawNested } from '../message/NestedReplies.js'
import { NestedReply } from './NestedReply.js'
import { selectNested } from './selectNested.js'
import type { Nested } from './selectNested.js'

/**
 * What draws the sub-agents of a reply; null while there are none. Re-renders when one of them says something.
 *
 * @param replyId - The reply.
 */
export function useNested(replyId: string): DrawNested | null {
  const last = useRef<readonly Nested[]>([])
  const nested = useChatSelector(
    useCallback(
      (state: ChatState) => {
        const found = selectNested(state, replyId)
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
