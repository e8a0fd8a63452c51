import type {
  AgentBackend,
  Answer,
  Capabilities,
  ConnectionState,
  ConversationInput,
  HistoryPage,
  Msg,
  RunStatus,
  StreamSink,
  UserInput,
} from '../../src/protocol/index.js'

/**
 * A backend that does what a test tells it, and remembers what was asked of it. The public `scriptedBackend` plays a session as
 * the service would; this one also says what no service in order says: orphans, holes, operations of the kit, pages that
 * disagree with the stream, other capabilities.
 */
export interface ScriptedBackend extends AgentBackend {
  /** How often a stream was opened. */
  opened: number
  /** How many streams are open now. */
  openNow: number
  /** How often the person asked to try again. */
  retried: number
  /** What `history` gives: the newest page, or the one before an id. */
  pages: Record<string, HistoryPage>
  /** Page reads: the `before` of each. */
  readonly reads: (string | undefined)[]
  /** What `status` gives. */
  runStatus: RunStatus
  /** How often the status was asked. */
  asked: number
  /** What was sent. */
  readonly sent: UserInput[]
  /** What was answered. */
  readonly answered: Answer[]
  /** What was stopped. */
  readonly interrupted: { readonly replyId?: string }[]
  /** Waited for by each request: a test sets it to hold one back, or to let it fail. */
  gate: (what: 'history' | 'status' | 'send' | 'answer' | 'interrupt') => Promise<void>
  /** Delivers inputs as one batch. */
  emit(...inputs: readonly ConversationInput[]): void
  /** Changes the connection. */
  setConnection(state: ConnectionState): void
}

/** What a test may choose. */
export interface ScriptedBackendOptions {
  readonly key?: string
  readonly capabilities?: Partial<Capabilities>
  /** Stored messages of the newest page. */
  readonly stored?: readonly Msg[]
}

const AGENT_SERVICE: Capabilities = {
  history: true,
  status: true,
  interrupt: true,
  resume: 'replay',
  partialAnswers: true,
  editArguments: true,
  rules: true,
  denyReason: false,
  attachments: ['*/*'],
  sendWhileRunning: 'refused',
}

/** Makes a backend that is driven by the test. */
export function createScriptedBackend(options: ScriptedBackendOptions = {}): ScriptedBackend {
  const capabilities = { ...AGENT_SERVICE, ...options.capabilities }
  let sink: StreamSink | undefined

  const backend: ScriptedBackend = {
    key: options.key ?? 'scripted',
    capabilities,
    opened: 0,
    openNow: 0,
    retried: 0,
    pages: { newest: page(options.stored ?? []) },
    reads: [],
    runStatus: 'idle',
    asked: 0,
    sent: [],
    answered: [],
    interrupted: [],
    gate: () => Promise.resolve(),
    open(target) {
      backend.opened += 1
      backend.openNow += 1
      sink = target
      let isOpen = true
      return {
        close() {
          if (isOpen) backend.openNow -= 1
          isOpen = false
        },
        retryNow() {
          backend.retried += 1
        },
      }
    },
    async send(input) {
      backend.sent.push(input)
      await backend.gate('send')
    },
    async answer(answers) {
      backend.answered.push(...answers)
      await backend.gate('answer')
    },
    emit(...inputs) {
      sink?.events(inputs)
    },
    setConnection(state) {
      sink?.connection(state)
    },
    ...(capabilities.history && {
      async history({ before }: { readonly before?: string }) {
        backend.reads.push(before)
        await backend.gate('history')
        return backend.pages[before ?? 'newest'] ?? page([])
      },
    }),
    ...(capabilities.status && {
      async status() {
        backend.asked += 1
        await backend.gate('status')
        return backend.runStatus
      },
    }),
    ...(capabilities.interrupt && {
      async interrupt(target: { readonly replyId?: string }) {
        backend.interrupted.push(target)
        await backend.gate('interrupt')
      },
    }),
  }
  return backend
}

/** A page of stored messages. */
export function page(messages: readonly Msg[], more: Partial<HistoryPage> = {}): HistoryPage {
  return { messages, hasMore: false, isRunning: false, ...more }
}
