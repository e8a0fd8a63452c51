import type { Anomaly, ConversationInput, Decoded } from '../protocol/index.js'

/** Collects what frames give until it is taken. A dialect's own output adds ids and stamps. */
export class DecodedBuffer {
  #inputs: ConversationInput[] = []
  #anomalies: Anomaly[] = []

  /** Adds an input as it is. */
  protected add(input: ConversationInput): void {
    this.#inputs.push(input)
  }

  /** Tells what was odd. */
  report(kind: Anomaly['kind'], message: string, raw: unknown): void {
    this.#anomalies.push({ kind, message, raw })
  }

  /** All that was told since the last time. */
  take(): Decoded {
    const decoded = { inputs: this.#inputs, anomalies: this.#anomalies }
    this.#inputs = []
    this.#anomalies = []
    return decoded
  }
}
