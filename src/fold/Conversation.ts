import type {
  FinishedReason,
  InputRequestOperation,
  JsonObject,
  Msg,
  Role,
  ToolCallBlock,
  Usage,
} from '../protocol/index.js'
import type { SeenIds } from './SeenIds.js'

/** One call of a model within a reply. */
export interface ModelCall {
  /** The model's name; empty when the start was missed. */
  readonly modelName: string
  /** Tokens used; null while the call runs, and for ever when the model failed. */
  readonly usage: Usage | null
  /** The start's stamp, by the server's clock. */
  readonly startedAt: string | null
  /** The end's stamp, by the same clock; null while the call runs, and for ever when the model failed. */
  readonly endedAt: string | null
  /** How it ended; null until then. */
  readonly finishedReason: FinishedReason | null
}

/**
 * What is known about a reply besides its message.
 *
 * AgentScope 2.0.11 leaves the last event of the last run in its replay log, so a lone `REPLY_END`, `TOOL_RESULT_END` or
 * `REQUIRE_*` of a reply never started here comes with every connection: it makes no message and is no anomaly
 * (a `REQUIRE_*` still makes its request).
 */
export interface ReplyInfo {
  /** The reply, and the id of its message. */
  readonly replyId: string
  /** `parked` = waits for a person or for a tool of the client; the service sends no word for it, the fold sees it. */
  readonly phase: 'running' | 'parked' | 'ended'
  /** Whether anything but `REPLY_START` was heard since it (re)started. A reply that never goes further is a phantom and has no message. */
  readonly hasBegun: boolean
  /** `false` when parts are known to be missing: the stored message is to be fetched. */
  readonly isComplete: boolean
  /** The speaker's name, as `REPLY_START` gave it. */
  readonly name: string
  /** The speaker's role. */
  readonly role: Role
  /** Sub-agents on the way to the speaker, outermost first; empty for the agent itself. */
  readonly agentPath: readonly string[]
  /** The first `REPLY_START`'s stamp. */
  readonly startedAt: string | null
  /** The latest `REPLY_START`'s stamp: later than `endedAt` when the reply was taken up again. */
  readonly resumedAt: string | null
  /** The last `REPLY_END`'s stamp. */
  readonly endedAt: string | null
  /**
   * The latest stamp in the message as it was stored, when it came from history: what the stream says up to then is in it.
   * Null when all of it came from the stream.
   */
  readonly storedUpTo: string | null
  /** Its model calls that were heard on the stream, in order. */
  readonly modelCalls: readonly ModelCall[]
  /**
   * What its end said about it in `REPLY_END.metadata`, such as the totals of a Task API's task; absent when it said nothing.
   * AgentScope stores none of it, so it stands here and not in the message.
   */
  readonly metadata?: JsonObject
}

/** The sub-agent's own place, when one asks through its leader's stream (`CUSTOM subagent_require_user_confirm`). */
export interface WorkerRef {
  /** The worker's session. */
  readonly sessionId: string
  /** The worker's agent id. */
  readonly agentId: string
  /** The worker's name. */
  readonly agentName: string
}

/** A tool call that waits for the person (`confirm`) or for the client to run it (`external`). */
export interface ToolCallRequest {
  /** What is wanted. */
  readonly kind: 'confirm' | 'external'
  /** Unique among the requests of a conversation: reply and call. */
  readonly key: string
  /** The reply that waits; a worker's own when a sub-agent asks. */
  readonly replyId: string
  /** The call exactly as it was asked; goes back untouched with the decision. */
  readonly toolCall: ToolCallBlock
  /** The asking event's stamp; null when the request was read from history. */
  readonly askedAt: string | null
  /** The sub-agent that asks, or null for the agent itself. */
  readonly worker: WorkerRef | null
  /** What the asking event's `metadata` said, such as a `preview`; null when there was none, or the request was read from history. */
  readonly metadata: JsonObject | null
}

/** A question that is not about a tool call. */
export interface InputRequest {
  /** What is wanted. */
  readonly kind: 'input'
  /** Unique among the requests of a conversation. */
  readonly key: string
  /** The question as it came. */
  readonly request: InputRequestOperation
}

/**
 * Something that waits for the person, or for the client.
 *
 * A reply that ends with an error while a call still asks goes on waiting (2.0.11 does so after a wrong answer):
 * only an answer, a result, or an end for another reason takes a request away.
 */
export type PendingRequest = ToolCallRequest | InputRequest

/** What a sub-agent said on the same stream (events that carry an `agent_path`). */
export interface NestedRun {
  /** The sub-agent, outermost name first. */
  readonly agentPath: readonly string[]
  /** Its replies, in order. */
  readonly messages: readonly Msg[]
}

/** A conversation: plain JSON, so that every moment of it is a checkpoint. Folded by `applyEvents`, never written otherwise. */
export interface Conversation {
  /** Messages, oldest first. */
  readonly messages: readonly Msg[]
  /** What is known about replies heard on the stream, by reply id. */
  readonly replies: Readonly<Record<string, ReplyInfo>>
  /** What waits for the person, the agent's own and its sub-agents', in the order asked. */
  readonly requests: readonly PendingRequest[]
  /** Sub-agents that spoke on the stream. */
  readonly runs: readonly NestedRun[]
  /** The latest value of each `CUSTOM` event, by its name. */
  readonly notices: Readonly<Record<string, JsonObject>>
  /** Ids of inputs seen, bounded. */
  readonly seen: SeenIds
}
