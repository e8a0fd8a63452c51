import type { PendingRequest } from '../../hooks/index.js'
import { isJsonObject } from '../../protocol/index.js'
import type { JsonObject, JsonValue } from '../../protocol/index.js'

/** AgentScope's idiom for asking a person: a call of this name that the client answers. */
const ASK_USER = 'ask_user'

/** An answer to choose. */
export interface QuestionOption {
  /** Names it in the answer. */
  readonly id: string
  /** What it says. */
  readonly label: string
  /** More about it; empty when there is nothing more. */
  readonly description: string
}

/** A question to the person. */
export interface Question {
  /** The question; empty when none can be read. */
  readonly text: string
  /** What the person should know about it, as markdown; may be empty. */
  readonly context: string
  /** Answers to choose from; empty for a free answer. */
  readonly options: readonly QuestionOption[]
  /** Which one of several it is, from 1; 0 when it stands alone. */
  readonly index: number
  /** How many there are. */
  readonly total: number
}

/**
 * Tells whether a request is a question to the person rather than an approval or a tool that the app runs.
 *
 * @param request - Any request.
 */
export function isQuestion(request: PendingRequest): boolean {
  if (request.kind === 'input') return true
  const { kind, toolCall, metadata } = request
  return kind === 'external' && (isAskUser(toolCall.name) || metadata?.['kind'] === 'question')
}

/**
 * Tells whether a tool asks the person.
 *
 * @param name - The tool's name.
 */
export function isAskUser(name: string): boolean {
  return name === ASK_USER
}

/**
 * Reads what is asked: one question (`question` or `message`, with `context` and `options`), or several of these in `questions`.
 *
 * @param source - The asking call's arguments, or the request; anything.
 * @returns At least one.
 */
export function readQuestions(source: unknown): readonly Question[] {
  const several = isJsonObject(source) ? listOf(source['questions']) : []
  return several.length > 0 ? several.map(readQuestion) : [readQuestion(source)]
}

function readQuestion(source: unknown): Question {
  const asked = isJsonObject(source) ? source : {}
  const { batch_index: index, batch_total: total } = asked
  return {
    text: typeof source === 'string' ? source : firstText(asked, ['question', 'message']),
    context: firstText(asked, ['context']),
    options: listOf(asked['options']).map(readOption),
    index: Number(total) > 1 ? Number(index) : 0,
    total: Number(total),
  }
}

function readOption(option: JsonValue): QuestionOption {
  const plain = typeof option === 'string' ? option : JSON.stringify(option)
  const fields = isJsonObject(option) ? option : {}
  return {
    id: firstText(fields, ['id', 'value', 'label']) || plain,
    label: firstText(fields, ['label', 'title', 'value', 'id']) || plain,
    description: firstText(fields, ['description']),
  }
}

function firstText(fields: JsonObject, names: readonly string[]): string {
  const found = names.map((name) => fields[name]).find((value) => typeof value === 'string')
  return typeof found === 'string' ? found : ''
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}
