import {
  UserMsg,
  type DecoderOptions,
  type EndCause,
  type JsonObject,
} from '../../protocol/index.js'
import { createBrackets } from './createBrackets.js'
import { createSeen } from './createSeen.js'
import { closeRun, finishedReasonOf, mayPark, parkRun, readError } from './endRun.js'
import { eventHandlers } from './eventHandlers.js'
import { eventName, isBeginning, isNote } from './eventNames.js'
import { linkToCall } from './linkToCall.js'
import type { Output } from './Output.js'
import { readField, readObject, readText, toSnakeFields } from './readField.js'
import { legacyScope, readLegacy } from './readLegacy.js'
import { readScope, ROOT, type Scope } from './readScope.js'
import { readStamp } from './readStamp.js'
import { createRun, type Run, waitingCalls } from './Run.js'
import { callIdOf } from './trackCalls.js'
import { takeAsDenied } from './trackRequests.js'
import { callOf } from './trackResults.js'

/** What may be the first word of a run that goes on after an answer. */
const GOES_ON = /^(USER_CONFIRM_RESULT|EXTERNAL_EXECUTION_RESULT|TOOL_RESULT|ALL_TOOLS_DENIED)/
const ASKS = /^REQUIRE_/

const CUT = 'The stream ended before the reply did.'

/** What is known of an event besides what it says. */
export interface EventPlace {
  /** Who speaks, where it is known better than the event says. */
  readonly scope?: Scope
  /**
   * The stream is of one task. An end counts only when the task is known to be over: it comes also when the run parks, before it
   * asks. A start after that goes on with what was parked, whatever was decided.
   */
  readonly isTask?: boolean
}

/**
 * Follows the runs of a stream of Java events, whatever framing brought them.
 *
 * Java gives each model call its own `replyId` and calls all its texts `text`; here a run is one reply, and each block has an id
 * of its own. A run that parks ends on the wire and waits in the kit; the run that goes on with it has another id on the wire,
 * and is the same reply in the kit.
 */
export class JavaEvents {
  readonly #out: Output
  readonly #runs = new Map<string, Run>()
  readonly #parked = new Map<string, Run>()
  readonly #see = createSeen()
  readonly #bracket = createBrackets()
  readonly #sessionId: string | undefined
  #resumes: string | undefined
  /** Whether anything of the agent itself was heard. */
  #hasBegun = false
  /** A start that may be of a new reply or of a parked one: what follows tells. */
  #held: { readonly scope: Scope; readonly frame: JsonObject; readonly id: string } | undefined

  constructor(out: Output, options: DecoderOptions) {
    this.#out = out
    this.#resumes = options.resumes
    this.#sessionId = options.sessionId
  }

  /** Whether the agent itself runs. */
  get isRunning(): boolean {
    return this.#runs.has(ROOT.key) || this.#held?.scope.key === ROOT.key
  }

  /** Reads one event. */
  read(frame: JsonObject, place: EventPlace = {}): void {
    const type = readText(frame, 'type') ?? ''
    const name = eventName(type)
    const scope = place.scope ?? this.#scopeOf(type, name, frame)
    const id = this.#identify(type, frame, scope)
    if (id === null) return
    this.#out.begin(id, stampOf(frame))
    if (name === 'AGENT_START') this.#start(scope, frame, place.isTask === true)
    else if (name === 'AGENT_END') this.#end(scope, frame, place.isTask === true)
    else if (name === 'INTERRUPT') this.#interrupt(scope)
    else if (name === 'ERROR') this.#fail(scope, frame)
    else if (name === 'CUSTOM') this.#notify(frame, scope)
    else if (isNote(name)) this.#pass(name, frame, scope)
    else if (eventHandlers.has(name)) this.#follow(name, frame, scope)
    else if (type === '' && readField(frame, 'error') !== undefined) this.#fail(scope, frame)
    else if (type === '') this.#out.report('not-an-event', 'An event must have a type.', frame)
    else this.#out.report('unknown-event', `${type} is no event known here.`, frame)
  }

