import type { Anomaly, JsonObject } from '../protocol/index.js'
import type { Conversation, NestedRun, PendingRequest, ReplyInfo } from './Conversation.js'
import { isWorking } from './isWorking.js'
import type { MessageDraft } from './MessageDraft.js'
import { SeenDraft } from './SeenIds.js'
import { ThreadDraft } from './ThreadDraft.js'

/** A reply whose events can be folded into its message without a further look. */
export interface OpenReply {
  readonly replyId: string
  readonly storedUpTo: string | null
  readonly message: MessageDraft
}

/** A conversation while a batch of inputs is folded into it. What no input touches stays the very same object. */
export class ConversationDraft {
  readonly #base: Conversation
  readonly #report: (anomaly: Anomaly) => void
  readonly #main: ThreadDraft
  readonly #runs = new Map<string, { agentPath: readonly string[]; thread: ThreadDraft }>()
  readonly #replies = new Map<string, ReplyInfo>()
  readonly #notices = new Map<string, JsonObject>()
  /** Replies whose phase is to be looked at again. */
  readonly #touched = new Set<string>()
  #requests: readonly PendingRequest[]
  /** Ids of inputs seen. */
  readonly seen: SeenDraft
  /** The reply that the last event was about, if the next one may follow on. */
  open: OpenReply | undefined

  constructor(conversation: Conversation, report: (anomaly: Anomaly) => void) {
    this.#base = conversation
    this.#report = report
    this.#main = new ThreadDraft(conversation.messages)
    this.#requests = conversation.requests
    this.seen = new SeenDraft(conversation.seen)
    for (const { agentPath, messages } of conversation.runs) {
      const thread = new ThreadDraft(messages)
      this.#runs.set(JSON.stringify(agentPath), { agentPath, thread })
    }
  }

  /** What waits for the person. */
  get requests(): readonly PendingRequest[] {
    return this.#requests
  }

  /** Tells about something odd. */
  report(anomaly: Anomaly): void {
    this.#report(anomaly)
  }

  /** The messages of the agent itself, or of a sub-agent. */
  thread(agentPath: readonly string[] = []): ThreadDraft {
    if (agentPath.length === 0) return this.#main
    const key = JSON.stringify(agentPath)
    const run = this.#runs.get(key)
    if (run !== undefined) return run.thread
    const thread = new ThreadDraft([])
    this.#runs.set(key, { agentPath, thread })
    return thread
  }

  /** What is known about a reply. */
  reply(replyId: string): ReplyInfo | undefined {
    const changed = this.#replies.get(replyId)
    if (changed !== undefined) return changed
    return Object.hasOwn(this.#base.replies, replyId) ? this.#base.replies[replyId] : undefined
  }

  /** All that is known about replies. */
  allReplies(): readonly ReplyInfo[] {
    const ids = new Set([...Object.keys(this.#base.replies), ...this.#replies.keys()])
    return [...ids].flatMap((id) => this.reply(id) ?? [])
  }

  /** Changes what is known about a reply. */
  setReply(reply: ReplyInfo): void {
    this.open = undefined
    this.#replies.set(reply.replyId, reply)
    this.#touched.add(reply.replyId)
  }

  /** Has a reply's phase looked at again. */
  touch(replyId: string): void {
    this.#touched.add(replyId)
  }

  /** Changes what waits for the person. */
  setRequests(requests: readonly PendingRequest[]): void {
    this.#requests = requests
  }

  /** Remembers the latest value of a `CUSTOM` event. */
  setNotice(name: string, value: JsonObject): void {
    this.#notices.set(name, value)
  }

  /** The conversation as it is now: the very same object when nothing changed. The draft must not be used after. */
  commit(): Conversation {
    const base = this.#base
    const messages = this.#main.settle()
    const runs = this.#commitRuns()
    this.derivePhases()
    const next: Conversation = {
      messages,
      replies: withEntries(base.replies, this.#replies),
      requests: this.#requests,
      runs,
      notices: withEntries(base.notices, this.#notices),
      seen: this.seen.commit(),
    }
    const isSame =
      next.messages === base.messages &&
      next.replies === base.replies &&
      next.requests === base.requests &&
      next.runs === base.runs &&
      next.notices === base.notices &&
      next.seen === base.seen
    return isSame ? base : next
  }

  /** Brings the phases of the replies up to date. */
  derivePhases(): void {
    for (const replyId of this.#touched) this.#derivePhase(replyId)
  }

  /** The service sends no word when a reply parks: it waits when something is asked and nothing else is under way. */
  #derivePhase(replyId: string): void {
    const reply = this.reply(replyId)
    if (reply === undefined || reply.phase === 'ended') return
    const thread = this.thread(reply.agentPath)
    thread.settle()
    const waiting = this.#requests.filter((request) => waitsFor(request, replyId))
    const isParked = waiting.length > 0 && !isWorking(thread.read(replyId), waiting)
    const phase = isParked ? 'parked' : 'running'
    if (phase !== reply.phase) this.#replies.set(replyId, { ...reply, phase })
  }

  #commitRuns(): readonly NestedRun[] {
    const base = this.#base.runs
    const runs = [...this.#runs.values()].map(({ agentPath, thread }, index): NestedRun => {
      const messages = thread.settle()
      const before = base[index]
      return before?.messages === messages ? before : { agentPath, messages }
    })
    const isSame = runs.length === base.length && runs.every((run, index) => run === base[index])
    return isSame ? base : runs
  }
}

/** Whether a reply of this stream waits for the answer; a sub-agent's own reply is elsewhere. */
export function waitsFor(request: PendingRequest, replyId: string): boolean {
  if (request.kind === 'input') return request.request.reply_id === replyId
  return request.worker === null && request.replyId === replyId
}

/** The record with changed entries; ids such as `__proto__` are keys like any other. The very same one when nothing changed. */
function withEntries<Value>(
  record: Readonly<Record<string, Value>>,
  changed: ReadonlyMap<string, Value>,
): Readonly<Record<string, Value>> {
  const isSame = [...changed].every(
    ([key, value]) => Object.hasOwn(record, key) && record[key] === value,
  )
  return isSame ? record : Object.fromEntries([...Object.entries(record), ...changed])
}
