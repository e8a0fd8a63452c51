import type { Clock } from './Clock.js'

/** How much silence a line may keep. */
export type SilenceRule =
  /** After so many milliseconds it counts as dead; `Infinity`: never. */
  | { readonly limitMs: number }
  /** After so many milliseconds it is asked for a sign of life; two that got no answer mean that it is dead. */
  | { readonly everyMs: number; readonly ask: () => void }

/** Listens for silence. */
export interface Watchdog {
  /** Begins anew under a rule, as if something was heard right now. */
  start(rule: SilenceRule): void
  /** Something was heard. */
  alive(): void
  /** Whether nothing was heard since then. */
  isSilentSince(at: number): boolean
  /** Looks at once, for moments in which timers cannot be trusted. */
  check(): void
  /** Ends the watch. */
  stop(): void
}

/** So many questions without an answer mean that nobody is there. */
const MOST_MISSED = 2
/** Hidden pages get their timers once a minute: only a silence beyond all such delays is one in which nobody could ask. */
const ASLEEP_AFTER_TURNS = 9

/**
 * Makes a watchdog. Timers that fire late, as after a sleep, count by the clock and not by their number.
 *
 * @param clock - The time.
 * @param onDead - Hears once how long it was silent, in milliseconds; the watch is over then.
 */
export function createWatchdog(clock: Clock, onDead: (silentMs: number) => void): Watchdog {
  let rule: SilenceRule | undefined
  let lifeAt = 0
  let askedAt = 0
  let missed = 0
  let cancel = (): void => {}

  function watch(): void {
    cancel()
    const dueAt = nextLookAt()
    if (dueAt !== Infinity)
      cancel = clock.schedule(() => look(ASLEEP_AFTER_TURNS), dueAt - clock.now())
  }

  function nextLookAt(): number {
    if (rule === undefined) return Infinity
    return 'ask' in rule ? Math.max(lifeAt, askedAt) + rule.everyMs : lifeAt + rule.limitMs
  }

  function look(mostTurns: number): void {
    if (rule === undefined) return
    const silentMs = clock.now() - lifeAt
    if (isDead(rule, silentMs, mostTurns)) {
      stop()
      return onDead(silentMs)
    }
    if ('ask' in rule && clock.now() >= nextLookAt()) {
      missed += 1
      askedAt = clock.now()
      rule.ask()
    }
    watch()
  }

  function isDead(current: SilenceRule, silentMs: number, mostTurns: number): boolean {
    if (!('ask' in current)) return silentMs >= current.limitMs
    if (silentMs >= mostTurns * current.everyMs) return true
    return missed >= MOST_MISSED && clock.now() >= nextLookAt()
  }

  function alive(): void {
    lifeAt = clock.now()
    missed = 0
  }

  function stop(): void {
    rule = undefined
    cancel()
  }

  return {
    start: (given) => {
      rule = given
      alive()
      watch()
    },
    alive,
    isSilentSince: (at) => lifeAt <= at,
    check: () => look(MOST_MISSED + 1),
    stop,
  }
}
