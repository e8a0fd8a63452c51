import type { RenewCredentials } from './Renewal.js'

/** Headers of a request: fixed ones, or a function that is asked before every attempt, so that a fresh token is used. */
export type HeadersSource =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)

/** `fetch`, or something with its shape: to add credentials, to log, to test. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Where a request goes and how. */
export interface HttpTarget {
  /** The address; relative ones are relative to the page. */
  readonly url: string
  /** `GET` by default, `POST` with a body. */
  readonly method?: string
  /** Headers to send; none by default. */
  readonly headers?: HeadersSource
  /** Sent as JSON, a `FormData` as it is; absent = no body. */
  readonly body?: unknown
  /** The page's own `fetch` by default. */
  readonly fetch?: Fetch
  /**
   * Called at 401 and 403. Once it resolved the request is made once more, with headers asked anew. Not called again before
   * something was accepted; whoever gives the same function waits for the same call.
   */
  readonly onUnauthorized?: RenewCredentials
}

/** Names a request in messages, without its query and credentials, which may be secrets. Free of markup. */
export function nameRequest(target: HttpTarget): string {
  const address = target.url
    .replace(/[?#].*$/, '')
    .replace(/^([a-z]+:\/\/)[^/]*@/i, '$1')
    .replaceAll('<', '%3C')
  return `${methodOf(target)} ${address}`
}

/** The method that is sent. */
export function methodOf(target: HttpTarget): string {
  return target.method ?? (target.body === undefined ? 'GET' : 'POST')
}
