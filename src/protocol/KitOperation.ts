import type { ContentBlock } from './ContentBlock.js'
import type { JsonObject, JsonValue } from './JsonValue.js'
import type { Msg } from './Msg.js'
import type { AgentEvent } from './AgentEvent.js'

/** What all operations of the kit share. They are made by dialects, backends and the store; from the wire they are refused. */
export interface KitOperationBase {
  /** For dedupe, like an event's id. */
  readonly id?: string
  /** When it happened, by the sender's clock. */
  readonly created_at?: string
  /** Names of the sub-agents on the way, outermost first. */
  readonly agent_path?: readonly string[]
}

/** Takes back the end of a reply: what came after its first `mark` blocks. */
export interface RollbackOperation extends KitOperationBase {
  /** The operation's name. */
  readonly type: 'kit.rollback'
  /** The reply. */
  readonly reply_id: string
  /** How many blocks stay, counted from the first. */
  readonly mark: number
}

/** Puts a whole block into a reply: replaces the first of the same type and id, or is added at the end. */
export interface BlockSetOperation extends KitOperationBase {
  /** The operation's name. */
  readonly type: 'kit.block_set'
  /** The reply. */
  readonly reply_id: string
  /** The block as it should be. */
  readonly block: ContentBlock
}

/** Messages from history: stored truth. */
export interface SnapshotOperation extends KitOperationBase {
  /** The operation's name. */
  readonly type: 'kit.snapshot'
  /** Messages in chronological order, oldest first. */
  readonly messages: readonly Msg[]
  /** `replace`: this is all there is. `merge`: this is a page; messages of the same id become the stored ones. */
  readonly mode: 'replace' | 'merge'
  /** Only with `merge`: the page ends right before this message. Absent = the newest page. */
  readonly before?: string
  /** Whether a run was under way when the page was read. `false` settles replies that never ended (phantom starts). Absent = not known. */
  readonly is_running?: boolean
}

/** A message of the user: the optimistic one of a send, one typed on another screen, one injected while the agent works. */
export interface UserMessageOperation extends KitOperationBase {
  /** The operation's name. */
  readonly type: 'kit.user_message'
  /** The message under its durable id; a known id changes nothing. */
  readonly message: Msg
}

/** Takes a message out again: a draft that was given up before the server knew it. */
export interface RemoveMessageOperation extends KitOperationBase {
  /** The operation's name. */
  readonly type: 'kit.remove_message'
  /** Which one. */
  readonly message_id: string
}

/** A question to the person that is not about a tool call. */
export interface InputRequestOperation extends KitOperationBase {
  /** The operation's name. */
  readonly type: 'kit.input_request'
  /** The request, for its answer. */
  readonly request_id: string
  /** The reply that waits. */
  readonly reply_id?: string
  /** What kind of answer is wanted. */
  readonly kind: 'form' | 'choice' | 'url' | 'free'
  /** The question. */
  readonly message: string
  /** JSON schema of a form's answer. */
  readonly schema?: JsonObject
  /** Options of a choice. */
  readonly options?: readonly JsonValue[]
  /** The page to visit. */
  readonly url?: string
  /** The tool call that asks. */
  readonly tool_call_id?: string
  /** After this time no answer is taken. */
  readonly expires_at?: string
}

/** A question was answered, or fell away. */
export interface InputResolvedOperation extends KitOperationBase {
  /** The operation's name. */
  readonly type: 'kit.input_resolved'
  /** The request. */
  readonly request_id: string
}

/** Something was lost: the replies under way are incomplete until history heals them. */
export interface GapOperation extends KitOperationBase {
  /** The operation's name. */
  readonly type: 'kit.gap'
  /** First position lost, if the transport counts. */
  readonly from?: number
  /** First position seen again, if the transport counts. */
  readonly to?: number
}

/** What events of AgentScope cannot say: the kit's own operations on a conversation. */
export type KitOperation =
  | RollbackOperation
  | BlockSetOperation
  | SnapshotOperation
  | UserMessageOperation
  | RemoveMessageOperation
  | InputRequestOperation
  | InputResolvedOperation
  | GapOperation

/** All that a conversation is folded from. */
export type ConversationInput = AgentEvent | KitOperation
