/**
 * Ids of inputs seen, oldest first, in pages: a new id copies the last page only.
 *
 * Bounded, because a service repeats no more than its replay log holds: AgentScope about 1,000 events, the Task API 20,000.
 */
export type SeenIds = readonly (readonly string[])[]

const IDS_PER_PAGE = 256
/** When two generations are full, the older one is dropped as a whole: single deletions cost a set more than additions. */
const PAGES_PER_GENERATION = 96

/** The same ids as two sets. They go along to the next version; an old version that is used again makes its own. */
const generations = new WeakMap<SeenIds, Generations>()

interface Generations {
  readonly older: Set<string>
  readonly newer: Set<string>
}

/** The ids seen, while a batch is folded. */
export class SeenDraft {
  readonly #base: SeenIds
  #pages: SeenIds
  /** The generation before; empty while there is only one. */
  #older: Set<string>
  /** The generation that grows. */
  #newer: Set<string>
  #page: string[] = []
  #room = 0

  constructor(seen: SeenIds) {
    this.#base = seen
    this.#pages = seen
    const { older, newer } = generations.get(seen) ?? createGenerations(seen)
    this.#older = older
    this.#newer = newer
  }

  /** Remembers an id. False = it was seen before. */
  add(id: string): boolean {
    if (this.#older.has(id)) return false
    // One look-up tells and adds; this runs for every event.
    const newer = this.#newer
    const { size } = newer
    if (newer.add(id).size === size) return false
    if (this.#room === 0) this.#openPage(id)
    this.#room -= 1
    this.#page.push(id)
    return true
  }

  /** The ids as they are now: the very same object when none was added. The draft must not be used after. */
  commit(): SeenIds {
    generations.set(this.#pages, { older: this.#older, newer: this.#newer })
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
    if (length === 0 || length % PAGES_PER_GENERATION !== 0) return this.#pages
    // The growing generation is full, and the id is the first of the next one.
    this.#newer.delete(id)
    this.#older = this.#newer
    this.#newer = new Set([id])
    return length === PAGES_PER_GENERATION ? this.#pages : this.#pages.slice(PAGES_PER_GENERATION)
  }
}

function createGenerations(seen: SeenIds): Generations {
  const isSecond = seen.length > PAGES_PER_GENERATION
  const first = isSecond ? PAGES_PER_GENERATION : 0
  return { older: new Set(seen.slice(0, first).flat()), newer: new Set(seen.slice(first).flat()) }
}
