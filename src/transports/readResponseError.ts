import { isJsonObject, TransportError, type TransportErrorReason } from '../protocol/index.js'
import { readDetail, reasonOf } from './statusError.js'

/** What is shown of a body. */
const PREVIEW_CHARS = 2_000
/** What is read of it to find the server's own words: a list of pydantic errors can be long. */
const READ_CHARS = 65_536

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
 * Makes an error of an answer that is not what was asked for, in the services' error shapes:
 * `{"detail": "…"}`, or pydantic's list, or `{"error": "…"}`. Markup never gets into the message.
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
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? readDetail(value['detail'] ?? value['error']) : undefined
  } catch {
    return undefined
  }
}

/** Seconds, or a date. */
function readRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1_000
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now())
}
