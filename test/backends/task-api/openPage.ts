import { expect, onTestFinished, vi } from 'vitest'
import { taskApiBackend, type TaskApiOptions } from '../../../src/backends/index.js'
import {
  getTextContent,
  type AgentBackend,
  type Anomaly,
  type Msg,
} from '../../../src/protocol/index.js'
import {
  createChatStore,
  selectPhase,
  type ChatOptions,
  type ChatStore,
} from '../../../src/store/index.js'

export const headers = { 'X-User-ID': 'me' }
const connection = {
  fastestMs: 5,
  slowestMs: 20,
  hiddenMs: 20,
  firstDelayMs: 5,
  maxDelayMs: 20,
}

/** A backend of the web surface, as a page makes it. */
export function createBackend(url: string, options: Partial<TaskApiOptions> = {}): AgentBackend {
  return taskApiBackend({
    baseUrl: `${url}/task-api`,
    surface: 'web',
    workspaceId: 'friday',
    headers,
    connection,
    ...options,
  })
}

/** A conversation in a page. */
export interface Page {
  readonly store: ChatStore
  readonly anomalies: readonly Anomaly[]
  readonly leave: () => void
}

export function openPage(backend: AgentBackend, options: ChatOptions = {}): Page {
  const anomalies: Anomaly[] = []
  const onAnomaly = (anomaly: Anomaly): void => void anomalies.push(anomaly)
  const store = createChatStore(backend, { outbox: false, onAnomaly, ...options })
  const leave = store.connect()
  onTestFinished(leave)
  return { store, anomalies, leave }
}

/** A storage that outlives its pages. */
export function createStorage(): NonNullable<TaskApiOptions['storage']> & {
  readonly entries: ReadonlyMap<string, string>
} {
  const entries = new Map<string, string>()
  return {
    entries,
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
  }
}

export function until(assertion: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(assertion, { timeout: 8_000, interval: 5 })
}

export function untilPhase(store: ChatStore, phase: string): Promise<void> {
  return until(() => {
    const state = store.getState()
    expect([state.history.phase, selectPhase(state)]).toEqual(['ready', phase])
  })
}

/** Waits until nothing runs, and no message is on its way. */
export function untilDone(store: ChatStore): Promise<void> {
  return until(async () => {
    const state = store.getState()
    expect([selectPhase(state), state.sends]).toEqual(['idle', {}])
    expect(await store.backend.status?.()).toBe('idle')
  })
}

export function messagesOf(store: ChatStore): readonly Msg[] {
  return store.getState().conversation.messages
}

export function textsOf(store: ChatStore): readonly string[] {
  return messagesOf(store).map((message) => getTextContent(message) ?? '')
}

export function untilTexts(store: ChatStore, texts: readonly unknown[]): Promise<void> {
  return until(() => expect(textsOf(store)).toEqual(texts))
}
