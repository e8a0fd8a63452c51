import type { Conversation, ModelCall } from '../fold/index.js'
import { getUsage } from '../fold/index.js'
import type { Anomaly, ConversationInput, TransportError } from '../protocol/index.js'
import type { ChatTaps } from './ChatOptions.js'

/** The longest replay, that of the Task API, holds 20,000 events. When so many came anew, those before them are forgotten. */
const IDS_PER_GENERATION = 30_000

/** All taps of a store, called as one. */
export interface Taps {
  /** Adds some; gives what removes them. */
  readonly add: (taps: ChatTaps) => () => void
  /** Tells of inputs that a backend delivered, each once, and of what they changed. */
  readonly committed: (
    heard: readonly ConversationInput[],
    before: Conversation,
    after: Conversation,
  ) => void
  /** Tells of a failure. */
  readonly error: (error: TransportError) => void
  /** Tells of something odd. */
  readonly anomaly: (anomaly: Anomaly) => void
}

/** Makes an empty set of taps. */
export function createTaps(): Taps {
  const all = new Set<{ readonly taps: ChatTaps }>()
  let newer = new Set<string>()
  let older = newer

  function tell(call: (taps: ChatTaps) => void): void {
    // A copy, for taps that add or remove taps.
    for (const { taps } of [...all]) {
      try {
        call(taps)
      } catch (error) {
        reportLater(error)
      }
    }
  }

  function isNew({ id }: ConversationInput): boolean {
    if (id === undefined) return true
    if (newer.has(id) || older.has(id)) return false
    if (newer.size === IDS_PER_GENERATION) {
      older = newer
      newer = new Set()
    }
    newer.add(id)
    return true
  }

  return {
    add(taps) {
      // Its own object, so that the same taps can be added twice and removed once.
      const entry = { taps }
      all.add(entry)
      return () => {
        all.delete(entry)
      }
    },
    committed(heard, before, after) {
      for (const event of heard.filter(isNew)) tell((taps) => taps.onEvent?.(event))
      for (const [replyId, modelCall] of endedModelCalls(before, after)) {
        const report = { replyId, modelCall, total: getUsage(after) }
        tell((taps) => taps.onUsage?.(report))
      }
      if (before.requests === after.requests) return
      const known = new Set(before.requests.map(({ key }) => key))
      for (const request of after.requests) {
        if (!known.has(request.key)) tell((taps) => taps.onRequest?.(request))
      }
    },
    error: (error) => tell((taps) => taps.onError?.(error)),
    anomaly: (anomaly) => tell((taps) => taps.onAnomaly?.(anomaly)),
  }
}

/** Model calls that have their tokens now and had not before. */
function endedModelCalls(before: Conversation, after: Conversation): [string, ModelCall][] {
  if (before.replies === after.replies) return []
  return Object.values(after.replies).flatMap(({ replyId, modelCalls }) => {
    const known = before.replies[replyId]?.modelCalls
    if (modelCalls === known) return []
    return modelCalls
      .filter((call, index) => call.usage !== null && (known?.[index]?.usage ?? null) === null)
      .map((call): [string, ModelCall] => [replyId, call])
  })
}

/** A fault in an app's tap belongs to the app's own error reporting, and must not stop the stream. */
function reportLater(error: unknown): void {
  if (typeof reportError === 'function') reportError(error)
  else void Promise.reject(error)
}
