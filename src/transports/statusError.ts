import {
  isJsonObject,
  TransportError,
  type JsonValue,
  type TransportErrorReason,
} from '../protocol/index.js'

const DETAIL_CHARS = 300

/**
 * Makes an error of a refusal that did not come over HTTP but in its words: a status and a `detail`.
 *
 * @param what - What was refused, for the message.
 * @param status - The status, with the meaning it has in HTTP.
 * @param detail - The server's own words, in the service's shapes: a sentence, or pydantic's list.
 */
export function statusError(what: string, status: number, detail?: JsonValue): TransportError {
  const words = readDetail(detail)
  const message = `${what} was answered ${status}${words === undefined ? '.' : `: ${words}`}`
  return new TransportError(reasonOf(status), message, { status, detail: words })
}

/** What a status that is no success means. */
export function reasonOf(status: number): TransportErrorReason {
  if (status >= 500) return 'server'
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 404 || status === 410) return 'not-found'
  if (status === 408) return 'timeout'
  if (status === 409) return 'conflict'
  return 'rejected'
}

/** The words of a `detail` in one line; undefined when there are none that are fit to show. */
export function readDetail(detail: JsonValue | undefined): string | undefined {
  const words = wordsOf(detail)?.replaceAll(/\s+/g, ' ').trim()
  // Some gateways put whole pages into JSON: those are no words to show.
  if (words === undefined || words === '' || words.includes('<')) return undefined
  return words.length > DETAIL_CHARS ? `${words.slice(0, DETAIL_CHARS - 1)}…` : words
}

function wordsOf(detail: JsonValue | undefined): string | undefined {
  if (typeof detail === 'string') return detail
  if (!Array.isArray(detail)) return undefined
  const problems: readonly JsonValue[] = detail
  return problems.map(nameProblem).join('; ')
}

/** One entry of pydantic's list, such as `header.x-user-id: Field required`. */
function nameProblem(problem: JsonValue): string {
  if (!isJsonObject(problem)) return typeof problem === 'string' ? problem : 'not valid'
  const { loc, msg } = problem
  const words = typeof msg === 'string' ? msg : 'not valid'
  return Array.isArray(loc) ? `${loc.join('.')}: ${words}` : words
}
