import type { Report } from './bodyFaults.js'
import type {
  CloseFault,
  EchoFault,
  EventFault,
  EventPattern,
  HoldFault,
  StallFault,
  SwapFault,
} from './Fault.js'
import { matchesEvent } from './matchesPattern.js'
import type { Outlet } from './Outlet.js'
import { passes } from './passes.js'
import type { StreamFrame } from './StreamFrame.js'

/** Takes the frames of a stream, one after the other. */
export type FrameSink = (frame: StreamFrame) => Promise<void>

/** What an event fault works with. */
export interface EventFaultPlace {
  /** Where what passes goes. */
  readonly next: FrameSink
  /** The line. */
  readonly outlet: Outlet
  /** Ends a stream as its server would. */
  readonly end: (code: number) => void
  /** What went before on the same path, oldest first. */
  readonly memory: readonly StreamFrame[]
  /** Is told what was done. */
  readonly report: Report
}

/** How long an event waits for the one it changes places with, in milliseconds. */
const NEIGHBOUR_WITHIN_MS = 100

/** Faults that follow the server's own count come first, so that no other one hides an event from them. */
export function isControl({ kind }: EventFault): boolean {
  return kind === 'stall' || kind === 'close' || kind === 'echo'
}

/** Puts a fault in front of a sink. */
export function withEventFault(fault: EventFault, place: EventFaultPlace): FrameSink {
  switch (fault.kind) {
    case 'drop':
      return onEvents(fault.events, place, async () => {})
    case 'duplicate':
      return onEvents(fault.events, place, async (frame) => {
        await place.next(frame)
        await place.next(frame)
      })
    case 'swap':
      return swapping(fault, place)
    case 'hold':
      return holding(fault, place)
    case 'stall':
      return stalling(fault, place)
    case 'close':
      return closing(fault, place)
    case 'echo':
      return echoing(fault, place)
    case 'no-heartbeats':
      return async (frame) => {
        if (frame.kind !== 'heartbeat') return place.next(frame)
        place.report()
      }
  }
}

function onEvents(
  events: EventPattern,
  { next, report }: EventFaultPlace,
  instead: FrameSink,
): FrameSink {
  return async (frame) => {
    if (frame.kind !== 'event' || !matchesEvent(events, frame.event, frame.index)) {
      return next(frame)
    }
    report({ event: frame.index })
    await instead(frame)
  }
}

function holding(fault: HoldFault, place: EventFaultPlace): FrameSink {
  return onEvents(fault.events, place, async (frame) => {
    await passes(fault.by, place.outlet.over)
    await place.next(frame)
  })
}

function swapping(fault: SwapFault, place: EventFaultPlace): FrameSink {
  let held: StreamFrame | undefined
  const release = async (): Promise<void> => {
    const frame = held
    held = undefined
    if (frame !== undefined) await place.next(frame)
  }
  const hold = onEvents(fault.events, place, async (frame) => {
    held = frame
    void passes(NEIGHBOUR_WITHIN_MS, place.outlet.over).then(() =>
      held === frame ? release() : undefined,
    )
  })
  return async (frame) => {
    if (held === undefined || frame.kind !== 'event') return hold(frame)
    await place.next(frame)
    await release()
  }
}

function stalling(fault: StallFault, { next, outlet, report }: EventFaultPlace): FrameSink {
  let seen = 0
  let isOver = false
  return async (frame) => {
    if (seen >= fault.after && !isOver) {
      report({ event: seen })
      await passes(fault.until, outlet.over)
      isOver = true
    }
    if (frame.kind === 'event') seen = frame.index
    await next(frame)
  }
}

function closing(fault: CloseFault, { next, outlet, end, report }: EventFaultPlace): FrameSink {
  return async (frame) => {
    await next(frame)
    if (frame.kind !== 'event' || frame.index !== fault.after || outlet.isOver) return
    report({ event: frame.index })
    if (fault.how === 'reset') outlet.break()
    else end(fault.code ?? 1012)
  }
}

function echoing(fault: EchoFault, { next, memory, report }: EventFaultPlace): FrameSink {
  return async (frame) => {
    await next(frame)
    if (frame.kind !== 'event' || frame.index !== fault.after) return
    const old = memory.find(({ event }, at) => matchesEvent(fault.event ?? 1, event, at + 1))
    if (old === undefined) return
    report({ event: frame.index })
    await next({ ...old, index: 0 })
  }
}
