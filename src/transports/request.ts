import { TransportError } from '../protocol/index.js'
import { systemClock, type Clock } from './Clock.js'
import { nameRequest, type HttpTarget } from './HttpTarget.js'
import { readResponseError } from './readResponseError.js'
import { withRenewal } from './Renewal.js'
import { sendRequest } from './sendRequest.js'

/** One request for JSON. */
export interface RequestOptions extends HttpTarget {
  /** How long the whole thing may take, in milliseconds; 30 000 by default. */
  readonly timeoutMs?: number
  /** Stops it from outside. */
  readonly signal?: AbortSignal
  /** For tests; the device's own by default. */
  readonly clock?: Clock
}

/**
 * Sends one request and reads the JSON of its answer. Never tries twice, but after `onUnauthorized` renewed credentials: what
 * was refused had no effect.
 *
 * @param options - Where to and how.
 * @returns What `JSON.parse` gave; null for an empty body.
 * @throws TransportError, with reason `offline`, `timeout`, `aborted`, `malformed` (a success that is no JSON), or
 *   what the status says.
 */
export function request(options: RequestOptions): Promise<unknown> {
  return withRenewal(options.onUnauthorized, () => requestOnce(options))
}

function requestOnce(options: RequestOptions): Promise<unknown> {
  const { timeoutMs = 30_000, signal, clock = systemClock } = options
  const controller = new AbortController()
  return new Promise((resolve, reject) => {
    const stop = (error: TransportError): void => {
      settle()
      reject(error)
      controller.abort()
    }
    const abort = (): void => {
      stop(new TransportError('aborted', `${nameRequest(options)} was stopped.`))
    }
    const cancelTimer = clock.schedule(() => {
      const message = `${nameRequest(options)} took longer than ${timeoutMs} ms; it may have had its effect.`
      stop(new TransportError('timeout', message))
    }, timeoutMs)
    const settle = (): void => {
      cancelTimer()
      signal?.removeEventListener('abort', abort)
    }
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) return abort()
    exchange(options, controller.signal).then(resolve, reject).finally(settle)
  })
}

async function exchange(options: RequestOptions, signal: AbortSignal): Promise<unknown> {
  const response = await sendRequest(options, { accept: 'application/json' }, signal)
  const text = await response.text().catch((cause: unknown) => {
    const message = `The answer to ${nameRequest(options)} broke off.`
    throw new TransportError('closed', message, { cause })
  })
  if (text.trim() === '') return null
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    const wrong = { reason: 'malformed', expected: 'JSON', body: text } as const
    throw await readResponseError(response, nameRequest(options), wrong)
  }
}
