// What a growing message costs: characters handed to the parser, and how often settled parts render.
import { afterEach, describe, expect, it, vi } from 'vitest'
import type * as ReactMarkdownModule from 'react-markdown'
import { createMarkdownDocument } from '../../src/markdown/createMarkdownDocument.js'
import { englishMarkdownWords } from '../../src/i18n/index.js'
import { defaultUrlPolicy } from '../../src/policy/index.js'

const parsed = vi.hoisted(() => ({ characters: 0 }))

vi.mock('react-markdown', async (importOriginal) => {
  const original = await importOriginal<typeof ReactMarkdownModule>()
  const counted: typeof original.default = (options) => {
    parsed.characters += options.children?.length ?? 0
    return original.default(options)
  }
  return { ...original, default: counted }
})

afterEach(() => {
  parsed.characters = 0
})

/** Streams a text in steps and gives the characters parsed, as a multiple of its length. */
function costOf(text: string, step: number): number {
  const document = createMarkdownDocument({
    policy: defaultUrlPolicy,
    words: englishMarkdownWords,
    components: {},
    idPrefix: '',
  })
  parsed.characters = 0
  for (let end = step; end < text.length + step; end += step)
    document.render(text.slice(0, end), true)
  document.render(text, false)
  return parsed.characters / text.length
}

const sentence = 'Some **bold** words, a [link](https://example.com/a) and `code` in between. '
const paragraph = sentence.repeat(4).slice(0, 248)

describe('the cost of streaming', () => {
  it.each([
    ['200 paragraphs', `${paragraph}\n\n`.repeat(200), 50, 20],
    ['a code block of 2,000 lines', `\`\`\`ts\n${'const value = 1\n'.repeat(2000)}\`\`\`\n`, 16, 2],
    ['a table of 100 rows', `| a | b |\n| - | - |\n${'| cell | **two** |\n'.repeat(100)}`, 8, 12],
    ['a list of 150 items', '- item with **bold** words and more of them\n'.repeat(150), 10, 20],
    ['a numbered list with paragraphs', '1. item\n\n   more text of it\n\n'.repeat(100), 10, 20],
    ['one paragraph of 50 kB', sentence.repeat(680), 200, 20],
    ['a quote of 50 kB', `> ${sentence}\n`.repeat(640), 200, 20],
  ])(
    'stays small for %s',
    (_name, text, step, most) => {
      expect(costOf(text, step)).toBeLessThan(most)
    },
    60_000,
  )
})
