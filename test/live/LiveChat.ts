import {
  agentServiceBackend,
  createChatStore,
  selectPhase,
  type AgentBackend,
  type ChatState,
  type ChatStore,
  type Msg,
  type PendingRequest,
  type ToolCallRequest,
} from 'agentscope-react/hooks'
import { createLiveSession, type LiveSession } from './liveService.js'
import { createWire, type Wire } from './wire.js'

/** The package's store on a session of the real service. */
export class LiveChat {
  readonly session: LiveSession
  readonly wire: Wire
  readonly store: ChatStore
  readonly anomalies: unknown[] = []
  readonly #release: () => void

  /** A new session, or another look at one. */
  static async open(history: boolean, session?: LiveSession): Promise<LiveChat> {
    return new LiveChat(session ?? (await createLiveSession()), history)
  }

  private constructor(session: LiveSession, history: boolean) {
    this.session = session
    this.wire = createWire()
    const backend = agentServiceBackend({
      baseUrl: session.baseUrl,
      agentId: session.agentId,
      sessionId: session.sessionId,
      headers: { ...session.headers },
      fetch: this.wire.fetch,
    })
    this.store = createChatStore(history ? backend : withoutHistory(backend), {
      onAnomaly: (anomaly) => this.anomalies.push(anomaly),
    })
    this.#release = this.store.connect()
  }

  get state(): ChatState {
    return this.store.getState()
  }

  get messages(): readonly Msg[] {
    return this.state.conversation.messages
  }

  get phase(): string {
    return selectPhase(this.state)
  }

  /** Resolves when the store's state passes; the test's own timeout is the limit. */
  async until(
    what: string,
    passes: (state: ChatState) => boolean,
    timeoutMs = 15_000,
  ): Promise<void> {
    if (passes(this.state)) return
    await new Promise<void>((done, fail) => {
      const timer = setTimeout(() => {
        stop()
        fail(new Error(`Waited in vain for ${what}: ${JSON.stringify(this.state).slice(0, 4000)}`))
      }, timeoutMs)
      const stop = this.store.subscribe((state) => {
        if (!passes(state)) return
        clearTimeout(timer)
        stop()
        done()
      })
    })
  }

  /** The stream is open, so nothing of what follows is missed. */
  async untilOpen(): Promise<void> {
    await this.until('an open stream', (state) => state.connection.phase === 'open')
  }

  async say(text: string): Promise<void> {
    await this.untilOpen()
    await this.store.commands.send(text)
  }

  /** This many replies have ended. */
  async untilEnded(count: number): Promise<void> {
    await this.until(`${count} ended replies`, (state) => {
      const ended = state.conversation.messages.filter(
        (message) => message.role === 'assistant' && message.finished_at !== null,
      )
      return ended.length >= count
    })
  }

  /** This many requests wait. */
  async untilAsked(count: number): Promise<readonly ToolCallRequest[]> {
    await this.until(`${count} requests`, (state) => toolCallRequests(state).length === count)
    // The run that parks still holds the session for a moment.
    await this.untilStatus((status) => status !== 'running')
    return toolCallRequests(this.state)
  }

  /** The open text of the newest reply contains this. */
  async untilWritten(text: string, timeoutMs?: number): Promise<void> {
    await this.until(
      `the text ${text}`,
      (state) => JSON.stringify(state.conversation.messages.at(-1)?.content ?? []).includes(text),
      timeoutMs,
    )
  }

  async untilStatus(passes: (status: string) => boolean, timeoutMs = 5_000): Promise<void> {
    const deadline = performance.now() + timeoutMs
    while (!passes(await this.session.status())) {
      if (performance.now() > deadline) throw new Error('The status never came.')
      await new Promise((done) => setTimeout(done, 50))
    }
  }

  close(): void {
    this.#release()
  }
}

function toolCallRequests(state: ChatState): readonly ToolCallRequest[] {
  return state.conversation.requests.filter(isToolCallRequest)
}

function isToolCallRequest(request: PendingRequest): request is ToolCallRequest {
  return request.kind === 'confirm' || request.kind === 'external'
}

/** The same backend for an app that wants no history: what it shows is the stream alone. */
function withoutHistory(backend: AgentBackend): AgentBackend {
  return {
    key: `${backend.key}|stream-only`,
    capabilities: { ...backend.capabilities, history: false },
    open: (sink) => backend.open(sink),
    send: (input) => backend.send(input),
    answer: (answers) => backend.answer(answers),
    status: () => backend.status?.() ?? Promise.resolve('idle'),
    interrupt: (target) => backend.interrupt?.(target) ?? Promise.resolve(),
  }
}
