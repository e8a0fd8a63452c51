/**
 * Reads each item of a list; what cannot be read is left out.
 *
 * @param values - The list; what is no array counts as an empty one.
 * @param read - Reads one item; undefined for what is none.
 * @returns What was read: the very same list when each item came back as it was.
 */
export function readItems<Item>(
  values: unknown,
  read: (value: unknown, index: number) => Item | undefined,
): readonly Item[] {
  if (!Array.isArray(values)) return []
  const given: readonly unknown[] = values
  const items = given.map(read).filter((item) => item !== undefined)
  return isSameList(given, items) ? given : items
}

function isSameList<Item>(
  given: readonly unknown[],
  items: readonly Item[],
): given is readonly Item[] {
  return given.length === items.length && items.every((item, index) => item === given[index])
}