  /** The person said something. */
  say(id: string, text: string, frame: JsonObject): void {
    this.#out.begin(id || undefined, stampOf(frame))
    const message = UserMsg({
      id: id || this.#out.frameId,
      name: 'user',
      content: [{ type: 'text', id: `${id}:0`, text }],
      created_at: this.#out.createdAt ?? '',
    })
    this.#out.pass({ type: 'kit.user_message', message })
  }

  /** The agent's run is over, if nothing is asked. */
  settle(id: string): void {
    this.#release()
    const run = this.#runs.get(ROOT.key)
    const own = this.#recognise(id, '')
    if (run === undefined || own === null) return
    this.#out.begin(own, undefined)
    this.#stop(run)
  }

  /** The stream is over: what is over ends, what was cut off ends so, and what waits goes on waiting. */
  finish(cause: EndCause): void {
    this.#release()
    // Sub-agents first: they run within the agent's run.
    const runs = [...this.#runs.values()].toSorted(
      (one, other) => other.path.length - one.path.length,
    )
    for (const run of runs) {
      this.#out.begin(`${run.wireId}:${run.scope}end`, undefined)
      this.#breakOff(run, cause)
    }
  }

  /**
   * The id of the event itself; undefined where it has none, null for a repeat. An event of a tool may have the call's id in its
   * place, as the article writes it.
   */
  #identify(type: string, frame: JsonObject, scope: Scope): string | undefined | null {
    const id = readText(frame, 'id')
    if (id === undefined || id === '') return undefined
    const isOfCall = /^TOOL_.*_DELTA$/.test(type) && callIdOf(frame) === undefined
    if (isOfCall && this.#runs.get(scope.key)?.calls.has(id) === true) return undefined
    return this.#recognise(id, `${type} ${readText(frame, 'delta') ?? ''}`)
  }

