import type { HistoryPage, Msg, RunStatus } from '../../protocol/index.js'
import { isJsonObject } from '../../protocol/index.js'
import { readRunStatus } from '../agent-service/readRunStatus.js'
import type { ReadRecording, Step } from './Recording.js'

/** What the recorded server would say about its stored messages at the moment that is being played. */
export interface RecordedServer {
  /** A step was played. */
  note(step: Step): void
  /** The recording waits here for a person's answer. */
  park(status: RunStatus): void
  /** The last step was played. */
  finish(): void
  /** A page of what is stored by now. */
  page(before: string | undefined, limit: number): HistoryPage
  /** Where the run stands. */
  status(): RunStatus
}

/**
 * Makes the server of one playback. It knows only what was recorded: a reply is stored when its end was played, in the
 * version of the recording's last look; before that in the version of the latest look that was played.
 *
 * @param recording - The recording.
 */
export function createRecordedServer(recording: ReadRecording): RecordedServer {
  const { finalMessages } = recording
  const awaited = idsMentioned(recording.steps)
  const settled = new Set<string>()
  const seen = new Map<string, Msg>()
  let status: RunStatus = 'idle'
  let isOver = false

  function stored(): readonly Msg[] {
    if (isOver && finalMessages.length > 0) return finalMessages
    const known = finalMessages.flatMap((message) => {
      const isSettled = settled.has(message.id) || !awaited.has(message.id)
      return isSettled ? [message] : (seen.get(message.id) ?? [])
    })
    return finalMessages.length > 0 ? known : [...seen.values()]
  }

  return {
    note: (step) => {
      if (step.kind === 'stored') for (const message of step.messages) seen.set(message.id, message)
      if (step.kind === 'user') for (const { id } of step.messages) settled.add(id)
      if (step.kind === 'user' || step.kind === 'answer') status = 'running'
      if (step.kind === 'status') status = readRunStatus(step.word) ?? status
      if (step.kind !== 'frame' || !isJsonObject(step.event)) return
      const { type, reply_id: replyId } = step.event
      if (type === 'REPLY_START') status = 'running'
      if (type === 'REPLY_END') status = 'idle'
      if (type === 'REPLY_END' && typeof replyId === 'string') settled.add(replyId)
    },
    park: (at) => {
      status = at
    },
    finish: () => {
      isOver = true
      status = readRunStatus(recording.finalStatus) ?? status
    },
    page: (before, limit) => {
      const messages = stored()
      const found = messages.findIndex((message) => message.id === before)
      const end = before === undefined ? messages.length : Math.max(0, found)
      const start = Math.max(0, end - limit)
      return {
        messages: messages.slice(start, end),
        hasMore: start > 0,
        isRunning: status === 'running',
      }
    },
    status: () => status,
  }
}

/** Messages that the recording brings about; others were there before it began. */
function idsMentioned(steps: readonly Step[]): ReadonlySet<unknown> {
  return new Set(
    steps.flatMap((step) => {
      if (step.kind === 'user') return step.messages.map((message) => message.id)
      if (step.kind === 'frame' && isJsonObject(step.event)) return [step.event['reply_id']]
      return []
    }),
  )
}
