import type {
  Answer,
  BlockInit,
  DataBlock,
  JsonObject,
  Msg,
  RunStatus,
  TextBlock,
  TransportError,
  UserInput,
} from '../protocol/index.js'
import type { ScriptPart } from './agent/scene.js'

/** A call of a backend that can fail or be late. */
export type BackendCall = 'send' | 'answer' | 'interrupt' | 'history' | 'status'

/** How a call fails. */
export interface CallFailure {
  /** What it rejects with; a server's failure (500) by default. */
  readonly error?: TransportError
  /** Whether the server acted before; `false` by default. A client that tries again then does it twice. */
  readonly hasActed?: boolean
}

/** The test's side of a backend without a server. */
export interface BackendControls {
  /** What was sent, in order, what failed included. */
  readonly sent: readonly UserInput[]
  /** What was answered, in order, what failed included. */
  readonly answered: readonly Answer[]
  /** How often the run was to be stopped, failures included. */
  readonly interrupts: number
  /** What is stored. */
  readonly messages: readonly Msg[]
  /** Where the session stands. */
  readonly runStatus: RunStatus
  /** How many streams are open. */
  readonly streams: number
  /**
   * Scripts the reply to the next message that has none yet.
   *
   * @param parts - What the agent does, as for a scenario's `reply`.
   */
  willReply(...parts: readonly ScriptPart[]): void
  /**
   * Lets the agent begin a reply by itself, once nothing else runs or waits.
   *
   * @param parts - What it does.
   */
  wake(...parts: readonly ScriptPart[]): void
  /**
   * Plays on until so many more events were sent to the open streams, or until nothing plays.
   *
   * @param events - How many; 1 by default.
   * @returns How many there were.
   */
  step(events?: number): Promise<number>
  /** Plays on until the agent is done or waits for the person, and its reply is stored. */
  playAll(): Promise<void>
  /** An event of the session or the app, outside of any reply. */
  announce(name: string, value?: JsonObject): void
  /**
   * The person sends a message from elsewhere, such as another tab: it is stored and replied to, but no stream tells of it.
   *
   * @param content - Text or blocks.
   */
  sendElsewhere(content: string | readonly BlockInit<TextBlock | DataBlock>[]): void
  /**
   * Breaks the open streams. They stay so until `reconnect()`, or until the client tries again.
   *
   * @param cause - Why; a stream that was closed without a word by default. `offline` counts as a device without network;
   *   what cannot be tried again counts as failed.
   */
  disconnect(cause?: TransportError): void
  /** Opens broken streams again; the current run is told from its beginning, as the service does. */
  reconnect(): void
  /**
   * Lets the next call of a kind fail. May be called several times, for several calls.
   *
   * @param call - Which kind.
   * @param failure - How.
   */
  failNext(call: BackendCall, failure?: CallFailure): void
  /**
   * Keeps the next call of a kind waiting, before the server acts.
   *
   * @param call - Which kind.
   * @returns Lets it go on.
   */
  holdNext(call: BackendCall): () => void
}
