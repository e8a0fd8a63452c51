import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { englishMarkdownWords } from '../../src/i18n/index.js'
import { Markdown } from '../../src/markdown/index.js'
import { createUrlPolicy } from '../../src/policy/index.js'

afterEach(() => {
  vi.useRealTimers()
})

/** Renders ended markdown and gives its root. */
function show(text: string, props: Partial<Parameters<typeof Markdown>[0]> = {}): Element {
  const { container } = render(<Markdown id="m" text={text} {...props} />)
  const root = container.firstElementChild
  if (root === null) throw new Error('Nothing was rendered.')
  return root
}

describe('<Markdown>', () => {
  it('renders a div of the given class', () => {
    expect(show('x', { className: 'mine' }).className).toBe('as-md mine')
    expect(show('').innerHTML).toBe('')
  })

  it('leaves prices and formulas as they were written', () => {
    const text = 'Plan A is $20/month and plan B is $35/month, cap $50k+. Inline $x^2 + y^2$.'
    expect(show(text).textContent).toBe(text)
    expect(show('The price is \\$5 and \\$6.').textContent).toBe('The price is $5 and $6.')
  })

  it('closes emphasis beside Chinese, Japanese and Korean', () => {
    const strong = (text: string) => show(text).querySelector('strong, em, del')?.textContent
    expect(strong('**注意（重要）：**请先备份数据。')).toBe('注意（重要）：')
    expect(strong('请运行**“清理缓存”**命令。')).toBe('“清理缓存”')
    expect(strong('**백업(필수)**은 먼저 하세요.')).toBe('백업(필수)')
    expect(strong('*強調（注）。*次の文。')).toBe('強調（注）。')
    expect(strong('~~已删除（旧）。~~新文字')).toBe('已删除（旧）。')
    expect(strong('**步骤：**3 分钟完成')).toBe('步骤：')
    expect(strong('中文`**注意：**正文`中文')).toBeUndefined()
    expect(strong('**Warning:**text')).toBeUndefined()
  })

  it.each([
    '温度为20~25度，湿度为40~60%。',
    'a (~$3) now, b (~$9) later',
    'H2O is H~2~O',
    '好呀~我来啦~',
  ])('strikes nothing out in %j', (text) => {
    expect(show(text).innerHTML).toBe(`<p dir="auto">${text}</p>`)
  })

  it('shows raw HTML as text', () => {
    const root = show(
      '<script>alert(1)</script>\n\na <b onclick="x()">b</b>\n\n<img src="https://evil.example/x">',
    )
    expect(root.querySelector('script, b, img')).toBeNull()
    expect(root.textContent).toContain('<script>alert(1)</script>')
    expect(root.textContent).toContain('<b onclick="x()">b</b>')
  })

  it('breaks lines in table cells where <br> says so', () => {
    expect(show('| a |\n| - |\n| b<br>c |').querySelector('td > br')).not.toBeNull()
  })

  describe('of links', () => {
    it('opens them in a new tab and tells where they go', () => {
      const link = show('[docs](https://example.com/a "Your bank")').querySelector('a')
      expect(link?.target).toBe('_blank')
      expect(link?.rel).toBe('noopener noreferrer nofollow')
      expect(link?.title).toBe('Opens example.com')
      expect(link?.dataset['destination']).toBe('example.com')
      expect(link?.textContent).toBe('docs')
    })

    it('stay in the app when they are relative', () => {
      const link = show('[part](#part)').querySelector('a')
      expect(link?.getAttribute('href')).toBe('#part')
      expect(link?.hasAttribute('target')).toBe(false)
    })

    it('show the real host beside a text that names another', () => {
      expect(show('[https://good.example](https://evil.example/x)').textContent).toBe(
        'https://good.example (evil.example)',
      )
      expect(show('[x](https://good.example@evil.example)').textContent).toBe('x (evil.example)')
      expect(show('[https://good.example](https://good.example/x)').textContent).toBe(
        'https://good.example',
      )
    })

    it.each([
      '[x](javascript:alert(1))',
      '[x](JaVaScRiPt:alert(1))',
      '[x](javascript&colon;alert(1))',
      '[x](vbscript:x)',
      '[x](data:text/html,x)',
      '[x](blob:https://example.com/1)',
      '[x][d]\n\n[d]: javascript:alert(1)',
    ])('show %j as text', (text) => {
      const root = show(text)
      expect(root.querySelector('[href]')).toBeNull()
      expect(root.textContent).toBe('x')
    })

    it('give replaced components only what the policy let through', () => {
      const seen: unknown[] = []
      show('[x](javascript:alert(1)) ![i](https://evil.example/i.png)', {
        components: {
          a: ({ href }) => void seen.push(href),
          img: ({ src }) => void seen.push(src),
        },
      })
      expect(seen.every((url) => url === undefined)).toBe(true)
      expect(seen.length).toBeGreaterThan(1)
    })
  })

  describe('of images', () => {
    it('loads none before a click on a button that names it and its host', async () => {
      const root = show('![A cat](https://example.com/cat.png)')
      expect(root.querySelector('img')).toBeNull()
      await userEvent.click(
        screen.getByRole('button', { name: 'A cat · Load image from example.com' }),
      )
      const image = screen.getByRole('img', { name: 'A cat' })
      expect(image.getAttribute('src')).toBe('https://example.com/cat.png')
      expect(image.getAttribute('referrerpolicy')).toBe('no-referrer')
    })

    it('loads those the app allows', () => {
      const urlPolicy = createUrlPolicy({ mediaHosts: ['example.com'] })
      const root = show('![a](https://example.com/a.png) ![b](https://evil.example/b.png)', {
        urlPolicy,
      })
      expect(root.querySelectorAll('img')).toHaveLength(1)
      expect(root.querySelector('img')?.getAttribute('src')).toBe('https://example.com/a.png')
    })

    it('shows pictures that are in the text, but none that can run', () => {
      expect(show('![a](data:image/png;base64,AAAA)').querySelector('img')).not.toBeNull()
      const root = show('![a](data:image/svg+xml,x)')
      expect(root.querySelector('img')).toBeNull()
      expect(root.textContent).toBe('Blocked image: a')
    })

    it('says so when an image did not arrive', () => {
      const root = show('![a](data:image/png;base64,AAAA)')
      act(() => void root.querySelector('img')?.dispatchEvent(new Event('error')))
      expect(root.textContent).toBe('Image did not load: a')
    })

    it('keeps their button out of a link around them', () => {
      const root = show('[![a](https://example.com/a.png)](https://evil.example)')
      expect(root.querySelector('a button')).toBeNull()
      expect(root.querySelector('button')?.textContent).toContain('example.com')
      expect(root.querySelector('a')?.textContent).toBe('Opens evil.example')
    })
  })

  describe('of code', () => {
    const text = '```js\nconst a = arr[1]\n\nlet b\n```\n'

    it('names the language and lets the keyboard reach the code', () => {
      const root = show(text)
      expect(root.querySelector('.as-md-code-language')?.textContent).toBe('js')
      const code = screen.getByRole('group', { name: 'Code, js' })
      expect(code.tabIndex).toBe(0)
      expect(code.closest('[dir]')?.getAttribute('dir')).toBe('ltr')
      expect(code.textContent).toBe('const a = arr[1]\n\nlet b\n')
    })

    it('copies exactly the code and says so', async () => {
      const user = userEvent.setup()
      show(text)
      await user.click(screen.getByRole('button', { name: 'Copy code' }))
      expect(await navigator.clipboard.readText()).toBe('const a = arr[1]\n\nlet b')
      expect(screen.getByRole('status').textContent).toBe('Copied')
    })

    it('copies what is there while more is written', async () => {
      const user = userEvent.setup()
      show('```js\nlet a\n``', { streaming: true })
      await user.click(screen.getByRole('button', { name: 'Copy code' }))
      expect(await navigator.clipboard.readText()).toBe('let a')
    })

    it('shows that copying failed, and never that it worked', async () => {
      const user = userEvent.setup()
      vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('refused'))
      show(text)
      await user.click(screen.getByRole('button', { name: 'Copy code' }))
      expect(screen.getByRole('status').textContent).toBe('Copying failed')
      expect(screen.getByRole('button', { name: 'Copying failed' })).toBeTruthy()
    })

    it('holds a long block in chunks of whole lines', () => {
      const lines = 'a line of code\n'.repeat(1000)
      const code = show(`\`\`\`\n${lines}\`\`\``).querySelector('code')
      expect(code?.textContent).toBe(lines)
      expect(code?.children.length).toBe(Math.ceil(lines.length / (2048 + 15)))
    })
  })

  it('puts a table in a box that the keyboard reaches', () => {
    show('| a | b |\n| - | -: |\n| 1 | 2 |')
    expect(screen.getByRole('group', { name: 'Table' }).tabIndex).toBe(0)
    expect(screen.getByRole('columnheader', { name: 'b' }).dataset['align']).toBe('right')
  })

  it('says the state of tasks', () => {
    show('- [ ] a\n- [x] b')
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Done' }).checked).toBe(true)
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Not done' }).disabled).toBe(true)
  })

  it('keeps the footnotes of two messages apart', () => {
    const { container } = render(
      <>
        <Markdown id="m1" text={'note[^1]\n\n[^1]: one'} />
        <Markdown id="m2" text={'note[^1]\n\n[^1]: two'} />
        <Markdown text={'note[^1]\n\n[^1]: three'} />
      </>,
    )
    const ids = [...container.querySelectorAll('[id]')].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const root of container.children) {
      for (const link of root.querySelectorAll('a')) {
        const target = link.getAttribute('href')?.slice(1) ?? ''
        expect(root.querySelector(`[id="${target}"]`)).not.toBeNull()
      }
      const label = root.querySelector('[aria-describedby]')?.getAttribute('aria-describedby')
      expect(root.querySelector(`[id="${label}"]`)?.textContent).toBe('Footnotes')
    }
  })

  it('gives each block its own direction and leaves code out of it', () => {
    const root = show('`npm run build` ثم\n\n- أولاً\n\n> اقتباس\n\n| عمود |\n| - |\n| ١ |')
    expect(root.querySelector('p')?.dir).toBe('auto')
    expect(root.querySelector('code')?.dir).toBe('ltr')
    for (const name of ['li', 'blockquote', 'table']) {
      expect(root.querySelector<HTMLElement>(name)?.dir).toBe('auto')
    }
    expect(root.querySelector<HTMLElement>('blockquote p')?.dir).toBe('')
  })

  it('speaks the words it is given', () => {
    const words = { ...englishMarkdownWords, copyCode: '复制代码', footnotes: '脚注' }
    const root = show('a[^1]\n\n[^1]: b\n\n```\nx\n```', { words })
    expect(screen.getByRole('button', { name: '复制代码' })).toBeTruthy()
    expect(root.querySelector('h2')?.textContent).toBe('脚注')
  })

  it('does not parse afresh for a map of components written in place', () => {
    const Mark = (): null => null
    const { container, rerender } = render(<Markdown text="a `b`" components={{ code: 'kbd' }} />)
    const before = container.querySelector('kbd')
    rerender(<Markdown text="a `b`" components={{ code: 'kbd' }} />)
    expect(container.querySelector('kbd')).toBe(before)
    rerender(<Markdown text="a `b`" components={{ code: Mark }} />)
    expect(container.querySelector('kbd')).toBeNull()
  })
})
