/** What something that plays waits for: the time between two chunks, milliseconds at pace 1, or a promise. */
export type Pause = 'beat' | number | Promise<unknown>

/** Something that plays, and pauses. `Interrupted` is thrown into it when the person stops it. */
export type Play<Result = void> = Generator<Pause, Result, void>

/** Thrown into what plays when the person stops it. */
export class Interrupted extends Error {
  /** The class's name, for logs. */
  override readonly name: string = 'Interrupted'
}

/** Something that is being played. */
export interface Playing {
  /** Throws `Interrupted` into it, where it pauses; what comes after is played. Nothing when it is over. */
  interrupt(): void
  /** Ends it without a word. */
  stop(): void
}

/** Lets time pass for what plays. */
export interface Pace {
  /** Plays to the end, pausing as it is asked to. */
  play(play: Play): Playing
}

/**
 * Lets time pass in something that plays. An interrupt comes too early or too late to change anything.
 *
 * @param ms - Milliseconds at pace 1.
 */
export function* passTime(ms: number): Play {
  try {
    yield ms
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
  }
}
