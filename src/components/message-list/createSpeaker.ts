import { getTextGrowth } from '../../hooks/index.js'
import type { MarkdownWords } from '../../i18n/index.js'
import type { TextBlock } from '../../protocol/index.js'

/** Up to the end of the last sentence, in scripts with and without spaces after it. */
const sentences = /^[^]*(?:[.!?…]["'”’)\]]*(?=\s)|[。！？][”’」』）]*)/u
/** A row of a table, or a line that opens or closes a code block, also within lists and quotes; what follows is its language. */
const markedLine = /^(?:[\s>]|[-*+] |\d+[.)] )*(\||`{3,}(?=[^`]*$)|~{3,})\s*(\S*)/
/** The beginning of a line that tells what the line is. */
const knownStart = /^\p{L}|\S[^]{16}/u
/** A line longer than this is read out before its sentence ends. */
const LONG = 400

/**
 * Takes from the texts of an answer what can be read out by now.
 *
 * @param texts - Markdown, all of it so far.
 * @param isDone - Whether no more will come for now, so that what is left counts as a sentence.
 * @returns Plain words; empty when there is nothing to say yet.
 */
export type Speaker = (texts: readonly TextBlock[], isDone: boolean) => string

/**
 * Makes what reads out one answer: line by line, the line being written sentence by sentence, without marks. Of a code block and of a
 * table it only says that there is one: both can be looked into where they stand. A call costs what is new in it.
 *
 * @param words - What code blocks and tables are called.
 * @param known - Texts that were there before, and are not read out.
 */
export function createSpeaker(
  { codeBlock, table }: MarkdownWords,
  known: readonly TextBlock[],
): Speaker {
  let index = Math.max(0, known.length - 1)
  let heard = known[index]?.text.length ?? 0
  /** What of the line being written was not read out. */
  let rest = ''
  let isLineStart = true
  let isProse = true
  /** The bar of a table's rows, or the fence of a code block that is open. */
  let open = ''

  function read(part: string): string {
    let label = ''
    if (isLineStart) {
      const [, mark = '', language = ''] = markedLine.exec(part) ?? []
      const isCode = open.length > 1
      isProse = !isCode && mark === ''
      if (isCode) {
        if (language === '' && mark.startsWith(open)) open = ''
      } else if (mark !== open) {
        open = mark
        label = mark === '|' ? table : mark && codeBlock(language)
      }
    }
    isLineStart = part.endsWith('\n')
    return isProse ? withoutMarks(part) : label
  }

  /** How much of the line being written can be read out. */
  function readable(): number {
    if (rest.length > LONG) return rest.lastIndexOf(' ') + 1 || rest.length
    return isLineStart && !knownStart.test(rest) ? 0 : (sentences.exec(rest)?.[0].length ?? 0)
  }

  /** Reads out the beginning of the rest. */
  function take(length: number): string {
    const lines = rest.slice(0, length).match(/\n|[^\n]{1,4000}\n?/g) ?? []
    rest = rest.slice(length)
    return lines.map(read).join(' ')
  }

  function hear(block: TextBlock, isWhole: boolean): string {
    const { text } = block
    const growth = getTextGrowth(block)
    const added = growth?.before.length === heard ? growth.added : text.slice(heard)
    rest += added
    heard += added.length
    const lines = take(isWhole ? rest.length : rest.lastIndexOf('\n') + 1)
    return `${lines} ${take(readable())} `
  }

  return (texts, isDone) => {
    let words = ''
    for (const block of texts.slice(index)) {
      const isLast = block === texts.at(-1)
      words += hear(block, isDone || !isLast)
      if (isLast) break
      index += 1
      heard = 0
      isLineStart = true
      open = ''
    }
    return words.replace(/\s+/g, ' ').trim()
  }
}

function withoutMarks(markdown: string): string {
  return markdown.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[*_`#>|~]+/g, ' ')
}
