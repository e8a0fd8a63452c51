import type { AgentChatProps } from 'agentscope-react'

/**
 * What stands in the field and is not sent yet, kept in this tab until it is.
 *
 * @param agentId - The agent.
 * @param sessionId - The conversation.
 */
export function draftOf(
  agentId: string,
  sessionId: string,
): Required<Pick<AgentChatProps, 'defaultText' | 'onTextChange'>> {
  const key = `demo:draft ${agentId}/${sessionId}`
  return {
    defaultText: sessionStorage.getItem(key) ?? '',
    onTextChange: (text) => {
      if (text === '') sessionStorage.removeItem(key)
      else sessionStorage.setItem(key, text)
    },
  }
}
