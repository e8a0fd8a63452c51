import type { Block } from './readSyntax.js'

// Blocks which a blank line ends whatever follows. Lists, footnotes and indented code go on after one, and so do some kinds
// of raw HTML.
const endedByBlankLine: ReadonlySet<string> = new Set([
  ...['paragraph', 'heading', 'thematicBreak', 'table', 'blockquote', 'definition'],
])
const endedByLineEnd: ReadonlySet<string> = new Set(['heading', 'thematicBreak'])
const nestedItem = /^(?:(?:[-+*]|\d{1,9}[.)])[ \t]+|>[ \t]*)+(?:[-+*]|\d{1,9}[.)])(?:\s|$)/

/**
 * Finds how much of an open piece of markdown can no longer change, whatever is written after it: markdown looks back only
 * into blocks that are open. When unsure, it says less.
 *
 * @param source - The open piece as written.
 * @param blocks - Its top-level blocks as the parser saw them, while the end may have been repaired.
 * @param repairedFrom - Where the repair began; up to there the parser saw `source`.
 * @returns The length of the part that is settled; it ends with a line end. `0` when nothing is.
 */
export function findCut(source: string, blocks: readonly Block[], repairedFrom: number): number {
  const last = blocks.at(-1)
  if (last === undefined) return 0
  if (repairedFrom === source.length && isEnded(last.type, source.slice(last.end))) {
    return source.length
  }
  for (let index = blocks.length - 1; index > 0; index--) {
    const block = blocks[index]
    const previous = blocks[index - 1]
    if (block && previous && isSettledBoundary(source, previous, block, repairedFrom)) {
      return block.start
    }
  }
  return 0
}

/** Tells whether what stands between a block and the next ends the block for good. */
function isEnded(type: string, gap: string): boolean {
  if (endedByLineEnd.has(type) && gap.endsWith('\n')) return true
  return endedByBlankLine.has(type) && isBlankLineEnd(gap)
}

function isBlankLineEnd(gap: string): boolean {
  return /\n[ \t]*\r?\n$/.test(gap)
}

function isSettledBoundary(
  source: string,
  previous: Block,
  block: Block,
  repairedFrom: number,
): boolean {
  const { start } = block
  // The parser depends on what stood before an indented line, and drops a byte order mark only at a start.
  if (
    start > repairedFrom ||
    source[start - 1] !== '\n' ||
    /[\s\uFEFF]/.test(source[start] ?? '')
  ) {
    return false
  }
  const gap = source.slice(previous.end, start)
  if (isEnded(previous.type, gap)) return true
  if (
    (previous.type === 'code' || !isBlankLineEnd(gap)) &&
    isOtherAlone(source.slice(start), block)
  )
    return false
  const firstLineEnd = source.indexOf('\n', start)
  const isLineKnown = firstLineEnd !== -1 && firstLineEnd < repairedFrom
  if (previous.type === 'definition') return isLineKnown && block.type === 'definition'
  if (previous.type === 'code' || previous.type === 'html')
    return isLineKnown && isBlankLineEnd(gap)
  if (isBlankLineEnd(gap) && !mayBeListItem(source.slice(start, start + 12))) return true
  if (!isLineKnown) return false
  if (block.type !== 'table') return true
  const secondLineEnd = source.indexOf('\n', firstLineEnd + 1)
  return secondLineEnd !== -1 && secondLineEnd < repairedFrom
}

/**
 * Whether the parser may read a block otherwise when nothing stands before it. Behind a paragraph without a blank line, and behind
 * indented code, it takes an empty item, or one with another number than 1, for text, also within the first line of a list or quote.
 */
function isOtherAlone(source: string, { type }: Block): boolean {
  return type === 'list' || type === 'blockquote' ? nestedItem.test(source) : mayBeListItem(source)
}

function mayBeListItem(line: string): boolean {
  return /^(?:[-+*](?:\s|$)|\d{1,9}(?:[.)]?$|[.)]\s))/.test(line)
}
