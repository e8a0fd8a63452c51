import { chromium, type Browser } from 'playwright'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { chromiumArgs, findBrowser } from '../../scripts/browser.mjs'
import { serveDemo } from '../../scripts/serveDemo.mjs'
import {
  createAgentServer,
  type AgentScript,
  type AgentServer,
} from '../../src/testing/server/index.js'
import { createGate, type Gate } from '../testing/server/createGate.js'
import { DemoPage } from './DemoPage.js'

// Real tabs on a real IndexedDB, killed in the middle of a reply. The server repeats so little that only the journal has the rest.

const FIRST = Array.from({ length: 300 }, (_, index) => `a${index} `)
const SECOND = Array.from({ length: 300 }, (_, index) => `b${index} `)

let server: AgentServer
let site: Awaited<ReturnType<typeof serveDemo>>
let browser: Browser
let gates: readonly [Gate, Gate]

const agent: AgentScript = {
  id: 'friday',
  name: 'Friday',
  perform: () => ({
    steps: [
      { kind: 'model', says: [{ kind: 'text', chunks: FIRST }] },
      { kind: 'wait', until: gates[0].passed },
      { kind: 'model', says: [{ kind: 'text', chunks: SECOND }] },
      { kind: 'wait', until: gates[1].passed },
    ],
  }),
}

beforeAll(async () => {
  server = await createAgentServer({ agents: [agent], pace: 0, replayLimit: 20 })
  const config = { url: server.url, user: 'demo', isBuiltIn: false }
  site = await serveDemo({ config, port: 0 })
  browser = await chromium.launch({ executablePath: await findBrowser(), args: chromiumArgs })
})

afterAll(async () => {
  await browser.close()
  await site.close()
  await server.close()
})

beforeEach(() => {
  gates = [createGate(), createGate()]
})

async function open(): Promise<DemoPage> {
  const demo = await DemoPage.open(browser, `${site.url}/?journal=1`)
  onTestFinished(() => demo.context.close())
  return demo
}

/** Another tab of the same browser, at the same conversation. */
async function openTab({ context }: DemoPage, url: string): Promise<DemoPage> {
  const demo = await DemoPage.in(context)
  await demo.page.goto(url)
  return demo
}

/** What was said, as it is read. */
async function words({ conversation }: DemoPage): Promise<string> {
  const texts = await conversation.locator('[data-as-part="text-view"]').allTextContents()
  return texts.join(' ').replaceAll(/\s+/g, ' ').trim()
}

async function untilSaid(demo: DemoPage, said: readonly string[]): Promise<void> {
  await expect.poll(() => words(demo), { timeout: 20_000 }).toBe(`Go on ${said.join('')}`.trim())
}

/** What the database holds, read past the kit. */
function keptText({ page }: DemoPage): Promise<string> {
  return page.evaluate(async () => {
    const [info] = await indexedDB.databases()
    const opening = indexedDB.open(info?.name ?? '')
    await new Promise((resolve) => opening.addEventListener('success', resolve))
    const database = opening.result
    const names = ['batches', 'messages']
    const tx = database.transaction(names)
    const all = names.map((name) => tx.objectStore(name).getAll())
    await new Promise((resolve) => tx.addEventListener('complete', resolve))
    database.close()
    return JSON.stringify(all.map(({ result }) => result))
  })
}

describe('a journal in the browser', () => {
  it('shows all that killed tabs saw of a reply, and ends as the server has it', async () => {
    const first = await open()
    await first.say('Go on')
    const url = await untilInSession(first)
    await untilSaid(first, FIRST)
    await expect.poll(() => keptText(first), { timeout: 10_000 }).toContain('a299 ')
    const second = await openTab(first, url)
    await untilSaid(second, FIRST)
    gates[0].open()
    // One tab goes while words come, the other dies.
    await first.page.waitForFunction(() => document.body.textContent?.includes('b40 '))
    await first.page.close()
    await untilSaid(second, [...FIRST, ...SECOND])
    await expect.poll(() => keptText(second), { timeout: 10_000 }).toContain('b299 ')
    const cdp = await second.context.newCDPSession(second.page)
    const crashed = second.page.waitForEvent('crash')
    cdp.send('Page.crash').catch(() => {})
    await crashed
    const third = await openTab(second, url)
    await untilSaid(third, [...FIRST, ...SECOND])
    await third.button('Stop').waitFor()
    gates[1].open()
    await third.untilIdle()
    await untilSaid(third, [...FIRST, ...SECOND])
    expect(third.problems).toEqual([])
  })

  it('writes what was heard last when the page is left', async () => {
    const demo = await open()
    await demo.say('Go on')
    await untilSaid(demo, FIRST)
    await demo.page.reload()
    await untilSaid(demo, FIRST)
    for (const gate of gates) gate.open()
    await demo.untilIdle()
    await untilSaid(demo, [...FIRST, ...SECOND])
  })

  it('has something to read when the service cannot be reached, until the person forgets it', async () => {
    const demo = await open()
    for (const gate of gates) gate.open()
    await demo.say('Go on')
    const url = await untilInSession(demo)
    await demo.untilIdle()
    await untilSaid(demo, [...FIRST, ...SECOND])
    await expect.poll(() => keptText(demo), { timeout: 10_000 }).toContain('completed')
    await demo.page.close()
    await demo.context.route(`${server.url}/**`, (route) => route.abort())
    let failures = 0
    demo.context.on('requestfailed', (request) => {
      if (request.url().endsWith('/agent/')) failures += 1
    })
    const offline = await openTab(demo, url)
    await untilSaid(offline, [...FIRST, ...SECOND])
    // It stays when the page has given up asking for the agents, too.
    await expect.poll(() => failures, { timeout: 10_000 }).toBe(2)
    await offline.page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    )
    expect(await words(offline)).toContain('b299')
    await offline.button('Forget what is kept here').click()
    await offline.button('Nothing is kept here').waitFor()
    await offline.page.reload()
    await offline.button('Try again').first().waitFor()
    expect(await words(offline)).toBe('')
    expect(await keptText(offline)).not.toContain('a0 ')
  })
})

/** The address, once it names the session. */
async function untilInSession({ page }: DemoPage): Promise<string> {
  await page.waitForURL(/session=/)
  return page.url()
}
