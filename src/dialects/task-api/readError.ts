import type { JsonObject, ReplyError } from '../../protocol/index.js'
import { readText } from './readField.js'

/** The words for arguments that could not be read: the run goes on, the model tries again. */
const ARGUMENTS = /\b(argument|parameter)s?\b|参数/i

/** What an `error` event is: `retry` comes again by itself, `loose` ended the run only if the run did not go on. */
export type Severity = 'retry' | 'warning' | 'loose' | 'fatal'

/** How bad an `error` event is. One that only has a message may be a call that could not be read. */
export function severityOf(data: JsonObject): Severity {
  if (data['retry'] === true) return 'retry'
  if ('status_code' in data || 'error_type' in data || 'error_code' in data || 'quota' in data) {
    return 'fatal'
  }
  return ARGUMENTS.test(readText(data, 'message') ?? '') ? 'warning' : 'loose'
}

/** The error that ends a reply. */
export function readError(data: JsonObject): ReplyError {
  const message = readText(data, 'message', 'error_text', 'error') ?? ''
  return { type: typeOf(data), message }
}

function typeOf(data: JsonObject): ReplyError['type'] {
  const { status_code: code } = data
  const kind = `${readText(data, 'error_type') ?? ''} ${readText(data, 'error_code') ?? ''}`
  const status = typeof code === 'string' ? Number(code) : code
  if (status === 401) return 'authentication'
  if (status === 429 || /quota/i.test(kind) || (data['quota'] ?? false) !== false) {
    return 'rate_limit'
  }
  if (status === 400 || status === 422 || /context_overflow/.test(kind)) return 'invalid_request'
  if (status === 403) return 'permission'
  if (typeof status === 'number' && status >= 500 && status < 600) return 'upstream'
  return code === null ? 'connection' : 'unknown'
}
