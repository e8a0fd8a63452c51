/**
 * Ids of inputs seen, oldest first, in pages: a new id copies the last page only.
 *
 * Bounded, because a service repeats no more than its replay log holds (about 1,000 events).
 */
export type SeenIds = readonly (readonly string[])[]

const IDS_PER_PAGE = 256
const PAGES = 24

/** The same ids as a set. It goes along to the next version; an old version that is used again makes its own. */
const sets = new WeakMap<SeenIds, Set<string>>()

/** The ids seen, while a batch is folded. */
export class SeenDraft {
  readonly #base: SeenIds
  readonly #set: Set<string>
  #pages: SeenIds
  #last: string[] | undefined

  constructor(seen: SeenIds) {
    this.#base = seen
    this.#pages = seen
    this.#set = sets.get(seen) ?? new Set(seen.flat())
  }

  /** Remembers an id. False = it was seen before. */
  add(id: string): boolean {
    if (this.#set.has(id)) return false
    // From here on the set describes the new version.
    if (this.#last === undefined) sets.delete(this.#base)
    this.#set.add(id)
    this.#openPage().push(id)
    return true
  }

  /** The ids as they are now: the very same object when none was added. The draft must not be used after. */
  commit(): SeenIds {
    sets.set(this.#pages, this.#set)
    return this.#pages
  }

  #openPage(): string[] {
    if (this.#last !== undefined && this.#last.length < IDS_PER_PAGE) return this.#last
    const held = this.#last === undefined ? this.#pages.at(-1) : undefined
    const continues = held !== undefined && held.length < IDS_PER_PAGE
    const page = continues ? [...held] : []
    const before = continues ? this.#pages.slice(0, -1) : this.#pages
    const dropped = before.length >= PAGES ? before.slice(0, before.length - PAGES + 1) : []
    for (const id of dropped.flat()) this.#set.delete(id)
    this.#pages = [...before.slice(dropped.length), page]
    this.#last = page
    return page
  }
}
