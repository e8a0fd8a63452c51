import type { BodyFault, EventFault, Fault, FaultKind, RequestFault } from './Fault.js'
import { matchesOccurrence, matchesRequest } from './matchesPattern.js'
import { isPageFault, type BodyKind } from './pageFaults.js'

/** A request as the faults see it. */
export interface FaultyRequest {
  /** The method in capitals. */
  readonly method: string
  /** The path without its query. */
  readonly path: string
}

/** What a proxy did to a request or its answer. */
export interface FaultRecord extends FaultyRequest {
  /** The kind of fault. */
  readonly kind: FaultKind
  /** Whether the server had got the request by then. */
  readonly forwarded: boolean
  /** The status answered instead, with `answer`. */
  readonly status?: number
  /** The event it happened to or after, from 1, as the server counted on this connection. */
  readonly event?: number
  /** The byte of the body it happened at. */
  readonly byte?: number
}

const REQUEST_KINDS: ReadonlySet<FaultKind> = new Set(['answer', 'hang', 'reset', 'delay'])
const ANY_BODY_KINDS: ReadonlySet<FaultKind> = new Set(['cut', 'slow', 'broken-json'])

/** Whether a fault is about the whole request. */
export function isRequestFault(fault: Fault): fault is RequestFault {
  return REQUEST_KINDS.has(fault.kind)
}

/** Whether a fault is about the events of a stream. */
export function isEventFault(fault: Fault): fault is EventFault {
  return !REQUEST_KINDS.has(fault.kind) && !ANY_BODY_KINDS.has(fault.kind)
}

/** Faults, and how often each was met. */
export class FaultBook {
  #entries: { readonly fault: Fault; met: number }[]

  /** @param faults - The first ones. */
  constructor(faults: readonly Fault[]) {
    this.#entries = faults.map((fault) => ({ fault, met: 0 }))
  }

  /** All that were put in, in order. */
  get faults(): readonly Fault[] {
    return this.#entries.map(({ fault }) => fault)
  }

  /** Puts one in. Gives the way to take it out. */
  add(fault: Fault): () => void {
    const entry = { fault, met: 0 }
    this.#entries.push(entry)
    return () => {
      this.#entries = this.#entries.filter((one) => one !== entry)
    }
  }

  /** Takes all out. */
  clear(): void {
    this.#entries = []
  }

  /** The faults that a request meets when it comes. */
  forRequest(request: FaultyRequest): readonly RequestFault[] {
    return this.#take((fault) => isRequestFault(fault) && isMeant(fault, request)).filter(
      isRequestFault,
    )
  }

  /** The faults that an answer meets when it begins. */
  forBody(request: FaultyRequest, kind: BodyKind): readonly (BodyFault | EventFault)[] {
    const taken = this.#take((fault) => {
      if (isRequestFault(fault) || !isMeant(fault, request)) return false
      if (kind === 'stream') return fault.kind !== 'broken-json'
      if (isEventFault(fault)) {
        return kind === 'page' && isPageFault(fault) && fault.on?.path !== undefined
      }
      return fault.kind === 'broken-json' || fault.on !== undefined
    })
    return taken.filter((fault) => !isRequestFault(fault))
  }

  #take(fits: (fault: Fault) => boolean): readonly Fault[] {
    return this.#entries.flatMap((entry) => {
      if (!fits(entry.fault)) return []
      entry.met += 1
      return matchesOccurrence(entry.fault.which, entry.met) ? [entry.fault] : []
    })
  }
}

function isMeant(fault: Fault, { method, path }: FaultyRequest): boolean {
  return matchesRequest(fault.on, method, path)
}
