const IDS_PER_GENERATION = 4096

/** What is known of an id: never heard, heard with the same content, or heard with another one. */
export type Seen = 'new' | 'same' | 'other'

/**
 * Remembers ids, and what came under them. Bounded: when two generations are full, the older one is forgotten.
 *
 * @returns Remembers an id, and tells what was known of it. `other` = the sender's ids are not of events.
 */
export function createSeen(): (id: string, content: string) => Seen {
  let older = new Map<string, string>()
  let newer = new Map<string, string>()
  return (id, content) => {
    const known = newer.get(id) ?? older.get(id)
    if (known !== undefined) return known === content ? 'same' : 'other'
    newer.set(id, content)
    if (newer.size >= IDS_PER_GENERATION) {
      older = newer
      newer = new Map()
    }
    return 'new'
  }
}
