'use client'
import { useCallback } from 'react'
import type { PendingRequest } from '../fold/index.js'
import type { ChatState } from '../store/index.js'
import { useChatSelector } from './useChatStore.js'

/**
 * What waits for the person or for the client, in the order asked: the agent's own requests and its sub-agents'.
 *
 * Re-renders when a request comes or goes. Needs an `AgentStreamProvider`.
 */
export function useRequests(): readonly PendingRequest[] {
  return useChatSelector(selectRequests)
}

function selectRequests({ conversation }: ChatState): readonly PendingRequest[] {
  return conversation.requests
}

/**
 * One request.
 *
 * Re-renders when it comes or goes. Needs an `AgentStreamProvider`.
 *
 * @param key - The request's key.
 * @returns The request, or null when it waits no more.
 */
export function useRequest(key: string): PendingRequest | null {
  return useChatSelector(
    useCallback(
      ({ conversation }: ChatState) =>
        conversation.requests.find((request) => request.key === key) ?? null,
      [key],
    ),
  )
}

/**
 * The request that asks about one tool call.
 *
 * Re-renders when it comes or goes. Needs an `AgentStreamProvider`.
 *
 * @param replyId - The reply that waits.
 * @param toolCallId - The call.
 * @returns The request, or null when the call does not wait.
 */
export function useRequestOfCall(replyId: string, toolCallId: string): PendingRequest | null {
  return useChatSelector(
    useCallback(
      ({ conversation }: ChatState) =>
        conversation.requests.find(
          (request) =>
            request.kind !== 'input' &&
            request.replyId === replyId &&
            request.toolCall.id === toolCallId,
        ) ?? null,
      [replyId, toolCallId],
    ),
  )
}
