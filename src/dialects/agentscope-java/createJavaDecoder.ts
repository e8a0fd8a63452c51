import {
  type DecoderOptions,
  type FrameDecoder,
  isJsonObject,
  type JsonObject,
} from '../../protocol/index.js'
import { JavaEvents } from './JavaEvents.js'
import { Output } from './Output.js'

/** Reads the frames of one framing as events. */
export type FrameReader = (frame: JsonObject) => void

/**
 * Decodes one stream of a Java backend.
 *
 * @param options - What is known of the stream.
 * @param createReader - Makes what reads its frames.
 */
export function createJavaDecoder(
  options: DecoderOptions,
  createReader: (events: JavaEvents) => FrameReader,
): FrameDecoder {
  const out = new Output(options.seed ?? 'java:')
  const events = new JavaEvents(out, options)
  const read = createReader(events)
  let cursor: string | null = null

  function readValue(value: unknown): void {
    if (!isJsonObject(value)) {
      out.report('not-an-event', 'An event must be an object.', value)
      return
    }
    if ('threadId' in value && 'runId' in value) {
      out.report('unknown-event', 'A frame of AG-UI, which is another dialect.', value)
      return
    }
    read(value)
    const { seq } = value
    if (typeof seq === 'number' && seq >= 0) cursor = `${seq}`
  }

  return {
    push: (frame) => {
      const values: readonly unknown[] = Array.isArray(frame) ? frame : [frame]
      for (const value of values) {
        try {
          readValue(value)
        } catch {
          // Nested deeper than the engine can walk.
          out.report('malformed-event', 'A frame that cannot be read.', value)
        }
      }
      return out.take()
    },
    end: (cause) => {
      events.finish(cause)
      return out.take()
    },
    cursor: () => cursor,
  }
}
