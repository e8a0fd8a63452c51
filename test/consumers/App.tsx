// An app in TypeScript's strictest mood. Only compiled, never run.
import { AgentChat, useAgentStream } from 'agentscope-react'
import { decodeFrames } from 'agentscope-react/auto'
import {
  agentServiceBackend,
  applyEvents,
  createConversation,
  EventType,
  getTextContent,
  UserMsg,
  type AgentBackend,
  type AgentEvent,
  type ContentBlock,
  type Conversation,
  type Msg,
} from 'agentscope-react/core'
import { useAgentStream as useHeadlessStream } from 'agentscope-react/hooks'
import { createAgentServer } from 'agentscope-react/testing/server'
import type { ReactElement } from 'react'

const backend: AgentBackend = agentServiceBackend({
  baseUrl: 'http://127.0.0.1:8000',
  agentId: 'agent',
  sessionId: 'session',
  headers: async () => ({ authorization: await Promise.resolve('Bearer token') }),
})

export function Chat(): ReactElement {
  return <AgentChat backend={backend} className="chat" />
}

export function Transcript(): ReactElement {
  const { messages, phase, send } = useAgentStream(backend, { onEvent: (event) => event.type })
  return (
    <button type="button" disabled={phase === 'streaming'} onClick={() => void send('hello')}>
      {messages.map((message: Msg) => getTextContent(message))}
    </button>
  )
}

export function useTexts(): readonly string[] {
  return useHeadlessStream(backend).messages.flatMap((message) => message.content.map(textOf))
}

function textOf(block: ContentBlock): string {
  return block.type === 'text' && typeof block.text === 'string' ? block.text : ''
}

export function fold(frames: readonly unknown[]): Conversation {
  const asked = UserMsg({ name: 'user', content: 'hello' })
  return applyEvents(createConversation({ messages: [asked] }), decodeFrames('agentscope', frames))
}

export function isEnd(event: AgentEvent): boolean {
  return event.type === EventType.REPLY_END
}

export async function serve(): Promise<string> {
  const server = await createAgentServer()
  return server.url
}
