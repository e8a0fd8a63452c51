import type { ToolCallRequest } from '../fold/index.js'
import type { Capabilities } from '../protocol/index.js'

/**
 * Tells whether a decision about a request may carry a reason.
 *
 * @param request - The request.
 * @param capabilities - What the backend can do.
 */
export function takesReason(
  { metadata }: ToolCallRequest,
  { denyReason }: Pick<Capabilities, 'denyReason'>,
): boolean {
  return denyReason === 'plan' ? metadata?.['kind'] === 'plan' : denyReason
}
