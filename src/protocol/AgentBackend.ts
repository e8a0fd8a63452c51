import type { ConfirmResult } from './AgentEvent.js'
import type { Anomaly } from './Anomaly.js'
import type { ConnectionState } from './ConnectionState.js'
import type { ToolResultBlock } from './ContentBlock.js'
import type { JsonObject } from './JsonValue.js'
import type { ConversationInput } from './KitOperation.js'
import type { Msg } from './Msg.js'

/** What a backend can do, and so what the interface may offer. */
export interface Capabilities {
  /** Stored messages can be read. */
  readonly history: boolean
  /** The run's status can be asked. */
  readonly status: boolean
  /** What can be stopped: a run and what waits for the person, only what runs (`running`), or nothing. */
  readonly interrupt: boolean | 'running'
  /** What a new connection gives: nothing of the past, the current run again, or what came after a cursor. */
  readonly resume: 'none' | 'replay' | 'cursor'
  /** Decisions of one request may be sent one by one. */
  readonly partialAnswers: boolean
  /** An approval may carry edited arguments. */
  readonly editArguments: boolean
  /** An approval may carry permission rules. */
  readonly rules: boolean
  /** What may carry a reason: any decision, only one about a plan (`plan`), or none. */
  readonly denyReason: boolean | 'plan'
  /** Media types a user message may carry, such as `image/*`; empty = none. */
  readonly attachments: readonly string[]
  /** What becomes of a message sent while a run is under way. */
  readonly sendWhileRunning: 'refused' | 'queued' | 'steers'
}

/** Where a session's run stands, by the server's word. */
export type RunStatus = 'running' | 'idle' | 'awaiting-confirm' | 'awaiting-external'

/** A page of stored messages. */
export interface HistoryPage {
  /** Oldest first. */
  readonly messages: readonly Msg[]
  /** Whether older ones exist. */
  readonly hasMore: boolean
  /** Whether a run was under way when the page was read. */
  readonly isRunning: boolean
}

/** What a person sends: messages, or null to let the agent go on. */
export type UserInput = readonly Msg[] | null

/** Decisions about tool calls of one reply. */
export interface ConfirmAnswer {
  /** The answer's kind. */
  readonly kind: 'confirm'
  /** Made by the sender: the echo comes back under it, and a retry repeats it. */
  readonly id: string
  /** The reply that waits; a worker's own when a sub-agent asks. */
  readonly reply_id: string
  /** One decision per call. */
  readonly results: readonly ConfirmResult[]
}

/** Results of tools that the client ran, for calls of one reply. */
export interface ExternalAnswer {
  /** The answer's kind. */
  readonly kind: 'external'
  /** Made by the sender: the echo comes back under it, and a retry repeats it. */
  readonly id: string
  /** The reply that waits. */
  readonly reply_id: string
  /** One result per call. */
  readonly results: readonly ToolResultBlock[]
}

/** The answer to a question that is not about a tool call. */
export interface InputAnswer {
  /** The answer's kind. */
  readonly kind: 'input'
  /** Made by the sender; a retry repeats it. */
  readonly id: string
  /** The question. */
  readonly request_id: string
  /** What the person did with it. */
  readonly action: 'submit' | 'decline' | 'cancel'
  /** The values given: a form's by name; of a choice `selected_option_id` and `text`, of a free answer `text`. */
  readonly values?: JsonObject
}

/** A person's answer to something that waits. */
export type Answer = ConfirmAnswer | ExternalAnswer | InputAnswer

/** Where a backend puts what it hears. */
export interface StreamSink {
  /** New inputs in order of arrival. Never called inside `open` itself. */
  events(batch: readonly ConversationInput[]): void
  /** The connection's state changed. */
  connection(state: ConnectionState): void
  /** Something odd was survived. */
  anomaly(what: Anomaly): void
}

/** An open stream. */
export interface StreamHandle {
  /** Stops everything; the sink hears nothing more. May be called twice. */
  close(): void
  /** Tries again at once if the connection waits or failed. */
  retryNow(): void
}

/** A place that runs agents, seen from one conversation: the port between the kit and the world. */
export interface AgentBackend {
  /** Same key = same conversation: a new object with the same key neither reconnects nor forgets. */
  readonly key: string
  /** What this backend can do. */
  readonly capabilities: Capabilities
  /**
   * Opens the live stream. Failures are connection states, never throws.
   *
   * @param sink - Hears events, states and anomalies until the handle is closed.
   */
  open(sink: StreamSink): StreamHandle
  /**
   * Reads stored messages; absent where `capabilities.history` is false. Rejects with a `TransportError`.
   *
   * @param page - `before`: the id of the oldest message held (absent = newest page); `limit`: at most so many.
   */
  history?(page: { readonly before?: string; readonly limit: number }): Promise<HistoryPage>
  /** Asks where the run stands; absent where `capabilities.status` is false. Rejects with a `TransportError`. */
  status?(): Promise<RunStatus>
  /**
   * Asks where a sub-agent's own session stands; absent where sub-agents have none, or cannot be asked. A request of one that
   * is `idle`, or not there any more (`not-found`), is over, although the event that says so was lost.
   *
   * @param worker - Its session and its agent, as the request names them.
   */
  workerStatus?(worker: {
    readonly sessionId: string
    readonly agentId: string
  }): Promise<RunStatus>
  /**
   * Sends messages of the user, or null to go on. Resolves when the server took them, rejects with a `TransportError`.
   *
   * @param input - What to send; message ids are kept by the server.
   */
  send(input: UserInput): Promise<void>
  /**
   * Sends answers. Resolves when the server took them, rejects with a `TransportError`.
   *
   * @param answers - One per reply or question.
   */
  answer(answers: readonly Answer[]): Promise<void>
  /**
   * Stops the run, or what is parked (not where `capabilities.interrupt` is `running`); absent where that is false. Rejects with a `TransportError`.
   *
   * @param target - The reply meant, where the backend can tell them apart.
   */
  interrupt?(target: { readonly replyId?: string }): Promise<void>
}
