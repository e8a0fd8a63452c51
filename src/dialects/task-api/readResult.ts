import { isJsonObject, type JsonValue, type ToolResultState } from '../../protocol/index.js'
import { readText } from './readField.js'

/**
 * How a call ended. The status is `completed` for failures, too: success stands in the result.
 *
 * @param status - The status of the update.
 * @param result - What the tool gave.
 */
export function readState(status: string, result: JsonValue | undefined): ToolResultState {
  const fields = isJsonObject(result) ? result : {}
  const inner = readText(fields, 'status') ?? ''
  if (/^(cancell?ed|terminated)$/.test(status) || /^cancell?ed$/.test(inner)) return 'interrupted'
  if (/^(denied|rejected)$/.test(inner)) return 'denied'
  const isFailure = fields['success'] === false || readText(fields, 'error_type') !== undefined
  return isFailure || /^(failed|timeout|error)$/.test(status) ? 'error' : 'success'
}

/**
 * What a result says to a person: the text itself, the first field that is meant to be read, or all of it.
 *
 * @param result - What the tool gave.
 */
export function readResultText(result: JsonValue | undefined): string {
  if (result === undefined || result === null) return ''
  if (typeof result === 'string') return result
  const fields = isJsonObject(result) ? result : {}
  return (
    readText(fields, 'answer_text', 'summary', 'message', 'output', 'content', 'error') ??
    JSON.stringify(result, null, 2)
  )
}
