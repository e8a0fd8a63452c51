import { chromium, type Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chromiumArgs, findBrowser } from '../../scripts/browser.mjs'
import { serveDemo } from '../../scripts/serveDemo.mjs'
import { createAgentServer, type AgentServer } from '../../src/testing/server/index.js'
import { DemoPage } from './DemoPage.js'

// The demo over each transport, and changing it while the agent writes: the built page, a real browser, the agent server.

let server: AgentServer
let slow: AgentServer
let sites: Awaited<ReturnType<typeof serveDemo>>[]
let browser: Browser
const opened: DemoPage[] = []

const serve = ({ url }: AgentServer) =>
  serveDemo({ config: { url, user: 'demo', isBuiltIn: true }, port: 0 })

beforeAll(async () => {
  server = await createAgentServer({ pace: 0.1 })
  slow = await createAgentServer({ pace: 1 })
  sites = await Promise.all([server, slow].map(serve))
  browser = await chromium.launch({ executablePath: await findBrowser(), args: chromiumArgs })
})

afterAll(async () => {
  await browser.close()
  await Promise.all([...sites, server, slow].map((part) => part.close()))
})

afterEach(async () => {
  const problems = opened.flatMap((demo) => demo.problems)
  await Promise.all(opened.splice(0).map((demo) => demo.context.close()))
  expect(problems).toEqual([])
})

type Transport = 'SSE' | 'WebSocket' | 'Polling'

async function open(
  agents: AgentServer,
  query = '',
  options: Parameters<typeof DemoPage.open>[2] = {},
): Promise<DemoPage> {
  const site = sites[agents === server ? 0 : 1]
  const demo = await DemoPage.open(browser, `${site?.url}/${query}`, options)
  opened.push(demo)
  return demo
}

const choice = (demo: DemoPage, transport: Transport) =>
  demo.page.getByRole('radio', { name: transport, exact: true })

/** What the page opened to hear events, in order. */
function watchLines(demo: DemoPage): Transport[] {
  const lines: Transport[] = []
  demo.page.on('websocket', () => lines.push('WebSocket'))
  demo.page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('/stream')) lines.push('SSE')
    if (pathname.endsWith('/events') && lines.at(-1) !== 'Polling') lines.push('Polling')
  })
  return lines
}

/** Keeps the longest text of the last message, and whatever is not its continuation. Marks the elements that are there. */
function watchText(demo: DemoPage): Promise<void> {
  return demo.page.evaluate(() => {
    const takenBack: string[] = []
    let longest = ''
    const look = (): void => {
      const messages = document.querySelectorAll('[data-as-part="message"][data-role="assistant"]')
      const text = [...(messages[messages.length - 1]?.querySelectorAll('p') ?? [])]
        .map((node) => node.textContent)
        .join('\n')
      if (!text.startsWith(longest)) takenBack.push(text)
      else longest = text
    }
    for (const node of document.querySelectorAll('[data-as-part="message"]')) {
      node.setAttribute('data-marked', '')
    }
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true }) // prettier-ignore
    Object.assign(window, { takenBack })
  })
}

describe('the transports of the demo', () => {
  it.each(['WebSocket', 'Polling'] as const)(
    'plays, asks and answers over %s, also after a reload',
    async (transport) => {
      const demo = await open(server)
      await choice(demo, transport).check()
      const lines = watchLines(demo)
      await demo.say('Send Ana an email')
      await demo.button('Allow once').waitFor()
      await demo.page.reload()
      await demo.button('Allow once').click()
      await demo.text('Ana will have it in a minute').waitFor()
      await demo.untilIdle()
      expect(await choice(demo, transport).isChecked()).toBe(true)
      expect(new Set(lines)).toEqual(new Set([transport]))
      await demo.say('What time is it?')
      await demo.text(/It is .*\d\d:\d\d where you are/).waitFor()
      expect(await demo.violations()).toEqual([])
    },
  )

  it('change while the agent writes: no word is lost, doubled or taken back, and nothing is drawn anew', async () => {
    const demo = await open(slow)
    const lines = watchLines(demo)
    await demo.say('Tell me a story')
    await demo.text('Santa Rita').waitFor()
    await watchText(demo)
    const length = async () => (await demo.conversation.textContent())?.length ?? 0
    for (const transport of ['Polling', 'WebSocket', 'SSE', 'Polling'] as const) {
      const before = await length()
      await choice(demo, transport).check()
      await expect.poll(length).toBeGreaterThan(before + 60)
    }
    expect(await demo.button('Stop').count()).toBe(1)
    await demo.text('noticed everything').waitFor({ timeout: 40_000 })
    await demo.untilIdle()
    expect(lines).toEqual(['Polling', 'WebSocket', 'SSE', 'Polling'])
    expect(await demo.page.evaluate(() => Reflect.get(window, 'takenBack'))).toEqual([])
    expect(await demo.conversation.locator('[data-marked]').count()).toBe(2)
    const live = await demo.conversation.locator('[data-as-part="message"]').allTextContents()
    await demo.page.reload()
    await demo.text('noticed everything').waitFor()
    const stored = demo.conversation.locator('[data-as-part="message"]')
    expect(await stored.allTextContents()).toEqual(live)
  })

  it('change while a question waits, and the answer goes the new way', async () => {
    const demo = await open(server)
    await demo.say('Send Ana an email')
    await demo.button('Allow once').waitFor()
    for (const transport of ['WebSocket', 'Polling', 'WebSocket'] as const) {
      await choice(demo, transport).check()
      await demo.page.waitForURL(`**transport=${transport.toLowerCase()}**`)
      expect(await demo.button('Allow once').count()).toBe(1)
    }
    await demo.button('Allow once').click()
    await demo.text('Ana will have it in a minute').waitFor()
    expect(await demo.button('Allow once').count()).toBe(0)
  })

  it('are chosen in the drawer where there is no room', async () => {
    const demo = await open(server, '', { viewport: { width: 390, height: 844 }, hasTouch: true })
    await demo.button('Conversations').click()
    await choice(demo, 'Polling').check()
    expect(await demo.violations()).toEqual([])
    const overflow = () => document.documentElement.scrollWidth - window.innerWidth
    expect(await demo.page.evaluate(overflow)).toBeLessThanOrEqual(0)
    await demo.page.keyboard.press('Escape')
    await demo.composer.fill('Read it aloud')
    await demo.button('Send').click()
    await demo.text('Today is calm').waitFor()
  })

  it('are not offered for a service that has one only', async () => {
    const demo = await open(server, `?url=${encodeURIComponent(slow.url)}&transport=polling`)
    const lines = watchLines(demo)
    await demo.page.reload()
    await demo.composer.waitFor()
    await expect.poll(() => lines).toEqual(['SSE'])
    expect(await choice(demo, 'Polling').count()).toBe(0)
  })
})
