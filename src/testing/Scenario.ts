import type {
  AgentEvent,
  BlockInit,
  ConversationInput,
  DataBlock,
  JsonObject,
  Msg,
  PermissionRule,
  RunStatus,
  TextBlock,
  ToolCallBlock,
  ToolResultState,
} from '../protocol/index.js'
import type { OutputScript } from './agent/AgentScript.js'
import type { ScriptPart } from './agent/scene.js'

/** How a scenario begins. */
export interface ScenarioOptions {
  /** The same seed gives the same ids; 1 by default. */
  readonly seed?: number | string
  /** The agent's name; `Friday` by default. */
  readonly agentName?: string
  /** The name under which the person's messages go; `user` by default. */
  readonly userName?: string
  /** The time of its beginning, ISO without a zone; `2026-01-05T09:00:00` by default. */
  readonly startsAt?: string
}

/** A decision of the person about one call. */
export interface ScenarioDecision {
  /** The call. */
  readonly id: string
  /** Approved or denied. */
  readonly confirmed: boolean
  /** Edited arguments as raw JSON; as the agent wrote them by default. */
  readonly input?: string
  /** Rules to remember; none by default. */
  readonly rules?: readonly PermissionRule[]
}

/** A session as one can keep it: what `recordingBackend` plays. */
export interface ScenarioRecording {
  /** Its name. */
  readonly name: string
  /** The session. */
  readonly session_id: string
  /** What happened, in order, with times in milliseconds from the start. */
  readonly steps: readonly {
    readonly kind: string
    readonly t_ms: number
    readonly [field: string]: unknown
  }[]
  /** What is stored at the end. */
  readonly final: { readonly messages: readonly Msg[]; readonly status: string }
}

/**
 * A conversation that was made up: its events, and what a service would have stored of them.
 *
 * It never changes; each method gives a longer one, so that two endings can be tried on one beginning. The agent is
 * played as the AgentScope service would play it (one run at a time, replies that wait end without an event, a message
 * while one waits is refused by a reply of its own), and messages are made from the script, not from the events.
 */
export interface Scenario {
  /** All events of the session's stream, oldest first. The person's messages are none: see `inputs`. */
  readonly events: readonly AgentEvent[]
  /** The events and, where they were sent, the person's messages: what a conversation is folded from. */
  readonly inputs: readonly ConversationInput[]
  /** What the service has stored. A reply that still runs is not. */
  readonly messages: readonly Msg[]
  /** Where the session stands. */
  readonly status: RunStatus
  /** The calls that wait for the person, a worker's too. */
  readonly waitingCalls: readonly ToolCallBlock[]
  /**
   * The person says something. The `reply` that follows answers all that was said since the last one.
   *
   * @param content - Text or blocks.
   */
  user(content: string | readonly BlockInit<TextBlock | DataBlock>[]): Scenario
  /**
   * The agent replies; without a message before, it begins by itself. A reply whose calls wait for someone stops there.
   *
   * @param parts - What it does, in order: texts, thoughts, tool calls, data, hints, steps. Calls that stand together
   *   are made together, and what follows them is a new call of the model.
   */
  reply(...parts: readonly ScriptPart[]): Scenario
  /**
   * The agent begins a reply and stands still after some events: `finish()` lets it go on, `interrupt()` stops it.
   *
   * @param events - So many of its events; a few more where the service sends several at once.
   * @param parts - As for `reply`.
   */
  replyUpTo(events: number, ...parts: readonly ScriptPart[]): Scenario
  /** What stood still goes on. */
  finish(): Scenario
  /** The person lets the agent go on without a message, and it replies. */
  goOn(...parts: readonly ScriptPart[]): Scenario
  /** The person approves calls, all that ask by default. The agent goes on when none is left that asks. Throws for a call that does not ask. */
  approve(...callIds: readonly string[]): Scenario
  /** The person denies calls, all that ask by default. Throws for a call that does not ask. */
  deny(...callIds: readonly string[]): Scenario
  /** The person decides one by one, with edits and rules. Throws for a call that does not ask. */
  decide(decisions: readonly ScenarioDecision[]): Scenario
  /**
   * The client gives the result of a call it ran. Throws for a call that was not handed out.
   *
   * @param callId - The call.
   * @param output - Text, or pieces.
   * @param state - How it ended; `success` by default.
   */
  submit(
    callId: string,
    output: string | readonly OutputScript[],
    state?: ToolResultState,
  ): Scenario
  /** The person stops what runs or waits. When nothing does, it leaves a lone `REPLY_START`, as the service does. */
  interrupt(): Scenario
  /** An event of the session or the app, outside of any reply. */
  announce(name: string, value?: JsonObject): Scenario
  /** The same as a recording, with the person's messages and answers as posts. */
  toRecording(): ScenarioRecording
}
