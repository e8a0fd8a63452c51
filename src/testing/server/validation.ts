import type { JsonValue } from '../../protocol/index.js'

/** One entry of a 422 answer, as the service's validation words it. */
export interface ValidationProblem {
  /** Its kind. */
  readonly type: string
  /** Where: `header`, `query` or `body`, then the path. */
  readonly loc: readonly (string | number)[]
  /** In words. */
  readonly msg: string
  /** What was there instead. */
  readonly input: JsonValue
  /** More about it. */
  readonly ctx?: { readonly [name: string]: JsonValue }
}

/** An answer that is an error. */
export class HttpProblem extends Error {
  /** The class's name, for logs. */
  override readonly name: string = 'HttpProblem'
  /** The HTTP status. */
  readonly status: number
  /** A sentence, or what is wrong with the request. */
  readonly detail: string | readonly ValidationProblem[]

  /**
   * @param status - The HTTP status.
   * @param detail - A sentence, or what is wrong with the request.
   */
  constructor(status: number, detail: string | readonly ValidationProblem[]) {
    super(typeof detail === 'string' ? detail : 'The request is not valid.')
    this.status = status
    this.detail = detail
  }
}

/** A field that is not there. */
export function missing(loc: ValidationProblem['loc'], input: JsonValue): ValidationProblem {
  return { type: 'missing', loc, msg: 'Field required', input }
}

/** A field that is no text. */
export function notAString(loc: ValidationProblem['loc'], input: JsonValue): ValidationProblem {
  return { type: 'string_type', loc, msg: 'Input should be a valid string', input }
}

/** A field that is no list. */
export function notAList(loc: ValidationProblem['loc'], input: JsonValue): ValidationProblem {
  return { type: 'list_type', loc, msg: 'Input should be a valid list', input }
}

/** A word that is none of those expected. */
export function notOneOf(
  loc: ValidationProblem['loc'],
  input: JsonValue,
  words: readonly string[],
): ValidationProblem {
  const expected = words
    .map((word) => `'${word}'`)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1')
  return { type: 'enum', loc, msg: `Input should be ${expected}`, input, ctx: { expected } }
}
