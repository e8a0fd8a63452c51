/** Where a sentence is over, in scripts with and without spaces after it. */
const ends = /[.!?…]["'”’)\]]*(?=\s)|[。！？][”’」』）]*|\n{2,}/gu

/** What can be read out next, and how far that reaches. */
export interface Speakable {
  /** Plain words; empty when there is nothing to say yet. */
  readonly words: string
  /** How much of the text is dealt with. */
  readonly upTo: number
}

/**
 * Takes from a text that is being written what can be read out: whole sentences, without code blocks and marks.
 *
 * @param text - Markdown so far.
 * @param from - How much of it was dealt with before.
 * @param isDone - Whether no more will come, so that the rest counts as a sentence.
 */
export function speakable(text: string, from: number, isDone: boolean): Speakable {
  const rest = text.slice(from)
  const upTo = isDone ? rest.length : lastEnd(rest)
  const piece = rest.slice(0, upTo)
  // Within a code block nothing is a sentence: it is passed over when it is closed.
  if (!isDone && (piece.split('```').length - 1) % 2 === 1) return { words: '', upTo: from }
  return { words: toWords(piece), upTo: from + upTo }
}

function lastEnd(text: string): number {
  let end = 0
  for (const match of text.matchAll(ends)) end = match.index + match[0].length
  return end
}

function toWords(markdown: string): string {
  return markdown
    .replace(/```[^]*?(?:```|$)/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`#>|~]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
