import fc from 'fast-check'

const { LAWS_SEED = '1', LAWS_RUNS = '1' } = process.env

/**
 * Where all random values come from. It is always the same, so that a change makes a law fail and not chance. `LAWS_SEED` gives
 * another: a number repeats a failure, `random` searches on.
 */
export const seed: number = LAWS_SEED === 'random' ? Date.now() % 1_000_000 : Number(LAWS_SEED)

/** How many runs a law gets that has `count` of them in `npm test`; `LAWS_RUNS` multiplies them. */
export function runs(count: number): number {
  return count * Number(LAWS_RUNS)
}

fc.configureGlobal({ seed, numRuns: runs(100) })

export { fc }
