import type { ServerResponse } from 'node:http'
import type { AgentEvent } from '../../protocol/index.js'
import type { AgentSession } from '../index.js'

/** What is streamed, and how. */
export interface StreamOptions {
  /** The session. */
  readonly stream: AgentSession
  /** A cursor that came with the messages: only what came later is replayed. */
  readonly after: string | null
  /** After how many milliseconds of silence a heartbeat is sent. */
  readonly heartbeatMs: number
  /** Where the open streams are kept. */
  readonly streams: Set<ServerResponse>
}

/**
 * Answers with the stream of a session: one `data:` line per event, comments in silence, no end.
 *
 * @param response - Where it goes.
 * @param options - What is streamed, and how.
 */
export function streamEvents(response: ServerResponse, options: StreamOptions): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
    connection: 'keep-alive',
  })
  response.flushHeaders()
  const after = cursorOf(options.after)
  if (Number.isNaN(after)) {
    // The service trips over a cursor it cannot read once the answer has begun.
    response.destroy()
    return
  }
  const heartbeat = setInterval(() => response.write(':\n\n'), options.heartbeatMs)
  const send = (event: AgentEvent): void => {
    heartbeat.refresh()
    response.write(`data: ${JSON.stringify(event)}\n\n`)
  }
  const stop = options.stream.listen(send, after)
  options.streams.add(response)
  response.once('close', () => {
    clearInterval(heartbeat)
    stop()
    options.streams.delete(response)
  })
}

/** The number in a cursor such as `141-0`; undefined when there is none, NaN when it cannot be read. */
function cursorOf(cursor: string | null): number | undefined {
  if (cursor === null) return undefined
  return /^\d+-\d+$/.test(cursor) ? Number.parseInt(cursor, 10) : Number.NaN
}
