import { appendEvent } from '../../src/fold/index.js'
import { AssistantMsg, parseMessages } from '../../src/protocol/index.js'
import type { AgentEvent, Msg } from '../../src/protocol/index.js'
import { framesOf, inputsOf, ownSteps, type Recording, type Step } from '../fold/recordings.js'

/** Something that happened on the service, in order. */
export type Moment =
  /** A person's words were taken in and stored. */
  | { readonly kind: 'user'; readonly message: Msg }
  /** An event was published: by a run, or while nothing ran. */
  | { readonly kind: 'event'; readonly event: AgentEvent; readonly run: number | null }
  /** A run is over: from now on its replies are stored like this, and its log is cut. */
  | { readonly kind: 'stored'; readonly run: number; readonly messages: readonly Msg[] }

/** What the service of a recording did, whoever listened. */
export interface Timeline {
  readonly name: string
  readonly moments: readonly Moment[]
  /** All messages as they are stored in the end; they are stored in this order all along. */
  readonly final: readonly Msg[]
}

type EventMoment = Extract<Moment, { kind: 'event' }>

/** Reads what the service did out of a recording. */
export function readTimeline(recording: Recording): Timeline {
  const final = parseMessages(recording.final.messages).messages
  const events = readEvents(recording)
  const moments: Moment[] = []
  for (const [index, moment] of events.entries()) {
    moments.push(moment)
    if (moment.kind !== 'event' || moment.run === null) continue
    const { run } = moment
    const isLast = events.slice(index + 1).every((later) => !isOfRun(later, run))
    if (isLast) moments.push({ kind: 'stored', run, messages: storedBy(recording, events, run) })
  }
  return { name: recording.name, moments, final }
}

function isOfRun(moment: Moment, run: number): moment is EventMoment {
  return moment.kind === 'event' && moment.run === run
}

/** Events once each, in order, with the run they belong to; and what the person said between them. */
function readEvents(recording: Recording): readonly Moment[] {
  const storedIds = new Set(recording.final.messages.map(({ id }) => id))
  const own = new Set(framesOf(recording).map(({ id }) => id))
  const moments: Moment[] = []
  let run = 0
  let previous: AgentEvent | undefined
  for (const step of ownSteps(recording)) {
    for (const input of inputsOf(step)) {
      if (input.type !== 'kit.user_message' || !storedIds.has(input.message.id)) continue
      // The stored message has the ids that the service gave to its blocks.
      const [message = input.message] = parseMessages(
        recording.final.messages.filter(({ id }) => id === input.message.id),
      ).messages
      moments.push({ kind: 'user', message })
    }
    const { event } = step
    if (step.kind !== 'frame' || event === undefined || !own.delete(event.id)) continue
    if (isRunStart(event, previous)) run += 1
    previous = event
    const isOfWorker = event.type === 'CUSTOM' && event.name.startsWith('subagent_')
    moments.push({ kind: 'event', event, run: isOfWorker ? null : run })
  }
  return moments
}

/** A run begins with an answer's echo, or with a start that no echo announced. */
function isRunStart(event: AgentEvent, previous: AgentEvent | undefined): boolean {
  if (isEcho(event)) return true
  if (event.type !== 'REPLY_START') return false
  return previous === undefined || !isEcho(previous)
}

function isEcho({ type }: AgentEvent): boolean {
  return type === 'USER_CONFIRM_RESULT' || type === 'EXTERNAL_EXECUTION_RESULT'
}

/** What a run leaves in the storage: the recorded messages, or, for a stop that nobody looked at, its events folded one by one. */
function storedBy(recording: Recording, moments: readonly Moment[], run: number): readonly Msg[] {
  const upTo = moments.flatMap((moment) =>
    moment.kind === 'event' && (moment.run ?? run) <= run ? [moment.event] : [],
  )
  const ids = new Set(
    moments.flatMap((moment) => (isOfRun(moment, run) ? [replyOf(moment.event)] : [])),
  )
  return recording.final.messages
    .filter(({ id, role }) => role !== 'user' && ids.has(id))
    .flatMap(({ id }) => versionOf(recording, id, upTo))
}

function versionOf(
  recording: Recording,
  replyId: string,
  upTo: readonly AgentEvent[],
): readonly Msg[] {
  const heard = upTo.filter((event) => replyOf(event) === replyId)
  const all = framesOf(recording).filter((event) => replyOf(event) === replyId)
  const lastTold = all.findLast((event) => event.type !== 'REPLY_START' && !isEcho(event))
  const isFinal = heard.some(({ id }) => id === lastTold?.id)
  const messages = isFinal
    ? recording.final.messages
    : (lookAfter(recording, heard.at(-1)) ?? [foldParked(replyId, heard)])
  return parseMessages(messages).messages.filter(({ id }) => id === replyId)
}

/** The first look at the storage between an event and the next one. */
function lookAfter(recording: Recording, last: AgentEvent | undefined): readonly Msg[] | undefined {
  const steps = recording.steps
  const start = steps.findIndex(({ event }) => event?.id === last?.id)
  const own = ownSteps(recording)
  for (const step of steps.slice(start + 1)) {
    if (!own.includes(step)) continue
    if (step.kind === 'frame' && step.event?.type !== 'CUSTOM') return undefined
    if (step.kind === 'get_messages' && isNewest(step)) {
      return parseMessages(step.response?.messages).messages
    }
  }
  return undefined
}

function isNewest({ params }: Step): boolean {
  return params?.before === undefined
}

function foldParked(replyId: string, events: readonly AgentEvent[]): Msg {
  const start = events.find(({ type }) => type === 'REPLY_START')
  const name = start?.type === 'REPLY_START' ? (start.name ?? '') : ''
  const empty = AssistantMsg({
    id: replyId,
    name,
    content: [],
    created_at: start?.created_at ?? '',
  })
  return events.reduce<Msg>(appendEvent, empty)
}

/** The reply an event is about. */
function replyOf(event: AgentEvent): string {
  return 'reply_id' in event ? event.reply_id : ''
}
