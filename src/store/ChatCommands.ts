import type { ToolCallRequest } from '../fold/index.js'
import type {
  BlockInit,
  DataBlock,
  JsonObject,
  PermissionRule,
  TextBlock,
  ToolResultBlock,
} from '../protocol/index.js'

/** What a message of the user is made of: text, or text and data blocks. */
export type MessageContent = string | readonly BlockInit<TextBlock | DataBlock>[]

/** The key in `sends` under which `send(null)` stands, which makes no message. */
export const CONTINUE_ID = 'kit.continue'

/** A person's decision about one tool call. */
export interface Decision {
  /** The request decided about, or its key. */
  readonly request: ToolCallRequest | string
  /** Approved or denied. */
  readonly approve: boolean
  /** Edited arguments as raw JSON text; only with an approval. Absent = as the agent wrote them, byte for byte. */
  readonly input?: string
  /** Rules to remember; only with an approval. */
  readonly rules?: readonly PermissionRule[]
}

/** The result of a tool that the client ran. */
export interface ExternalResult {
  /** The request answered, or its key. */
  readonly request: ToolCallRequest | string
  /** What the tool gave back. */
  readonly output: ToolResultBlock['output']
  /** How it ended; `success` by default. */
  readonly state?: ToolResultBlock['state']
  /** What the tool says about its result; empty by default. */
  readonly metadata?: JsonObject
}

/**
 * What a person can do with a conversation. The commands keep their identity for the life of the store.
 *
 * None rejects because of the network or the server: failures become state (`sends`, `error`) and go to `onError`.
 * They throw a `TypeError` for a programmer's mistake, such as a capability that the backend does not have.
 */
export interface ChatCommands {
  /**
   * Sends a message, which shows at once under the id the server will keep; `null` lets the agent go on without one.
   *
   * While the agent waits for a person, a backend that would swallow the message does not get it: it stays visible as
   * failed with reason `conflict`, and `retry(id)` sends it later. `selectSendBlock` tells beforehand.
   *
   * @param content - Text, or text and data blocks.
   * @returns Resolves when the server took it, or did not.
   */
  readonly send: (content: MessageContent | null) => Promise<void>
  /**
   * Approves or denies tool calls. A call that is being answered already, or waits no more, is left alone: however many
   * clicks and cards there are, one request goes out.
   *
   * Decisions of one reply that are given together travel together. Where `capabilities.partialAnswers` is false they are
   * held until all of the reply's requests are decided, and may be changed until then.
   *
   * @param decisions - One or several.
   */
  readonly confirm: (decisions: Decision | readonly Decision[]) => Promise<void>
  /**
   * Hands in results of tools that the client ran; same rules as `confirm`.
   *
   * @param results - One or several.
   */
  readonly submitResults: (results: ExternalResult | readonly ExternalResult[]) => Promise<void>
  /** Stops the reply that runs, or the one that waits for a person. Does nothing when there is none, or when a stop is under way. */
  readonly interrupt: () => Promise<void>
  /**
   * Sends again what failed, under the same id. Does nothing when nothing failed under that id.
   *
   * @param id - A key of `sends`.
   */
  readonly retry: (id: string) => Promise<void>
  /**
   * Gives up what failed or is held: a message goes from the conversation, a request can be decided anew.
   *
   * @param id - A key of `sends`.
   */
  readonly discard: (id: string) => void
  /** Loads the page before the oldest stored message. Does nothing when there is none, or when one is on its way. */
  readonly loadOlder: () => Promise<void>
  /** Tries at once to reconnect if the connection waits or failed, and to load what could not be loaded. */
  readonly retryNow: () => void
}
