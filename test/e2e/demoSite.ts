import { chromium, type Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { chromiumArgs, findBrowser } from '../../scripts/browser.mjs'
import { serveDemo } from '../../scripts/serveDemo.mjs'
import { createAgentServer, type AgentServer } from '../../src/testing/server/index.js'
import { DemoPage } from './DemoPage.js'

/** Opens the demo; `query` is what stands behind its address. */
export type OpenDemo = (
  query?: string,
  options?: Parameters<typeof DemoPage.open>[2],
) => Promise<DemoPage>

/** The demo with its own agents and a browser, for the tests of a file. What a page complains of fails the test that opened it. */
export function demoSite(): OpenDemo {
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

  return async (query = '', options = {}) => {
    const demo = await DemoPage.open(browser, `${site.url}/${query}`, options)
    opened.push(demo)
    return demo
  }
}
