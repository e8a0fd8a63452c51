import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { cdp, page } from 'vitest/browser'
import { AgentChat, ConfirmForm } from '../../src/components/index.js'
import type { AgentChatProps } from '../../src/components/index.js'
import { TransportError } from '../../src/protocol/index.js'
import type { AgentBackend, Msg } from '../../src/protocol/index.js'
import {
  data,
  reply,
  text,
  thinking,
  toolCall,
  toolResult,
  userMsg,
} from '../../stories/fixtures/blocks.js'
import { asking, openText, openThinking, replyStart } from '../../stories/fixtures/events.js'
import { stillBackend } from '../../stories/fixtures/stillBackend.js'
import { askedFor } from '../components/requests.js'
import { frames, inScreen, part, seen } from './inScreen.js'

const longWords = [
  'a'.repeat(400),
  `https://example.com/${'q=1&'.repeat(100)}`,
  'C:\\very\\long\\path'.repeat(20),
  'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(5),
]

function everywhere(word: string): readonly Msg[] {
  return [
    userMsg(word),
    reply([
      thinking(word),
      toolCall(word.slice(0, 120), { path: word }),
      toolResult(word, { state: 'error' }),
      text(
        `${word}\n\n\`${word}\`\n\n- ${word}\n\n| ${word.slice(0, 80)} | b |\n| --- | --- |\n| ${word} | c |`,
      ),
      data('application/zip', btoa('zip'), word),
    ]),
    reply([], {
      id: 'failed',
      finished_reason: 'error',
      error: { type: 'unknown', message: word },
    }),
  ]
}

const lost = new TransportError('closed', 'lost')

async function show(
  props: Partial<AgentChatProps> & { messages: readonly Msg[] },
  width: number,
): Promise<HTMLElement> {
  const { messages, ...rest } = props
  await page.viewport(width, 700)
  inScreen(<AgentChat {...rest} backend={stillBackend({ messages })} />, width, 700)
  const log = await screen.findByRole('log')
  await frames(6)
  return log
}

/** Elements that stick out of the column, other than those that scroll in a box of their own. */
function stickingOut(log: HTMLElement): readonly string[] {
  const column = part('message-list-column').getBoundingClientRect()
  const inOwnBox =
    'pre, .as-md-table, .as-md-table *, .as-md-code *, .as-sr-only, .as-sr-only *, .as-md-hidden'
  return Array.from(log.querySelectorAll<HTMLElement>('*'))
    .filter((element) => !element.matches(inOwnBox) && element.getClientRects().length > 0)
    .filter((element) => {
      const { left, right } = element.getBoundingClientRect()
      return left < column.left - 1 || right > column.right + 1
    })
    .map((element) => `${element.tagName}.${element.className}`)
}

/** Renders as on a page that has no rules of its own: body > main, each as high as its content. */
async function onPlainPage(backend: AgentBackend, width: number, height: number): Promise<void> {
  await page.viewport(width, height)
  const main = document.createElement('main')
  document.body.append(main)
  document.body.style.margin = ''
  onTestFinished(() => main.remove())
  render(<AgentChat backend={backend} suggestions={['One', 'Two']} />, { container: main })
  await frames(6)
}

const longTalk = Array.from({ length: 30 }, (_turn, index) =>
  reply([text('Words. '.repeat(60))], { id: `long${String(index)}` }),
)

/** That the field is in view, and that what is too long scrolls inside the list, to its end. */
function expectFieldInView(log: HTMLElement): void {
  const field = part('composer-field').getBoundingClientRect()
  expect(field.top).toBeGreaterThan(log.getBoundingClientRect().bottom - 1)
  expect(field.bottom).toBeLessThanOrEqual(window.innerHeight)
  expect(log.scrollHeight).toBeGreaterThan(log.clientHeight + 500)
  expect(Math.abs(log.scrollHeight - log.clientHeight - log.scrollTop)).toBeLessThan(2)
}

