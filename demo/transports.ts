import {
  agentServiceBackend,
  pollingBackend,
  webSocketBackend,
  type AgentBackend,
} from 'agentscope-react/hooks'
import { javaBackend } from 'agentscope-react/java'
import { taskApiBackend } from 'agentscope-react/task-api'
import { pageTools } from './pageTools.js'
import type { Service } from './Service.js'

/** What events come by. A real service has SSE only; the one that came with the demo has all. */
export type Transport = 'sse' | 'websocket' | 'polling'

/** What they are called, in the order in which they are offered. */
export const transportNames: Readonly<Record<Transport, string>> = {
  sse: 'SSE',
  websocket: 'WebSocket',
  polling: 'Polling',
}

/** What the agents are spoken to in: the agent server knows all, for the same sessions. */
export type Language = 'python' | 'java' | 'task-api'

/** What they are called, in the order in which they are offered. */
export const languageNames: Readonly<Record<Language, string>> = {
  python: 'Python',
  java: 'Java',
  'task-api': 'Task API',
}

/** A conversation, and how to reach it. */
export interface Way {
  /** The service. */
  readonly service: Service
  /** The agent. */
  readonly agentId: string
  /** What it is called, where its language does not tell. */
  readonly agentName?: string | undefined
  /** The session. */
  readonly sessionId: string
  /** What events are to come by; other languages than Python's have one way only. */
  readonly transport: Transport
  /** What the agent is spoken to in. */
  readonly language: Language
}

/** A backend that reaches a conversation in one way. */
export function createBackend({
  service,
  agentId,
  agentName = '',
  sessionId,
  transport,
  language,
}: Way): AgentBackend {
  const http = { baseUrl: service.url, headers: { 'X-User-ID': service.user } }
  if (language === 'java') {
    const baseUrl = `${service.url}/java/${encodeURIComponent(agentId)}`
    return javaBackend({ ...http, baseUrl, sessionId, clientTools: [...pageTools.keys()] })
  }
  if (language === 'task-api') {
    const baseUrl = `${service.url}/task-api`
    const place = { surface: 'web', workspaceId: agentId, conversationId: sessionId } as const
    return taskApiBackend({ ...http, baseUrl, agentName, ...place })
  }
  const session = { agentId, sessionId }
  switch (transport) {
    case 'sse':
      return agentServiceBackend({ ...http, ...session })
    case 'websocket':
      return webSocketBackend({
        ...session,
        http,
        url: socketUrl(service, agentId, sessionId),
        auth: () => service.user,
      })
    case 'polling':
      return pollingBackend({ ...http, ...session })
  }
}

function socketUrl({ url }: Service, agentId: string, sessionId: string): string {
  const path = `/sessions/${encodeURIComponent(sessionId)}/socket`
  return `${url.replace(/^http/, 'ws')}${path}?agent_id=${encodeURIComponent(agentId)}`
}
