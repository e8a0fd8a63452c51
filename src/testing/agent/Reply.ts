import type {
  AgentEvent,
  FinishedReason,
  JsonObject,
  Msg,
  ReplyError,
  ToolResultState,
  Usage,
} from '../../protocol/index.js'
import type { HintStep, OutputScript, ToolCallScript, WritingScript } from './AgentScript.js'
import type { Aside } from './Aside.js'
import type { Marks } from './Marks.js'
import { callEvents, outputEvent, writingEvents } from './pieceEvents.js'
import type { EventBody, PieceEvents } from './pieceEvents.js'
import { storedBlock } from './storedBlock.js'
import type { Placed, PlacedCall, PlacedResult, PlacedWriting } from './storedBlock.js'

/** What a reply needs to know of its session. */
export interface ReplyPlace {
  /** The session. */
  readonly sessionId: string
  /** The speaker's name; a synthetic reply has the agent's id here. */
  readonly name: string
  /** Gives ids and times. */
  readonly marks: Marks
  /** Sends an event to whoever listens. */
  publish(event: AgentEvent): void
  /** Tells what has no event. */
  aside(aside: Aside): void
}

/** What may be open: writing, or the arguments of a call. */
type Opened = PlacedWriting | PlacedCall

const NOT_PREPARED: ReplyError = {
  type: 'setup',
  message:
    "The session could not be prepared — check the agent's model, tools and knowledge bases.",
}

