// What a reader sees while markdown is being written: nothing that the next characters would take away.
import { afterEach, describe, expect, it } from 'vitest'
import { mountMarkdown } from './streamed.js'
import type { Streamed } from './streamed.js'

let mounted: Streamed | undefined

function prefixes(text: string): string[] {
  return Array.from(text, (_, index) => text.slice(0, index + 1))
}

/** Shows a text that may go on. */
function streaming(text: string): HTMLElement {
  mounted ??= mountMarkdown()
  mounted.show(text, true)
  return mounted.container
}

function ended(text: string): HTMLElement {
  mounted ??= mountMarkdown()
  mounted.show(text, false)
  return mounted.container
}

afterEach(() => {
  mounted?.unmount()
  mounted = undefined
})

describe('<Markdown streaming>', () => {
  it.each([
    ['See [the gui', 'See the gui'],
    ['See [the guide]', 'See the guide'],
    ['See [the guide](', 'See the guide'],
    ['See [the guide](https://exa', 'See the guide'],
    ['See [the guide](https://example.com/a "tit', 'See the guide'],
    ['See [the guide](https://example.com/a "title"', 'See the guide'],
    ['[x](https://en.wikipedia.org/wiki/A_(b', 'x'],
    ['[x](<https://example.com/a b', 'x'],
    ['See [**the gui', 'See the gui'],
    ['Go to https://exam', 'Go to https://exam'],
    ['Go to https://example.com/path.', 'Go to https://example.com/path.'],
    ['Go to **https://exam', 'Go to https://exam'],
    ['mail a@example.co', 'mail a@example.co'],
    ['Go to <https://exam', 'Go to https://exam'],
    ['[https://good.example](https://evil.ex', 'https://good.example'],
    ['![al', ''],
    ['a ![alt](https://e', 'a'],
    ['a [![alt](https://example.com/a.png)](https://e', 'a alt · Load image from example.com'],
    ['a[^1', 'a'],
    ['a <det', 'a'],
    ['See [docs][d', 'See docs'],
    ['[d]: https://example.com/do', ''],
  ])('shows the half link in %j as %j, and nothing to click', (text, shown) => {
    const container = streaming(text)
    expect(container.textContent).toBe(shown)
    expect(container.querySelectorAll('a[href], img[src]')).toHaveLength(0)
  })

  it('makes the link once its destination is closed', () => {
    const link = streaming('See [the guide](https://example.com/a) now').querySelector('a')
    expect(link?.getAttribute('href')).toBe('https://example.com/a')
    expect(streaming('See [x](https://example.com/a_(b))').querySelector('a')).not.toBeNull()
  })

  it('makes a bare URL a link once white space follows it', () => {
    const text = 'Go to https://example.com/path. Then'
    expect(streaming(text).querySelector('a')?.getAttribute('href')).toBe(
      'https://example.com/path',
    )
  })

  it('shows literal brackets when the link was never finished', () => {
    expect(ended('See [the guide](https://exa').textContent).toBe('See [the guide](https://exa')
  })

  it.each([
    ['This is **very impor', 'strong', 'very impor'],
    ['**注意（重要）：', 'strong', '注意（重要）：'],
    ['a *b', 'em', 'b'],
    ['a **b _c', 'strong > em', 'c'],
    ['**bold*', 'strong', 'bold'],
    ['~~gone', 'del', 'gone'],
    ['run `npm te', 'code', 'npm te'],
    ['``a b`', 'code', 'a b'],
    ['# Title **x', 'h1 > strong', 'x'],
    ['- [ ] do **it', 'li strong', 'it'],
    ['> **q', 'blockquote strong', 'q'],
    ['1. a\n2. **b\n   c', 'li strong', 'b\n   c'],
  ])('shows the unclosed markup of %j as %s without its markers', (text, selector, content) => {
    const container = streaming(text)
    expect(container.querySelector(selector)?.textContent?.replace(/\s+/g, ' ')).toBe(
      content.replace(/\s+/g, ' '),
    )
    expect(container.textContent).not.toMatch(/[*_~`#]/)
  })

  it.each(['20~25度，湿度为40~6', 'cp ~/a', 'a * b', 'snake_case_na', '5 * 3 = 1', '2 < 3 &'])(
    'leaves the plain characters of %j alone',
    (text) => {
      expect(streaming(`${text} x`).textContent).toBe(`${text} x`)
      expect(mounted?.container.querySelector('em, strong, del')).toBeNull()
    },
  )

  it.each(['#', '-', '- ', '*', '1', '1.', '`', '``', '|', '>', '---', '- [', '- [x]', '[1', '~~'])(
    'holds back %j at the start of a line',
    (start) => {
      expect(streaming(`para\n\n${start}`).textContent).toBe('para')
      expect(streaming(start).textContent).toBe('')
    },
  )

  it('does not take a paragraph for a heading before its underline is complete', () => {
    expect(streaming('Title\n=').querySelector('p')?.textContent).toBe('Title')
    expect(streaming('Title\n==\n').querySelector('h1')?.textContent).toBe('Title')
  })

  it('shows an open fence as a code block, without the line that begins to close it', () => {
    expect(streaming('```j').querySelector('pre')?.textContent).toBe('')
    expect(streaming('```js\nlet a = **1').querySelector('pre')?.textContent).toBe('let a = **1\n')
    expect(streaming('```js\nlet a = 1\n``').querySelector('pre')?.textContent).toBe('let a = 1\n')
    expect(streaming('1. x\n   ```\n   a **b\n   ``').querySelector('pre')?.textContent).toBe(
      'a **b\n',
    )
  })

  it('only ever adds to the text', () => {
    const texts = [
      'See [the guide](https://example.com/a "tit") and https://example.com/b. **Bold _and_** `code`.',
      '# Title **x**\n\ntext\n\n- a\n- **b** c\n  - nested `x`\n\n1. one\n2. two\n\n> quote **bold**\n> more\n\nend',
      '```js\nconst a = 1\n\nlet b\n```\n\nafter\n\n---\n\nend',
      'Stock:\n\n| Name | Qty |\n| --- | --- |\n| apple | 3 |\n| pear | **12** |\n\nend',
      '> | a | b |\n> | - | - |\n> | 1 | 2 |\n\n- | c | d |\n  | - | - |\n  | 3 | 4 |',
      '**注意（重要）：**请先备份数据。请运行**“清理缓存”**命令。',
      '***both*** x **a*b*c** y, Hello! R&D &amp; x < y <https://example.com/a> ok',
    ]
    for (const text of texts) {
      let before = ''
      for (const prefix of prefixes(text)) {
        const shown = wordsOf(streaming(prefix))
        expect(shown.startsWith(before), `${prefix}\n${before}\n${shown}`).toBe(true)
        before = shown
      }
    }
  }, 60_000)

  describe('of a table', () => {
    const text = 'Stock:\n\n| Name | Qty |\n| --- | --- |\n| apple | 3 |\n| pear | 12 |\n\nend'

    it('never shows pipes, a second table, or another number of columns', () => {
      for (const prefix of prefixes(text)) {
        const container = streaming(prefix)
        expect(container.textContent, prefix).not.toContain('|')
        expect(container.querySelectorAll('table').length, prefix).toBeLessThan(2)
        for (const row of container.querySelectorAll('tr')) expect(row.children).toHaveLength(2)
      }
    }, 60_000)

    it('shows a complete header row as a table before its delimiter row', () => {
      expect(streaming('| Name | Qty |\n').querySelectorAll('th')).toHaveLength(2)
      expect(streaming('| Name | Qty |\n| -').querySelectorAll('th')).toHaveLength(2)
      expect(streaming('| Name | Qty |\n| --- | ---').querySelectorAll('tr')).toHaveLength(1)
    })

    it('keeps the nodes of the rows that are there', () => {
      streaming('| a | b |\n| - | - |\n| 1 | 2 |\n| 3')
      const rows = [...(mounted?.container.querySelectorAll('tr') ?? [])]
      expect(rows).toHaveLength(3)
      streaming('| a | b |\n| - | - |\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n\nend')
      ended('| a | b |\n| - | - |\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n\nend')
      const later = [...(mounted?.container.querySelectorAll('tr') ?? [])]
      expect(later.slice(0, 3)).toEqual(rows)
      rows.forEach((row, index) => expect(later[index]).toBe(row))
    })

    it('shows what is no table as text at once', () => {
      expect(streaming('| grep foo').textContent).toBe('grep foo')
      expect(streaming('a | b').textContent).toBe('a | b')
      expect(ended('| grep foo').textContent).toBe('| grep foo')
    })
  })

  it('keeps the nodes of settled blocks, list items and code while more arrives', () => {
    streaming('# T\n\npara\n\n- a\n- b\n- c')
    const kept = ['h1', 'p', 'ul', 'li'].map((name) => mounted?.container.querySelector(name))
    streaming('# T\n\npara\n\n- a\n- b\n- c\n\n```js\nx')
    const pre = mounted?.container.querySelector('pre')
    ended('# T\n\npara\n\n- a\n- b\n- c\n\n```js\nx\ny\n```\n\nend')
    const now = ['h1', 'p', 'ul', 'li'].map((name) => mounted?.container.querySelector(name))
    now.forEach((node, index) => expect(node).toBe(kept[index]))
    expect(mounted?.container.querySelector('pre')).toBe(pre)
  })

  it('resolves a reference as soon as its definition is complete, and leaves other blocks alone', () => {
    streaming('See [docs][d].\n\nMore')
    expect(mounted?.container.querySelector('a')).toBeNull()
    const more = mounted?.container.querySelectorAll('p')[1]
    streaming('See [docs][d].\n\nMore\n\n[d]: https://example.com/do')
    expect(mounted?.container.querySelector('a')).toBeNull()
    streaming('See [docs][d].\n\nMore\n\n[d]: https://example.com/docs\n\nEnd')
    expect(mounted?.container.querySelector('a')?.getAttribute('href')).toBe(
      'https://example.com/docs',
    )
    expect(mounted?.container.querySelectorAll('p')[1]).toBe(more)
  })

  it('starts afresh when the text is replaced', () => {
    streaming('one\n\ntwo\n\nthree')
    expect(streaming('other **te').textContent).toBe('other te')
    expect(ended('').textContent).toBe('')
  })

  it('reads only what was added when it knows the text before, and all of it when it does not', () => {
    const grow = (before: string, added: string): string => {
      mounted ??= mountMarkdown()
      mounted.show(before + added, true, { before, added })
      return mounted.container.textContent ?? ''
    }
    expect(grow('', '\uFEFFone')).toBe('one')
    expect(grow('\uFEFFone', ' two')).toBe('one two')
    ended('')
    expect(grow('', 'one')).toBe('one')
    expect(grow('one', ' two\n\n')).toBe('one two')
    expect(grow('one two\n\n', 'three')).toBe('one two\nthree')
    // Another text of the same length, a text that was not shown, and growth that cannot be that of the text.
    expect(grow('ONE TWO\n\nTHREE', ' four')).toBe('ONE TWO\nTHREE four')
    expect(grow('ONE TWO\n\nTHREE four, five', ', six')).toBe('ONE TWO\nTHREE four, five, six')
    const before = 'ONE TWO\n\nTHREE four, five, six'
    mounted?.show('Something else that is longer than all that.', true, { before, added: '!' })
    expect(mounted?.container.textContent).toBe('Something else that is longer than all that.')
  })
})

/** The visible text without white space, in which blocks and buttons differ. */
function wordsOf(container: HTMLElement): string {
  const copy = container.cloneNode(true)
  if (!(copy instanceof HTMLElement)) throw new Error('A clone has another type.')
  for (const head of copy.querySelectorAll('.as-md-code-head')) head.remove()
  return (copy.textContent ?? '').replace(/\s+/g, '')
}
