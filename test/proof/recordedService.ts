import type {
  AgentBackend,
  AgentEvent,
  ConversationInput,
  HistoryPage,
  Msg,
  RunStatus,
  StreamSink,
} from '../../src/protocol/index.js'
import { TransportError } from '../../src/protocol/index.js'
import type { Moment, Timeline } from './timeline.js'
import type { VirtualTime } from './virtualTime.js'

/** How the service answers. */
export interface ServiceOptions {
  /** The client is told what the person said, as the tab that sent it is; otherwise it has to find out. */
  readonly isOwnTab?: boolean
  /** How long a page of history is on its way after it was read, in milliseconds. */
  readonly latencyMs?: number
  /** AgentScope 2.0.11 leaves the last event of the last run in its log. */
  readonly leavesLast?: boolean
}

/** The service of a recording: it does what its timeline says, moment by moment, and serves whoever connects. */
export interface RecordedService {
  readonly backend: AgentBackend
  /** How often messages were read. */
  readonly reads: () => number
  /** How many events a new connection would hear again. */
  readonly logLength: () => number
  /** Plays moments; a connected client hears them as one batch, after `change` had its way with them. */
  readonly play: (moments: readonly Moment[], change?: (heard: Heard) => Heard) => void
  /** Stores what a run that is about to end leaves, while its log is still there. */
  readonly storeEarly: (moment: Moment | undefined) => void
  /** The client loses its connection. */
  readonly cut: () => void
  /**
   * The client connects, and hears the log of the run under way.
   *
   * @param lost - How many of the log's first events it no longer has.
   */
  readonly connect: (lost?: number) => void
}

/** What a client hears at one moment. */
export type Heard = readonly ConversationInput[]

/** The replay log of a session keeps so many events. */
const LOG_LIMIT = 1_000

/** Makes the service of a recording. */
export function createRecordedService(
  timeline: Timeline,
  time: VirtualTime,
  options: ServiceOptions = {},
): RecordedService {
  const { isOwnTab = true, latencyMs = 0, leavesLast = false } = options
  const stored = new Map<string, Msg>()
  const cards = new Map<unknown, AgentEvent>()
  /** All events of the run under way; only the newest are replayed. */
  let log: AgentEvent[] = []
  let isRunning = false
  let isConnected = false
  let reads = 0
  let sink: StreamSink | undefined

  function take(moment: Moment): Heard {
    switch (moment.kind) {
      case 'user':
        stored.set(moment.message.id, moment.message)
        return isOwnTab ? [{ type: 'kit.user_message', message: moment.message }] : []
      case 'event':
        if (moment.run !== null) isRunning = true
        noteCard(moment.event)
        log.push(moment.event)
        return [moment.event]
      case 'stored':
        isRunning = false
        log = leavesLast ? log.slice(-1) : []
        for (const message of moment.messages) stored.set(message.id, message)
        return []
    }
  }

  /** What a sub-agent asks is kept, and told again to each new connection. */
  function noteCard(event: AgentEvent): void {
    if (event.type !== 'CUSTOM') return
    const { reply_id, event: asking } = event.value ?? {}
    if (event.name === 'subagent_require_user_confirm') {
      cards.set(typeof asking === 'object' ? JSON.stringify(asking) : asking, event)
    }
    if (event.name !== 'subagent_user_confirm_result') return
    if (typeof reply_id !== 'string') return
    for (const [key, card] of cards) {
      if (JSON.stringify(card).includes(reply_id)) cards.delete(key)
    }
  }

  function page(limit: number): HistoryPage {
    const messages = timeline.final.flatMap(({ id }) => stored.get(id) ?? [])
    return { messages: messages.slice(-limit), hasMore: messages.length > limit, isRunning }
  }

  function status(): RunStatus {
    if (isRunning) return 'running'
    const states = waitingIn([...stored.values()]).map(({ state }) => state)
    if (states.includes('asking')) return 'awaiting-confirm'
    return states.includes('submitted') ? 'awaiting-external' : 'idle'
  }

  const backend: AgentBackend = {
    key: timeline.name,
    capabilities: {
      history: true,
      status: true,
      interrupt: false,
      resume: 'replay',
      partialAnswers: true,
      editArguments: true,
      rules: true,
      denyReason: false,
      attachments: [],
      sendWhileRunning: 'refused',
    },
    open(target) {
      sink = target
      return { close: () => undefined, retryNow: () => undefined }
    },
    async history({ limit }) {
      reads += 1
      const answer = page(limit)
      if (latencyMs > 0) await new Promise<void>((resolve) => time.after(latencyMs, resolve))
      return answer
    },
    status: () => Promise.resolve(status()),
    send: () => Promise.resolve(),
    answer: () => Promise.resolve(),
  }

  return {
    backend,
    reads: () => reads,
    logLength: () => log.length,
    play(moments, change = (heard) => heard) {
      const heard = change(moments.flatMap(take))
      if (isConnected && heard.length > 0) sink?.events(heard)
    },
    storeEarly(moment) {
      if (moment?.kind !== 'stored') return
      for (const message of moment.messages) stored.set(message.id, message)
    },
    cut() {
      isConnected = false
      const cause = new TransportError('closed', 'The stream ended.')
      sink?.connection({ phase: 'waiting', retryAt: time.now(), cause })
    },
    connect(lost = 0) {
      isConnected = true
      sink?.connection({ phase: 'connecting' })
      sink?.connection({ phase: 'open' })
      const again = [...cards.values()].map((card) => ({ ...card, id: `${card.id}-${time.now()}` }))
      const replay = [...log.slice(Math.max(lost, log.length - LOG_LIMIT)), ...again]
      if (replay.length > 0) sink?.events(replay)
    },
  }
}

/** Calls of stored messages that wait for an answer. Written here a second time, so that the fold is not measured with itself. */
export function waitingIn(
  messages: readonly Msg[],
): readonly { readonly key: string; readonly state: string }[] {
  return messages
    .filter(
      ({ finished_at, finished_reason }) => finished_at === null || finished_reason === 'error',
    )
    .flatMap(({ id, content }) => {
      const done = new Set(
        content.flatMap((block) =>
          block.type === 'tool_result' && block.state !== 'running' ? [block.id] : [],
        ),
      )
      return content.flatMap((block) => {
        if (block.type !== 'tool_call' || done.has(block.id)) return []
        const { state } = block
        return state === 'asking' || state === 'submitted'
          ? [{ key: `${id} ${block.id}`, state }]
          : []
      })
    })
}
