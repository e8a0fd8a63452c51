import type { Answer, UserInput } from './AgentBackend.js'
import type { Anomaly } from './Anomaly.js'
import type { JsonValue } from './JsonValue.js'
import type { ConversationInput } from './KitOperation.js'

/** Why a stream of frames ended: the body was over, we stopped it, or it broke. */
export type EndCause = 'eof' | 'abort' | 'error'

/** What a frame turned out to say. */
export interface Decoded {
  /** Inputs for the conversation, in order. */
  readonly inputs: readonly ConversationInput[]
  /** What was odd and survived. */
  readonly anomalies: readonly Anomaly[]
}

/** What a backend knows of a stream before its first frame. A dialect that needs none of it ignores it. */
export interface DecoderOptions {
  /** The session, for streams that do not name it. */
  readonly sessionId?: string
  /**
   * What made-up ids begin with, for frames that have none: unique for the stream, and the same for its replay. A backend that
   * opens one stream per turn may use the id of the message that it sent.
   */
  readonly seed?: string
  /**
   * The reply that the stream goes on with, for systems where an answer opens a run under another id: the `reply_id` of the
   * answer that was sent. Without it a new decoder cannot know, and the run becomes a reply of its own.
   */
  readonly resumes?: string
}

/**
 * Reads the frames of one stream. It keeps what is open, so a stream that broke and goes on where it was needs the same decoder;
 * a replay from the beginning needs a new one.
 *
 * Total: it never throws. The same frames in the same order give the same inputs with the same ids, however they are batched.
 */
export interface FrameDecoder {
  /** Reads one frame (the parsed JSON payload, or whatever the dialect's transport hands over), or a list of them. */
  push(frame: unknown): Decoded
  /** Settles what the stream left open: what was cut off ends, what waits for a person goes on waiting. Nothing is pushed after. */
  end(cause: EndCause): Decoded
  /** The wire's own position after the last frame, where it has one: from there a new connection may go on. */
  cursor?(): string | null
}

/** Another system's language: frames to inputs, our answers to its shape. */
export interface Dialect {
  /** The dialect's name. */
  readonly name: string
  /** A decoder for one stream. */
  createDecoder(options?: DecoderOptions): FrameDecoder
  /**
   * What a send or an answer becomes: the body, or its parts where the system takes them one by one. What the system has no
   * place for is a `TransportError` with the reason `rejected`; what it can take a backend tells in its `Capabilities`.
   */
  readonly encode: {
    /** Messages of the user, or null to go on. */
    send(input: UserInput): JsonValue
    /** One answer. */
    answer(answer: Answer): JsonValue
  }
}
