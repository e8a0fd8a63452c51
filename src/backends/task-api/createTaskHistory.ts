import { parseTaskApiMessages } from '../../dialects/index.js'
import {
  getTextContent,
  TransportError,
  type Anomaly,
  type JsonObject,
  type Msg,
} from '../../protocol/index.js'
import { cutWords, type SentMessage } from './createTaskMemory.js'
import type { OpenTasks } from './openTasks.js'
import { readList } from './readBody.js'
import { renameMessage } from './renameReply.js'

/** What is stored of a conversation, under the ids it has here. */
export interface StoredConversation {
  /** Messages, oldest first. */
  readonly messages: readonly Msg[]
  /** What was odd. */
  readonly anomalies: readonly Anomaly[]
}

/**
 * Makes what reads stored conversations. Messages that were sent from here have the ids they were sent with, as long as the server did
 * not say which ones are theirs: until then they are known by their words.
 */
export function createTaskHistory(): (
  data: JsonObject,
  conversationId: string,
  sent: readonly SentMessage[],
  known: ReadonlyMap<string, Msg>,
) => StoredConversation {
  /** Messages that are not among those sent. */
  const foreign = new Set<string>()

  return (data, conversationId, sent, known) => {
    const { messages, anomalies } = parseTaskApiMessages(readList(data['messages']), {
      conversationId,
    })
    const left = [...sent]
    const ids = new Map<string, string>()
    for (const message of messages.toReversed()) {
      const { id, role } = message
      if (role !== 'user' || foreign.has(id) || known.has(id)) continue
      const words = cutWords(getTextContent(message) ?? '')
      const found = left.findLastIndex((each) => each.words === words)
      const [own] = found < 0 ? [] : left.splice(found, 1)
      if (own === undefined) foreign.add(id)
      else ids.set(id, own.id).set(`${id}:reply`, `${own.id}:reply`)
    }
    return {
      messages: messages.map((message) => {
        const id = ids.get(message.id)
        return id === undefined ? message : renameMessage(message, id)
      }),
      anomalies,
    }
  }
}

/**
 * More is told of a reply than is stored. So of one that is being told nothing is taken from there, nor of one that was told to its end
 * but its place.
 *
 * @param message - As it is stored.
 * @param all - Who listens.
 * @param posting - The message that is on its way, if one is.
 */
export function withoutHeard(
  message: Msg,
  all: readonly OpenTasks[],
  posting: string | undefined,
): readonly Msg[] {
  const { id, role } = message
  if (role === 'user') return [message]
  const heard = all.map((each) => each.heardOf(id))
  if (heard.includes('running') || id === `${posting}:reply`) return []
  if (all.length === 0 || heard.includes(undefined)) return [message]
  return [{ ...message, content: [], created_at: '', finished_at: null, finished_reason: null }]
}

/**
 * A page of all that is stored.
 *
 * @param messages - All of it.
 * @param before - The message right after the page; absent = the newest page.
 * @param limit - How many messages at most.
 */
export function cutPage(
  messages: readonly Msg[],
  before: string | undefined,
  limit: number,
): { readonly messages: readonly Msg[]; readonly hasMore: boolean } {
  const found =
    before === undefined ? messages.length : messages.findIndex(({ id }) => id === before)
  const end = Math.max(0, found)
  const first = Math.max(0, end - Math.max(1, Math.floor(limit)))
  return { messages: messages.slice(first, end), hasMore: first > 0 }
}

/**
 * Whether a message is stored, and nothing that may be the last word on it.
 *
 * @param messages - All that is stored.
 * @param id - The message.
 */
export function isUnanswered(messages: readonly Msg[], id: string): boolean {
  const index = messages.findLastIndex((message) => message.id === id)
  const last = messages.slice(index + 1).at(-1)
  return index >= 0 && last?.content.at(-1)?.type !== 'text'
}

/** Nobody can be asked about a conversation without a name. */
export function nameless(): TransportError {
  const message =
    'The answer to the first message was lost, and with it the id of the conversation: whether it began cannot be found out.'
  return new TransportError('closed', message)
}
