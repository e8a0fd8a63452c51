import type { FinishedReason, JsonObject, ReplyError } from '../../protocol/index.js'
import type { EndCause } from '../../protocol/index.js'
import type { TokenCounter } from './createTokenCounter.js'
import type { Output } from './Output.js'
import { readText } from './readField.js'
import { beginModelCall, closePieces, createReply, type Reply } from './Reply.js'
import { type Calls, interruptCalls, nameCall, openCall } from './trackCalls.js'
import type { Asked, FindCall } from './trackRequests.js'

/** Why a reply ends, and with what error. */
export interface Verdict {
  /** Why. */
  readonly reason: FinishedReason
  /** What went wrong. */
  readonly error?: ReplyError
}

const COMPLETED: Verdict = { reason: 'completed' }
const INTERRUPTED: Verdict = { reason: 'interrupted' }
const ACTIVE = /^(pending|running|cancel_requested)$/

/** What is known of one task: its replies, and how it stands. */
export class Task {
  /** The task's id, by the wire's word. */
  readonly id: string
  /** The position that comes next. */
  next = 0
  /** How often it was told to be over. */
  settled = 0
  /** The last status heard. */
  status: string | undefined
  /** The conversation it is of. */
  sessionId: string | undefined
  /** The server's words about a task that failed. */
  failure: string | undefined
  /** An error that ends the reply when the task is over. */
  fatal: ReplyError | undefined
  /** An error that was the last only if the run does not go on. */
  loose: ReplyError | undefined
  /** The last of what was said about the end. */
  said: Verdict | undefined
  /** The reply that is under way, or was last. */
  reply: Reply | undefined
  /** Notices to be taken back with the next sign of life. */
  readonly notices = new Set<string>()
  /** What was asked. */
  readonly asked: Asked = new Map()
  /** Counts the tokens of its conversation. */
  readonly countTokens: TokenCounter
  readonly #out: Output
  readonly #calls: Calls = new Map()
  #count = 0

  constructor(id: string, out: Output, countTokens: TokenCounter) {
    this.id = id
    this.#out = out
    this.countTokens = countTokens
  }

  /** Whether the task still works, as far as was heard. */
  get isActive(): boolean {
    return this.status === undefined || ACTIVE.test(this.status)
  }

  /** What a body says about the task. */
  hear(body: JsonObject): void {
    this.status = readText(body, 'status') ?? this.status
    this.move(body)
    this.failure = readText(body, 'error') ?? this.failure
  }

  /** A turn of the agent begins, unless the one that is open is still empty. */
  begin(): Reply {
    const { reply } = this
    if (reply !== undefined && reply.isFresh && reply.end === undefined) return reply
    if (reply !== undefined && reply.end === undefined) this.#end(reply, this.#verdict(COMPLETED))
    else if (reply !== undefined) this.#close(reply)
    this.fatal = undefined
    this.loose = undefined
    this.said = undefined
    this.#count += 1
    const opened = createReply(`${this.id}:r${this.#count}`)
    this.reply = opened
    const { sessionId } = this
    const session = sessionId === undefined ? {} : { session_id: sessionId }
    const of = { reply_id: opened.id, name: '', role: 'assistant' as const }
    this.#out.tell({ type: 'REPLY_START', ...session, ...of })
    return opened
  }

  /** The reply that an event is about; what nobody announced begins with its first event. */
  open(): Reply {
    return this.reply ?? this.begin()
  }

