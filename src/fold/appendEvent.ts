import { type AgentEvent, type Msg, parseEvent } from '../protocol/index.js'
import { foldEvent } from './foldEvent.js'
import { MessageDraft } from './MessageDraft.js'

/**
 * Adds what an event says to the message of its reply, as AgentScope Python's `Msg.append_event` does.
 *
 * Use it for one message and its events; a whole session with replays, requests and history is folded by `applyEvents`.
 * An event of another reply, an event about a block that was never started, `CUSTOM`, and whatever is no event change
 * nothing. The same event twice counts twice: repeats are told apart by id, one level up. Times and made-up ids come
 * from the event. docs/fold.md lists the differences from Python.
 *
 * @param message - The message; its id is the reply's. Never written to.
 * @param event - The next event, in order of arrival. Any JSON is survived.
 * @returns The message with the event; the very same object when nothing changed. Blocks that the event does not
 * touch are shared with the old message.
 */
export function appendEvent(message: Msg, event: AgentEvent): Msg {
  const { event: parsed } = parseEvent(event)
  if (parsed === undefined || parsed.type === 'CUSTOM' || parsed.reply_id !== message.id) {
    return message
  }
  const draft = new MessageDraft(message)
  foldEvent(draft, parsed)
  return draft.commit()
}
