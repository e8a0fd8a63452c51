/**
 * Looks up what stands under an id in a record of ids; an id may be any text, also one that every object inherits.
 *
 * @param record - The record.
 * @param id - The id.
 * @returns Null when nothing stands there.
 */
export function ownEntry<Value>(record: Readonly<Record<string, Value>>, id: string): Value | null {
  return Object.hasOwn(record, id) ? (record[id] ?? null) : null
}
