import type { CutFault, SlowFault } from './Fault.js'
import type { Outlet } from './Outlet.js'
import { passes } from './passes.js'
import type { StreamFrame } from './StreamFrame.js'

/** Is told that a fault did something, and where. */
export type Report = (at?: { readonly event?: number; readonly byte?: number }) => void

/** An outlet that ends where a fault says. */
export function cutOutlet(outlet: Outlet, fault: CutFault, report: Report): Outlet {
  let written = 0
  return {
    ...passOn(outlet),
    write: async (bytes, frame) => {
      const keep = bytesBefore(fault.at, bytes, written, frame)
      written += bytes.length
      if (keep === undefined || keep > bytes.length) return outlet.write(bytes, frame)
      await outlet.write(bytes.subarray(0, keep))
      if (outlet.isOver) return
      report({ byte: written - bytes.length + keep })
      if (fault.how === 'end') outlet.end()
      else outlet.break()
    },
  }
}

/** An outlet that takes few bytes at once. */
export function slowOutlet(outlet: Outlet, fault: SlowFault, report: Report): Outlet {
  let isReported = false
  return {
    ...passOn(outlet),
    write: async (bytes, frame) => {
      if (!isReported) report()
      isReported = true
      for (let at = 0; at < bytes.length && !outlet.isOver; at += fault.bytes) {
        const isWhole = fault.bytes >= bytes.length
        await outlet.write(bytes.subarray(at, at + fault.bytes), isWhole ? frame : undefined)
        await passes(fault.everyMs, outlet.over)
      }
    },
  }
}

/** A getter would be frozen by a spread, so it is written anew. */
function passOn(outlet: Outlet): Outlet {
  return {
    get isOver() {
      return outlet.isOver
    },
    over: outlet.over,
    write: (bytes, frame) => outlet.write(bytes, frame),
    end: () => outlet.end(),
    break: () => outlet.break(),
  }
}

/** How many of these bytes are still to be written; undefined = the end is not among them. */
function bytesBefore(
  at: CutFault['at'],
  bytes: Uint8Array,
  written: number,
  frame: StreamFrame | undefined,
): number | undefined {
  if (typeof at === 'number')
    return at <= written + bytes.length ? Math.max(0, at - written) : undefined
  if (at === 'character') {
    // In UTF-8 the first byte of a character of several bytes is 11xxxxxx.
    const found = bytes.findIndex((byte) => byte >= 0xc0)
    return found < 0 ? undefined : found + 1
  }
  return frame?.index === at.event ? Math.min(at.byte, bytes.length) : undefined
}
