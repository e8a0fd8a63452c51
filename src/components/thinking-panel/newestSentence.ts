/** Enough for one line of any width, and a bound on the work per delta. */
const TAIL_LENGTH = 400

/**
 * The sentence that is being written: what follows the last end of a sentence, or the last whole one.
 *
 * @param text - Text as it streams.
 * @returns One line without markdown marks at its ends; empty when there is no text.
 */
export function newestSentence(text: string): string {
  const tail = text.slice(-TAIL_LENGTH).trimEnd()
  const sentences = tail.split(/(?<=[.!?…])\s+|(?<=[。！？])|\n+/u)
  const last = sentences.findLast((sentence) => /[\p{L}\p{N}]/u.test(sentence)) ?? ''
  return last.replace(/\s+/g, ' ').replace(/^[\s#>*_`-]+|[*_`]+$/g, '')
}
