import type { ConversationInput, JsonObject } from '../../protocol/index.js'
import { DecodedBuffer } from '../DecodedBuffer.js'

/** An input without what `Output` adds. */
type Body = ConversationInput extends infer Input
  ? Input extends unknown
    ? Omit<Input, 'id' | 'created_at'>
    : never
  : never

/**
 * Collects the inputs that a frame gives. An input's id is made of the place in the task and of what it says, so it is the same
 * in a replay, also where a replay begins later and has to tell more.
 */
export class Output extends DecodedBuffer {
  #place = ''
  #createdAt: string | undefined
  #counts = new Map<string, number>()

  /** The stamp of the event that is read: the latest so far. A clock that was put back would make what is old look new. */
  get createdAt(): string | undefined {
    return this.#createdAt
  }

  /** Begins an event of a task. */
  begin(place: string, createdAt?: string): void {
    this.#place = place
    const before = this.#createdAt
    if (createdAt !== undefined && !(before !== undefined && before > createdAt)) {
      this.#createdAt = createdAt
    }
    this.#counts.clear()
  }

  /** Tells something. */
  tell(body: Body): void {
    const count = (this.#counts.get(body.type) ?? 0) + 1
    this.#counts.set(body.type, count)
    const id = `${this.#place}:${body.type}${count > 1 ? `:${count}` : ''}`
    const created_at = this.#createdAt
    this.add({ ...body, id, ...(created_at === undefined ? {} : { created_at }) })
  }

  /** Tells something that is of no message. */
  note(name: string, value: JsonObject): void {
    this.tell({ type: 'CUSTOM', name, value })
  }
}
