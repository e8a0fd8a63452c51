import { cutOutlet, slowOutlet, type Report } from './bodyFaults.js'
import { isControl, withEventFault, type FrameSink } from './eventFaults.js'
import type { BodyFault, EventFault } from './Fault.js'
import { isEventFault } from './FaultBook.js'
import type { Outlet } from './Outlet.js'
import type { FrameSplitter, StreamFrame } from './StreamFrame.js'

/** What is to become of a body on its way. */
export interface BodyWay {
  /** Where it goes. */
  readonly outlet: Outlet
  /** What happens to it. */
  readonly faults: readonly (BodyFault | EventFault)[]
  /** Makes frames of it; absent for a body that is no stream. */
  readonly splitter?: FrameSplitter
  /** The frames that went before on the same path; those of this body are added. */
  readonly memory: StreamFrame[]
  /** What a WebSocket's server sends at the end. */
  readonly goodbye?: (code: number) => Uint8Array
  /** Is told what was done. */
  readonly reportOf: (fault: BodyFault | EventFault) => Report
}

const REMEMBERED = 5000

/**
 * Passes a body on, and lets happen to it what is to happen. No faster than the client takes it.
 *
 * @param source - The server's bytes; an error of it breaks the client's line too.
 * @param way - Where to, and how.
 */
export async function passBody(source: AsyncIterable<Uint8Array>, way: BodyWay): Promise<void> {
  const outlet = faultyOutlet(way)
  const sink = faultySink(way, outlet)
  try {
    endBeforeAll(way, outlet)
    for await (const chunk of source) {
      if (outlet.isOver) break
      if (way.splitter === undefined) await outlet.write(chunk)
      else await passFrames(way.splitter.push(chunk), sink, outlet)
      if (outlet.isOver) break
    }
    await outlet.write(way.splitter?.rest() ?? new Uint8Array())
    outlet.end()
  } catch {
    outlet.break()
  }
}

async function passFrames(
  frames: readonly StreamFrame[],
  sink: FrameSink,
  outlet: Outlet,
): Promise<void> {
  for (const frame of frames) {
    if (outlet.isOver) return
    await sink(frame)
  }
}

function faultyOutlet({ outlet, faults, reportOf }: BodyWay): Outlet {
  return faults.reduce((line, fault) => {
    if (fault.kind === 'cut') return cutOutlet(line, fault, reportOf(fault))
    return fault.kind === 'slow' ? slowOutlet(line, fault, reportOf(fault)) : line
  }, outlet)
}

function faultySink(way: BodyWay, outlet: Outlet): FrameSink {
  const events = way.faults.filter(isEventFault)
  const ordered = [...events.filter(isControl), ...events.filter((fault) => !isControl(fault))]
  const end = (code: number): void => endWith(way, outlet, code)
  const last: FrameSink = (frame) => outlet.write(frame.bytes, frame)
  const faulty = ordered.reduceRight<FrameSink>(
    (next, fault) =>
      withEventFault(fault, { next, outlet, end, memory: way.memory, report: way.reportOf(fault) }),
    last,
  )
  return async (frame) => {
    await faulty(frame)
    if (frame.kind === 'event') way.memory.push(frame)
    if (way.memory.length > REMEMBERED) way.memory.shift()
  }
}

function endBeforeAll(way: BodyWay, outlet: Outlet): void {
  const close = way.faults.find((fault) => fault.kind === 'close' && fault.after <= 0)
  if (close?.kind !== 'close') return
  way.reportOf(close)({ event: 0 })
  if (close.how === 'reset') outlet.break()
  else endWith(way, outlet, close.code ?? 1012)
}

function endWith({ goodbye }: BodyWay, outlet: Outlet, code: number): void {
  if (goodbye !== undefined) void outlet.write(goodbye(code))
  outlet.end()
}
