import type { InputRequest, ToolCallRequest } from '../fold/index.js'
import type {
  BlockInit,
  DataBlock,
  InputAnswer,
  JsonObject,
  PermissionRule,
  TextBlock,
  ToolResultBlock,
} from '../protocol/index.js'

/** What a message of the user is made of: text, or text and data blocks. */
export type MessageContent = string | readonly BlockInit<TextBlock | DataBlock>[]

/** The key in `sends` under which `send(null)` stands, which makes no message. */
export const CONTINUE_ID = 'kit.continue'

/** How a message is sent. */
export interface SendOptions {
  /**
   * Whether a message that cannot be sent now waits, and goes out by itself once the conversation is free: `sends` shows it
   * as `held`. `false` by default: it fails instead.
   */
  readonly whenFree?: boolean
}

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
  /** Why, or what to change; only where the backend takes it (`capabilities.denyReason`). */
  readonly reason?: string
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

/** The answer to a question that is not about a tool call. */
export interface InputResponse {
  /** The request answered, or its key. */
  readonly request: InputRequest | string
  /** What the person did with it; `submit` by default. */
  readonly action?: InputAnswer['action']
  /** The values given, see `InputAnswer`. */
  readonly values?: JsonObject
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
   * When the answer to the request is lost, history tells whether the message arrived; it is not sent a second time by itself.
   *
   * @param content - Text, or text and data blocks.
   * @param options - Whether it waits while it cannot be sent.
   * @returns Resolves when the server took it, or did not, or it waits.
   * @throws TypeError at once for content that no message may have.
   */
  readonly send: (content: MessageContent | null, options?: SendOptions) => Promise<void>
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
  /**
   * Answers a question that is not about a tool call. One that is being answered already, or waits no more, is left alone.
   *
   * @param response - The answer.
   */
  readonly submitInput: (response: InputResponse) => Promise<void>
  /** Stops the reply that runs, or the one that waits for a person. Does nothing when there is none, or when a stop is under way. */
  readonly interrupt: () => Promise<void>
  /**
   * Sends what failed or is held, under the same id. What may have arrived is looked for in history first; when it is there,
   * or the server cannot tell, nothing is sent. Does nothing when nothing rests under that id.
   *
   * @param id - A key of `sends`.
   * @param options - Whether a message waits while it cannot be sent.
   */
  readonly retry: (id: string, options?: SendOptions) => Promise<void>
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
