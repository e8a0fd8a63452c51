// @vitest-environment node
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  agentServiceBackend,
  agentServiceDirectory,
  taskApiBackend,
  taskApiDirectory,
  type TaskApiOptions,
} from '../../../src/backends/index.js'
import type { PendingRequest } from '../../../src/fold/index.js'
import { getTextContent, type AgentBackend, type Msg } from '../../../src/protocol/index.js'
import { createChatStore, selectPhase, type ChatStore } from '../../../src/store/index.js'
import { createAgentServer, type AgentServer } from '../../../src/testing/server/index.js'

let server: AgentServer
beforeAll(async () => {
  server = await createAgentServer({ pace: 0 })
})
afterAll(() => server.close())

const headers = { 'X-User-ID': 'me' }
const connection = { fastestMs: 5, slowestMs: 20, hiddenMs: 20, firstDelayMs: 5, maxDelayMs: 20 }

async function serviceSession(): Promise<AgentBackend> {
  const directory = agentServiceDirectory({ baseUrl: server.url, headers })
  const sessionId = await directory.createSession('friday')
  return agentServiceBackend({ baseUrl: server.url, agentId: 'friday', sessionId, headers })
}

const baseUrl = () => `${server.url}/task-api`

function createBackend(options: Partial<TaskApiOptions> = {}): AgentBackend {
  return taskApiBackend({
    baseUrl: baseUrl(),
    surface: 'web',
    workspaceId: 'friday',
    headers,
    connection,
    ...options,
  })
}

function createConversation(): Promise<string> {
  return taskApiDirectory({ baseUrl: baseUrl(), headers }).createSession('friday')
}

type React = (store: ChatStore, request: PendingRequest) => void

/** Approves what is asked, one by one, and answers what is asked. */
const agree: React = (store, request) => {
  if (request.kind === 'confirm') void store.commands.confirm({ request, approve: true })
  if (request.kind === 'external') void store.commands.submitResults({ request, output: 'Noon.' })
}

function connect(backend: AgentBackend, react?: React) {
  const anomalies: unknown[] = []
  const store = createChatStore(backend, {
    outbox: false,
    onAnomaly: (anomaly) => anomalies.push(anomaly),
    onRequest: (request) => react?.(store, request),
  })
  const disconnect = store.connect()
  onTestFinished(disconnect)
  return { store, anomalies, disconnect }
}

function until(store: ChatStore, phase: string): Promise<void> {
  return vi.waitFor(
    () => {
      const state = store.getState()
      expect(state.history.phase).toBe('ready')
      expect(selectPhase(state)).toBe(phase)
    },
    { timeout: 10_000, interval: 10 },
  )
}

function messagesOf(store: ChatStore): readonly Msg[] {
  return store.getState().conversation.messages
}

async function ask(store: ChatStore, words: string, phase = 'idle'): Promise<void> {
  await until(store, 'idle')
  const before = messagesOf(store).length
  await store.commands.send(words)
  await vi.waitFor(() => expect(messagesOf(store).length).toBe(before + 2), { timeout: 10_000 })
  await until(store, phase)
}

/** What was said and done, as far as the Task API can say it. */
function gist(store: ChatStore): unknown {
  return messagesOf(store).map((message) => ({
    role: message.role,
    end: [message.finished_reason, message.error?.type ?? null],
    text: getTextContent(message),
    blocks: message.content.map((block) => {
      switch (block.type) {
        case 'tool_call':
          return [block.type, block.name, JSON.parse(block.input), block.state]
        case 'tool_result':
          return [block.type, block.name, block.state]
        default:
          return block.type
      }
    }),
  }))
}

describe('taskApiBackend on a demo agent', () => {
  it.each(['Hello', 'Plan a trip to Lisbon', 'Write an e-mail', 'Book a table for dinner'])(
    'says what the service says when it is told "%s"',
    { timeout: 20_000 },
    async (words) => {
      const service = connect(await serviceSession(), agree)
      const task = connect(createBackend({ conversationId: await createConversation() }), agree)
      await Promise.all([ask(service.store, words), ask(task.store, words)])
      expect(gist(task.store)).toEqual(gist(service.store))
      expect(task.anomalies).toEqual([])
      expect(task.store.getState()).toMatchObject({ sends: {}, error: null })
    },
  )
})
