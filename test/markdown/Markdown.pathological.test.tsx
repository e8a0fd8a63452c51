// Strings that hang renderers: each in bounds, twice the length in less than thrice the time, and streaming it in a hundred
// pieces not a hundred times as dear.
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Markdown, englishMarkdownWords } from '../../src/markdown/index.js'
import { createMarkdownDocument } from '../../src/markdown/createMarkdownDocument.js'
import { defaultUrlPolicy } from '../../src/policy/index.js'

const strings: readonly (readonly [name: string, make: (n: number) => string])[] = [
  ['one word', (n) => 'a'.repeat(80 * n)],
  ['angles and colons', (n) => '<'.repeat(2 * n) + ':/'.repeat(1.5 * n)],
  ['stars', (n) => '* '.repeat(20 * n)],
  ['brackets', (n) => '['.repeat(20 * n)],
  ['underscores', (n) => '_a'.repeat(20 * n)],
  ['dollars', (n) => `$$\n${' '.repeat(50 * n)}x`],
  ['backticks', (n) => `${'`'.repeat(5 * n)}x`],
  ['a picture', (n) => `![p](data:image/png;base64,${'iVBORw0KGgo'.repeat(20 * n)}`],
  ['pipes', (n) => `${'|'.repeat(10 * n)}\n${'-|'.repeat(10 * n)}`],
  ['quotes', (n) => `${'>'.repeat(5 * n)}x`],
  ['open emphasis', (n) => `${'*a '.repeat(n / 2)}${'b* '.repeat(n / 2)}`],
  ['open links', (n) => '[a]('.repeat(5 * n)],
  ['entities', (n) => '&a'.repeat(10 * n)],
]

function timeOf(work: () => unknown): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

function stream(text: string): void {
  const document = createMarkdownDocument({
    policy: defaultUrlPolicy,
    words: englishMarkdownWords,
    components: {},
    idPrefix: '',
  })
  const step = Math.ceil(text.length / 100)
  for (let end = step; end < text.length; end += step) document.render(text.slice(0, end), true)
  document.render(text, false)
}

describe('<Markdown> of a pathological string', () => {
  it.each(strings)(
    'renders %s in time',
    (_name, make) => {
      const render = (n: number): number =>
        timeOf(() => renderToStaticMarkup(<Markdown text={make(n)} />))
      render(50)
      const half = render(500)
      const whole = render(1000)
      expect(whole).toBeLessThan(5000)
      // Shorter times are noise on a busy machine.
      expect(whole).toBeLessThan(Math.max(3 * half, 3000))
    },
    30_000,
  )

  it.each(strings)(
    'streams %s in time',
    (_name, make) => {
      const atOnce = timeOf(() => renderToStaticMarkup(<Markdown text={make(250)} />))
      expect(timeOf(() => stream(make(250)))).toBeLessThan(Math.max(30 * atOnce, 5000))
    },
    30_000,
  )
})
