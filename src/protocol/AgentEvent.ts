import type { ToolCallBlock, ToolResultBlock, ToolResultState } from './ContentBlock.js'
import type { DataBlock, TextBlock } from './ContentBlock.js'
import type { JsonObject } from './JsonValue.js'
import type { FinishedReason, ReplyError, Role } from './Msg.js'
import type { OpenEnum } from './OpenEnum.js'
import type { PermissionRule } from './PermissionRule.js'

/**
 * What all events share. The service sends every field; those with a question mark may be missing
 * when another sender leaves out what has a default.
 */
export interface EventBase {
  /** Unique per emission: the only identity an event has. A replay repeats it. */
  readonly id?: string
  /** Naive ISO time in the server's zone. */
  readonly created_at?: string
  /** Whatever the sender attached. */
  readonly metadata?: JsonObject
  /** Who should see the event; sent by newer servers. */
  readonly visibility?: string
  /** Names of the sub-agents on the way to the one that speaks, outermost first: the kit's one extension of the envelope. */
  readonly agent_path?: readonly string[]
}

/** What all events of a reply share. */
export interface ReplyEventBase extends EventBase {
  /** The reply, and the id of its message. */
  readonly reply_id: string
}

/** What the events of a text, thinking or data block share. */
export interface BlockEventBase extends ReplyEventBase {
  /** The block within its message and kind. */
  readonly block_id: string
}

/** What the events of a tool call and its result share. */
export interface ToolEventBase extends ReplyEventBase {
  /** The call, and its result. */
  readonly tool_call_id: string
}

/** A reply begins, or goes on after a person answered (same `reply_id`). */
export interface ReplyStartEvent extends ReplyEventBase {
  /** The event's name. */
  readonly type: 'REPLY_START'
  /** The session it belongs to. */
  readonly session_id?: string
  /** The speaker's name. */
  readonly name?: string
  /** The speaker's role; `assistant` by default. */
  readonly role?: Role
}

/** A reply ended. A reply that waits for a person ends without this event. */
export interface ReplyEndEvent extends ReplyEventBase {
  /** The event's name. */
  readonly type: 'REPLY_END'
  /** The session it belongs to. */
  readonly session_id?: string
  /** Why it ended; `completed` by default. */
  readonly finished_reason?: FinishedReason
  /** What went wrong, if something did. */
  readonly error?: ReplyError | null
}

/** A model was called. */
export interface ModelCallStartEvent extends ReplyEventBase {
  /** The event's name. */
  readonly type: 'MODEL_CALL_START'
  /** The model's name. */
  readonly model_name: string
}

/** A model call ended; its tokens add to the reply's usage. Missing when the model failed. */
export interface ModelCallEndEvent extends ReplyEventBase {
  /** The event's name. */
  readonly type: 'MODEL_CALL_END'
  /** Tokens sent to the model. */
  readonly input_tokens: number
  /** Tokens the model wrote. */
  readonly output_tokens: number
  /** Of the input: read from cache; 0 by default. */
  readonly cache_input_tokens?: number
  /** Of the input: written to cache; 0 by default. */
  readonly cache_creation_input_tokens?: number
  /** `completed` by default. */
  readonly finished_reason?: OpenEnum<'completed' | 'interrupted'>
}

/** A text block begins. */
export interface TextBlockStartEvent extends BlockEventBase {
  /** The event's name. */
  readonly type: 'TEXT_BLOCK_START'
}

/** Adds to the end of a text block. */
export interface TextBlockDeltaEvent extends BlockEventBase {
  /** The event's name. */
  readonly type: 'TEXT_BLOCK_DELTA'
  /** The new text; may be empty. */
  readonly delta: string
}

/** Closes a text block. */
export interface TextBlockEndEvent extends BlockEventBase {
  /** The event's name. */
  readonly type: 'TEXT_BLOCK_END'
  /** Newer servers: the final text, which replaces the deltas; null or absent = the deltas stand. */
  readonly text?: string | null
}

