import type {
  DataBlock,
  FinishedReason,
  JsonObject,
  Msg,
  PermissionRule,
  ReplyError,
  TextBlock,
  ToolResultState,
} from '../../protocol/index.js'

/** Text or reasoning, in the chunks in which it arrives. */
export interface TextScript {
  /** What it is. */
  readonly kind: 'text' | 'thinking'
  /** The chunks; their concatenation is what is stored. */
  readonly chunks: readonly string[]
}

/** Bytes that the agent itself sends: a voice, a picture, a file. */
export interface BytesScript {
  /** What it is. */
  readonly kind: 'bytes'
  /** The block's id; providers choose it. */
  readonly id: string
  /** Such as `audio/wav`. */
  readonly mediaType: string
  /** A file name, or null. */
  readonly name: string | null
  /** The bytes, in the pieces in which they arrive. */
  readonly chunks: readonly Uint8Array[]
}

/** Bytes that stay elsewhere; sent as their address. */
export interface LinkScript {
  /** What it is. */
  readonly kind: 'link'
  /** The block's id. */
  readonly id: string
  /** Such as `video/mp4`. */
  readonly mediaType: string
  /** A file name, or null. */
  readonly name: string | null
  /** The address. */
  readonly url: string
}

/** Something a model writes besides tool calls. */
export type WritingScript = TextScript | BytesScript | LinkScript

/** A piece of what a tool gives back: text, bytes or an address. */
export type OutputScript =
  | { readonly text: string }
  | { readonly id: string; readonly mediaType: string; readonly bytes: Uint8Array }
  | { readonly id: string; readonly mediaType: string; readonly url: string }

/** What a tool gives back. */
export interface ToolOutcome {
  /** The pieces, in the order in which they arrive. */
  readonly output: readonly OutputScript[]
  /** How it ends; `success` by default. */
  readonly state?: 'success' | 'error'
  /** What the tool says about its result; empty by default. */
  readonly metadata?: JsonObject
}

/** A tool call, how it may run, and what comes of it. */
export interface ToolCallScript {
  /** The call's id, unique within its reply. */
  readonly id: string
  /** The tool. */
  readonly name: string
  /** The raw JSON of the arguments, in the chunks in which it arrives. */
  readonly chunks: readonly string[]
  /** `approval`: a person decides. `execution`: the client runs it. By default it just runs. */
  readonly needs?: 'approval' | 'execution'
  /** Rules offered with the question; by default one for the whole tool. */
  readonly suggestedRules?: readonly PermissionRule[]
  /** How long it runs, in milliseconds at pace 1; 0 by default. Of calls that run together the quickest ends first. */
  readonly takesMs?: number
  /** What it gives back; told the arguments that run, which a person may have edited. Not used when the client runs it. */
  readonly outcome?: (input: string) => ToolOutcome
}

/** How a call ended, for what comes next. */
export interface CallEnd {
  /** The result's state. */
  readonly state: ToolResultState
  /** The text of the result. */
  readonly text: string
}

/** An attempt at a call of the model that fails and is made anew. */
export interface FailedAttempt {
  /** What it has written by then, of which nothing is kept. */
  readonly says?: readonly TextScript[]
  /** What the model's service answers; by default the line breaks. */
  readonly error?: { readonly message: string; readonly status: number }
  /** How long until the next attempt, in milliseconds at pace 1; 1,000 by default. */
  readonly retryMs?: number
}

/** One call of the model, and the run of the tools it called. */
export interface ModelStep {
  /** What it is. */
  readonly kind: 'model'
  /** What it writes, in order. */
  readonly says?: readonly WritingScript[]
  /** `true` lets the chunks of all it says arrive in turns, as a spoken answer's do. */
  readonly isWoven?: boolean
  /** Attempts that fail before this one. AgentScope says nothing of them, so there they only take time; the Task API tells. */
  readonly attempts?: readonly FailedAttempt[]
  /** The tools it calls; their arguments arrive in turns. */
  readonly calls?: readonly ToolCallScript[]
  /** Tokens: `[input, output, read from cache]`. */
  readonly usage?: readonly [input: number, output: number, cached?: number]
  /** The model fails after its last chunk: the last block stays open and the reply ends with this error. */
  readonly fails?: ReplyError
}

/** The agent is told something. */
export interface HintStep {
  /** What it is. */
  readonly kind: 'hint'
  /** The sender: plain text, or JSON with `label` and `sublabel`. */
  readonly source: string | null
  /** The hint. */
  readonly hint: string | readonly (TextBlock | DataBlock)[]
}

/** An event of the session or the app. */
export interface CustomStep {
  /** What it is. */
  readonly kind: 'custom'
  /** Its name. */
  readonly name: string
  /** Its content; empty by default. */
  readonly value?: JsonObject
}

/** Time passes. */
export interface WaitStep {
  /** What it is. */
  readonly kind: 'wait'
  /** Milliseconds at pace 1, or a promise to wait for: a test's gate. */
  readonly until: number | Promise<unknown>
}

/** What comes next depends on how the calls of the reply ended. */
export interface BranchStep {
  /** What it is. */
  readonly kind: 'branch'
  /** Gives the steps to play; told how each call ended, by its id. */
  readonly next: (ends: ReadonlyMap<string, CallEnd>) => readonly Step[]
}

/** A worker of the agent begins in a session of its own; its report wakes the agent. */
export interface WorkerStep {
  /** What it is. */
  readonly kind: 'worker'
  /** The worker's name. */
  readonly name: string
  /** What it does. */
  readonly scene: Scene
  /** What the agent does with it when it is done; told how the worker's calls ended. */
  readonly report: (ends: ReadonlyMap<string, CallEnd>) => Scene
}

/** The reply ends early. At the end of the steps it ends as `completed` by itself. */
export interface EndStep {
  /** What it is. */
  readonly kind: 'end'
  /** Why. */
  readonly reason: FinishedReason
  /** What went wrong, if something did. */
  readonly error?: ReplyError
}

/** A step of a scene. */
export type Step = ModelStep | HintStep | CustomStep | WaitStep | BranchStep | WorkerStep | EndStep

/** One reply. */
export interface Scene {
  /** What happens, in order. */
  readonly steps: readonly Step[]
  /**
   * A reply that the agent begins by itself afterwards, as when a tool in the background is done. With `isSameTask` it goes on with
   * its work, as after its memory was compressed: where work is counted in tasks, both are one.
   */
  readonly followUp?: {
    readonly afterMs: number
    readonly scene: Scene
    readonly isSameTask?: boolean
  }
}

/** What a reply is made for. */
export interface Cue {
  /** The text of the newest user message; empty when there was none. */
  readonly text: string
  /** `true` when the person let the agent go on without a message. */
  readonly isContinue: boolean
  /** All stored messages, the new one included. */
  readonly messages: readonly Msg[]
}

/** A conversation that exists before anyone spoke. */
export interface StoredSession {
  /** Its name. */
  readonly name: string
  /** Its messages, oldest first. */
  readonly messages: readonly Msg[]
}

/** An agent that follows a script. */
export interface AgentScript {
  /** Its id. */
  readonly id: string
  /** Its name. */
  readonly name: string
  /** What it would be told as a system prompt. */
  readonly systemPrompt?: string
  /** Chooses the reply to what was said. */
  readonly perform: (cue: Cue) => Scene
  /** Conversations every user finds at the beginning; none by default. */
  readonly sessions?: () => readonly StoredSession[]
}
