import { TransportError, type TransportErrorReason } from '../protocol/index.js'
import { readDetail } from './statusError.js'

/** What is known of a socket besides its event. */
export interface EndedSocket {
  /** Its name in messages. */
  readonly name: string
  /** Whether it had been open. */
  readonly wasOpen: boolean
  /** Spreads those who come back at a server's wish; `Math.random` by default. */
  readonly random?: (() => number) | undefined
}

const REASONS: Readonly<Record<number, TransportErrorReason>> = {
  4401: 'unauthorized',
  4404: 'not-found',
  4409: 'conflict',
}

/** Codes with which a server asks to come back, but not at once: it restarts, or has too much to do. */
const LATER: ReadonlySet<unknown> = new Set([1012, 1013])
const LATER_MS = 5_000

/**
 * Says why a socket was closed.
 *
 * @param event - The close event.
 * @param socket - What else is known.
 */
export function socketError(event: unknown, socket: EndedSocket): TransportError {
  const { name, wasOpen, random = Math.random } = socket
  const { code, reason } = isCloseEvent(event) ? event : {}
  if (!wasOpen) {
    const message = `${name} could not be opened: the network or the server is down, or the server refused without a reason that pages may read.`
    return new TransportError('offline', message)
  }
  const detail = typeof reason === 'string' ? readDetail(reason) : undefined
  const message = `${name} was closed with code ${typeof code === 'number' ? code : 1006}${detail === undefined ? '.' : `: ${detail}`}`
  const why = typeof code === 'number' ? REASONS[code] : undefined
  // All are cut off at once, so they must not come back at once.
  const retryAfterMs = LATER.has(code) ? LATER_MS + Math.round(random() * LATER_MS) : undefined
  return new TransportError(why ?? 'closed', message, { detail, retryAfterMs })
}

function isCloseEvent(
  event: unknown,
): event is { readonly code?: unknown; readonly reason?: unknown } {
  return typeof event === 'object' && event !== null
}
