// @vitest-environment node
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import {
  agentServiceBackend,
  agentServiceDirectory,
  webSocketBackend,
  type WebSocketBackendOptions,
} from '../../src/backends/index.js'
import type { AgentBackend } from '../../src/protocol/index.js'
import { createChatStore, selectPhase, type ChatStore } from '../../src/store/index.js'
import type { Fetch } from '../../src/transports/index.js'
import { createAgentServer, type AgentServer } from '../../src/testing/server/index.js'

let server: AgentServer

beforeAll(async () => {
  server = await createAgentServer({ pace: 0.3 })
})
afterAll(() => server.close())

const headers = { 'X-User-ID': 'me' }
const waitFor = (check: () => void) => vi.waitFor(check, 10_000)

/** Counts what is taken and not given back, in a world that has a page's events. */
function countHoldings() {
  const timers = new Set<unknown>()
  const listeners = new Map<string, number>()
  const sockets: WebSocket[] = []
  const requests = new Set<string>()
  const { setTimeout: start, clearTimeout: stop } = globalThis

  // The server's timers and those of fetch live in the same process: only the kit's own count.
  const startCounted = (run: (...args: unknown[]) => void, ...rest: [number?, ...unknown[]]) => {
    if (!/[/]src[/](transports|backends|store)[/]/.test(new Error('here').stack ?? '')) {
      return start(run, ...rest)
    }
    const timer = start(
      () => {
        timers.delete(timer)
        run()
      },
      ...rest,
    )
    timers.add(timer)
    return timer
  }
  vi.stubGlobal('setTimeout', startCounted)
  vi.stubGlobal('clearTimeout', (timer: NodeJS.Timeout) => {
    timers.delete(timer)
    stop(timer)
  })
  const add = (step: number) => (type: string) => {
    const count = (listeners.get(type) ?? 0) + step
    if (count === 0) listeners.delete(type)
    else listeners.set(type, count)
  }
  const target = { addEventListener: add(1), removeEventListener: add(-1) }
  vi.stubGlobal('addEventListener', target.addEventListener)
  vi.stubGlobal('removeEventListener', target.removeEventListener)
  vi.stubGlobal('document', target)
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })

  class CountedSocket extends WebSocket {
    constructor(url: string, protocols?: string[]) {
      super(url, protocols)
      sockets.push(this)
    }
  }

  /** A request is over when its body was read to the end, or when it was aborted. */
  async function countedFetch(url: string, init: RequestInit): Promise<Response> {
    const name = `${requests.size}: ${init.method} ${url}`
    requests.add(name)
    const over = () => void requests.delete(name)
    init.signal?.addEventListener('abort', over)
    const response = await fetch(url, init).catch((error: unknown) => {
      over()
      throw error
    })
    const body = response.body?.pipeThrough(new TransformStream({ flush: over }))
    return new Response(body ?? null, response)
  }

  return {
    CountedSocket,
    countedFetch,
    all: () => ({
      timers: timers.size,
      listeners: Object.fromEntries(listeners),
      sockets: sockets.filter(({ readyState }) => readyState !== WebSocket.CLOSED).length,
      requests: [...requests],
    }),
  }
}

type Holdings = ReturnType<typeof countHoldings>

const NOTHING = { timers: 0, listeners: {}, sockets: 0, requests: [] }

type Way = 'sse' | NonNullable<WebSocketBackendOptions['protocol']>
const ways: readonly Way[] = ['sse', 'agentscope.v1', 'plain']

function createBackend(
  way: Way,
  session: { readonly baseUrl: string; readonly sessionId: string },
  { CountedSocket, countedFetch }: Pick<Holdings, 'CountedSocket' | 'countedFetch'>,
): AgentBackend {
  const { baseUrl, sessionId } = session
  const http = { baseUrl, headers, fetch: countedFetch }
  if (way === 'sse') return agentServiceBackend({ ...http, agentId: 'friday', sessionId })
  return webSocketBackend({
    url: `${baseUrl.replace('http', 'ws')}/sessions/${sessionId}/socket?agent_id=friday&user_id=me`,
    agentId: 'friday',
    sessionId,
    http,
    protocol: way,
    WebSocket: CountedSocket,
  })
}

/** When the chat goes. */
const moments: Readonly<Record<string, (store: ChatStore) => Promise<void>>> = {
  'at once': async () => {},
  'while it is idle': (store) => waitFor(() => expect(selectPhase(store.getState())).toBe('idle')),
  'in the middle of a reply': async (store) => {
    await store.commands.send('Tell me a long story')
    await waitFor(() => expect(store.getState().conversation.messages).toHaveLength(2))
  },
  'while a message is on its way': async (store) => {
    void store.commands.send('Hello')
  },
  'while it waits for another attempt': async (store) => {
    await waitFor(() => expect(store.getState().connection.phase).toBe('open'))
    server.dropStreams()
    await waitFor(() => expect(store.getState().connection.phase).toBe('waiting'))
  },
}

describe.each(ways)('a chat over %s that goes', (way) => {
  it.each(Object.entries(moments))('%s leaves nothing behind', async (_name, moment) => {
    const directory = agentServiceDirectory({ baseUrl: server.url, headers })
    const sessionId = await directory.createSession('friday')
    const holdings = countHoldings()
    expect(holdings.all()).toEqual(NOTHING)
    const store = createChatStore(createBackend(way, { baseUrl: server.url, sessionId }, holdings))
    const disconnect = store.connect()
    expect(holdings.all().listeners).toEqual({ online: 1, offline: 1, visibilitychange: 1 })
    await moment(store)
    disconnect()
    await waitFor(() => expect(holdings.all()).toEqual(NOTHING))
    expect(store.getState().connection.phase).toBe('closed')
  })

  it('stops what it reads', async () => {
    const directory = agentServiceDirectory({ baseUrl: server.url, headers })
    const sessionId = await directory.createSession('friday')
    const holdings = countHoldings()
    const asked: string[] = []
    /** Answers nothing about messages. */
    const stalledFetch: Fetch = (url, init) => {
      if (!url.includes('/messages')) return holdings.countedFetch(url, init)
      asked.push(url)
      return new Promise((_resolve, reject) => {
        init.signal?.addEventListener('abort', () => {
          asked.pop()
          reject(new Error('aborted'))
        })
      })
    }
    const session = { baseUrl: server.url, sessionId }
    const store = createChatStore(
      createBackend(way, session, { ...holdings, countedFetch: stalledFetch }),
    )
    const disconnect = store.connect()
    await waitFor(() => expect(asked).toHaveLength(1))
    disconnect()
    await waitFor(() => expect(holdings.all()).toEqual(NOTHING))
    expect(asked).toEqual([])
    expect(store.getState().error).toBeNull()
  })

  it('leaves nothing behind when there was no server', async () => {
    const gone = await createAgentServer()
    await gone.close()
    const holdings = countHoldings()
    const session = { baseUrl: gone.url, sessionId: 's1' }
    const store = createChatStore(createBackend(way, session, holdings))
    const disconnect = store.connect()
    await waitFor(() => expect(store.getState().connection.phase).toBe('waiting'))
    disconnect()
    await waitFor(() => expect(holdings.all()).toEqual(NOTHING))
  })
})
