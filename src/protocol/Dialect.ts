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

/** Reads the frames of one stream. Total: it never throws, and a replay of the same frames gives the same inputs. */
export interface FrameDecoder {
  /** Reads one frame: the parsed JSON payload, or whatever the dialect's transport hands over. */
  push(frame: unknown): Decoded
  /** Settles what the stream left open. */
  end(cause: EndCause): Decoded
}

/** Another system's language: frames to inputs, our answers to its shape. */
export interface Dialect {
  /** The dialect's name. */
  readonly name: string
  /** A decoder for one stream. */
  createDecoder(): FrameDecoder
  /** The body parts a send or an answer becomes; several when the system takes them one by one. */
  readonly encode: {
    /** Messages of the user, or null to go on. */
    send(input: UserInput): JsonValue
    /** One answer. */
    answer(answer: Answer): JsonValue
  }
}
