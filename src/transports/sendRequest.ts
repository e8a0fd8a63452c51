import { TransportError } from '../protocol/index.js'
import { askApp } from './askApp.js'
import { methodOf, nameRequest, type HttpTarget } from './HttpTarget.js'
import { isOffline } from './isOffline.js'
import { readResponseError } from './readResponseError.js'
import { renewalOf } from './Renewal.js'

/**
 * Sends one request. Rejects with a `TransportError` for headers that cannot be had, for no answer and for an answer
 * that is no success.
 *
 * @param target - Where to and how.
 * @param ownHeaders - The transport's own headers; those of the target win.
 * @param signal - Stops it.
 */
export async function sendRequest(
  target: HttpTarget,
  ownHeaders: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> {
  const headers = buildHeaders(target, ownHeaders, await resolveHeaders(target))
  signal.throwIfAborted()
  // Called as a plain function: a method call would hand the browser's fetch a wrong `this`.
  const send = target.fetch ?? fetch
  const init: RequestInit = { method: methodOf(target), headers, signal, cache: 'no-store' }
  if (target.body !== undefined)
    init.body = isForm(target) ? target.body : JSON.stringify(target.body)
  const isUnsent = isOffline()
  const response = await send(target.url, init).catch((cause: unknown) => {
    throw new TransportError(
      'offline',
      `${nameRequest(target)} got no answer: the network or the server is down, or the browser may not ask (CORS).`,
      { cause, isUnsent },
    )
  })
  if (!response.ok) throw await readResponseError(response, nameRequest(target))
  renewalOf(target.onUnauthorized)?.accepted()
  return response
}

function isForm(target: HttpTarget): target is HttpTarget & { readonly body: FormData } {
  return target.body instanceof FormData
}

async function resolveHeaders(target: HttpTarget): Promise<Readonly<Record<string, string>>> {
  const { headers = {} } = target
  if (typeof headers !== 'function') return headers
  return askApp(headers, `${nameRequest(target)} was not sent: the headers function failed.`)
}

function buildHeaders(
  target: HttpTarget,
  ownHeaders: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
): Headers {
  const headers = new Headers(ownHeaders)
  // A form's type names the mark between its parts, which only `fetch` knows.
  if (target.body !== undefined && !isForm(target)) headers.set('content-type', 'application/json')
  try {
    for (const [name, value] of Object.entries(given)) headers.set(name, value)
  } catch (cause) {
    const message = `${nameRequest(target)} was not sent: a header is not allowed.`
    throw new TransportError('rejected', message, { cause })
  }
  return headers
}
