import type {
  ConfirmResult,
  PermissionRule,
  ToolCallBlock,
  ToolResultBlock,
} from '../../protocol/index.js'
import type { CallEnd, OutputScript, ToolOutcome } from './AgentScript.js'
import { fromBase64 } from './base64.js'
import type { Marks } from './Marks.js'
import type { Play } from './Pace.js'
import { covers } from './permissionRules.js'
import type { PermissionRules } from './permissionRules.js'
import type { Reply } from './Reply.js'
import { storedCall } from './storedBlock.js'
import type { PlacedCall } from './storedBlock.js'

const INTERRUPTED =
  '<system-reminder>The tool call has been interrupted by the user.</system-reminder>'

/** What a batch needs of its session. */
export interface BatchPlace {
  /** What may run without asking. */
  readonly rules: PermissionRules
  /** Gives ids. */
  readonly marks: Marks
}

/** A call of the batch and what is known about how it runs. */
interface Turn {
  readonly call: PlacedCall
  /** What a person or a rule said about it, or the client's own result. */
  answer: 'open' | 'allowed' | 'denied' | ToolResultBlock
  /** The arguments that run: what the model wrote, or what a person made of them. */
  input: string
}

/** The tool calls of one model call: asks, waits for answers in any order, runs. */
export class ToolBatch {
  readonly #reply: Reply
  readonly #place: BatchPlace
  readonly #turns: readonly Turn[]

