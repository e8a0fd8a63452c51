import {
  isJsonObject,
  TransportError,
  type JsonValue,
  type TransportErrorReason,
} from '../protocol/index.js'

/** What is shown of a body. */
const PREVIEW_CHARS = 2_000
/** What is read of it to find the server's own words: a list of pydantic errors can be long. */
const READ_CHARS = 65_536
const DETAIL_CHARS = 300

/** What an answer with a good status should have been and is not. */
export interface WrongAnswer {
  /** Why it counts as a failure. */
  readonly reason: TransportErrorReason
  /** What was expected, for the message. */
  readonly expected: string
  /** The body, if it was read. */
  readonly body?: string
}

/**
 * Makes an error of an answer that is not what was asked for, in the service's error shapes:
 * `{"detail": "…"}`, or pydantic's list. Markup never gets into the message.
 *
 * @param response - The answer; its body is read or cancelled.
 * @param request - The request, for the message.
 * @param wrong - What is wrong about an answer with a good status.
 */
export async function readResponseError(
  response: Response,
  request: string,
  wrong?: WrongAnswer,
): Promise<TransportError> {
  const { status, headers } = response
  const body = wrong?.body ?? (await readStart(response))
  const detail = findDetail(body)
  const words =
    wrong === undefined
      ? `answered ${status}${detail === undefined ? '.' : `: ${detail}`}`
      : `did not answer with ${wrong.expected}: check the address, and what stands before the server (a login page?).`
  return new TransportError(wrong?.reason ?? reasonOf(status), `${request} ${words}`, {
    status,
    body: body.slice(0, PREVIEW_CHARS),
    detail,
    contentType: headers.get('content-type') ?? undefined,
    retryAfterMs: readRetryAfter(headers.get('retry-after')),
  })
}

function reasonOf(status: number): TransportErrorReason {
  if (status >= 500) return 'server'
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 404 || status === 410) return 'not-found'
  if (status === 408) return 'timeout'
  if (status === 409) return 'conflict'
  return 'rejected'
}

/** The start of the body; what breaks off counts as far as it came. The rest is cancelled, which frees the connection. */
async function readStart(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (reader === undefined) return ''
  const decoder = new TextDecoder()
  let text = ''
  try {
    while (text.length < READ_CHARS) {
      const { done, value } = await reader.read()
      if (done) return text + decoder.decode()
      text += decoder.decode(value, { stream: true })
    }
    await reader.cancel()
  } catch {
    // The status already says that something failed.
  }
  return text
}

function findDetail(text: string): string | undefined {
  const detail = readDetail(text)?.replaceAll(/\s+/g, ' ').trim()
  // Some gateways put whole pages into JSON: those are no words to show.
  if (detail === undefined || detail === '' || detail.includes('<')) return undefined
  return detail.length > DETAIL_CHARS ? `${detail.slice(0, DETAIL_CHARS - 1)}…` : detail
}

function readDetail(text: string): string | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const detail = isJsonObject(value) ? value['detail'] : undefined
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

/** Seconds, or a date. */
function readRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1_000
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now())
}
