import type { JsonObject } from '../../protocol/index.js'
import type { AgentSession } from '../index.js'
import { asJson } from '../index.js'

/** Which entries are asked for. */
export interface PollRange {
  /** The first one, counted from 0; null = where a new stream's replay would begin. */
  readonly from: number | null
  /** At most so many. */
  readonly limit: number
}

/**
 * A page of a session's events, for clients that poll. The AgentScope service has no such endpoint; this one is ours.
 *
 * Entries count from 0 for as long as the session lives. A client that asks for less than is kept sees it by `oldest`, and
 * gets the requests of workers that still wait, though their entries are gone. An offset beyond the end is answered with
 * the end, which tells a client that the server counts anew.
 *
 * @param session - The session.
 * @param range - What is asked for.
 */
export function pollEvents(session: AgentSession, { from, limit }: PollRange): JsonObject {
  const { log } = session
  const first = from === null ? Math.max(log.oldest, session.replayFrom) : from + 1
  const entries = log.read(first - 1)
  const page = entries.slice(0, limit)
  const isBehind = from === null || first < log.oldest
  const start = page[0]?.sequence ?? first
  const missed = isBehind ? session.lastWords.filter(({ sequence }) => sequence < start) : []
  return {
    events: [
      ...missed.map(({ event }) => ({ data: asJson(event) })),
      ...page.map(({ sequence, event }) => ({ idx: sequence - 1, data: asJson(event) })),
    ],
    next_offset: page.at(-1)?.sequence ?? Math.min(first - 1, log.newest),
    has_more: entries.length > page.length,
    oldest: log.oldest - 1,
    status: session.status,
  }
}
