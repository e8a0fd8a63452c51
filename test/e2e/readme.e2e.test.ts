import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser } from 'playwright'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumArgs, findBrowser } from '../../scripts/browser.mjs'
import { createAgentServer, type AgentServer } from '../../src/testing/server/index.js'
import { serveFolder } from './serveFolder.js'

// The first example of the README, run as it is written: only the name of its server is led to one that exists.

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'node_modules/.cache/readme-example')

let server: AgentServer
let browser: Browser
let site: Awaited<ReturnType<typeof serveFolder>>

beforeAll(async () => {
  const example = /```tsx\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8'))?.[1]
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'main.tsx'), example ?? '')
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><html lang="en"><title>Example</title><script type="module" src="./main.tsx"></script></html>',
  )
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    build: { target: 'es2022', chunkSizeWarningLimit: 2000 },
  })
  site = await serveFolder(join(folder, 'dist'))
  server = await createAgentServer({ pace: 0.1 })
  browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: [...chromiumArgs, `--host-resolver-rules=MAP 127.0.0.1:8000 127.0.0.1:${server.port}`],
  })
})

afterAll(async () => {
  await browser.close()
  await site.close()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('README.md', () => {
  it('shows an example that is a working chat', async () => {
    const page = await browser.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    await page.goto(site.url)
    await page.getByRole('textbox', { name: 'Message' }).fill('Hello')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Send' }).waitFor()
    await expect
      .poll(() => page.locator('[data-as-part="message"][data-role="assistant"]').count())
      .toBe(1)
    expect(problems).toEqual([])
  })
})
