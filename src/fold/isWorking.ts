import type { Msg } from '../protocol/index.js'
import type { PendingRequest } from './Conversation.js'

/**
 * Tells whether a reply that asks for something still has work under way: a call that was allowed and has no result yet,
 * or a tool that runs. Then it does not wait yet; results of calls that need no approval come after the question.
 *
 * @param message - The reply's message.
 * @param waiting - What the reply asks for; these calls wait, they do not run.
 */
export function isWorking(message: Msg | undefined, waiting: readonly PendingRequest[]): boolean {
  if (message === undefined) return false
  const asked = new Set(waiting.map(callIdOf))
  const results = new Map<string, boolean>()
  for (const block of message.content) {
    if (block.type !== 'tool_result' || results.has(block.id)) continue
    const isRunning = block.state === 'running' && (block.finished_at ?? null) === null
    if (isRunning && !asked.has(block.id)) return true
    results.set(block.id, isRunning)
  }
  return message.content.some(
    (block) =>
      block.type === 'tool_call' &&
      block.state === 'allowed' &&
      !asked.has(block.id) &&
      results.get(block.id) !== false,
  )
}

function callIdOf(request: PendingRequest): string | undefined {
  return request.kind === 'input' ? request.request.tool_call_id : request.toolCall.id
}
