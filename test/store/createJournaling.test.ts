// @vitest-environment node
import { IDBFactory } from 'fake-indexeddb'
import 'fake-indexeddb/auto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { agentServiceBackend, agentServiceDirectory } from '../../src/backends/index.js'
import { applyEvents, createConversation } from '../../src/fold/index.js'
import { indexedDbJournal } from '../../src/journal/index.js'
import type { AgentBackend, Anomaly, Journal, Msg } from '../../src/protocol/index.js'
import { getTextContent } from '../../src/protocol/index.js'
import type { ChatOptions, ChatStore } from '../../src/store/index.js'
import { createChatStore, selectPhase } from '../../src/store/index.js'
import type { AgentScript, AgentServer, FaultProxy } from '../../src/testing/server/index.js'
import { createAgentServer, createFaultProxy, text } from '../../src/testing/server/index.js'
import { readKept } from '../journal/database.js'
import { look } from '../journal/runs.js'
import { createGate, type Gate } from '../testing/server/createGate.js'

const PART = Array.from({ length: 1_300 }, (_, index) => `${index} `)

let gates: Gate[] = []
/** Says three long parts, each when the test lets it. */
const agent: AgentScript = {
  id: 'friday',
  name: 'Friday',
  perform: ({ text: said }) => ({
    steps:
      said === 'long'
        ? gates.flatMap(({ passed }) => [
            { kind: 'model', says: [{ kind: 'text', chunks: PART }] },
            { kind: 'wait', until: passed },
          ])
        : [{ kind: 'model', says: [text(`You said ${said}.`)] }],
  }),
}

let server: AgentServer
let proxy: FaultProxy
const headers = { 'X-User-ID': 'me' }

beforeAll(async () => {
  server = await createAgentServer({ agents: [agent], pace: 0 })
  proxy = await createFaultProxy({ target: server.url })
})

afterAll(async () => {
  await proxy.close()
  await server.close()
})

beforeEach(() => {
  gates = [createGate(), createGate(), createGate()]
  globalThis.indexedDB = new IDBFactory()
})

async function createSession(baseUrl = server.url): Promise<AgentBackend> {
  const sessionId = await agentServiceDirectory({ baseUrl, headers }).createSession('friday')
  return agentServiceBackend({ baseUrl, agentId: 'friday', sessionId, headers })
}

interface Page {
  readonly store: ChatStore
  readonly anomalies: readonly Anomaly[]
  readonly leave: () => void
}

/** Opens the conversation as a new page does. */
function openPage(backend: AgentBackend, options: ChatOptions = {}): Page {
  const anomalies: Anomaly[] = []
  const journal = indexedDbJournal()
  const onAnomaly = (anomaly: Anomaly): void => void anomalies.push(anomaly)
  const store = createChatStore(backend, { journal, outbox: false, onAnomaly, ...options })
  const leave = store.connect()
  onTestFinished(leave)
  return { store, anomalies, leave }
}

/** Leaves a page, and waits until what it heard is written. */
async function reload(page: Page): Promise<void> {
  page.leave()
  await vi.waitFor(async () => {
    const inputs = await readKept(page.store.backend.key)
    const { messages } = applyEvents(createConversation(), inputs)
    expect(messages.map(textOf)).toEqual(textsOf(page.store))
  }, 5_000)
}

function textOf(message: Msg): string {
  return getTextContent(message)?.replaceAll('\n', '') ?? ''
}

function textsOf(store: ChatStore): readonly string[] {
  return store.getState().conversation.messages.map(textOf)
}

function lastText(store: ChatStore): string {
  return textsOf(store).at(-1) ?? ''
}

function until(store: ChatStore, phase: string): Promise<void> {
  return vi.waitFor(() => expect(selectPhase(store.getState())).toBe(phase), { timeout: 10_000 })
}

async function untilSaid(store: ChatStore, parts: number): Promise<void> {
  await vi.waitFor(() => expect(lastText(store).length).toBe(PART.join('').length * parts), {
    timeout: 10_000,
  })
}

async function untilIdle(store: ChatStore): Promise<void> {
  await until(store, 'idle')
  await vi.waitFor(async () => expect(await store.backend.status?.()).toBe('idle'))
}

