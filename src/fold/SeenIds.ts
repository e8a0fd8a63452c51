/**
 * Ids of inputs seen, oldest first, in pages: a new id copies the last page only.
 *
 * Bounded, because a service repeats no more than its replay log holds (about 1,000 events).
 */
export type SeenIds = readonly (readonly string[])[]

const IDS_PER_PAGE = 256
/** When two generations are full, the older one is dropped as a whole: single deletions cost a set more than additions. */
const PAGES_PER_GENERATION = 16

/** The same ids as two sets. They go along to the next version; an old version that is used again makes its own. */
const generations = new WeakMap<SeenIds, Generations>()

interface Generations {
  older: Set<string>
  newer: Set<string>
}

/** The ids seen, while a batch is folded. */
export class SeenDraft {
  readonly #base: SeenIds
  readonly #sets: Generations
  #pages: SeenIds
  #page: string[] = []
  #room = 0

  constructor(seen: SeenIds) {
    this.#base = seen
    this.#pages = seen
    this.#sets = generations.get(seen) ?? createGenerations(seen)
  }

  /** Remembers an id. False = it was seen before. */
  add(id: string): boolean {
    const { older, newer } = this.#sets
    // One look-up tells and adds; this runs for every event.
    if (this.#pages.length > PAGES_PER_GENERATION) {
      const size = newer.size
      if (older.has(id) || newer.add(id).size === size) return false
    } else {
      const size = older.size
      if (older.add(id).size === size) return false
    }
    if (this.#room === 0) this.#openPage(id)
    this.#room -= 1
    this.#page.push(id)
    return true
  }

  /** The ids as they are now: the very same object when none was added. The draft must not be used after. */
  commit(): SeenIds {
    generations.set(this.#pages, this.#sets)
    return this.#pages
  }

  #openPage(id: string): void {
    // From here on the sets describe the new version.
    generations.delete(this.#base)
    const held = this.#pages === this.#base ? this.#pages.at(-1) : undefined
    const continues = held !== undefined && held.length < IDS_PER_PAGE
    this.#page = continues ? [...held] : []
    this.#room = IDS_PER_PAGE - this.#page.length
    const before = continues ? this.#pages.slice(0, -1) : this.#makeRoom(id)
    this.#pages = [...before, this.#page]
  }

  #makeRoom(id: string): SeenIds {
    const { length } = this.#pages
    if (length % PAGES_PER_GENERATION !== 0 || length === 0) return this.#pages
    // The id was taken for one of the generation that is full, and is the first of the next one.
    const full = length === PAGES_PER_GENERATION ? this.#sets.older : this.#sets.newer
    full.delete(id)
    this.#sets.older = full
    this.#sets.newer = new Set([id])
    return length === PAGES_PER_GENERATION ? this.#pages : this.#pages.slice(PAGES_PER_GENERATION)
  }
}

function createGenerations(seen: SeenIds): Generations {
  return {
    older: new Set(seen.slice(0, PAGES_PER_GENERATION).flat()),
    newer: new Set(seen.slice(PAGES_PER_GENERATION).flat()),
  }
}
