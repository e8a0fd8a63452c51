/** Gives numbers that look random and come again with the same seed. */
export interface Random {
  /** The next number, from 0 up to but not including 1. */
  next(): number
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number
  /** `true` as often as the probability (0 to 1) says. Takes a number each time, also for 0 and 1. */
  happens(probability: number): boolean
  /** So many hexadecimal digits. */
  hex(digits: number): string
}

/**
 * Makes a source of numbers for tests: no clock, no `Math.random`.
 *
 * @param seed - A number or a text; the same seed gives the same numbers, on every machine.
 */
export function createRandom(seed: number | string): Random {
  let state = scramble(String(seed)) || 1
  const next = (): number => {
    // Marsaglia's shifts with 13, 17 and 5 run through every number but 0; the product spreads them.
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (Math.imul(state, 0x2c1b3c6d) >>> 0) / 0x1_0000_0000
  }
  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    happens: (probability) => next() < probability,
    hex: (digits) =>
      Array.from({ length: digits }, () => Math.floor(next() * 16).toString(16)).join(''),
  }
}

/** Neighbouring seeds begin far from each other. */
function scramble(text: string): number {
  let hash = 0x9e3779b9
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
    hash ^= hash >>> 15
  }
  return hash | 0
}
