import type { AgentEvent, JsonObject, Msg } from '../../protocol/index.js'

/** Events and messages are JSON; the cast is needed because interfaces have no index signature. */
export function asJson(value: AgentEvent | Msg): JsonObject {
  return value as unknown as JsonObject
}
