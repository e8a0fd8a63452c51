/** Those who listen to something. */
export class Listeners<Told> {
  readonly #listeners = new Set<(told: Told) => void>()

  /** Adds one. Gives the way to stop. */
  add(listener: (told: Told) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Tells all. */
  tell(told: Told): void {
    for (const listener of this.#listeners) listener(told)
  }

  /** Nobody listens any more. */
  clear(): void {
    this.#listeners.clear()
  }
}
