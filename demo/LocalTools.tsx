import { useEffect } from 'react'
import {
  useCommands,
  useRequests,
  type PendingRequest,
  type ToolCallRequest,
} from 'agentscope-react/hooks'
import { pageTools } from './pageTools.js'

/** How long other tabs may take to hear that a call was answered, in ms: a hidden one is slow. */
const UNTIL_HEARD = 60_000

/**
 * Runs the external tools this page knows; what it does not know stays for the person. Each tab that shows the conversation hears of a
 * call, and the one that gets its lock runs it.
 */
export function LocalTools(): null {
  const requests = useRequests()
  const { submitResults } = useCommands()
  useEffect(() => {
    const changed = new AbortController()
    const calls = requests.filter(isOfPage)
    // A reply's calls are answered together, so one tab takes them all.
    for (const replyId of new Set(calls.map((call) => call.replyId))) {
      const own = calls.filter((call) => call.replyId === replyId)
      const answer = async (): Promise<void> => {
        await submitResults(own.map((request) => ({ request, output: runTool(request) })))
        await new Promise((resolve) => setTimeout(resolve, UNTIL_HEARD))
      }
      navigator.locks
        .request(`demo:call ${own[0]?.key}`, { signal: changed.signal }, answer)
        .catch((error: unknown) => {
          // Answered before it was this tab's turn.
          if (!changed.signal.aborted) throw error
        })
    }
    return () => changed.abort()
  }, [requests, submitResults])
  return null
}

function isOfPage(request: PendingRequest): request is ToolCallRequest {
  return request.kind === 'external' && pageTools.has(request.toolCall.name)
}

function runTool({ toolCall }: ToolCallRequest): string {
  return pageTools.get(toolCall.name)?.() ?? ''
}
