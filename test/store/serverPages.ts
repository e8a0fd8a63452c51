import { beforeAll, beforeEach, expect, onTestFinished, vi } from 'vitest'
import { agentServiceBackend, agentServiceDirectory } from '../../src/backends/index.js'
import { getTextContent } from '../../src/protocol/index.js'
import type { AgentBackend, Anomaly, Msg, TransportError } from '../../src/protocol/index.js'
import type { ChatOptions, ChatStore, Outbox, OutboxEntry } from '../../src/store/index.js'
import { createChatStore, selectPhase } from '../../src/store/index.js'
import type { AgentServer, FaultProxy } from '../../src/testing/server/index.js'
import { createAgentServer, createFaultProxy } from '../../src/testing/server/index.js'

const headers = { 'X-User-ID': 'me' }
export const chat = { method: 'POST', path: '/chat/' }
export const interruption = { method: 'POST', path: '/sessions/*/interrupt' }
export const messages = { method: 'GET', path: '/sessions/*/messages' }
export const within = { timeout: 15_000, interval: 20 }

/** Answers as fast as it can. */
export let quick: AgentServer
/** Writes slowly enough that something can happen in the middle. */
export let slow: AgentServer
export let proxy: FaultProxy
export let sessionId: string

beforeAll(async () => {
  quick = await createAgentServer({ pace: 0.02 })
  slow = await createAgentServer({ pace: 0.3 })
  return () => Promise.all([quick.close(), slow.close()])
})

beforeEach(async () => {
  proxy = await createFaultProxy({ target: quick.url })
  await useServer(quick)
  return () => proxy.close()
})

/** Has the proxy stand before another server, with a new session. */
export async function useServer({ url }: AgentServer): Promise<void> {
  proxy.target = url
  sessionId = await agentServiceDirectory({ baseUrl: url, headers }).createSession('friday')
}

export function createBackend(baseUrl = proxy.url): AgentBackend {
  return agentServiceBackend({ baseUrl, agentId: 'friday', sessionId, headers, timeoutMs: 1_000 })
}

/** A page with the conversation: its store, and what the app was told. */
export interface Page {
  readonly store: ChatStore
  readonly errors: TransportError[]
  readonly anomalies: Anomaly[]
  /** The page is gone: nothing of it goes on. */
  readonly leave: () => void
}

/** Opens a page. What comes from outside of it stays with the test. */
export async function openPage(
  options: ChatOptions = {},
  backend: AgentBackend = createBackend(),
): Promise<Page> {
  const errors: TransportError[] = []
  const anomalies: Anomaly[] = []
  const store = createChatStore(backend, {
    outbox: false,
    onError: (error) => errors.push(error),
    onAnomaly: (anomaly) => anomalies.push(anomaly),
    ...options,
  })
  const leave = store.connect()
  onTestFinished(leave)
  await vi.waitFor(() => expect(store.getState().history.phase).toBe('ready'), within)
  return { store, errors, anomalies, leave }
}

/** What survives a page. */
export function createMemory(): Outbox & { entries: readonly OutboxEntry[] } {
  const memory: Outbox & { entries: readonly OutboxEntry[] } = {
    entries: [],
    read: () => memory.entries,
    write(_key, entries) {
      memory.entries = JSON.parse(JSON.stringify(entries))
    },
  }
  return memory
}

export function requests(on: { readonly method: string; readonly path: string }): number {
  const path = new RegExp(`^${on.path.replace('*', '[^/]+')}$`)
  return proxy.requests.filter(
    ({ method, path: asked }) => method === on.method && path.test(asked),
  ).length
}

export async function stored(): Promise<readonly Msg[]> {
  const page = await createBackend(proxy.target.replace(/\/$/, '')).history?.({ limit: 200 })
  return page?.messages ?? []
}

export async function storedWords(): Promise<readonly (string | null)[]> {
  return (await stored()).filter(({ role }) => role === 'user').map((one) => getTextContent(one))
}

export function untilPhase({ store }: Page, phase: string): Promise<void> {
  return vi.waitFor(() => expect(selectPhase(store.getState())).toBe(phase), within)
}

/** Waits until nothing runs, here and on the server. */
export async function untilIdle(page: Page): Promise<void> {
  await vi.waitFor(async () => {
    expect(selectPhase(page.store.getState())).toBe('idle')
    expect(await createBackend(proxy.target.replace(/\/$/, '')).status?.()).toBe('idle')
  }, within)
}

export function onlyKey({ store }: Page): string {
  const keys = Object.keys(store.getState().sends)
  expect(keys).toHaveLength(1)
  return keys[0] ?? ''
}

export function onlySend(page: Page) {
  return page.store.getState().sends[onlyKey(page)]
}

export function requestKey({ store }: Page): string {
  return store.getState().conversation.requests[0]?.key ?? 'nothing waits'
}

/** Messages and answers that the server took. */
export function accepted(): number {
  return proxy.requests.filter(({ path, status }) => path === chat.path && status === 200).length
}

/** Deletes the session, past the proxy. */
export function deleteSession(): Promise<void> {
  const baseUrl = proxy.target.replace(/\/$/, '')
  return agentServiceDirectory({ baseUrl, headers }).deleteSession('friday', sessionId)
}
