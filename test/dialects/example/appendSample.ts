import { appendEvent, AssistantMsg, type AgentEvent, type Msg } from '../../../src/entries/core.js'

/** The message that the events of one reply give. */
export function collect(events: readonly AgentEvent[]): Msg | undefined {
  let message: Msg | undefined
  for (const event of events) {
    if (event.type === 'REPLY_START') {
      message = new AssistantMsg({ id: event.reply_id, name: event.name ?? '', content: [] })
    } else if (message !== undefined) {
      message = appendEvent(message, event)
    }
  }
  return message
}
