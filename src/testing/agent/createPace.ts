import { Interrupted, type Pace, type Pause, type Play, type Playing } from './Pace.js'

/** Milliseconds between chunks: a model's uneven rhythm, the same every time. */
const BEATS = [24, 31, 20, 46, 27, 22, 58, 25, 36, 21]

/**
 * Counts how long pauses take.
 *
 * @returns Gives the milliseconds of a pause at pace 1; 0 for a promise, of which nobody knows.
 */
export function createRhythm(): (pause: Pause) => number {
  let count = 0
  return (pause) => {
    if (pause === 'beat') return BEATS[count++ % BEATS.length] ?? 0
    return typeof pause === 'number' ? Math.max(0, pause) : 0
  }
}

/**
 * Makes a pace that the clock keeps. What plays begins at once.
 *
 * @param factor - On all times: 1 = as a model would write, 0 = as fast as events can be sent.
 */
export function createPace(factor: number): Pace {
  const rhythm = createRhythm()
  const schedule = (pause: Pause, onPassed: () => void): (() => void) =>
    typeof pause === 'object' ? settled(pause, onPassed) : after(rhythm(pause) * factor, onPassed)
  return { play: (play) => playOn(play, schedule) }
}

function playOn(play: Play, schedule: (pause: Pause, onPassed: () => void) => () => void): Playing {
  let cancel = (): void => {}
  let isOver = false
  const goOn = ({ done, value }: IteratorResult<Pause, void>): void => {
    isOver = done === true
    if (value !== undefined) cancel = schedule(value, () => goOn(play.next()))
  }
  goOn(play.next())
  return {
    interrupt: () => {
      cancel()
      if (!isOver) goOn(play.throw(new Interrupted()))
    },
    stop: () => {
      cancel()
      isOver = true
      play.return()
    },
  }
}

/** Calls back once and gives the way to prevent it. */
function after(ms: number, onPassed: () => void): () => void {
  // Node has a quicker way than a timer, which takes a millisecond at least.
  if (ms < 1 && typeof setImmediate === 'function') {
    const immediate = setImmediate(onPassed)
    return () => clearImmediate(immediate)
  }
  const timer = setTimeout(onPassed, ms)
  return () => clearTimeout(timer)
}

function settled(promise: Promise<unknown>, onPassed: () => void): () => void {
  let isWanted = true
  const pass = (): void => {
    if (isWanted) onPassed()
  }
  promise.then(pass, pass)
  return () => {
    isWanted = false
  }
}
