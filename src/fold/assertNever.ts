/**
 * Marks the end of a switch over a closed union: a new member fails the build here.
 * Never reached at run time, since what is not of the union is turned away before.
 *
 * @param value - What the switch left over.
 * @throws {TypeError} When called, against the types.
 */
export function assertNever(value: never): never {
  throw new TypeError(`No case for ${JSON.stringify(value)}.`)
}