  /** Who speaks. What is about a call of the agent itself is the agent's, whoever else has begun to speak. */
  #scopeOf(type: string, name: string, frame: JsonObject): Scope {
    const said = readScope(frame, name)
    if (type.startsWith('SUB_AGENT_')) return this.#bracket(type, frame, said)
    const id = callIdOf(frame) ?? readText(frame, 'id') ?? ''
    const isOfRoot = this.#runs.get(ROOT.key)?.calls.has(id) === true
    const mayBeOther = said === ROOT && !isOfRoot && name !== 'AGENT_RESULT'
    return mayBeOther && eventHandlers.has(name) ? this.#bracket(type, frame, said) : said
  }

  /** The id, if it is heard for the first time; null for the same again, undefined for another thing under a known id. */
  #recognise(id: string, content: string): string | undefined | null {
    const seen = this.#see(id, content)
    return seen === 'new' ? id : seen === 'same' ? null : undefined
  }

  #follow(name: string, frame: JsonObject, scope: Scope): void {
    const run = this.#runOf(name, frame, scope)
    if (run === undefined) return
    const legacy = name === 'TOOL_RESULT_TEXT_DELTA' ? readLegacy(frame) : undefined
    if (legacy !== undefined) {
      const inner = legacyScope(run, callOf(run, frame, 'begun'), legacy.name)
      legacy.events.forEach((event) => this.read(event, { scope: inner }))
      return
    }
    if (name === 'TOOL_RESULT_END') this.#endLegacy(run, frame)
    eventHandlers.get(name)?.(this.#out, run, frame)
    if (ASKS.test(name) && run.pendingEnd !== undefined) this.#stop(run)
  }

  #start(scope: Scope, frame: JsonObject, isTask: boolean): void {
    this.#release()
    const current = this.#runs.get(scope.key)
    const wireId = readText(frame, 'replyId')
    if (current !== undefined) {
      if (wireId !== undefined && current.wireId === wireId) return
      // The answer, told first, has begun it.
      if (current.isImplied && current.isResumed && current.stage === undefined) {
        current.isImplied = false
        const name = readText(frame, 'name') ?? current.name
        this.#out.tell(current, { type: 'REPLY_START', name, role: 'assistant' })
        return
      }
      if (scope.key !== '' && current.pendingEnd === undefined) {
        current.starts += 1
        return
      }
      this.#breakOff(current, current.isImplied ? 'eof' : 'error')
    }
    const latest = [...this.#parked.values()].findLast((run) => run.scope === scope.key)
    const known = isTask ? latest : this.#parked.get(wireId ?? '')
    if (isTask && known !== undefined) takeAsDenied(known)
    if (latest !== undefined && known === undefined && this.#resumes === undefined)
      this.#held = { scope, frame, id: this.#out.frameId }
    else this.#open(scope, frame, known)
  }

  /** Begins a run: a new reply, or the next part of a parked one. */
  #open(scope: Scope, frame: JsonObject, parked?: Run, isImplied = false): Run {
    const wireId = readText(frame, 'replyId') || `${this.#out.frameId}:run`
    const isRoot = scope.key === ROOT.key
    const resumes = isRoot ? this.#resumes : undefined
    if (isRoot) {
      this.#resumes = undefined
      this.#hasBegun = true
    }
    const replyId = parked?.replyId ?? resumes ?? wireId
    const before = parked ?? this.#parked.get(replyId)
    const name = readText(frame, 'name', 'agentName') ?? before?.name ?? scope.path.at(-1) ?? ''
    const isResumed = before !== undefined || resumes !== undefined
    const { key, path } = scope
    const startedAt = this.#out.createdAt
    const run = createRun(
      { scope: key, replyId, wireId, path, name, startedAt, isImplied, isResumed },
      before,
    )
    this.#parked.delete(replyId)
    this.#runs.set(key, run)
    const session_id = readText(frame, 'sessionId') ?? (isRoot ? this.#sessionId : undefined)
    const session = session_id === undefined ? {} : { session_id }
    this.#out.tell(run, { type: 'REPLY_START', ...session, name, role: 'assistant' })
    if (!isResumed) linkToCall(this.#out, this.#runs.get(ROOT.key), run, scope, frame)
    return run
  }

  /** The run that an event is of. One that nobody announced begins with its first event. */
  #runOf(name: string, frame: JsonObject, scope: Scope): Run | undefined {
    this.#release(scope, name, frame)
    const run = this.#runs.get(scope.key)
    if (run !== undefined) return run
    const parked = this.#findParked(name, frame, scope)
    if (parked !== undefined && ASKS.test(name)) return parked
    const isWhole = readText(frame, 'fullText') !== undefined
    const isAlone = name === 'AGENT_RESULT' && !this.#hasBegun
    if (parked === undefined && !isBeginning(name) && !isWhole && !isAlone) return undefined
    // The event goes on under its own id; what begins the run is derived from it.
    const { frameId, createdAt } = this.#out
    this.#out.begin(`${frameId}:start`, createdAt)
    const { metadata = null } = frame
    const opened = this.#open(scope, { metadata }, parked, true)
    this.#out.begin(frameId, createdAt)
    return opened
  }

  /** A held start turns out to be of a parked reply, or of a new one. */
  #release(scope?: Scope, name = '', frame: JsonObject = {}): void {
    const held = this.#held
    if (held === undefined || (scope !== undefined && scope.key !== held.scope.key)) return
    this.#held = undefined
    const { frameId, createdAt } = this.#out
    this.#out.begin(held.id, stampOf(held.frame))
    this.#open(held.scope, held.frame, this.#findParked(name, frame, held.scope))
    this.#out.begin(frameId, createdAt)
  }

  /** The parked run that an event goes on with: the one whose question it answers, or whose call it is about. */
  #findParked(name: string, frame: JsonObject, scope: Scope): Run | undefined {
    const parked = [...this.#parked.values()].filter((run) => run.scope === scope.key)
    // A server before 2.0.3 takes the client's results without an event.
    if (name === 'MODEL_CALL_START') {
      return parked.findLast((run) =>
        waitingCalls(run).some(([, { waits }]) => waits === 'external'),
      )
    }
    if (parked.length === 0 || !(GOES_ON.test(name) || ASKS.test(name))) return undefined
    const replyId = readText(frame, 'replyId') ?? ''
    const text = JSON.stringify(frame)
    return (
      parked.find(({ asks }) => asks.has(replyId)) ??
      parked.findLast(({ calls }) =>
        [...calls.keys()].some((id) => text.includes(JSON.stringify(id))),
      )
    )
  }

  #end(scope: Scope, frame: JsonObject, isTask: boolean): void {
    this.#release()
    const run = this.#runs.get(scope.key)
    if (run === undefined) return
    if (run.starts > 1) {
      run.starts -= 1
      return
    }
    const reason = readText(frame, 'finishedReason')?.toLowerCase()
    if (reason !== undefined) {
      const isError = readField(frame, 'error') !== undefined
      this.#runs.delete(scope.key)
      closeRun(this.#out, run, reason, isError ? readError(frame) : undefined)
    } else if (isTask && scope.key === ROOT.key && waitingCalls(run).length === 0) {
      run.pendingEnd = finishedReasonOf(run.reason)
    } else this.#stop(run)
  }

  #interrupt(scope: Scope): void {
    this.#release()
    const run = this.#runs.get(scope.key)
    if (run === undefined) return
    run.reason = 'INTERRUPTED'
    this.#close(run)
  }

  #fail(scope: Scope, frame: JsonObject): void {
    const run = this.#runOf('ERROR', frame, scope)
    if (run === undefined) return
    this.#runs.delete(scope.key)
    closeRun(this.#out, run, 'error', readError(frame))
  }

  /** The wire's end of a run: it waits if something is asked, and is over otherwise. */
  #stop(run: Run): void {
    if (!isWaiting(run)) {
      this.#close(run)
      return
    }
    parkRun(this.#out, run)
    this.#runs.delete(run.scope)
    this.#parked.set(run.replyId, run)
  }

  #close(run: Run): void {
    this.#runs.delete(run.scope)
    closeRun(this.#out, run, finishedReasonOf(run.reason))
  }

  #breakOff(run: Run, cause: EndCause): void {
    const isOver = run.hasResult || run.pendingEnd !== undefined
    if (isOver || isWaiting(run) || (run.isImplied && cause === 'eof')) this.#stop(run)
    else {
      this.#runs.delete(run.scope)
      if (cause === 'abort') closeRun(this.#out, run, 'interrupted')
      else closeRun(this.#out, run, 'error', { type: 'connection', message: CUT })
    }
  }

  /** An agent that was a tool is over when its call is. */
  #endLegacy(run: Run, frame: JsonObject): void {
    const inner = this.#runs.get(legacyScope(run, callOf(run, frame, 'begun'), '').key)
    if (inner !== undefined) this.#close(inner)
  }

  #notify(frame: JsonObject, scope: Scope): void {
    const value = readField(frame, 'value')
    const isObject = typeof value === 'object' && !Array.isArray(value)
    const object = isObject ? readObject(frame, 'value') : value === undefined ? {} : { value }
    this.#out.note(readText(frame, 'name') ?? 'custom', object, scope)
  }

  #pass(name: string, frame: JsonObject, scope: Scope): void {
    const run = this.#runs.get(scope.key)
    const reason = readText(frame, 'generateReason')
    if (name === 'REQUEST_STOP' && run !== undefined) run.reason = reason
    const id = name === 'SUBAGENT_EXPOSED' ? readText(frame, 'subagentId') : undefined
    const note = name.toLowerCase()
    this.#out.note(id === undefined ? note : `${note}:${id}`, toSnakeFields(frame), scope)
  }
}

function isWaiting(run: Run): boolean {
  return mayPark(run.reason) && waitingCalls(run).length > 0
}

function stampOf(frame: JsonObject): string | undefined {
  return readStamp(readField(frame, 'createdAt', 'timestamp'))
}