  /** The call of an id; it begins where nothing was heard of it. */
  readonly find: FindCall = (wireId, name) =>
    this.known(wireId) ?? openCall(this.#out, this.#calls, this.open(), wireId, name)

  /** The call of an id to begin: an id whose call is over may come again. */
  readonly prepare: FindCall = (wireId, name, metadata) => {
    const call = this.known(wireId)
    const reply = this.open()
    const isSame = call !== undefined && call.end === undefined && call.reply === reply
    if (!isSame) return openCall(this.#out, this.#calls, reply, wireId, name, metadata)
    nameCall(this.#out, call, name)
    return call
  }

  /** The call of an id, if it was not taken back. */
  known(wireId: string | undefined): ReturnType<FindCall> | undefined {
    const call = this.#calls.get(wireId ?? '')
    return call?.isGone === true ? undefined : call
  }

  /** Another id for a call. */
  link(id: string | undefined, call: ReturnType<FindCall>): void {
    if (id !== undefined) this.#calls.set(id, call)
  }

  /** The run goes on: an error that may have been the last was not, and what was noticed is over. */
  revive(): void {
    this.loose = undefined
    for (const name of this.notices) this.#out.note(name, {})
    this.notices.clear()
  }

  /** The conversation goes on under another id. */
  move(data: JsonObject): void {
    this.sessionId = readText(data, 'conversation_id') ?? this.sessionId
  }

  /** The model is called. What waits then has been answered elsewhere. */
  callModel(): void {
    const reply = this.open()
    beginModelCall(this.#out, reply)
    for (const call of reply.waiting) call.waits = undefined
    reply.waiting.clear()
    this.#out.tell({ type: 'MODEL_CALL_START', reply_id: reply.id, model_name: '' })
  }

  /** Something was lost: what follows may be of any model call, so ids count on from a number that was never used. */
  miss(from: number, to: number): void {
    const reply = this.open()
    reply.call = Math.max(reply.call, to)
    this.#out.tell({ type: 'kit.gap', from, to })
  }

  /** The wire says that the agent is done. */
  stop(verdict: 'completed' | 'interrupted', metadata: JsonObject): void {
    const end = verdict === 'completed' ? COMPLETED : INTERRUPTED
    if (verdict === 'interrupted') this.open()
    this.said = end
    const { reply } = this
    if (reply === undefined) return
    const { task_id: _t, conversation_id: _c, workspace_id: _w, ...kept } = metadata
    reply.metadata = { ...reply.metadata, ...kept }
    this.#settle(this.#verdict(end))
  }

  /** Keeps something about the reply, also when it has ended. */
  keep(fields: JsonObject): void {
    const { reply } = this
    if (reply === undefined || Object.keys(fields).length === 0) return
    reply.metadata = { ...reply.metadata, ...fields }
    if (reply.end !== undefined) this.#end(reply, this.#verdict({ reason: reply.end }))
  }

  /** The task is over, and all its events were read. */
  settle(): void {
    this.#settle(this.#verdict(this.said ?? this.#statusVerdict()))
  }

  /** Nothing more will be heard. What waits for a person goes on waiting. */
  cut(cause: EndCause): void {
    const { reply } = this
    const isKnown = !this.isActive || this.said !== undefined || this.fatal !== undefined
    if (isKnown) {
      this.settle()
      return
    }
    if (reply === undefined || reply.end !== undefined) return
    if (reply.calls.some(({ waits, end }) => waits !== undefined && end === undefined)) {
      closePieces(this.#out, reply)
      interruptCalls(this.#out, reply, true)
      return
    }
    const isStopped = cause === 'abort' || this.status === 'cancel_requested'
    const message = 'The task was not heard to its end.'
    const broken: Verdict = { reason: 'error', error: { type: 'connection', message } }
    this.#settle(this.#verdict(isStopped ? INTERRUPTED : broken))
  }

  /** An error counts more than anything said after it. */
  #verdict(otherwise: Verdict): Verdict {
    const error = this.fatal ?? this.loose
    return error === undefined ? otherwise : { reason: 'error', error }
  }

  #statusVerdict(): Verdict {
    const status = this.status ?? ''
    if (/^(stopped|cancel)/.test(status)) return INTERRUPTED
    if (status !== 'failed' && this.failure === undefined) return COMPLETED
    const message = this.failure ?? 'The task failed.'
    return { reason: 'error', error: { type: 'unknown', message } }
  }

  #settle(verdict: Verdict): void {
    const reply = verdict.reason === 'completed' ? this.reply : this.open()
    if (reply === undefined) return
    if (reply.end === verdict.reason) this.#close(reply)
    else this.#end(reply, verdict)
  }

  /** What is open ends, also what was begun after the reply was said to be over. */
  #close(reply: Reply): void {
    closePieces(this.#out, reply)
    interruptCalls(this.#out, reply, false)
    this.fatal ??= this.loose
    this.revive()
  }

  #end(reply: Reply, { reason, error }: Verdict): void {
    const { sessionId } = this
    this.#close(reply)
    reply.end = reason
    this.#out.tell({
      type: 'REPLY_END',
      ...(sessionId === undefined ? {} : { session_id: sessionId }),
      reply_id: reply.id,
      finished_reason: reason,
      ...(error === undefined ? {} : { error }),
      ...(Object.keys(reply.metadata).length === 0 ? {} : { metadata: reply.metadata }),
    })
  }
}
