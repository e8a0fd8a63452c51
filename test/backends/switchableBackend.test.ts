// @vitest-environment node
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import {
  agentServiceBackend,
  agentServiceDirectory,
  pollingBackend,
  switchableBackend,
  webSocketBackend,
} from '../../src/backends/index.js'
import { equalsStored } from '../../src/fold/index.js'
import {
  getTextContent,
  type AgentBackend,
  type Capabilities,
  type ConnectionState,
  type ConversationInput,
  type StreamSink,
} from '../../src/protocol/index.js'
import { createChatStore, selectPhase } from '../../src/store/index.js'
import { createAgentServer, type AgentServer } from '../../src/testing/server/index.js'

/** A backend that does what a test tells it. */
function createBackend(
  key: string,
  { resume = 'replay', isPoor = false }: { resume?: Capabilities['resume']; isPoor?: boolean } = {},
) {
  const sinks: StreamSink[] = []
  const done: string[] = []
  let takeSend = (): void => {}
  const backend: AgentBackend = {
    key,
    capabilities: {
      history: true,
      status: true,
      interrupt: true,
      resume,
      partialAnswers: true,
      editArguments: true,
      rules: true,
      denyReason: false,
      attachments: [],
      sendWhileRunning: 'refused',
    },
    open: (sink) => {
      sinks.push(sink)
      done.push('open')
      return { close: () => done.push('close'), retryNow: () => done.push('retry') }
    },
    ...(!isPoor && {
      history: async () => ({ messages: [], hasMore: key === 'b', isRunning: false }),
      status: async () => (key === 'b' ? 'running' : 'idle'),
      interrupt: async () => {
        done.push('interrupt')
      },
    }),
    send: () =>
      new Promise((resolve) => {
        done.push('send')
        takeSend = resolve
      }),
    answer: async () => {
      done.push('answer')
    },
  }
  return { backend, done, takeSend: () => takeSend(), sink: () => sinks.at(-1) }
}

function open(backend: AgentBackend) {
  const inputs: ConversationInput[] = []
  const states: ConnectionState[] = []
  const handle = backend.open({
    events: (batch) => inputs.push(...batch),
    connection: (state) => states.push(state),
    anomaly: () => {},
  })
  return { handle, inputs, phases: () => states.map(({ phase }) => phase) }
}

const tick = (id: string) => ({ type: 'CUSTOM', id, name: 'tick', value: {} }) as const

describe('switchableBackend', () => {
  it('keeps its key, and does everything by the backend in use', async () => {
    const [a, b] = [createBackend('a'), createBackend('b')]
    const backend = switchableBackend(a.backend)
    backend.switchTo(b.backend)
    expect(backend.key).toBe('a')
    expect(await backend.history?.({ limit: 1 })).toMatchObject({ hasMore: true })
    expect(await backend.status?.()).toBe('running')
    await backend.interrupt?.({})
    await backend.answer([])
    void backend.send(null)
    expect(a.done).toEqual([])
    expect(b.done).toEqual(['interrupt', 'answer', 'send'])
  })

  it('goes on with the other stream, and hears the old one no more', async () => {
    const [a, b] = [createBackend('a'), createBackend('b')]
    const backend = switchableBackend(a.backend)
    const { handle, inputs, phases } = open(backend)
    a.sink()?.connection({ phase: 'open' })
    a.sink()?.events([tick('e1')])
    backend.switchTo(b.backend)
    a.sink()?.events([tick('e2')])
    a.sink()?.connection({ phase: 'offline' })
    b.sink()?.connection({ phase: 'connecting' })
    b.sink()?.events([tick('e3')])
    expect(inputs.map(({ id }) => id)).toEqual(['e1', 'e3'])
    expect(phases()).toEqual(['open', 'connecting'])
    await vi.waitFor(() => expect(a.done).toEqual(['open', 'close']))
    handle.retryNow()
    handle.close()
    expect(b.done).toEqual(['open', 'retry', 'close'])
  })

  it('ends the old stream only when what is on its way has arrived', async () => {
    const [a, b] = [createBackend('a'), createBackend('b')]
    const backend = switchableBackend(a.backend)
    open(backend)
    const sending = backend.send(null)
    backend.switchTo(b.backend)
    await Promise.resolve()
    expect(a.done).toEqual(['open', 'send'])
    a.takeSend()
    await sending
    await vi.waitFor(() => expect(a.done).toEqual(['open', 'send', 'close']))
  })

  it('changes nothing for the backend in use, and opens nothing before it is opened', () => {
    const [a, b] = [createBackend('a'), createBackend('b')]
    const backend = switchableBackend(a.backend)
    backend.switchTo(b.backend)
    open(backend)
    backend.switchTo(b.backend)
    expect(a.done).toEqual([])
    expect(b.done).toEqual(['open'])
  })

  it('says that another stream begins with a replay, though it will go on by a cursor', () => {
    const [a, b] = [createBackend('a'), createBackend('b', { resume: 'cursor' })]
    const backend = switchableBackend(a.backend)
    open(backend)
    expect(backend.capabilities.resume).toBe('replay')
    backend.switchTo(b.backend)
    b.sink()?.connection({ phase: 'connecting' })
    expect(backend.capabilities.resume).toBe('replay')
    b.sink()?.connection({ phase: 'open' })
    expect(backend.capabilities.resume).toBe('cursor')
  })

  it('refuses what the other backend cannot do', async () => {
    const { backend: less } = createBackend('b', { isPoor: true })
    const backend = switchableBackend(createBackend('a').backend)
    backend.switchTo(less)
    await expect(backend.history?.({ limit: 1 })).rejects.toMatchObject({ reason: 'rejected' })
    await expect(backend.status?.()).rejects.toMatchObject({ reason: 'rejected' })
    await expect(backend.interrupt?.({})).rejects.toMatchObject({ reason: 'rejected' })
    expect('history' in switchableBackend(less)).toBe(false)
  })
})

