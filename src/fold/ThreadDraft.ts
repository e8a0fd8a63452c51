import type { Msg } from '../protocol/index.js'
import { MessageDraft } from './MessageDraft.js'

/** New messages come at the end, so most look-ups end there. */
const LOOK_BACK = 8

/** A list of messages while a batch is folded into it. Copied at most once, and only when it changes. */
export class ThreadDraft {
  readonly #base: readonly Msg[]
  #messages: readonly Msg[]
  #own: Msg[] | undefined
  #positions: Map<string, number> | undefined
  readonly #drafts = new Map<string, MessageDraft>()

  constructor(messages: readonly Msg[]) {
    this.#base = messages
    this.#messages = messages
  }

  /** Whether a message is there. */
  has(id: string): boolean {
    return this.#drafts.has(id) || this.#positionOf(id) !== undefined
  }

  /** A message as it was before this batch, or as it was added in it. */
  read(id: string): Msg | undefined {
    const position = this.#positionOf(id)
    return position === undefined ? undefined : this.#messages[position]
  }

  /** A message, for writing. */
  open(id: string): MessageDraft | undefined {
    const open = this.#drafts.get(id)
    if (open !== undefined) return open
    const message = this.read(id)
    if (message === undefined) return undefined
    const draft = new MessageDraft(message)
    this.#drafts.set(id, draft)
    return draft
  }

  /** Adds a message at the end. */
  push(message: Msg): MessageDraft {
    const messages = this.#writable()
    this.#positions?.set(message.id, messages.length)
    messages.push(message)
    const draft = new MessageDraft(message)
    this.#drafts.set(message.id, draft)
    return draft
  }

  /** All messages as they are now: the very same list when nothing changed. */
  settle(): readonly Msg[] {
    for (const [id, draft] of this.#drafts) {
      const position = this.#positionOf(id)
      const message = draft.commit()
      if (position === undefined || this.#messages[position] === message) continue
      this.#writable()[position] = message
    }
    this.#drafts.clear()
    return this.#messages
  }

  /** Puts other messages in the place of all; `settle` must come first. */
  replace(messages: readonly Msg[]): void {
    const isSame =
      messages.length === this.#messages.length &&
      messages.every((message, index) => message === this.#messages[index])
    if (isSame) return
    this.#own = [...messages]
    this.#messages = this.#own
    this.#positions = undefined
  }

  #positionOf(id: string): number | undefined {
    const messages = this.#messages
    const known = this.#positions
    if (known !== undefined) return known.get(id)
    for (let back = 1; back <= Math.min(LOOK_BACK, messages.length); back++) {
      if (messages[messages.length - back]?.id === id) return messages.length - back
    }
    if (messages.length <= LOOK_BACK) return undefined
    const positions = new Map(messages.map((message, index) => [message.id, index]))
    this.#positions = positions
    return positions.get(id)
  }

  #writable(): Msg[] {
    this.#own ??= [...this.#base]
    this.#messages = this.#own
    return this.#own
  }
}
