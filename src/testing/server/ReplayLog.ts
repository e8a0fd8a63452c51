import type { AgentEvent } from '../../protocol/index.js'

/** What of the past a new connection is told. */
export class ReplayLog {
  readonly #limit: number
  #entries: { readonly sequence: number; readonly event: AgentEvent }[] = []
  #sequence = 0

  /** @param limit - So many of the newest events are kept. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** The newest entry's number; 0 before the first. */
  get sequence(): number {
    return this.#sequence
  }

  /** Adds an event. */
  add(event: AgentEvent): void {
    this.#sequence += 1
    this.#entries.push({ sequence: this.#sequence, event })
    if (this.#entries.length > this.#limit) this.#entries.shift()
  }

  /** Forgets what came before an entry. The entry itself stays, as the service's in-memory bus keeps it. */
  trimBefore(sequence: number): void {
    this.#entries = this.#entries.filter((entry) => entry.sequence >= sequence)
  }

  /** The events after an entry; all that are kept by default. */
  read(after: number = 0): readonly AgentEvent[] {
    return this.#entries.filter((entry) => entry.sequence > after).map((entry) => entry.event)
  }
}