  /**
   * @param reply - The reply the calls belong to.
   * @param calls - The calls, complete.
   * @param place - Its session.
   */
  constructor(reply: Reply, calls: readonly PlacedCall[], place: BatchPlace) {
    this.#reply = reply
    this.#place = place
    this.#turns = calls.map((call) => ({
      call,
      answer: call.script.needs === undefined ? 'allowed' : 'open',
      input: call.script.chunks.join(''),
    }))
  }

  /** What the batch waits for. */
  get awaits(): 'nothing' | 'approval' | 'execution' {
    const states = this.#turns.map(({ call }) => call.state)
    if (states.includes('asking')) return 'approval'
    return states.includes('submitted') ? 'execution' : 'nothing'
  }

  /** The calls that wait, as they were asked about. */
  get waitingCalls(): readonly ToolCallBlock[] {
    const waiting = this.#turns.filter(
      ({ call }) => call.state === 'asking' || call.state === 'submitted',
    )
    return waiting.map(({ call }) => asAsked(call))
  }

  /** Whether every call has its result. */
  get isDone(): boolean {
    return this.#turns.every(({ call }) => call.state === 'finished' && this.#hasResult(call))
  }

  /** Takes decisions; gives how many of them were waited for. */
  confirm(results: readonly ConfirmResult[]): number {
    return results.filter((result) => this.#confirmOne(result)).length
  }

  /** Takes results of calls that the client ran; gives how many of them were waited for. */
  submit(results: readonly ToolResultBlock[]): number {
    return results.filter((result) => {
      const turn = this.#turns.find(
        ({ call }) => call.script.id === result.id && call.state === 'submitted',
      )
      if (turn?.answer !== 'open') return false
      turn.answer = result
      return true
    }).length
  }

  /** Asks what has to be asked and runs what may run. */
  *run(): Play {
    const ready = this.#turns.filter((turn) => this.#prepare(turn))
    ready.sort((one, other) => takesMs(one) - takesMs(other))
    let passed = 0
    for (const turn of ready) {
      yield takesMs(turn) - passed
      passed = takesMs(turn)
      yield* this.#answerTurn(turn)
    }
  }

  /** Gives every call that was denied its result. */
  deny(): void {
    for (const { call, answer } of this.#turns) {
      if (answer === 'denied' && !this.#hasResult(call)) this.#tellDenied(call)
    }
  }

  /** Gives every call that has none an interrupted result. */
  interrupt(): void {
    for (const { call } of this.#turns) {
      if (this.#hasResult(call)) continue
      const result = this.#reply.openResult(call)
      this.#reply.sendOutput(result, { text: INTERRUPTED })
      this.#reply.finishResult(call, result, 'interrupted')
    }
  }

  /** How the calls ended, by their ids. */
  ends(): ReadonlyMap<string, CallEnd> {
    return new Map(
      this.#turns.map(({ call }) => {
        const result = this.#reply.resultOf(call)
        const text = (result?.pieces ?? []).map(({ piece }) => ('text' in piece ? piece.text : ''))
        return [call.script.id, { state: result?.state ?? 'running', text: text.join('') }]
      }),
    )
  }

  #hasResult(call: PlacedCall): boolean {
    return (this.#reply.resultOf(call)?.finishedAt ?? null) !== null
  }

  #confirmOne({ confirmed, tool_call, rules }: ConfirmResult): boolean {
    const turn = this.#turns.find(
      ({ call }) => call.script.id === tool_call.id && call.state === 'asking',
    )
    if (turn === undefined) return false
    turn.answer = confirmed ? 'allowed' : 'denied'
    turn.call.state = confirmed ? 'allowed' : 'finished'
    if (confirmed) {
      turn.input = tool_call.input
      for (const rule of rules ?? []) this.#place.rules.add(rule)
    }
    return true
  }

  /** Opens the result of a call that may run and says so, or asks for what it lacks. */
  #prepare(turn: Turn): boolean {
    const { call, answer } = turn
    if (this.#hasResult(call)) return false
    if (answer === 'open') {
      if (call.script.needs === 'execution') this.#requireExecution(call)
      else if (this.#place.rules.allow(call.script.name, turn.input)) turn.answer = 'allowed'
      else this.#ask(turn)
    }
    if (turn.answer === 'open') return false
    this.#reply.openResult(call)
    return true
  }

  #requireExecution(call: PlacedCall): void {
    if (call.state === 'submitted') return
    this.#reply.openResult(call)
    call.state = 'submitted'
    this.#reply.say({ type: 'REQUIRE_EXTERNAL_EXECUTION', tool_calls: [asAsked(call)] })
  }

  /** A call that the rule offered for another one would cover waits for that one's answer. */
  #ask({ call, input }: Turn): void {
    const { name, suggestedRules } = call.script
    const isAsked = this.#turns.some(
      (other) =>
        other.call.state === 'asking' &&
        (other.call === call || other.call.rules.some((rule) => covers(rule, name, input))),
    )
    if (isAsked) return
    call.state = 'asking'
    call.rules = suggestedRules ?? [wholeTool(name)]
    this.#reply.say({ type: 'REQUIRE_USER_CONFIRM', tool_calls: [asAsked(call)] })
  }

  #tellDenied(call: PlacedCall): void {
    const result = this.#reply.openResult(call)
    const text = `<system-reminder>The execution of tool "${call.script.name}" is denied by user!</system-reminder>`
    this.#reply.sendOutput(result, { text })
    this.#reply.finishResult(call, result, 'denied')
  }

  *#answerTurn(turn: Turn): Play {
    const { call, answer } = turn
    if (answer === 'denied') return this.#tellDenied(call)
    const result = this.#reply.openResult(call)
    const isClients = typeof answer === 'object'
    const outcome = isClients ? { output: outputOf(answer, this.#place.marks) } : outcomeOf(turn)
    for (const piece of outcome.output) {
      yield 'beat'
      this.#reply.sendOutput(result, piece)
    }
    if (isClients) this.#reply.finishResult(call, result, answer.state, answer.metadata)
    else this.#reply.finishResult(call, result, outcome.state ?? 'success', outcome.metadata)
  }
}

function takesMs({ call, answer }: Turn): number {
  return answer === 'allowed' ? (call.script.takesMs ?? 0) : 0
}

function outcomeOf({ call, input }: Turn): ToolOutcome {
  return call.script.outcome?.(input) ?? { output: [{ text: `${call.script.name} finished.` }] }
}

function wholeTool(tool_name: string): PermissionRule {
  return { tool_name, rule_content: null, behavior: 'allow', source: 'suggested' }
}

function asAsked(call: PlacedCall): ToolCallBlock {
  return { ...storedCall(call), finished_at: null }
}

function outputOf({ output }: ToolResultBlock, marks: Marks): readonly OutputScript[] {
  if (typeof output === 'string') return output === '' ? [] : [{ text: output }]
  return output.map((block): OutputScript => {
    if (block.type === 'text') return { text: block.text }
    const { source } = block
    const data = { id: block.id === '' ? marks.id() : block.id, mediaType: source.media_type }
    return source.type === 'url'
      ? { ...data, url: source.url }
      : { ...data, bytes: fromBase64(source.data) }
  })
}