/** A thinking block begins. */
export interface ThinkingBlockStartEvent extends BlockEventBase {
  /** The event's name. */
  readonly type: 'THINKING_BLOCK_START'
}

/** Adds to the end of a thinking block. */
export interface ThinkingBlockDeltaEvent extends BlockEventBase {
  /** The event's name. */
  readonly type: 'THINKING_BLOCK_DELTA'
  /** The new text; may be empty. */
  readonly delta: string
}

/** Closes a thinking block. */
export interface ThinkingBlockEndEvent extends BlockEventBase {
  /** The event's name. */
  readonly type: 'THINKING_BLOCK_END'
}

/** A data block begins. */
export interface DataBlockStartEvent extends BlockEventBase {
  /** The event's name. */
  readonly type: 'DATA_BLOCK_START'
  /** Such as `audio/wav`. */
  readonly media_type: string
  /** Since 2.0.11: a file name, which the block takes. */
  readonly name?: string | null
}

/** Adds bytes to a data block, or says where they are: exactly one of `data` and `url`. */
export interface DataBlockDeltaEvent extends BlockEventBase {
  /** The event's name. */
  readonly type: 'DATA_BLOCK_DELTA'
  /** Base64 of this chunk alone, with its own padding: bytes are joined, not texts. */
  readonly data?: string | null
  /** Since 2.0.11: where the bytes are; the block's source becomes this address, with this event's `media_type`. */
  readonly url?: string | null
  /** With `data` it repeats the start's, and the start's counts; with `url` it counts. */
  readonly media_type?: string
}

/** Closes a data block. */
export interface DataBlockEndEvent extends BlockEventBase {
  /** The event's name. */
  readonly type: 'DATA_BLOCK_END'
}

/** A hint, whole. */
export interface HintBlockEvent extends BlockEventBase {
  /** The event's name. */
  readonly type: 'HINT_BLOCK'
  /** The sender: plain text, or JSON with `label` and `sublabel`. */
  readonly source?: string | null
  /** The hint. */
  readonly hint: string | readonly (TextBlock | DataBlock)[]
}

/** The model begins to write a tool call. */
export interface ToolCallStartEvent extends ToolEventBase {
  /** The event's name. */
  readonly type: 'TOOL_CALL_START'
  /** The tool's name. */
  readonly tool_call_name: string
}

/** Adds to the raw JSON of a call's arguments. */
export interface ToolCallDeltaEvent extends ToolEventBase {
  /** The event's name. */
  readonly type: 'TOOL_CALL_DELTA'
  /** The next fragment. */
  readonly delta: string
}

/** The call is written. */
export interface ToolCallEndEvent extends ToolEventBase {
  /** The event's name. */
  readonly type: 'TOOL_CALL_END'
}

/** A tool begins to answer. */
export interface ToolResultStartEvent extends ToolEventBase {
  /** The event's name. */
  readonly type: 'TOOL_RESULT_START'
  /** The tool's name. */
  readonly tool_call_name: string
}

/** Adds text to a tool's result. */
export interface ToolResultTextDeltaEvent extends ToolEventBase {
  /** The event's name. */
  readonly type: 'TOOL_RESULT_TEXT_DELTA'
  /** The new text. */
  readonly delta: string
}

/** Adds a whole piece of data to a tool's result: exactly one of `data` and `url`. */
export interface ToolResultDataDeltaEvent extends ToolEventBase {
  /** The event's name. */
  readonly type: 'TOOL_RESULT_DATA_DELTA'
  /** The piece's id; made up by the receiver when absent. */
  readonly block_id?: string
  /** Such as `image/png`. */
  readonly media_type: string
  /** Base64 of the bytes. */
  readonly data?: string | null
  /** Where the bytes are. */
  readonly url?: string | null
}

/** A tool's result is complete. */
export interface ToolResultEndEvent extends ToolEventBase {
  /** The event's name. */
  readonly type: 'TOOL_RESULT_END'
  /** How it ended. */
  readonly state: ToolResultState
}

