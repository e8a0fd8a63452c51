import { chromium, type Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chromiumArgs, findBrowser } from '../../scripts/browser.mjs'
import { serveDemo } from '../../scripts/serveDemo.mjs'
import { createAgentServer, type AgentServer } from '../../src/testing/server/index.js'
import { DemoPage } from './DemoPage.js'

// The demo on the Task API of the agent server: the built page, a real browser.

let server: AgentServer
let site: Awaited<ReturnType<typeof serveDemo>>
let browser: Browser
const opened: DemoPage[] = []

beforeAll(async () => {
  server = await createAgentServer({ pace: 0.1 })
  const config = { url: server.url, user: 'demo', isBuiltIn: true }
  site = await serveDemo({ config, port: 0 })
  browser = await chromium.launch({ executablePath: await findBrowser(), args: chromiumArgs })
})

afterAll(async () => {
  await browser.close()
  await Promise.all([site.close(), server.close()])
})

afterEach(async () => {
  const problems = opened.flatMap((demo) => demo.problems)
  await Promise.all(opened.splice(0).map((demo) => demo.context.close()))
  expect(problems).toEqual([])
})

async function open(): Promise<DemoPage> {
  const demo = await DemoPage.open(browser, `${site.url}/?language=task-api`)
  opened.push(demo)
  return demo
}

const choice = (demo: DemoPage, name: string) => demo.page.getByRole('radio', { name, exact: true })

describe('the demo on the Task API', () => {
  it('asks, is answered after a reload, and goes on', async () => {
    const demo = await open()
    expect(await choice(demo, 'Task API').isChecked()).toBe(true)
    const posts: string[] = []
    demo.page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (request.method() === 'POST') posts.push(pathname.replace(/[0-9a-f-]{36}/, '*'))
    })
    await demo.say('Send Ana an email')
    await demo.button('Allow once').waitFor()
    await demo.page.reload()
    await demo.button('Allow once').click()
    await demo.text('Ana will have it in a minute').waitFor()
    await demo.untilIdle()
    expect(posts.filter((path) => path.startsWith('/task-api'))).toEqual([
      '/task-api/api/tasks',
      '/task-api/api/tool-approvals/*/decision',
    ])
    expect(await demo.violations()).toEqual([])
  })

  it('asks questions, and for a plan', async () => {
    const demo = await open()
    await demo.say('Help me choose a gift')
    await demo.text('Who is it for?').waitFor()
    expect(await demo.violations()).toEqual([])
    await demo.page.getByRole('radio', { name: 'A parent' }).check()
    await demo.button('Send answer').first().click()
    await demo.page.getByRole('radio', { name: 'Up to 20 €' }).check()
    await demo.button('Send answer').last().click()
    await demo.text('a small plant that is hard to kill').waitFor()
    await demo.untilIdle()
    await demo.say('Propose a migration')
    await demo.button('Approve plan').click()
    await demo.text('14 tables').waitFor()
    await demo.untilIdle()
  })

  it('shows the same conversation over the service', async () => {
    const demo = await open()
    await demo.say('Plan three days in Lisbon')
    await demo.text('Day three').or(demo.text('Tram 28')).last().waitFor()
    await demo.untilIdle()
    const messages = demo.conversation.locator('[data-as-part="message"] p')
    const live = await messages.allTextContents()
    expect(live.length).toBeGreaterThan(2)
    await choice(demo, 'AgentScope').check()
    await expect.poll(() => messages.allTextContents()).toEqual(live)
  })
})
