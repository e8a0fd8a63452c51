import { isJsonObject, type JsonObject, type JsonValue } from '../../protocol/index.js'

/** Every status of a task that is not over; any other word says that it is. */
const ACTIVE: ReadonlySet<JsonValue> = new Set(['pending', 'running', 'cancel_requested'])

/**
 * The fields of an answer: some are wrapped in `data`, some are not.
 *
 * @param body - The answer.
 */
export function readData(body: unknown): JsonObject {
  if (!isJsonObject(body)) return {}
  return isJsonObject(body['data']) ? body['data'] : body
}

/** A list of objects; what is none is left out. */
export function readList(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** A text that says something. */
export function readWord(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Whether a task's page says that it is over. */
export function isOver({ status }: JsonObject): boolean {
  return status !== undefined && !ACTIVE.has(status)
}

/** Whether something says of what runs, or ran, that it goes on in the background: under one of several names. */
export function isInBackground(value: object): boolean {
  return Object.entries(value).some(
    ([name, isTrue]) => name.startsWith('has_running_') && isTrue === true,
  )
}