describe('<AgentChat> in a browser', () => {
  it('fills a parent that has a height, and scrolls inside', async () => {
    const log = await show({ messages: longTalk }, 390)
    expect(part('agent-chat').getBoundingClientRect().height).toBe(700)
    expectFieldInView(log)
  })

  it('fills what is left of a column', async () => {
    await page.viewport(390, 700)
    inScreen(
      <div style={{ display: 'flex', flexDirection: 'column', blockSize: '100%' }}>
        <div style={{ blockSize: 48, flex: 'none' }} />
        <AgentChat
          backend={stillBackend({ messages: longTalk })}
          style={{ flex: 1, minBlockSize: 0 }}
        />
      </div>,
      390,
      700,
    )
    const log = await screen.findByRole('log')
    await frames(6)
    expect(part('agent-chat').getBoundingClientRect().height).toBe(652)
    expectFieldInView(log)
  })

  it.each([
    [390, 700],
    [1280, 640],
    [740, 360],
  ])('has a height of its own on a page that gives none, at %d by %d', async (width, height) => {
    await onPlainPage(stillBackend({ messages: longTalk }), width, height)
    expectFieldInView(await screen.findByRole('log'))
    const { scrollHeight, clientHeight } = document.documentElement
    expect(scrollHeight).toBe(clientHeight)
  })

  it('follows an answer on a page that gives no height', async () => {
    const backend = stillBackend({ messages: [userMsg('Go')], isRunning: true })
    await onPlainPage(backend, 390, 700)
    backend.say(replyStart('now'), ...openText('Words. '.repeat(1500), 'now'))
    await seen(/Words/)
    await frames(20)
    expectFieldInView(screen.getByRole('log'))
  })

  it.each([320, 390, 768])('holds words that fit nowhere at %d px', async (width) => {
    for (const word of longWords) {
      const log = await show({ messages: everywhere(word) }, width)
      for (const trigger of log.querySelectorAll<HTMLElement>('[aria-expanded="false"]'))
        trigger.click()
      await frames(3)
      expect(stickingOut(log)).toEqual([])
      expect(log.scrollWidth).toBe(log.clientWidth)
      expect(document.documentElement.scrollWidth).toBe(document.documentElement.clientWidth)
      log.closest<HTMLElement>('.as-root')?.parentElement?.remove()
    }
  })

  it('leaves the focus in the field when a suggestion is chosen by keyboard', async () => {
    await onPlainPage(stillBackend(), 390, 700)
    await userEvent.tab()
    while (document.activeElement?.textContent !== 'One') await userEvent.tab()
    await userEvent.keyboard('{Enter}')
    await seen('One')
    await frames(2)
    expect(screen.getByRole('textbox')).toHaveFocus()
  })

  it.each([390, 1280])('holds the composer still through all of it, at %d px', async (width) => {
    await page.viewport(width, 700)
    const backend = stillBackend({ connection: { phase: 'connecting' } })
    inScreen(<AgentChat backend={backend} />, width, 700)
    await frames(2)
    const { top, bottom } = part('composer-field').getBoundingClientRect()
    const steps = [
      () => backend.connect({ phase: 'catching-up' }),
      () => backend.connect({ phase: 'open' }),
      () => backend.connect({ phase: 'offline' }),
      () => backend.connect({ phase: 'waiting', retryAt: Date.now() + 60_000, cause: lost }),
      () => backend.connect({ phase: 'open' }),
      () => backend.say(replyStart('now'), ...asking([toolCall('f', {})], 'now')),
    ]
    for (const step of steps) {
      step()
      await frames(3)
      const box = part('composer-field').getBoundingClientRect()
      expect([box.top, box.bottom]).toEqual([top, bottom])
      const line = document.querySelector('[data-as-part="connection-line"]')
      if (line === null) continue
      expect(line.getBoundingClientRect().bottom).toBeLessThanOrEqual(top)
      expect(line.getBoundingClientRect().top).toBeGreaterThanOrEqual(
        screen.getByRole('log').getBoundingClientRect().bottom,
      )
    }
    expect(await screen.findByRole('button', { name: 'Allow once' })).toBeVisible()
  })

  it('stands an argument of several lines level with its name', async () => {
    await page.viewport(768, 700)
    inScreen(
      <div className="as-root">
        <ConfirmForm
          request={askedFor(toolCall('send_mail', { body: 'One.\nTwo.\nThree.' }))}
          send={null}
          canRemember
          onDecide={() => undefined}
          onRetry={() => undefined}
        />
      </div>,
      768,
    )
    await frames(2)
    const top = (selector: string): number => {
      const range = document.createRange()
      range.selectNodeContents(part('confirm-card').querySelector(selector) ?? document.body)
      return range.getClientRects()[0]?.top ?? Number.NaN
    }
    expect(Math.abs(top('dt code') - top('dd pre'))).toBeLessThan(1)
  })

  it('holds a long command in a question, at 320 px', async () => {
    await page.viewport(320, 700)
    inScreen(
      <div className="as-root">
        <ConfirmForm
          request={askedFor(toolCall('Bash', { command: 'a'.repeat(500) }))}
          send={null}
          canRemember
          onDecide={() => undefined}
          onRetry={() => undefined}
        />
      </div>,
      320,
    )
    await frames(2)
    expect(document.documentElement.scrollWidth).toBe(320)
  })

  it('lays each paragraph out in its own direction, and code from left to right', async () => {
    const log = await show(
      {
        messages: [
          userMsg('مرحبا، كيف حالك؟'),
          reply([text('`npm run build` ثم أعد التشغيل.\n\nEnglish.\n\n```sh\nls -la\n```')]),
        ],
      },
      390,
    )
    const directionOf = (element: Element | null | undefined): string =>
      element == null ? '' : getComputedStyle(element).direction
    expect(directionOf(log.querySelector('.as-typed'))).toBe('rtl')
    expect(directionOf(await seen('English.'))).toBe('ltr')
    expect(directionOf(log.querySelector('pre code'))).toBe('ltr')
    expect(directionOf(part('agent-chat'))).toBe('ltr')
  })

  it('moves nothing when thinking ends and text begins', async () => {
    await page.viewport(390, 700)
    const backend = stillBackend({
      messages: [userMsg('Why?')],
      isRunning: true,
      inputs: [replyStart('now'), ...openThinking('First. '.repeat(200), 'now')],
    })
    inScreen(<AgentChat backend={backend} />, 390, 700)
    await seen('Thinking')
    await frames(4)
    const panel = part('thinking-panel')
    const { top, height } = panel.getBoundingClientRect()
    backend.say(
      { type: 'THINKING_BLOCK_END', id: 'end', reply_id: 'now', block_id: 'think' },
      ...openText('Because', 'now'),
    )
    const samples: number[] = []
    for (let frame = 0; frame < 12; frame += 1) {
      await frames(1)
      const box = panel.getBoundingClientRect()
      samples.push(Math.abs(box.top - top), Math.abs(box.height - height))
    }
    expect(Math.max(...samples)).toBeLessThanOrEqual(1)
    expect(await seen('Because')).toBeVisible()
  })

  it('shifts nothing when a stored conversation is loaded', async () => {
    let shift = 0
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shift += Number(Reflect.get(entry, 'value') ?? 0)
    })
    observer.observe({ type: 'layout-shift' })
    const messages = Array.from({ length: 20 }, (_turn, index) =>
      reply([thinking('Hm. '.repeat(300)), text('Done.')], { id: `r${String(index)}` }),
    )
    await show({ messages }, 390)
    await frames(30)
    observer.disconnect()
    expect(document.querySelectorAll('[data-as-part="thinking-panel-content"]')).toHaveLength(0)
    expect(shift).toBe(0)
  })

  it('lets the composer grow to 40 % of the height', async () => {
    await show({ messages: [] }, 390)
    const field = screen.getByRole('textbox')
    const before = field.getBoundingClientRect().height
    await page.getByRole('textbox').fill('One line after the other.\n'.repeat(60))
    await frames(3)
    const { height } = field.getBoundingClientRect()
    expect(height).toBeGreaterThan(before * 4)
    expect(height).toBeLessThanOrEqual(0.4 * 700 + 1)
  })

  it.each(['light', 'dark'] as const)('has no fault that axe finds, in the %s', async (theme) => {
    await page.viewport(390, 700)
    const backend = stillBackend({
      messages: everywhere('word'),
      inputs: [
        replyStart('now'),
        ...openText('Publish?', 'now'),
        ...asking([toolCall('Bash', { command: 'npm publish' })], 'now'),
      ],
    })
    const { container } = inScreen(
      // Still, as what fades in is not to be judged halfway.
      <AgentChat backend={backend} theme={theme} motion="reduced" />,
      390,
      700,
    )
    await screen.findByRole('button', { name: 'Allow once' })
    await frames(4)
    const { violations } = await axe.run(container)
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`),
    ).toEqual([])
  })

  it('paints the theme it is given, and follows the system without one', async () => {
    await page.viewport(390, 700)
    const background = (): string => getComputedStyle(part('agent-chat')).backgroundColor
    const { unmount } = inScreen(<AgentChat backend={stillBackend()} theme="dark" />)
    const dark = background()
    unmount()
    await cdp().send('Emulation.setEmulatedMedia', {
      features: [{ name: 'prefers-color-scheme', value: 'dark' }],
    })
    inScreen(<AgentChat backend={stillBackend()} />)
    expect(background()).toBe(dark)
    await cdp().send('Emulation.setEmulatedMedia', {
      features: [{ name: 'prefers-color-scheme', value: 'light' }],
    })
    await frames(2)
    expect(background()).not.toBe(dark)
    await cdp().send('Emulation.setEmulatedMedia', { features: [] })
  })

  it('holds still when the system asks for that', async () => {
    await cdp().send('Emulation.setEmulatedMedia', {
      features: [{ name: 'prefers-reduced-motion', value: 'reduce' }],
    })
    const backend = stillBackend({
      messages: [userMsg('Why?')],
      isRunning: true,
      inputs: [replyStart('now'), ...openThinking('Hm', 'now')],
    })
    inScreen(<AgentChat backend={backend} />)
    await seen('Thinking')
    await frames(4)
    expect(document.getAnimations().filter(({ playState }) => playState === 'running')).toEqual([])
    await cdp().send('Emulation.setEmulatedMedia', { features: [] })
  })
})
