'use client'
import { useCallback } from 'react'
import type { MessageView, ReplyInfo } from '../fold/index.js'
import { viewMessage } from '../fold/index.js'
import type { Msg } from '../protocol/index.js'
import type { ChatState } from '../store/index.js'
import { hasNotArrived, selectMessage } from '../store/index.js'
import { ownEntry } from './ownEntry.js'
import { useChatSelector, useChatValue } from './useChatStore.js'

const NO_VIEWS: readonly MessageView[] = []

/**
 * The ids of all messages, oldest first: what a list renders by. What certainly did not arrive (held, or failed for sure) stands at
 * the end, whatever was said meanwhile, with what can be done about it in sight.
 *
 * Re-renders when a message comes or goes, not while one is written. Needs an `AgentStreamProvider`.
 */
export function useMessageIds(): readonly string[] {
  return useChatValue(selectMessageIds)
}

function selectMessageIds({ conversation, sends }: ChatState): readonly string[] {
  const ids = conversation.messages.map(({ id }) => id)
  const left = new Set(Object.keys(sends).filter((key) => hasNotArrived(sends[key])))
  if (left.size === 0) return ids
  return [...ids.filter((id) => !left.has(id)), ...ids.filter((id) => left.has(id))]
}

/**
 * One message as it is held: AgentScope's own shape.
 *
 * Re-renders when this message changes, so with each commit while it is written; to watch one block, use `useBlock`.
 * Needs an `AgentStreamProvider`.
 *
 * @param id - The message's id; a reply's message has the reply's.
 * @returns The message, or null when there is none.
 */
export function useMessage(id: string): Msg | null {
  return useChatSelector(
    useCallback((state: ChatState) => selectMessage(state.conversation, id) ?? null, [id]),
  )
}

/**
 * One message for the eye: its blocks in order, each tool call with its result, oddities tidied.
 *
 * Re-renders when this message changes; untouched items keep their identity. Needs an `AgentStreamProvider`.
 *
 * @param id - The message's id.
 * @returns Its items; empty when there is no such message.
 */
export function useMessageView(id: string): readonly MessageView[] {
  return useChatSelector(useCallback((state: ChatState) => selectView(state, id), [id]))
}

/**
 * The React keys of one message's items, in order: what a message renders by.
 *
 * Re-renders when an item comes or goes, not while one is written. Needs an `AgentStreamProvider`.
 *
 * @param messageId - The message's id.
 * @returns One key per item; empty when there is no such message.
 */
export function useBlockKeys(messageId: string): readonly string[] {
  return useChatValue((state: ChatState) => selectView(state, messageId).map(({ key }) => key))
}

/**
 * One item of one message: a text, a thought, a tool call with its result.
 *
 * Re-renders only when this very item changes. Needs an `AgentStreamProvider`.
 *
 * @param messageId - The message's id.
 * @param key - The item's key, from `useBlockKeys` or `useMessageView`.
 * @returns The item, or null when there is none.
 */
export function useBlock(messageId: string, key: string): MessageView | null {
  return useChatSelector(
    useCallback(
      (state: ChatState) => selectView(state, messageId).find((item) => item.key === key) ?? null,
      [messageId, key],
    ),
  )
}

/**
 * What is known about a reply besides its message: whether it runs, its model calls, its stamps.
 *
 * Re-renders when one of these changes. Needs an `AgentStreamProvider`.
 *
 * @param replyId - The reply, and the id of its message.
 * @returns Null when the reply was not heard on the stream, such as one that was read from history.
 */
export function useReply(replyId: string): ReplyInfo | null {
  return useChatSelector(
    useCallback(
      ({ conversation }: ChatState) => ownEntry(conversation.replies, replyId),
      [replyId],
    ),
  )
}

function selectView({ conversation }: ChatState, id: string): readonly MessageView[] {
  const message = selectMessage(conversation, id)
  return message === undefined ? NO_VIEWS : viewMessage(message)
}
