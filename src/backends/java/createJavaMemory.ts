import { isForModel, parseJavaMessages } from '../../dialects/index.js'
import {
  getTextContent,
  isJsonObject,
  type Anomaly,
  type HistoryPage,
  type JsonObject,
  type Msg,
} from '../../protocol/index.js'
import type { Clock } from '../../transports/index.js'
import type { TurnOutcome } from './readTurn.js'

/** For so long what broke off is looked for in what is stored, in milliseconds. */
const GOES_ON_MS = 60_000

/** What is known of what a server stores. */
export interface JavaMemoryOptions {
  /** What the server's clock is ahead of UTC, in minutes. */
  readonly utcOffsetMinutes?: number
  /** Tools that the client runs. */
  readonly clientTools?: readonly string[]
}

/** What of a Java backend's history has to be remembered. */
export interface JavaMemory {
  /** The id of the reply to a message, in the stream and in history alike. */
  replyIdOf(messageId: string): string
  /** Something was sent. */
  noteSent(message: Msg): void
  /** Where a reply stands by what was heard; undefined = nothing of it was. */
  noteReply(replyId: string, outcome: TurnOutcome | undefined): void
  /** Where a reply stood last. */
  outcomeOf(replyId: string): TurnOutcome | undefined
  /** The replies of which something was heard so far: whoever begins to listen now missed it. */
  heard(): ReadonlySet<string>
  /** The last word on a reply of this page. */
  readonly latest: TurnOutcome
  /** Whether a reply whose line broke is not known to be over: some servers go on with it. */
  readonly mayGoOn: boolean
  /** What is stored, as a page, for listeners who missed these replies. */
  read(
    stored: unknown,
    page: { readonly before?: string; readonly limit: number },
    missed?: readonly ReadonlySet<string>[],
  ): Omit<HistoryPage, 'isRunning'> & { readonly anomalies: readonly Anomaly[] }
}

/**
 * Makes what finds replies of the stream in what Java stores.
 *
 * Java stores no id of the stream. What it does keep are the ids of the user's messages, so a reply is named after the message it
 * answers. And it stores less than it streams: the texts of a model call joined and before its tools. So of a reply that was heard to its
 * end nothing is taken from there, unless somebody listens who missed it; what broke off is, once it is stored whole.
 *
 * @param options - The server's zone, and whose calls wait for the client.
 * @param clock - The time.
 */