/** A reply on its way: sends its events, and knows what is stored of it. */
export class Reply {
  /** The reply's id, and its message's. */
  readonly id: string
  /** Whether `REPLY_END` was sent since it began or went on. */
  isEnded = false
  readonly #createdAt: string
  readonly #place: ReplyPlace
  readonly #placed: Placed[] = []
  readonly #events = new Map<Opened, PieceEvents>()
  #usage: Usage | null = null
  #end: Pick<Msg, 'finished_at' | 'finished_reason' | 'error'> = {
    finished_at: null,
    finished_reason: null,
    error: null,
  }

  /** @param place - Where it is spoken. */
  constructor(place: ReplyPlace) {
    this.#place = place
    this.id = place.marks.id()
    this.#createdAt = place.marks.stamp()
  }

  /** Sends an event of this reply and gives its stamp. */
  say({ type, ...fields }: EventBody): string {
    const created_at = this.#place.marks.stamp()
    const envelope = {
      id: this.#place.marks.id(),
      created_at,
      metadata: {},
      type,
      reply_id: this.id,
    }
    this.#place.publish(asEvent({ ...envelope, ...fields }))
    return created_at
  }

  /** Tells what has no event. */
  aside(aside: Aside): void {
    this.#place.aside(aside)
  }

  /** Sends `REPLY_START`: at the beginning, and whenever the reply goes on. */
  begin(): void {
    this.isEnded = false
    const { sessionId: session_id, name } = this.#place
    this.say({ type: 'REPLY_START', session_id, name, role: 'assistant' })
  }

  /** Sends and places a hint. */
  hint(script: HintStep): void {
    const id = this.#place.marks.id()
    this.#placed.push({ kind: 'hint', script, id, createdAt: this.#place.marks.stamp() })
    this.say({ type: 'HINT_BLOCK', block_id: id, source: script.source, hint: script.hint })
  }

  /** Begins a piece of writing. */
  open(script: WritingScript): PlacedWriting {
    const id = 'id' in script ? script.id : this.#place.marks.id()
    const start = { createdAt: this.#place.marks.stamp(), sent: 0, finishedAt: null }
    return this.#begun({ kind: 'writing', script, id, ...start }, writingEvents(script, id))
  }

  /** Begins a call. */
  openCall(script: ToolCallScript): PlacedCall {
    const start = { createdAt: this.#place.marks.stamp(), sent: 0, finishedAt: null }
    const call: PlacedCall = { kind: 'call', script, state: 'pending', rules: [], ...start }
    return this.#begun(call, callEvents(script))
  }

  /** Sends the next chunk. */
  sendChunk(opened: Opened): void {
    const chunk = this.#events.get(opened)?.chunks[opened.sent]
    if (chunk === undefined) return
    this.say(chunk)
    opened.sent += 1
  }

  /** Ends a piece of writing, or the arguments of a call. */
  finish(opened: Opened): void {
    const events = this.#events.get(opened)
    if (events !== undefined) opened.finishedAt = this.say(events.end)
  }

  /** Ends all that is open, as an interrupt does. */
  finishOpen(): void {
    for (const opened of this.#events.keys()) {
      if (opened.finishedAt === null) this.finish(opened)
    }
  }

  /** The calls written so far. */
  get calls(): readonly PlacedCall[] {
    return this.#placed.filter((piece) => piece.kind === 'call')
  }

  /** The result of a call, if it has begun. */
  resultOf(call: PlacedCall): PlacedResult | undefined {
    return this.#placed.find(
      (piece): piece is PlacedResult => piece.kind === 'result' && piece.script === call.script,
    )
  }

  /** Begins the result of a call; gives the one that is there already. */
  openResult(call: PlacedCall): PlacedResult {
    const known = this.resultOf(call)
    if (known !== undefined) return known
    const { id: tool_call_id, name: tool_call_name } = call.script
    const createdAt = this.say({ type: 'TOOL_RESULT_START', tool_call_id, tool_call_name })
    const start = { createdAt, pieces: [], finishedAt: null, state: 'running', metadata: {} }
    const result: PlacedResult = { kind: 'result', script: call.script, ...start }
    this.#placed.push(result)
    return result
  }

  /** Sends a piece of a result. */
  sendOutput(result: PlacedResult, piece: OutputScript): void {
    const at = this.say(outputEvent(result.script.id, piece))
    result.pieces.push({ piece, id: 'text' in piece ? this.#place.marks.id() : piece.id, at })
  }

  /** Ends a result, and with it its call. */
  finishResult(
    call: PlacedCall,
    result: PlacedResult,
    state: ToolResultState,
    metadata: JsonObject = {},
  ): void {
    const tool_call_id = call.script.id
    const finishedAt = this.say({ type: 'TOOL_RESULT_END', tool_call_id, state, metadata })
    Object.assign(result, { state, metadata, finishedAt })
    call.state = 'finished'
  }

  /** Ends a model call and adds its tokens. */
  countModelCall(usage: Usage, finished_reason: 'completed' | 'interrupted'): void {
    this.say({ type: 'MODEL_CALL_END', ...usage, finished_reason })
    this.#usage = this.#usage === null ? usage : addUp(this.#usage, usage)
  }

  /** Sends `REPLY_END`. */
  end(finished_reason: FinishedReason, error: ReplyError | null = null): void {
    this.isEnded = true
    const { sessionId: session_id } = this.#place
    const finished_at = this.say({ type: 'REPLY_END', session_id, finished_reason, error })
    this.#end = { finished_at, finished_reason, error }
  }

  /** Ends a reply for which the service could not prepare the agent. */
  refuse(): void {
    this.end('error', NOT_PREPARED)
  }

  /** What is stored of it. */
  toMessage(): Msg {
    return {
      name: this.#place.name,
      content: this.#placed.map((piece) => storedBlock(piece)),
      role: 'assistant',
      id: this.id,
      metadata: {},
      created_at: this.#createdAt,
      usage: this.#usage,
      structured_output: null,
      ...this.#end,
    }
  }

  #begun<Piece extends Opened>(piece: Piece, events: PieceEvents): Piece {
    this.#placed.push(piece)
    this.#events.set(piece, events)
    this.say(events.start)
    return piece
  }
}

function addUp(one: Usage, other: Usage): Usage {
  return {
    input_tokens: one.input_tokens + other.input_tokens,
    output_tokens: one.output_tokens + other.output_tokens,
    cache_input_tokens: one.cache_input_tokens + other.cache_input_tokens,
    cache_creation_input_tokens:
      one.cache_creation_input_tokens + other.cache_creation_input_tokens,
  }
}

/** A body and the envelope are an event; TypeScript loses the union's members in a spread, hence the cast. */
function asEvent(event: object): AgentEvent {
  return event as AgentEvent
}
