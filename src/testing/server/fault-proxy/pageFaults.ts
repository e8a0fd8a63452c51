import type { JsonValue } from '../../../protocol/index.js'
import { isJsonObject } from '../../../protocol/index.js'
import type { Report } from './bodyFaults.js'
import { readWhole } from './breakJson.js'
import type { DropFault, DuplicateFault, EchoFault, Fault, SwapFault } from './Fault.js'
import { matchesEvent } from './matchesPattern.js'
import { readEvent, type StreamFrame } from './StreamFrame.js'

/** What can go wrong with the events of a page that was polled. */
export type PageFault = DropFault | DuplicateFault | SwapFault | EchoFault

/** What an answer is: a stream of events, something that may be a page of them, or neither. */
export type BodyKind = 'stream' | 'page' | 'plain'

/** Whether a fault can happen to the events of a page: only to paths that it names, since most JSON is no page. */
export function isPageFault(fault: Fault): fault is PageFault {
  return ['drop', 'duplicate', 'swap', 'echo'].includes(fault.kind)
}

/** An event of a page, and which one it is: by its own `idx`, which counts from 0, or by its place on the page. */
interface PageEvent {
  readonly event: JsonValue
  readonly index: number
}

/** What the faults of a page work with. */
export interface PageFaultPlace {
  /** What went before on the same path. */
  readonly memory: StreamFrame[]
  /** Who is told what was done. */
  readonly reportOf: (fault: PageFault) => Report
}

/**
 * Lets happen to a page what is to happen to its events: those in the list `events`, at the top of the body or in its `data`.
 *
 * @param body - The server's bytes.
 * @param faults - What is to happen, in order.
 * @param place - What they work with.
 * @returns The changed body; what is no page comes back as it is.
 */
export async function* changePage(
  body: AsyncIterable<Uint8Array>,
  faults: readonly PageFault[],
  place: PageFaultPlace,
): AsyncGenerator<Uint8Array> {
  const whole = await readWhole(body)
  const page = readEvent(whole.toString('utf8'))
  const holder = isJsonObject(page) && isJsonObject(page['data']) ? page['data'] : page
  if (!isJsonObject(page) || !isJsonObject(holder) || !Array.isArray(holder['events'])) {
    yield whole
    return
  }
  const told = { ...holder, events: changeAll(holder['events'], faults, place) }
  yield Buffer.from(JSON.stringify(holder === page ? told : { ...page, data: told }))
}

function changeAll(
  events: readonly JsonValue[],
  faults: readonly PageFault[],
  { memory, reportOf }: PageFaultPlace,
): readonly JsonValue[] {
  const page = events.map((event, at) => ({ event, index: indexOf(event) ?? at + 1 }))
  const changed = faults.reduce(
    (left, fault) => changeEvents(left, fault, memory, reportOf(fault)),
    page,
  )
  for (const { event, index } of page) {
    memory.push({ kind: 'event', bytes: new Uint8Array(), event, index })
  }
  return changed.map(({ event }) => event)
}

function indexOf(event: JsonValue): number | undefined {
  const idx = isJsonObject(event) ? event['idx'] : undefined
  return typeof idx === 'number' ? idx + 1 : undefined
}

function changeEvents(
  page: PageEvent[],
  fault: PageFault,
  memory: readonly StreamFrame[],
  report: Report,
): PageEvent[] {
  if (fault.kind === 'echo') return echo(page, fault, memory, report)
  const changed: PageEvent[] = []
  let held: PageEvent | undefined
  for (const each of page) {
    const isMeant = held === undefined && matchesEvent(fault.events, each.event, each.index)
    if (isMeant) report({ event: each.index })
    if (isMeant && fault.kind === 'swap') {
      held = each
      continue
    }
    if (isMeant && fault.kind === 'duplicate') changed.push(each)
    if (!isMeant || fault.kind === 'duplicate') changed.push(each)
    if (held !== undefined) changed.push(held)
    held = undefined
  }
  return held === undefined ? changed : [...changed, held]
}

function echo(
  page: PageEvent[],
  { after, event: pattern = 1 }: EchoFault,
  memory: readonly StreamFrame[],
  report: Report,
): PageEvent[] {
  const at = page.findIndex(({ index }) => index === after)
  const past = [...memory.map(({ event, index }) => ({ event, index })), ...page.slice(0, at + 1)]
  const old = past.find(({ event }, place) => matchesEvent(pattern, event, place + 1))
  if (at < 0 || old === undefined) return page
  report({ event: after })
  return page.toSpliced(at + 1, 0, old)
}
