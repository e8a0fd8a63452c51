import { chromium, type Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chromiumArgs, findBrowser } from '../../scripts/browser.mjs'
import { serveDemo } from '../../scripts/serveDemo.mjs'
import {
  createAgentServer,
  createFaultProxy,
  type AgentServer,
} from '../../src/testing/server/index.js'
import { DemoPage } from './DemoPage.js'

// The demo from end to end: the built page in a real browser, under its strict policy, against the agent server.

let server: AgentServer
let site: Awaited<ReturnType<typeof serveDemo>>
let browser: Browser
const opened: DemoPage[] = []
const slow: AgentServer[] = []

beforeAll(async () => {
  server = await createAgentServer({ pace: 0.1 })
  const config = { url: server.url, user: 'demo', isBuiltIn: true }
  site = await serveDemo({ config, port: 0 })
  browser = await chromium.launch({ executablePath: await findBrowser(), args: chromiumArgs })
})

afterAll(async () => {
  await browser.close()
  await site.close()
  await server.close()
})

afterEach(async () => {
  const problems = opened.flatMap((demo) => demo.problems)
  await Promise.all(opened.splice(0).map((demo) => demo.context.close()))
  await Promise.all(slow.splice(0).map((agents) => agents.close()))
  expect(problems).toEqual([])
})

/** What has to be done while the agent writes needs an agent that takes its time. */
async function openAtPace(pace: number): Promise<{ demo: DemoPage; agents: AgentServer }> {
  const agents = await createAgentServer({ pace })
  slow.push(agents)
  return { demo: await open(`?url=${encodeURIComponent(agents.url)}`), agents }
}

async function open(
  query = '',
  options: Parameters<typeof DemoPage.open>[2] = {},
): Promise<DemoPage> {
  const demo = await DemoPage.open(browser, `${site.url}/${query}`, options)
  opened.push(demo)
  return demo
}

