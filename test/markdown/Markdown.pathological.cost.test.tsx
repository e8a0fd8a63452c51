// Strings that hang renderers: each is rendered whole, and streaming it in a hundred pieces is not a hundred times as dear.
// What is dear is counted, not timed: characters handed to the parser.
import { renderToStaticMarkup } from 'react-dom/server'
import type * as ReactMarkdownModule from 'react-markdown'
import { describe, expect, it, vi } from 'vitest'
import { englishMarkdownWords } from '../../src/i18n/index.js'
import { Markdown } from '../../src/markdown/index.js'
import { createMarkdownDocument } from '../../src/markdown/createMarkdownDocument.js'
import { defaultUrlPolicy } from '../../src/policy/index.js'

const strings: readonly (readonly [name: string, make: (n: number) => string])[] = [
  ['one word', (n) => 'a'.repeat(80 * n)],
  ['angles and colons', (n) => '<'.repeat(2 * n) + ':/'.repeat(1.5 * n)],
  ['stars', (n) => '* '.repeat(20 * n)],
  ['brackets', (n) => '['.repeat(20 * n)],
  ['underscores', (n) => '_a'.repeat(20 * n)],
  ['dollars', (n) => `$$\n${' '.repeat(50 * n)}x`],
  ['backticks', (n) => `${'`'.repeat(20 * n)}x`],
  ['a picture', (n) => `![p](data:image/png;base64,${'iVBORw0KGgo'.repeat(20 * n)}`],
  ['pipes', (n) => `${'|'.repeat(10 * n)}\n${'-|'.repeat(10 * n)}`],
  ['quotes', (n) => `${'>'.repeat(5 * n)}x`],
  ['open emphasis', (n) => `${'*a '.repeat(n / 2)}${'b* '.repeat(n / 2)}`],
  ['open links', (n) => '[a]('.repeat(5 * n)],
  ['entities', (n) => '&a'.repeat(10 * n)],
]

const parsed = vi.hoisted(() => ({ characters: 0 }))

vi.mock('react-markdown', async (importOriginal) => {
  const original = await importOriginal<typeof ReactMarkdownModule>()
  const counted: typeof original.default = (options) => {
    parsed.characters += options.children?.length ?? 0
    return original.default(options)
  }
  return { ...original, default: counted }
})

/** Streams a text in a hundred pieces and gives the characters parsed, as a multiple of its length. */
function costOf(text: string): number {
  parsed.characters = 0
  const document = createMarkdownDocument({
    policy: defaultUrlPolicy,
    words: englishMarkdownWords,
    components: {},
    idPrefix: '',
  })
  const step = Math.ceil(text.length / 100)
  for (let end = step; end < text.length; end += step) document.render(text.slice(0, end), true)
  document.render(text, false)
  return parsed.characters / text.length
}

describe('<Markdown> of a pathological string', () => {
  it.each(strings)(
    'renders %s',
    (_name, make) => {
      const html = renderToStaticMarkup(<Markdown text={make(1000)} />)
      expect(html).toContain('as-md')
    },
    60_000,
  )

  it.each(strings)(
    'streams %s without reading it a hundred times',
    (_name, make) => {
      expect(costOf(make(2000))).toBeLessThan(30)
    },
    60_000,
  )
})
