import type { DataBlock, FinishedReason, JsonObject, TextBlock } from '../../protocol/index.js'

/** A block of text, thinking or data as it comes in. */
export interface OpenBlock {
  /** Its kind. */
  readonly kind: 'text' | 'thinking' | 'data'
  /** Its id in the kit. */
  readonly id: string
  /** Whether its end is still to come. */
  isOpen: boolean
  /** Whether anything is in it. */
  isFilled: boolean
  /** Whether it was begun by a delta: nobody will end it, so whatever else begins does. */
  readonly isImplied: boolean
  /** Whether the kit was told of it: data waits for a media type. */
  isTold: boolean
  /** Of data, when it was said. */
  mediaType: string | undefined
}

/** A tool call and its result as they come in. */
export interface Call {
  /** Its id in the kit. */
  readonly id: string
  /** The tool's name. */
  readonly name: string
  /** The model call it was made in, by the wire's word. */
  readonly segment: string
  /** When it began. */
  createdAt: string | undefined
  /** When it was written. */
  finishedAt: string | undefined
  /** Whether the model still writes it. */
  isWriting: boolean
  /** Whether its call was told here; that of a resumed run was told before. */
  readonly isTold: boolean
  /** The arguments so far. */
  input: string
  /** `begun`: the wire began it, but it may turn out to be for the client to run, and then there is none yet. */
  result: 'none' | 'begun' | 'shown' | 'ended'
  /** When the result began. */
  begunAt: string | undefined
  /** Text that is a result only if the tool was not suspended. */
  held: string
  /** What the result holds so far. */
  output: (TextBlock | DataBlock)[]
  /** What the tool said about its result. */
  metadata: JsonObject | undefined
  /** What it waits for. */
  waits: 'confirm' | 'external' | undefined
  /** Whether the client was asked to run it. */
  isHandedOut: boolean
  /** Whether a person approved it: the message knows that it runs. */
  isApproved: boolean
  /** Denied by the person, or by a rule without a word. */
  isDenied: boolean
  /** Whether a sub-agent is known to run in it. */
  isParent: boolean
}

/** One run of an agent, from its start to its end: a reply of the kit, or a part of one that goes on after an answer. */
export interface Run {
  /** The scope it runs in: the agent itself, or a sub-agent. */
  readonly scope: string
  /** The kit's reply. */
  readonly replyId: string
  /** The run's id by the wire's word; made up where the wire has none. */
  readonly wireId: string
  /** Sub-agents on the way to the speaker. */
  readonly path: readonly string[]
  /** The speaker's name. */
  readonly name: string
  /** When it began. */
  readonly startedAt: string | undefined
  /** Whether the wire said that it began; a sender that does not say so does not say when it ends, either. */
  isImplied: boolean
  /** Whether it goes on with a reply that was told before: then the message has its calls. */
  readonly isResumed: boolean
  /** Runs of one sub-agent at the same time cannot be told apart: so many starts share this one. */
  starts: number
  /** The latest block of each key. */
  readonly blocks: Map<string, OpenBlock>
  /** The block that a delta began. */
  implied: string | undefined
  /** Calls by the wire's id. */
  readonly calls: Map<string, Call>
  /** Calls that are the framework's own and not shown. */
  readonly hidden: Set<string>
  /** The call that was last begun. */
  lastCall: string | undefined
  /** How many ids were made of each beginning. */
  readonly ordinals: Map<string, number>
  /** What the current model call said. */
  said: string
  /** Whether the current model call brought data. */
  hasData: boolean
  /** What was last heard of model calls: one is open, it ended, or tools came after it. */
  stage: 'open' | 'ended' | 'tools' | undefined
  /** Replies (by the wire's word) whose questions this run asked. */
  readonly asks: Set<string>
  /** Why it stopped, when it was told before the end. */
  reason: string | undefined
  /** Whether its last message was told: then it is over, whatever becomes of the stream. */
  hasResult: boolean
  /** An end that counts when nothing else comes. */
  pendingEnd: FinishedReason | undefined
}

/** What begins a run. */
export type RunInit = Pick<
  Run,
  'scope' | 'replyId' | 'wireId' | 'path' | 'name' | 'startedAt' | 'isImplied' | 'isResumed'
>

/**
 * Begins a run.
 *
 * @param init - Who and where.
 * @param parked - The run it goes on with.
 */
export function createRun(init: RunInit, parked?: Run): Run {
  return {
    ...init,
    starts: 1,
    blocks: new Map(),
    implied: undefined,
    calls: new Map(parked?.calls),
    hidden: new Set(parked?.hidden),
    lastCall: undefined,
    ordinals: new Map(parked?.ordinals),
    said: '',
    hasData: false,
    stage: undefined,
    asks: new Set(parked?.asks),
    reason: undefined,
    hasResult: false,
    pendingEnd: undefined,
  }
}

/**
 * Makes an id that no other block of the run has.
 *
 * @param run - The run.
 * @param prefix - What it begins with.
 */
export function nextId(run: Run, prefix: string): string {
  const count = run.ordinals.get(prefix) ?? 0
  run.ordinals.set(prefix, count + 1)
  return `${prefix}:${count}`
}

/** The calls of a run that wait for the person or the client. */
export function waitingCalls(run: Run): readonly (readonly [string, Call])[] {
  return [...run.calls].filter(([, call]) => call.waits !== undefined && call.result !== 'ended')
}
