import type { ToolCallRequest } from '../../src/hooks/index.js'
import type { ToolCallBlock } from '../../src/protocol/index.js'

/** A request for approval of one call. */
export function askedFor(
  call: ToolCallBlock,
  more: Partial<ToolCallRequest> = {},
): ToolCallRequest {
  return {
    kind: 'confirm',
    key: `reply-1/${call.id}`,
    replyId: 'reply-1',
    toolCall: { ...call, state: 'asking' },
    askedAt: null,
    worker: null,
    metadata: null,
    ...more,
  }
}