describe('the demo', () => {
  it('offers suggestions, and plays one from thinking to a table', async () => {
    const demo = await open()
    await demo.button('Write a note with everything in it').click()
    await demo.conversation.getByRole('table').waitFor()
    await demo.untilIdle()
    await demo.text('That is all there is.').waitFor()
    await demo.button(/^Thought/).waitFor()
    await demo.conversation.getByRole('heading', { name: 'A table' }).waitFor()
    expect(await demo.conversation.locator('img').count()).toBe(0)
    expect(await demo.violations()).toEqual([])
  })

  it('runs tools at once and shows their pictures', async () => {
    const demo = await open()
    await demo.say('Plan three days in Lisbon')
    await demo.text('Lisbon wins this week').waitFor()
    await demo.untilIdle()
    await demo.page.getByText('Plot chart').first().click()
    const picture = demo.conversation.locator('img').first()
    await picture.waitFor()
    expect(
      await picture.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth),
    ).toBe(480)
    expect(await demo.violations()).toEqual([])
  })

  it('asks before it acts, and acts when allowed', async () => {
    const demo = await open()
    await demo.say('Send Ana an email')
    await demo.button('Allow once').waitFor()
    expect(await demo.violations()).toEqual([])
    await demo.button('Allow once').click()
    await demo.text('Ana will have it in a minute').waitFor()
    expect(await demo.button('Allow once').count()).toBe(0)
  })

  it('does not act when denied, and shows no reminder raw', async () => {
    const demo = await open()
    await demo.say('Send Ana an email')
    await demo.button('Deny').click()
    await demo.text('Not sent. Tell me what to change').waitFor()
    expect(await demo.conversation.textContent()).not.toContain('system-reminder')
  })

  it('takes two decisions one by one', async () => {
    const demo = await open()
    await demo.say('Book a table')
    await demo.button('Allow once').nth(1).waitFor()
    await demo.button('Allow once').first().click()
    await demo.button('Allow once').nth(1).waitFor({ state: 'detached' })
    await demo.button('Deny').click()
    await demo.text('I told nobody').waitFor()
  })

  it('runs a tool of the agent in the page', async () => {
    const demo = await open()
    await demo.say('What time is it?')
    await demo.text(/It is .*\d\d:\d\d where you are/).waitFor()
  })

  it('runs a tool once, however many tabs could', async () => {
    const demo = await open()
    const other = await DemoPage.in(demo.context)
    opened.push(other)
    await other.page.goto(demo.page.url())
    await other.composer.waitFor()
    let results = 0
    await demo.context.route('**/chat/', async (route) => {
      if (route.request().postData()?.includes('tool_result') === true) {
        results += 1
        // The other tab knows of the call, too, before it is answered.
        await Promise.all([demo, other].map((tab) => tab.text('Waiting for the app').waitFor()))
      }
      await route.continue()
    })
    await demo.say('What time is it?')
    await Promise.all([demo, other].map((tab) => tab.text(/It is .* where you are/).waitFor()))
    expect(results).toBe(1)
  })

  it('keeps what is typed over a reload, until it is sent', async () => {
    const demo = await open()
    await demo.composer.fill('Read it al')
    await demo.page.reload()
    await expect.poll(() => demo.composer.inputValue()).toBe('Read it al')
    await demo.composer.press('End')
    await demo.composer.pressSequentially('oud')
    await demo.composer.press('Enter')
    await demo.text('Today is calm').waitFor()
    await demo.page.reload()
    await demo.text('Today is calm').waitFor()
    expect(await demo.composer.inputValue()).toBe('')
  })

  it('keeps a question over a reload, and can be answered then', async () => {
    const demo = await open('?agent=coder')
    await demo.say('Run the tests')
    await demo.button('Allow once').waitFor()
    await demo.page.reload()
    await demo.button('Allow once').click()
    await demo.text('One of nine tests fails').waitFor()
  })

  it('stops while it writes, and goes on talking', async () => {
    const { demo } = await openAtPace(1)
    await demo.say('Tell me a story')
    await demo.text('Santa Rita').waitFor()
    await demo.button('Stop').click()
    await demo.text('Stopped.').waitFor()
    await demo.untilIdle()
    expect(await demo.conversation.textContent()).not.toContain('noticed everything')
    await demo.say('Read it aloud')
    await demo.text('Today is calm').waitFor()
  })

  it('says what went wrong, keeps the half answer, and works the next time', async () => {
    const demo = await open('?agent=lead')
    await demo.say('Summarise the contract')
    await demo.text('The model’s service failed.').waitFor()
    await demo.text('The contract runs for').waitFor()
    await demo.say('Summarise it again')
    await demo.text('gives notice 90 days before').waitFor()
  })

  it('goes on after the limit of steps', async () => {
    const demo = await open('?agent=lead')
    await demo.say('Search the catalogue')
    await demo.button('Continue').click()
    await demo.text('14 plants left').waitFor()
  })

  it('shows the question of a helper', async () => {
    const demo = await open('?agent=lead')
    await demo.say('Ask the researcher about mulch')
    await demo.text('Asked by researcher').waitFor()
    await demo.button('Allow once').click()
    await demo.text('has ordered a sample').waitFor()
    expect(await demo.button('Allow once').count()).toBe(0)
  })

  it('shows the same in another tab, while it happens', async () => {
    const { demo } = await openAtPace(1)
    await demo.say('Tell me a story')
    await demo.text('Santa Rita').waitFor()
    const other = await DemoPage.in(demo.context)
    opened.push(other)
    await other.page.goto(demo.page.url())
    await other.text('Tell me a story').waitFor()
    await Promise.all([demo, other].map((tab) => tab.text('noticed everything').waitFor()))
    await Promise.all([demo, other].map((tab) => tab.untilIdle()))
    const text = (tab: DemoPage) =>
      tab.conversation.locator('article, [data-as-part="message"]').allTextContents()
    expect(await text(other)).toEqual(await text(demo))
  })

  it('loses nothing when the connection breaks in the middle', async () => {
    const { demo, agents } = await openAtPace(1)
    await demo.say('Tell me a story')
    await demo.text('Santa Rita').waitFor()
    agents.dropStreams()
    await demo.text('noticed everything').waitFor()
    const story = await demo.conversation.textContent()
    expect(story?.match(/Santa Rita/g)).toHaveLength(1)
    // The browser itself reports the broken stream.
    demo.problems.splice(0)
  })

  it('loads nothing from elsewhere by itself, not even while it arrives', async () => {
    const { demo } = await openAtPace(4)
    await demo.say('Show me files')
    await demo.button(/^tour.mp4 · Load from media.example.com/).waitFor()
    expect(demo.problems).toEqual([])
  })

  it('begins, names and switches conversations', async () => {
    const demo = await open()
    await demo.say('Read it aloud')
    await demo.text('Today is calm').waitFor()
    const sessions = demo.page.getByRole('navigation', { name: 'Sessions' })
    await sessions.getByRole('link', { name: 'Read it aloud', exact: true }).waitFor()
    await demo.button('New conversation').click()
    await demo.button('Plan three days in Lisbon').waitFor()
    const isFocused = () => demo.composer.evaluate((node) => node === document.activeElement)
    await expect.poll(isFocused).toBe(true)
    await sessions.getByRole('link', { name: 'Notes from the garden' }).click()
    await demo.text('Day 60').waitFor()
    await sessions.getByRole('link', { name: 'Read it aloud' }).click()
    await demo.text('Today is calm').waitFor()
    await demo.page.goBack()
    await demo.text('Day 60').waitFor()
  })

  it('begins another conversation beside one that waits', async () => {
    const demo = await open()
    await demo.say('Send Ana an email')
    await demo.button('Allow once').waitFor()
    await demo.page.getByRole('link', { name: /your turn$/ }).waitFor()
    await demo.button('New conversation').click()
    await demo.button('Plan three days in Lisbon').waitFor()
    await demo.page.goBack()
    await demo.button('Allow once').waitFor()
  })

  it('begins anew when the agents have forgotten the session', async () => {
    const demo = await open('?agent=friday&session=gone')
    await demo.button('Plan three days in Lisbon').waitFor()
    expect(demo.page.url()).not.toContain('gone')
    demo.problems.splice(0) // The browser reports the answers that said 404.
  })

  it('reads back a conversation longer than a page', async () => {
    const demo = await open()
    await demo.page.getByRole('link', { name: 'Notes from the garden' }).click()
    await demo.text('Day 60').waitFor()
    await demo.text('Day 60').hover()
    const scrollUp = async (): Promise<number> => {
      await demo.page.mouse.wheel(0, -20_000)
      return demo.conversation.getByText('Day 1.').count()
    }
    await expect.poll(scrollUp, { timeout: 30_000 }).toBe(1)
    expect(await demo.button('Load earlier messages').count()).toBe(0)
    expect(await demo.conversation.getByText(/^Day \d+\./).count()).toBe(60)
  })

  it('can be used with the keyboard alone', async () => {
    const demo = await open('?agent=coder')
    await demo.composer.focus()
    await demo.page.keyboard.type('Clean up old branches')
    await demo.page.keyboard.press('Enter')
    await demo.button('Deny').waitFor()
    await demo.page.keyboard.type('not a decision')
    await demo.page.keyboard.press('Enter')
    expect(await demo.button('Deny').count()).toBe(1)
    for (let steps = 0; steps < 40; steps += 1) {
      await demo.page.keyboard.press('Shift+Tab')
      if (await demo.button('Deny').evaluate((node) => node === document.activeElement)) break
    }
    await demo.page.keyboard.press('Enter')
    await demo.text('They stay.').waitFor()
  })

  it('has its conversations in a drawer where there is no room', async () => {
    const demo = await open('', { viewport: { width: 390, height: 844 }, hasTouch: true })
    expect(await demo.violations()).toEqual([])
    await demo.button('Conversations').click()
    const drawer = demo.page.getByRole('dialog', { name: 'Conversations' })
    await drawer.getByRole('link', { name: 'Notes from the garden' }).waitFor()
    expect(await demo.violations()).toEqual([])
    await demo.page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    await demo.button('Conversations').click()
    await drawer.getByRole('link', { name: 'Notes from the garden' }).click()
    await demo.text('Day 60').waitFor()
    const overflow = () => document.documentElement.scrollWidth - window.innerWidth
    expect(await demo.page.evaluate(overflow)).toBeLessThanOrEqual(0)
  })

  it('is as good in the dark', async () => {
    const demo = await open('?agent=coder', { colorScheme: 'dark' })
    await demo.say('Fix the bug')
    await demo.button('Allow once').waitFor()
    expect(await demo.violations()).toEqual([])
    await demo.page.getByRole('radio', { name: 'Light' }).check()
    expect(await demo.violations()).toEqual([])
    await demo.page.reload()
    await demo.composer.waitFor()
    expect(await demo.page.getByRole('radio', { name: 'Light' }).isChecked()).toBe(true)
  })

  it('talks to the service that its address names', async () => {
    const other = await createAgentServer({ pace: 0 })
    const demo = await open(`?url=${encodeURIComponent(other.url)}&agent=lead`)
    await demo.say('Something else')
    await demo.text('I follow a script').waitFor()
    await demo.button(new URL(other.url).host).click()
    const form = demo.page.getByRole('dialog', { name: 'Agent service' })
    expect(await form.getByLabel('Address').inputValue()).toBe(other.url)
    expect(await demo.violations()).toEqual([])
    await form.getByLabel('Address').fill(server.url)
    await form.getByLabel('User id').fill('ben')
    await form.getByRole('button', { name: 'Connect' }).click()
    await demo.page.getByRole('button', { name: new URL(server.url).host }).waitFor()
    await demo.composer.waitFor()
    await other.close()
    demo.problems.splice(0)
  })

  it('says so when the service does not answer, and asks for another', async () => {
    const context = await browser.newContext()
    const demo = await DemoPage.in(context)
    opened.push(demo)
    await demo.page.goto(`${site.url}/?url=http://127.0.0.1:9`)
    await demo.page.getByRole('alert').waitFor()
    await demo.button('Another service').click()
    await demo.page.getByRole('dialog', { name: 'Agent service' }).waitFor()
    demo.problems.splice(0)
  })
  it('keeps the conversation, and what is typed, while all the service answers is 502', async () => {
    const agents = await createAgentServer({ pace: 1 })
    slow.push(agents)
    const proxy = await createFaultProxy({ target: agents.url })
    const demo = await open(`?url=${encodeURIComponent(proxy.url)}`)
    await demo.say('Tell me a story')
    await demo.text('Santa Rita').waitFor()
    await demo.composer.fill('And then?')
    const listings = () =>
      proxy.requests.filter(({ method, path }) => method === 'GET' && path === '/sessions/').length
    const before = listings()
    proxy.inject({ kind: 'answer', status: 502, which: 'every' })
    proxy.dropStreams()
    // Asked, asked again, given up, and asked anew.
    await expect.poll(listings, { timeout: 20_000 }).toBeGreaterThan(before + 2)
    await demo.button('Retry now').waitFor()
    expect(await demo.text('Santa Rita').count()).toBe(1)
    proxy.heal()
    await demo.text('noticed everything').waitFor({ timeout: 60_000 })
    await demo.untilIdle()
    expect(await demo.composer.inputValue()).toBe('And then?')
    await proxy.close()
    demo.problems.splice(0)
  })
})