let server: AgentServer

beforeAll(async () => {
  server = await createAgentServer({ pace: 0.5 })
})

afterAll(() => server.close())

/** The ways to one new session. */
async function createSession() {
  const service = { baseUrl: server.url, agentId: 'friday', headers: { 'X-User-ID': 'me' } }
  const sessionId = await agentServiceDirectory(service).createSession('friday')
  return {
    sse: () => agentServiceBackend({ ...service, sessionId }),
    socket: () =>
      webSocketBackend({
        url: `${server.url.replace('http', 'ws')}/sessions/${sessionId}/socket?agent_id=friday`,
        auth: () => 'me',
        agentId: 'friday',
        sessionId,
        http: service,
        WebSocket,
      }),
    polling: () => pollingBackend({ ...service, sessionId, connection: { fastestMs: 20 } }),
  }
}

describe('switchableBackend with a store and an agent server', () => {
  it(
    'changes its transport in the middle of a run: no token is lost, told twice or taken back',
    { timeout: 30_000 },
    async () => {
      const ways = await createSession()
      const backend = switchableBackend(ways.sse())
      const heard: (string | undefined)[] = []
      const anomalies: unknown[] = []
      const store = createChatStore(backend, {
        onEvent: ({ id }) => heard.push(id),
        onAnomaly: (anomaly) => anomalies.push(anomaly),
      })
      onTestFinished(store.connect())
      const story = () => {
        const last = store.getState().conversation.messages.at(-1)
        return last?.role === 'assistant' ? (getTextContent(last, '') ?? '') : ''
      }
      let longest = ''
      const takenBack: string[] = []
      store.subscribe(() => {
        const text = story()
        if (!text.startsWith(longest)) takenBack.push(`${longest} → ${text}`)
        longest = text
      })
      await vi.waitFor(() => expect(selectPhase(store.getState())).toBe('idle'), 10_000)
      await store.commands.send('Tell me a long story')
      for (const next of [ways.polling, ways.socket, ways.sse, ways.socket, ways.polling]) {
        const before = longest.length
        await vi.waitFor(() => expect(longest.length).toBeGreaterThan(before + 10), 10_000)
        backend.switchTo(next())
      }
      expect(selectPhase(store.getState())).toBe('streaming')
      await vi.waitFor(() => expect(selectPhase(store.getState())).toBe('idle'), 20_000)
      await vi.waitFor(async () => {
        const stored = (await backend.history?.({ limit: 10 }))?.messages ?? []
        const { messages } = store.getState().conversation
        expect(messages).toHaveLength(2)
        for (const [index, message] of messages.entries()) {
          const other = stored[index]
          expect(other !== undefined && equalsStored(message, other)).toBe(true)
        }
      }, 10_000)
      expect(takenBack).toEqual([])
      expect(new Set(heard).size).toBe(heard.length)
      expect(anomalies).toEqual([])
    },
  )
})
