import type { AgentEvent } from '../../protocol/index.js'

/** An event and its number. */
export interface LogEntry {
  /** Counts the session's events, from 1. */
  readonly sequence: number
  /** The event. */
  readonly event: AgentEvent
}

/** The newest events of a session. Their numbers never start anew while the session lives. */
export class SequenceLog {
  readonly #limit: number
  readonly #entries: LogEntry[] = []
  #newest = 0

  /** @param limit - So many of the newest events are kept. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** The newest entry's number; 0 before the first. */
  get newest(): number {
    return this.#newest
  }

  /** The number of the oldest entry that is kept; the next one's while there is none. */
  get oldest(): number {
    return this.#newest - this.#entries.length + 1
  }

  /** Adds an event. The oldest one goes when there is no more room. */
  add(event: AgentEvent): LogEntry {
    this.#newest += 1
    const entry = { sequence: this.#newest, event }
    this.#entries.push(entry)
    if (this.#entries.length > this.#limit) this.#entries.shift()
    return entry
  }

  /** The entries after a number; all that are kept by default. */
  read(after: number = 0): readonly LogEntry[] {
    return this.#entries.slice(Math.max(0, after - this.oldest + 1))
  }
}
