import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  type ChatStore,
  createChatStore,
  type Msg,
  selectPhase,
  type ToolCallRequest,
} from '../../src/entries/hooks.js'
import { javaBackend } from '../../src/entries/java.js'
import { JavaSession } from './JavaSession.js'
import { formOfMemory, formOfMessage } from './normalForm.js'
import { required } from './required.js'

const baseUrl = `${required('AGENTSCOPE_SPRING_URL')}/agent`

/** A page on a session, with the anomalies it met. */
function open(sessionId: string): { store: ChatStore; anomalies: readonly unknown[] } {
  const anomalies: unknown[] = []
  const backend = javaBackend({ baseUrl, sessionId })
  const store = createChatStore(backend, { onAnomaly: (anomaly) => anomalies.push(anomaly) })
  onTestFinished(store.connect())
  return { store, anomalies }
}

async function untilPhase(store: ChatStore, phase: ReturnType<typeof selectPhase>): Promise<void> {
  await vi.waitFor(
    () => {
      expect(store.getState().history.phase).toBe('ready')
      expect(selectPhase(store.getState())).toBe(phase)
    },
    { timeout: 10_000 },
  )
}

async function say(store: ChatStore, text: string): Promise<void> {
  await untilPhase(store, 'idle')
  await store.commands.send(text)
}

function onlyRequest(store: ChatStore): ToolCallRequest {
  const [request] = store.getState().conversation.requests
  if (request === undefined || request.kind === 'input') throw new Error('Nothing waits.')
  return request
}

function replies(store: ChatStore): readonly Msg[] {
  return store.getState().conversation.messages.filter(({ role }) => role === 'assistant')
}

/** What the agent remembers of the session's one turn, and that another page shows it as this one does. */
async function expectRemembered(sessionId: string, store: ChatStore): Promise<void> {
  const memory = await new JavaSession(baseUrl, sessionId).memory()
  const remembered = formOfMemory(memory.filter(({ role }) => role !== 'USER'))
  expect(replies(store).map(formOfMessage)).toEqual([remembered])
  const { store: other, anomalies } = open(sessionId)
  await untilPhase(other, 'idle')
  expect(replies(other).map(formOfMessage)).toEqual([remembered])
  expect(anomalies).toEqual([])
}

describe('a store on the controller of docs/java.md', () => {
  it('shows a turn with a tool as it is remembered', async () => {
    const sessionId = randomUUID()
    const { store, anomalies } = open(sessionId)
    await say(store, 'text-tool-text')
    await untilPhase(store, 'idle')
    await expectRemembered(sessionId, store)
    expect(anomalies).toEqual([])
  })

  it('allows a call with other arguments', async () => {
    const sessionId = randomUUID()
    const { store } = open(sessionId)
    await say(store, 'ask')
    await untilPhase(store, 'awaiting-person')
    const request = onlyRequest(store)
    await store.commands.confirm({ request, approve: true, input: '{"path":"/other.txt"}' })
    await untilPhase(store, 'idle')
    expect(JSON.stringify(replies(store))).toContain('deleted /other.txt')
    await expectRemembered(sessionId, store)
  })

  it('denies a call that another page was asked about', async () => {
    const sessionId = randomUUID()
    const { store: first } = open(sessionId)
    await say(first, 'ask')
    await untilPhase(first, 'awaiting-person')

    const { store } = open(sessionId)
    await untilPhase(store, 'awaiting-person')
    await store.commands.confirm({ request: onlyRequest(store), approve: false })
    await untilPhase(store, 'idle')
    expect(replies(store).map(({ finished_reason }) => finished_reason)).toEqual(['completed'])
    await expectRemembered(sessionId, store)
  })

  it('hands over what its own tool gave', async () => {
    const sessionId = randomUUID()
    const { store } = open(sessionId)
    await say(store, 'external')
    await untilPhase(store, 'awaiting-person')
    await store.commands.submitResults({ request: onlyRequest(store), output: 'Paris' })
    await untilPhase(store, 'idle')
    await expectRemembered(sessionId, store)
  })

  it('stops a reply, and goes on', async () => {
    const { store } = open(randomUUID())
    await say(store, 'slow')
    await vi.waitFor(() => expect(JSON.stringify(replies(store))).toContain('word1 '))
    await store.commands.interrupt()
    await untilPhase(store, 'idle')
    await say(store, 'plain')
    await untilPhase(store, 'idle')
    const reasons = replies(store).map(({ finished_reason }) => finished_reason)
    expect(reasons).toEqual(['interrupted', 'completed'])
  })

  it('shows what the controller says of a failure, and what was said before it', async () => {
    const { store } = open(randomUUID())
    await say(store, 'model-error')
    await untilPhase(store, 'idle')
    const [reply] = replies(store)
    expect(reply?.error?.message).toBe('The agent failed.')
    expect(JSON.stringify(reply?.content)).toContain('I was about to say')
  })
})