export function createJavaMemory(options: JavaMemoryOptions, clock: Clock): JavaMemory {
  const { clientTools = [] } = options
  const sent = new Map<string, Msg>()
  const outcomes = new Map<string, TurnOutcome>()
  /** When the lines of replies broke that are not stored whole yet. */
  const brokenAt = new Map<string, number>()
  /** Ids of messages that were given out as they are stored. */
  const known = new Set<string>()
  let latest: TurnOutcome = 'ended'
  const replyIdOf = (messageId: string): string => `${messageId}:reply`

  /** Some servers give messages ids of their own: what was sent is then known by its words. */
  function adoptIds(values: readonly JsonObject[]): readonly JsonObject[] {
    const left = [...sent.values()].filter(({ id }) => values.every((value) => value['id'] !== id))
    return values
      .toReversed()
      .map((value) => {
        const id = textOf(value, 'id')
        if (!isOfUser(value) || sent.has(id) || known.has(id)) return value
        const words = readWords(value)
        const found = left.findLastIndex((message) => (getTextContent(message) ?? '') === words)
        const [message] = found < 0 ? [] : left.splice(found, 1)
        if (message !== undefined) return { ...value, id: message.id }
        known.add(id)
        return value
      })
      .toReversed()
  }

  function isTaken(message: Msg, missed: readonly ReadonlySet<string>[]): boolean {
    if (message.role !== 'assistant') return true
    const outcome = outcomes.get(message.id)
    if (outcome === undefined) return true
    if (outcome === 'running') return false
    if (missed.some((ids) => ids.has(message.id))) return true
    if (outcome === 'ended') return false
    // It was answered elsewhere, or went on after the line had broken.
    const last = message.content.at(-1)
    const isOver = message.finished_at !== null && last?.type.startsWith('tool_') === false
    const isWhole = isOver || (outcome === 'broken' && message.content.some(isAsking))
    if (isWhole) brokenAt.delete(message.id)
    return isWhole
  }

  return {
    replyIdOf,
    noteSent: (message) => {
      sent.set(message.id, message)
    },
    noteReply: (replyId, outcome) => {
      if (outcome === undefined) outcomes.delete(replyId)
      else outcomes.set(replyId, outcome)
      latest = outcome ?? 'ended'
      if (outcome === 'broken') brokenAt.set(replyId, clock.now())
      else brokenAt.delete(replyId)
    },
    outcomeOf: (replyId) => outcomes.get(replyId),
    heard: () => new Set(outcomes.keys()),
    get latest() {
      return latest
    },
    get mayGoOn() {
      return [...brokenAt.values()].some((at) => clock.now() - at < GOES_ON_MS)
    },
    read: (stored, { before, limit }, missed = []) => {
      const values = adoptIds(listOf(stored))
      const { messages, anomalies } = parseJavaMessages(values, {
        ...options,
        replyIds: nameReplies(values, replyIdOf),
      })
      const end =
        before === undefined ? messages.length : messages.findIndex(({ id }) => id === before)
      const start = Math.max(0, end - Math.max(1, Math.floor(limit)))
      const page = messages.slice(start, Math.max(0, end))
      return {
        messages: page
          .filter((message) => isTaken(message, missed))
          .map((message) => sent.get(message.id) ?? message)
          .map((message) =>
            message === messages.at(-1) ? handOut(message, clientTools) : message,
          ),
        hasMore: start > 0,
        anomalies,
      }
    },
  }
}

/** The reply of each stored message that follows one of the user's. */
function nameReplies(
  values: readonly JsonObject[],
  replyIdOf: (messageId: string) => string,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  let replyId: string | undefined
  for (const value of values) {
    const id = textOf(value, 'id')
    if (isOfUser(value)) replyId = id === '' ? undefined : replyIdOf(id)
    else if (id !== '' && replyId !== undefined) names.set(id, replyId)
  }
  return names
}

/** Java does not store that a call was handed to the client: it stands there like one that runs. */
function handOut(message: Msg, clientTools: readonly string[]): Msg {
  const results = new Set(
    message.content.flatMap(({ type, id }) => (type === 'tool_result' ? [id] : [])),
  )
  let isWaiting = false
  const content = message.content.map((block) => {
    const isMeant = block.type === 'tool_call' && clientTools.includes(block.name)
    if (!isMeant || block.state !== 'allowed' || results.has(block.id)) return block
    isWaiting = true
    return { ...block, state: 'submitted' }
  })
  return isWaiting ? { ...message, content, finished_at: null, finished_reason: null } : message
}

function listOf(stored: unknown): readonly JsonObject[] {
  const list = isJsonObject(stored)
    ? [stored['messages'], stored['turns'], stored['content']].find((value) => Array.isArray(value))
    : stored
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}

function isOfUser(value: JsonObject): boolean {
  return textOf(value, 'role').toLowerCase() === 'user' && !isForModel(value)
}

function readWords({ content }: JsonObject): string {
  if (typeof content === 'string') return content
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : []
  return blocks
    .filter((block) => typeof block['text'] === 'string')
    .map((block) => textOf(block, 'text'))
    .join('\n')
}

function textOf(value: JsonObject, name: string): string {
  const text = value[name]
  return typeof text === 'string' ? text : ''
}

function isAsking(block: Msg['content'][number]): boolean {
  return block.type === 'tool_call' && (block.state === 'asking' || block.state === 'submitted')
}
