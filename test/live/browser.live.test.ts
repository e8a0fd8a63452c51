import { chromium, type Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chromiumArgs, findBrowser } from '../../scripts/browser.mjs'
import { serveDemo } from '../../scripts/serveDemo.mjs'
import { DemoPage } from '../e2e/DemoPage.js'
import { createCutter, type Cutter } from './createCutter.js'
import {
  createLiveSession,
  newGate,
  openGate,
  serviceUrl,
  type LiveSession,
} from './liveService.js'

// The demo as built, in a real browser, on the real service.

let site: Awaited<ReturnType<typeof serveDemo>>
let browser: Browser
let way: Cutter
const opened: DemoPage[] = []

beforeAll(async () => {
  way = await createCutter(serviceUrl)
  site = await serveDemo({ config: { url: way.url, user: 'nobody', isBuiltIn: false }, port: 0 })
  browser = await chromium.launch({ executablePath: await findBrowser(), args: chromiumArgs })
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
  await way?.close()
})

afterEach(async () => {
  const problems = opened.flatMap((demo) => demo.problems)
  await Promise.all(opened.splice(0).map((demo) => demo.context.close()))
  if (problems.length > 0) throw new Error(problems.join('\n'))
})

/** The demo on a new session, in the browser of somebody new. */
async function open(): Promise<{ demo: DemoPage; session: LiveSession }> {
  const session = await createLiveSession()
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  })
  const demo = await DemoPage.in(context)
  opened.push(demo)
  const query = new URLSearchParams({
    url: way.url,
    user: session.headers['X-User-ID'] ?? '',
    agent: session.agentId,
    session: session.sessionId,
  })
  await demo.page.goto(`${site.url}/?${query}`)
  await demo.composer.waitFor()
  return { demo, session }
}

/** What a person can read, without durations: those come from clocks. */
async function readable(demo: DemoPage): Promise<readonly string[]> {
  const messages = await demo.conversation.locator('[data-as-part="message"]').allInnerTexts()
  return messages.map((text) => text.replaceAll(/\d+(\.\d+)?\s?(ms|s)\b/g, 'some time'))
}

/** The page shows what is stored: loading it anew, from history, changes nothing. */
async function expectStored(demo: DemoPage): Promise<void> {
  await demo.untilIdle()
  const streamed = await readable(demo)
  expect(streamed.length).toBeGreaterThan(1)
  await demo.page.reload()
  await expect.poll(() => readable(demo)).toEqual(streamed)
}

describe('the demo on the real service', () => {
  it('shows an answer with its thinking', async () => {
    const { demo } = await open()
    await demo.say('Why are there tides?')
    await demo.text('Tides follow the moon.').waitFor()
    await demo.text('月亮和太阳一起决定大潮。').waitFor()
    await demo.button(/^Thought/).waitFor()
    await expectStored(demo)
  })

  it('shows two tools that run at once', async () => {
    const { demo } = await open()
    await demo.say('Compare the weather in Oslo and Rome.')
    await demo.text('Oslo has snow').waitFor()
    expect(await demo.conversation.locator('[data-as-part="tool-call-card"]').count()).toBe(2)
    await expectStored(demo)
  })

  it('acts when allowed', async () => {
    const { demo, session } = await open()
    await demo.say('Move 500 to savings.')
    await demo.button('Allow once').click()
    await demo.text('That settles it.').waitFor()
    expect(JSON.stringify(await session.storedMessages())).toContain('Moved 500 to savings.')
    await expectStored(demo)
  })

  it('does not act when denied', async () => {
    const { demo, session } = await open()
    await demo.say('Move 500 to savings.')
    await demo.button('Deny').click()
    await demo.text('That settles it.').waitFor()
    expect(JSON.stringify(await session.storedMessages())).not.toContain('Moved 500')
    expect(await demo.conversation.textContent()).not.toContain('system-reminder')
    await expectStored(demo)
  })

  it('keeps a request over a reload', async () => {
    const { demo } = await open()
    await demo.say('Move 500 to savings.')
    await demo.button('Allow once').waitFor()
    await demo.page.reload()
    await demo.button('Allow once').click()
    await demo.text('That settles it.').waitFor()
    await expectStored(demo)
  })

  it('runs a tool of the client', async () => {
    const { demo } = await open()
    await demo.say('What time is it?')
    await demo.text('That is your time.').waitFor()
    await expectStored(demo)
  })

  it('stops an answer that streams', async () => {
    const { demo, session } = await open()
    await demo.say(`Count to a hundred. #${newGate()}`)
    await demo.text('1 2 3 4 5').waitFor()
    await demo.button('Stop').click()
    await expect.poll(() => session.status()).toBe('idle')
    await expectStored(demo)
  })

  it('stops a reply that waits for a person', async () => {
    const { demo, session } = await open()
    await demo.say('Move 20 to savings and tell me where I am.')
    await demo.button('Allow once').waitFor()
    await demo.button('Stop').click()
    await expect.poll(() => session.status()).toBe('idle')
    await expect.poll(() => demo.button('Allow once').count()).toBe(0)
    await expectStored(demo)
  })

  it('says that the model failed, and keeps the half answer', async () => {
    const { demo } = await open()
    await demo.say('Break down.')
    await demo.text('Half an answer').waitFor()
    await expectStored(demo)
  })

  it('loses nothing when the connection breaks in the middle', async () => {
    const { demo } = await open()
    const gate = newGate()
    await demo.say(`Tell me a long story. #${gate}`)
    await demo.text('Once upon a time').waitFor()
    way.cut()
    await openGate(gate)
    await demo.text('there was a stream that broke.').waitFor()
    demo.problems.splice(0) // The browser itself reports the broken stream.
    expect((await readable(demo)).join('').match(/Once upon/g)).toHaveLength(1)
    await expectStored(demo)
  })
})
