/**
 * Gives an id to a thing that an app makes: a message, a block, an answer.
 * The only place in the protocol that uses randomness; nothing that is folded calls it.
 *
 * @returns 32 hexadecimal digits, as AgentScope Python's ids have them.
 */
export function createId(): string {
  // getRandomValues and not randomUUID: the latter is missing on pages served over plain http.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * The time now, for a thing that an app makes. The service stores a client's stamp untouched.
 *
 * @returns ISO time in UTC, ending in `Z`.
 */
export function createTimestamp(): string {
  return new Date().toISOString()
}
