import type { JsonObject, Usage } from '../../protocol/index.js'
import { readNumber, readText } from './readField.js'

/** Tells the tokens since the last time. */
export type TokenCounter = (data: JsonObject) => Usage | undefined

/**
 * Counts tokens by difference, since the wire adds them up for each conversation.
 *
 * @returns The tokens since the last time; undefined where there is nothing to compare with, or nothing was used.
 */
export function createTokenCounter(): TokenCounter {
  const before = new Map<string, readonly number[]>()
  return (data) => {
    const key = readText(data, 'conversation_id') ?? ''
    const counts = ['input', 'output', 'cached_input'].map(
      (name) => readNumber(data, `cumulative_${name}_tokens`) ?? 0,
    )
    const last = before.get(key)
    before.set(key, counts)
    const [input_tokens = 0, output_tokens = 0, cache_input_tokens = 0] = counts.map(
      (count, index) => count - (last?.[index] ?? 0),
    )
    const isLess = input_tokens < 0 || output_tokens < 0 || cache_input_tokens < 0
    if (last === undefined || isLess || input_tokens + output_tokens === 0) return undefined
    return { input_tokens, output_tokens, cache_input_tokens, cache_creation_input_tokens: 0 }
  }
}