describe('createChatStore with a journal', () => {
  it('shows after a reload all that was seen of a reply, also what the server does not repeat', async () => {
    const backend = await createSession()
    const witness = openPage(backend, {})
    const first = openPage(backend)
    await until(first.store, 'idle')
    await first.store.commands.send('long')
    await untilSaid(first.store, 1)
    await reload(first)
    const second = openPage(backend)
    await untilSaid(second.store, 1)
    expect(selectPhase(second.store.getState())).toBe('streaming')
    for (const gate of gates) gate.open()
    await untilIdle(second.store)
    await untilIdle(witness.store)
    expect(look(second.store.getState().conversation)).toEqual(
      look(witness.store.getState().conversation),
    )
    expect(second.anomalies).toEqual([])
  }, 20_000)

  it('says that something is missing when the run went on too far meanwhile, and heals at its end', async () => {
    const backend = await createSession()
    const first = openPage(backend)
    await until(first.store, 'idle')
    await first.store.commands.send('long')
    await untilSaid(first.store, 1)
    await reload(first)
    const witness = openPage(backend, { journal: unusedJournal() })
    gates[0]?.open()
    gates[1]?.open()
    await vi.waitFor(() => expect(lastText(witness.store).length).toBeGreaterThan(8_000), 10_000)
    const second = openPage(backend)
    await vi.waitFor(() => {
      const [reply] = Object.values(second.store.getState().conversation.replies)
      expect(reply).toMatchObject({ phase: 'running', isComplete: false })
    })
    gates[2]?.open()
    await untilIdle(second.store)
    await untilSaid(second.store, 3)
  }, 20_000)

  it('shows what it kept while there is no network, and heals when it is back', async () => {
    const backend = await createSession(proxy.url)
    const first = openPage(backend)
    await until(first.store, 'idle')
    await first.store.commands.send('one')
    await vi.waitFor(() => expect(lastText(first.store)).toBe('You said one.'))
    await until(first.store, 'idle')
    await reload(first)
    const removeFault = proxy.inject({ kind: 'reset', which: 'every' })
    const second = openPage(backend)
    await vi.waitFor(() => expect(second.store.getState().history.phase).toBe('failed'))
    expect(textsOf(second.store)).toEqual(['one', 'You said one.'])
    expect(second.store.getState().connection.phase).toBe('waiting')
    removeFault()
    second.store.commands.retryNow()
    await until(second.store, 'idle')
    await second.store.commands.send('two')
    await vi.waitFor(() => expect(lastText(second.store)).toBe('You said two.'))
    await untilIdle(second.store)
    expect(textsOf(second.store)).toEqual(['one', 'You said one.', 'two', 'You said two.'])
  }, 20_000)

  it('shows nothing as running that the server finished, and what others said meanwhile', async () => {
    const backend = await createSession()
    const first = openPage(backend)
    await until(first.store, 'idle')
    await first.store.commands.send('long')
    await untilSaid(first.store, 1)
    await reload(first)
    const elsewhere = openPage(backend, { journal: unusedJournal() })
    for (const gate of gates) gate.open()
    await untilIdle(elsewhere.store)
    await elsewhere.store.commands.send('more')
    await vi.waitFor(() => expect(lastText(elsewhere.store)).toBe('You said more.'))
    await untilIdle(elsewhere.store)
    const second = openPage(backend)
    await vi.waitFor(() => expect(lastText(second.store)).toBe('You said more.'))
    await untilIdle(second.store)
    // The other screen joined so late that it has to read the beginning.
    await vi.waitFor(() => {
      expect(look(second.store.getState().conversation)).toEqual(
        look(elsewhere.store.getState().conversation),
      )
    }, 10_000)
  }, 20_000)

  it('shows once more what was deleted meanwhile, not as running, and forgets it', async () => {
    const backend = await createSession()
    const first = openPage(backend)
    await until(first.store, 'idle')
    await first.store.commands.send('long')
    await untilSaid(first.store, 1)
    await reload(first)
    const [, , sessionId = ''] = backend.key.split('|')
    const directory = agentServiceDirectory({ baseUrl: server.url, headers })
    await directory.deleteSession?.('friday', sessionId)
    const second = openPage(backend)
    await vi.waitFor(() => expect(second.store.getState().connection.phase).toBe('failed'))
    await untilSaid(second.store, 1)
    const { replies } = second.store.getState().conversation
    expect(Object.values(replies).map(({ phase }) => phase)).toEqual(['ended'])
    await vi.waitFor(async () => {
      expect(
        await indexedDbJournal()
          .open(backend.key, () => {})
          .read(),
      ).toEqual([])
    })
  }, 20_000)

  it('works without a journal that fails, and says so once', async () => {
    vi.spyOn(globalThis.indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('Storage is off.', 'SecurityError')
    })
    const { store, anomalies } = openPage(await createSession())
    await until(store, 'idle')
    await store.commands.send('hello')
    await vi.waitFor(() => expect(lastText(store)).toBe('You said hello.'))
    await untilIdle(store)
    expect(anomalies).toMatchObject([{ kind: 'not-kept' }])
  }, 20_000)

  it('keeps no message that did not get through', async () => {
    const backend = await createSession(proxy.url)
    const first = openPage(backend)
    await until(first.store, 'idle')
    const removeFault = proxy.inject({
      kind: 'answer',
      status: 500,
      which: 'every',
      on: { method: 'POST' },
    })
    await first.store.commands.send('lost')
    removeFault()
    expect(textsOf(first.store)).toEqual(['lost'])
    first.leave()
    const kept = await indexedDbJournal()
      .open(backend.key, () => {})
      .read()
    expect(JSON.stringify(kept)).not.toContain('lost')
  }, 20_000)

  it('opens one stream when it is let go and taken again at once', async () => {
    const { store, leave } = openPage(await createSession(proxy.url))
    const leaveAgain = store.connect()
    leave()
    const before = proxy.requests.length
    await until(store, 'idle')
    const streams = proxy.requests.slice(before).filter(({ url }) => url.includes('/stream'))
    expect(streams.length).toBe(1)
    leaveAgain()
  }, 20_000)
})

/** Of a device that keeps nothing. */
function unusedJournal(): Journal {
  return {
    open: () => ({ read: async () => [], append: () => {} }),
    clear: async () => {},
  }
}
