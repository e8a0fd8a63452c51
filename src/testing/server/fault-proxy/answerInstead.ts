import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AnswerFault } from './Fault.js'

/**
 * Answers in the place of the server. Pages of other origins may read it, so that a browser's app sees what happened.
 *
 * @param request - The request.
 * @param response - Its answer, of which nothing was sent.
 * @param fault - What to answer.
 */
export function answerInstead(
  request: IncomingMessage,
  response: ServerResponse,
  fault: AnswerFault,
): void {
  const text = STATUS_CODES[fault.status] ?? 'Unknown'
  const isGateways = fault.status >= 502 && fault.status <= 504
  const body =
    fault.body ?? (isGateways ? gatewayPage(fault.status, text) : JSON.stringify({ detail: text }))
  const { origin } = request.headers
  const headers = {
    'content-type': isGateways ? 'text/html; charset=utf-8' : 'application/json',
    'content-length': Buffer.byteLength(body),
    'access-control-allow-origin': origin ?? '*',
    ...(origin === undefined ? {} : { 'access-control-allow-credentials': 'true' }),
    ...fault.headers,
  }
  request.resume()
  response.writeHead(fault.status, headers).end(body)
}

function gatewayPage(status: number, text: string): string {
  return `<!doctype html><html><head><title>${status} ${text}</title></head><body><h1>${status} ${text}</h1></body></html>\n`
}
