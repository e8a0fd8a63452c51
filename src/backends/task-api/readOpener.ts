import { handsOver, opensTurn, parseTaskApiMessages } from '../../dialects/index.js'
import { getTextContent, type JsonObject } from '../../protocol/index.js'
import { readList, readWord } from './readBody.js'

/** A stored message that a task follows. */
export interface Opener {
  /** Its id by the server's word, or by its place. */
  readonly id: string
  /** What the person said; undefined when somebody else did. */
  readonly words: string | undefined
  /** Whether it has its answer: then a task that runs may follow a message of its own. */
  readonly isAnswered: boolean
}

/**
 * The message that what runs follows; undefined when nothing is stored.
 *
 * @param page - A page of the conversation.
 * @param conversationId - The conversation, for messages without an id.
 */
export function readOpener({ messages }: JsonObject, conversationId: string): Opener | undefined {
  const values = readList(messages)
  let index = values.findLastIndex(isOfUser)
  const isAnswered = values.slice(index + 1).some(isLastWord)
  if (index < 0) return undefined
  while (isOnTheWay(values, index)) index = values.slice(0, index).findLastIndex(isOfUser)
  const value = values[index] ?? {}
  const [own] = parseTaskApiMessages([value]).messages.filter(isOfUser)
  const id = readWord(value['message_id']) ?? `${conversationId}:m${index}`
  return { id, words: own && (getTextContent(own) ?? ''), isAnswered }
}

/** Whether a message of the user was put in while a task ran, and began none. */
function isOnTheWay(values: readonly JsonObject[], index: number): boolean {
  const value = values[index] ?? {}
  const before = values.slice(0, index).findLast(({ role }) => role !== 'tool')
  if (before === undefined || value['role'] !== 'user') return false
  if (!opensTurn(value)) return !isLastWord(before)
  return handsOver(value)
}

function isOfUser({ role }: { readonly role?: unknown }): boolean {
  return role === 'user'
}

function isLastWord({ role, tool_calls: calls }: JsonObject): boolean {
  return role === 'assistant' && readList(calls).length === 0
}
