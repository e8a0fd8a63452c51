const SUFFIX = /~\d+$/

/**
 * The kit's id of a call. Some models count their calls anew in each round, so that one reply has several under one id;
 * in the kit the later ones get a suffix.
 *
 * @param wireId - The wire's id.
 * @param repeats - How many calls of the reply had it before.
 */
export function encodeCallId(wireId: string, repeats: number): string {
  return repeats === 0 && !SUFFIX.test(wireId) ? wireId : `${wireId}~${repeats}`
}

/**
 * The wire's id of a call.
 *
 * @param id - The kit's id.
 */
export function decodeCallId(id: string): string {
  return id.replace(SUFFIX, '')
}
