import {
  type DecoderOptions,
  type FrameDecoder,
  isJsonObject,
  type JsonObject,
} from '../../protocol/index.js'
import { createManagedReader, isManagedFrame } from './createManagedReader.js'
import { JavaEvents } from './JavaEvents.js'
import { Output } from './Output.js'
import { isDataAgentFrame, readDataAgent } from './readDataAgent.js'
import { readText } from './readField.js'
import { isTaskFrame, readTask } from './readTask.js'

/**
 * Decodes one stream of a Java backend.
 *
 * @param isText - Whether frames are the answer's text itself. That cannot be seen: text may look like JSON.
 * @param options - What is known of the stream.
 */
export function createJavaDecoder(isText: boolean, options: DecoderOptions = {}): FrameDecoder {
  const out = new Output(options.seed ?? 'java:')
  const events = new JavaEvents(out, options)
  const readManaged = createManagedReader(events)
  let cursor: string | null = null

  /** Framings are told apart frame by frame: their words do not overlap. */
  function readFrame(frame: JsonObject): void {
    const { seq } = frame
    const isCounted = typeof seq === 'number' && seq >= 0
    if (isTaskFrame(frame)) readTask(events, frame)
    else if (isManagedFrame(frame)) readManaged(frame)
    else if (isDataAgentFrame(frame)) readDataAgent(events, frame)
    else if (readText(frame, 'threadId') !== undefined && readText(frame, 'runId') !== undefined) {
      out.report('unknown-event', 'A frame of AG-UI: another dialect reads those.', frame)
    } else events.read(frame)
    if (isCounted) cursor = String(seq)
  }

  function readValue(value: unknown): void {
    if (isText && typeof value === 'string') events.read({ type: 'TEXT_BLOCK_DELTA', delta: value })
    else if (isText) out.report('not-an-event', 'A frame of text must be a text.', value)
    else if (isJsonObject(value)) readFrame(value)
    else out.report('not-an-event', 'An event must be an object.', value)
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
