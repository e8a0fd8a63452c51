import type { PendingRequest, ToolCallRequest } from '../../hooks/index.js'

/**
 * What waits for the person within one reply.
 *
 * @param requests - All that waits.
 * @param replyId - The reply.
 */
export function ownRequests(
  requests: readonly PendingRequest[],
  replyId: string,
): readonly ToolCallRequest[] {
  return requests.filter(
    (request): request is ToolCallRequest =>
      request.kind !== 'input' && request.replyId === replyId,
  )
}
