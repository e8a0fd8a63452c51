import { createRhythm } from './createPace.js'
import { Interrupted, type Pace, type Pause, type Play } from './Pace.js'

/** A pace without a clock: nothing plays until it is told to. */
export interface StepPace extends Pace {
  /** What the one that plays next waits for; undefined when nothing plays. */
  readonly pause: Pause | undefined
  /** How much time passed, in milliseconds at pace 1. */
  readonly elapsedMs: number
  /** Plays on to the next pause. */
  goOn(): void
}

/** Something that plays, and what it waits for. */
interface Waiting {
  readonly play: Play
  pause: Pause
  hasBegun: boolean
}

/** Makes a pace that is told when to go on. What began first plays to its end before the next. */
export function createStepPace(): StepPace {
  const rhythm = createRhythm()
  let waiting: readonly Waiting[] = []
  let elapsedMs = 0

  function remove(one: Waiting): void {
    waiting = waiting.filter((other) => other !== one)
  }

  function settle(one: Waiting, { done, value }: IteratorResult<Pause, void>): void {
    if (done === true) remove(one)
    else if (value !== undefined) one.pause = value
  }

  function resume(one: Waiting): void {
    one.hasBegun = true
    settle(one, one.play.next())
  }

  return {
    get pause() {
      return waiting[0]?.pause
    },
    get elapsedMs() {
      return elapsedMs
    },
    goOn: () => {
      const [first] = waiting
      if (first === undefined) return
      elapsedMs += rhythm(first.pause)
      resume(first)
    },
    play: (play) => {
      const one: Waiting = { play, pause: 0, hasBegun: false }
      waiting = [...waiting, one]
      return {
        interrupt: () => {
          if (!waiting.includes(one)) return
          // What has not begun cannot be interrupted: it would end without a word.
          if (!one.hasBegun) resume(one)
          if (waiting.includes(one)) settle(one, play.throw(new Interrupted()))
        },
        stop: () => {
          remove(one)
          play.return()
        },
      }
    },
  }
}
