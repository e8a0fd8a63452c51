import type { JsonValue } from '../../../protocol/index.js'

/** A piece of a stream that stands or falls as a whole. */
export interface StreamFrame {
  /** `event` carries one, `heartbeat` only says that the line lives, `other` is neither. */
  readonly kind: 'event' | 'heartbeat' | 'other'
  /** As it came. */
  readonly bytes: Uint8Array
  /** What an event says; null otherwise. */
  readonly event: JsonValue
  /** Which event of the connection it is, from 1; 0 for the others. */
  readonly index: number
}

/** Cuts a stream into its frames. */
export interface FrameSplitter {
  /** Takes the next bytes and gives the frames that they complete. */
  push(chunk: Uint8Array): readonly StreamFrame[]
  /** What is left at the end, of which nothing is known. */
  rest(): Uint8Array
}

/** Reads what an event says: JSON, or the text itself. */
export function readEvent(text: string): JsonValue {
  try {
    const value: JsonValue = JSON.parse(text)
    return value
  } catch {
    return text
  }
}
