import { isJsonObject, TransportError, type JsonObject } from '../../protocol/index.js'
import {
  request,
  type Clock,
  type Fetch,
  type HeadersSource,
  type RenewCredentials,
} from '../../transports/index.js'

/** How to reach an agent service. */
export interface ServiceOptions {
  /** Where the service is, such as `https://example.com/agents`; may hold a path, and be relative to the page. */
  readonly baseUrl: string
  /** Who asks: usually `X-User-ID` or `Authorization`. A function is asked before every request, so that a fresh token is used. */
  readonly headers?: HeadersSource
  /** The page's own `fetch` by default; another one can add `credentials: 'include'` for cookies of another site. */
  readonly fetch?: Fetch
  /**
   * Called when the service refuses the credentials (401, 403): renew them, then resolve. What was refused is tried once more,
   * with `headers` asked anew; refused again, or rejected, the failure is shown. Give the same function to all backends of one
   * service: they then wait for one renewal.
   */
  readonly onUnauthorized?: RenewCredentials
  /** How long a request may take, in milliseconds; 30 000 by default. The stream is watched by its own rules. */
  readonly timeoutMs?: number
  /** For tests; the device's own by default. */
  readonly clock?: Clock
}

/** Query parameters; those that are undefined are left out. */
export type QueryParameters = Readonly<Record<string, string | number | undefined>>

/** The parts of one request to the service. */
interface ServiceCall {
  /** What stands in the query. */
  readonly query?: QueryParameters
  /** Sent as JSON; a form as it is. */
  readonly body?: JsonObject | FormData
  /** Stops it. */
  readonly signal?: AbortSignal
}

/** Speaks HTTP with one service. */
export interface ServiceClient {
  /** The service's address without slashes at its end. */
  readonly baseUrl: string
  /** The address of a path, which keeps or lacks its last slash exactly as the service has it: a redirect could lead astray. */
  urlOf(path: string, query?: QueryParameters): string
  /** Sends one request, once. Gives the object in the answer, an empty one if there is none. */
  call(method: string, path: string, parts?: ServiceCall): Promise<JsonObject>
}

/**
 * Makes a client for one service.
 *
 * @param options - How to reach it.
 */
export function createServiceClient(options: ServiceOptions): ServiceClient {
  const { baseUrl: givenUrl, ...rest } = options
  const baseUrl = givenUrl.replace(/\/+$/, '')
  const urlOf: ServiceClient['urlOf'] = (path, query = {}) => {
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) parameters.set(name, String(value))
    }
    const text = parameters.toString()
    return text === '' ? `${baseUrl}${path}` : `${baseUrl}${path}?${text}`
  }
  return {
    baseUrl,
    urlOf,
    call: async (method, path, { query, body, signal } = {}) => {
      const answer = await request({
        ...rest,
        url: urlOf(path, query),
        method,
        body,
        ...(signal && { signal }),
      })
      return isJsonObject(answer) ? answer : {}
    },
  }
}

/**
 * Says that an answer lacks what the contract promises: better than taking nothing for an empty list.
 *
 * @param what - The request and the field, for the message.
 */
export function missingField(what: string): TransportError {
  return new TransportError('malformed', `${what} is not in the answer: check the address.`)
}
