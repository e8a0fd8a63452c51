import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'

/** A request as it came in. */
export interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A real HTTP server of one test. */
export interface TestServer {
  /** Its address on the loopback, without a slash at the end. */
  readonly url: string
  /** All requests so far. */
  readonly seen: readonly Seen[]
  /** Stops it and cuts what is open. Called by itself when the test is over. */
  close(): Promise<void>
}

/** Starts a server for the running test; `answer` gets each request with its number, from 1. */
export async function startServer(
  answer: (response: ServerResponse, request: Seen, count: number) => void,
): Promise<TestServer> {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const entry = { method, url, headers, body: Buffer.concat(chunks).toString() }
      seen.push(entry)
      answer(response, entry, seen.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  onTestFinished(close)
  return { url: `http://127.0.0.1:${port}`, seen, close }
}

/** Starts an event stream: what is given is sent at once. */
export function sendStream(
  response: ServerResponse,
  text = '',
  contentType = 'text/event-stream; charset=utf-8',
): void {
  response.writeHead(200, { 'content-type': contentType })
  response.write(text === '' ? ':\n\n' : text)
}

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(value))
}