/** The reply waits until a person approves or denies these calls. */
export interface RequireUserConfirmEvent extends ReplyEventBase {
  /** The event's name. */
  readonly type: 'REQUIRE_USER_CONFIRM'
  /** The calls, with their full input and suggested rules. */
  readonly tool_calls: readonly ToolCallBlock[]
}

/** The reply waits until the client has run these calls. */
export interface RequireExternalExecutionEvent extends ReplyEventBase {
  /** The event's name. */
  readonly type: 'REQUIRE_EXTERNAL_EXECUTION'
  /** The calls, with their full input. */
  readonly tool_calls: readonly ToolCallBlock[]
}

/** The agent reached its limit of rounds; `REPLY_END` follows and says the same. Deprecated by the service. */
export interface ExceedMaxItersEvent extends ReplyEventBase {
  /** The event's name. */
  readonly type: 'EXCEED_MAX_ITERS'
  /** The agent's name. */
  readonly name?: string
}

/** Something of the session or the app, outside of any reply: `team_updated`, `state_updated`, sub-agent requests, the app's own. */
export interface CustomEvent extends EventBase {
  /** The event's name. */
  readonly type: 'CUSTOM'
  /** What it is about. */
  readonly name: string
  /** Its content. */
  readonly value?: JsonObject
  /** Newer servers may say to which reply it belongs. */
  readonly reply_id?: string
}

/** A person's decision about one call. */
export interface ConfirmResult {
  /** Approved or denied. */
  readonly confirmed: boolean
  /** The call decided about, as it was asked; an edited `input` is what runs. */
  readonly tool_call: ToolCallBlock
  /** Rules to remember; only an approval's are applied. */
  readonly rules?: readonly PermissionRule[] | null
  /** The person's comment; only for a place that takes one. AgentScope's own service does not. */
  readonly reason?: string
}

/** A person's decisions. Sent by the client, echoed on the stream under the same id. */
export interface UserConfirmResultEvent extends ReplyEventBase {
  /** The event's name. */
  readonly type: 'USER_CONFIRM_RESULT'
  /** One decision per call. */
  readonly confirm_results: readonly ConfirmResult[]
}

/** Results of calls that the client ran. Sent by the client, echoed on the stream under the same id. */
export interface ExternalExecutionResultEvent extends ReplyEventBase {
  /** The event's name. */
  readonly type: 'EXTERNAL_EXECUTION_RESULT'
  /** One result per call. */
  readonly execution_results: readonly ToolResultBlock[]
}

/** A person stops a parked reply. Never sent over HTTP; the interrupt endpoint makes it. */
export interface UserInterruptEvent extends ReplyEventBase {
  /** The event's name. */
  readonly type: 'USER_INTERRUPT'
}

/** Everything an AgentScope agent says, and the answers it echoes: AgentScope Python's event union. */
export type AgentEvent =
  | ReplyStartEvent
  | ReplyEndEvent
  | ModelCallStartEvent
  | ModelCallEndEvent
  | TextBlockStartEvent
  | TextBlockDeltaEvent
  | TextBlockEndEvent
  | ThinkingBlockStartEvent
  | ThinkingBlockDeltaEvent
  | ThinkingBlockEndEvent
  | DataBlockStartEvent
  | DataBlockDeltaEvent
  | DataBlockEndEvent
  | HintBlockEvent
  | ToolCallStartEvent
  | ToolCallDeltaEvent
  | ToolCallEndEvent
  | ToolResultStartEvent
  | ToolResultTextDeltaEvent
  | ToolResultDataDeltaEvent
  | ToolResultEndEvent
  | RequireUserConfirmEvent
  | RequireExternalExecutionEvent
  | ExceedMaxItersEvent
  | CustomEvent
  | UserConfirmResultEvent
  | ExternalExecutionResultEvent
  | UserInterruptEvent
