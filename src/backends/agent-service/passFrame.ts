import type { Anomaly, FrameDecoder, StreamSink } from '../../protocol/index.js'

/**
 * Hands what a frame says to a sink.
 *
 * @param frame - The frame, parsed.
 * @param decoder - Reads it.
 * @param sink - Hears it.
 */
export function passFrame(frame: unknown, decoder: FrameDecoder, sink: StreamSink): void {
  const { inputs, anomalies } = decoder.push(frame)
  if (inputs.length > 0) sink.events(inputs)
  tellAll(anomalies, sink)
}

/** The same for a frame that is still text; one that is no JSON is an anomaly. */
export function passText(text: string, decoder: FrameDecoder, sink: StreamSink): void {
  let frame: unknown
  try {
    frame = JSON.parse(text)
  } catch {
    sink.anomaly({ kind: 'not-json', message: 'A frame of the stream is no JSON.', raw: text })
    return
  }
  passFrame(frame, decoder, sink)
}

/** Tells a sink of all that was odd. */
export function tellAll(anomalies: readonly Anomaly[], sink: StreamSink): void {
  for (const anomaly of anomalies) sink.anomaly(anomaly)
}
