import type { ToolCallBlock } from 'agentscope-react/hooks'

/** The tools that this page has. */
export const localTools: readonly string[] = ['get_local_time']

/**
 * Runs a tool that the agent leaves to the browser.
 *
 * @param call - The call.
 * @returns The result, or undefined for a tool this page does not have.
 */
export function runLocalTool(call: ToolCallBlock): string | undefined {
  if (!localTools.includes(call.name)) return undefined
  return new Date().toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'short' })
}
