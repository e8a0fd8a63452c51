import { isJsonObject, type JsonObject, type JsonValue } from '../../protocol/index.js'
import { readWord } from './readBody.js'

/** What the ids of later events depend on. */
const KEPT =
  /^(ai_message_start|api_request_start|user_message|thinking_|text_|tool_|update_action|user_questions_|plan_approval_|stream_reset|error|task_|token_update)/
/** A server keeps so many events at least: before, a task can be told again from its beginning. */
const ALL_THERE = 500
const LONGEST_WORD = 100
const LONGEST = 200_000

/**
 * The events of a task without their words: enough to read on in the middle. A server that keeps the latest thousand events lets go of
 * the beginning, and with it of what tells which call of the model the rest belongs to.
 */
export interface TaskPrimer {
  /** Adds an event. */
  add(event: JsonObject): void
  /** The events, to be kept; null while, or because, it is not worth it. */
  read(): readonly JsonObject[] | null
}

/**
 * Makes a primer.
 *
 * @param before - What was kept.
 */
export function createTaskPrimer(before: readonly JsonObject[] = []): TaskPrimer {
  const events = [...before]
  let last = -1
  let isTooLong = false

  function dropLast(type: string): JsonObject | undefined {
    const index = events.findLastIndex((event) => event['type'] === type)
    return index < 0 ? undefined : events.splice(index, 1)[0]
  }

  return {
    add(event) {
      const type = readWord(event['type']) ?? ''
      last = typeof event['idx'] === 'number' ? event['idx'] : last
      if (isTooLong || !KEPT.test(type)) return
      if (type.endsWith('_chunk')) {
        const open = events.at(-1)
        if (open?.['type'] === type) events.pop()
        const written = open?.['type'] === type ? contentOf(open) : ''
        events.push({ ...event, data: { content: written + contentOf(event) } })
        return
      }
      // What is written is needed until it ends, the tokens until they are told anew.
      if (type.endsWith('_end')) dropLast(type.replace('_end', '_chunk'))
      if (type === 'token_update') dropLast(type)
      // What asks may have to be shown again.
      events.push(type.endsWith('_required') ? event : strip(event))
    },
    read() {
      if (last < ALL_THERE) return null
      isTooLong ||= JSON.stringify(events).length > LONGEST
      return isTooLong ? null : events
    },
  }
}

function contentOf({ data }: JsonObject): string {
  const content = isJsonObject(data) ? data['content'] : undefined
  return typeof content === 'string' ? content : ''
}

function strip(event: JsonObject): JsonObject {
  const text = JSON.stringify(event, (_, value: JsonValue) =>
    typeof value === 'string' && value.length > LONGEST_WORD ? '' : value,
  )
  const stripped: unknown = JSON.parse(text)
  return isJsonObject(stripped) ? stripped : event
}
