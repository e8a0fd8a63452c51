import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const script = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url))

function start(env: Record<string, string>) {
  const child = spawn(process.execPath, [script], { env: { ...process.env, PORT: '0', ...env } })
  const output: string[] = []
  const said = (words: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = words.exec(output.join(''))?.[0]
        if (found !== undefined) resolve(found)
      }
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk) => {
          output.push(String(chunk))
          look()
        })
      }
      child.once('exit', () => reject(new Error(output.join(''))))
    })
  return { child, said }
}

describe('npm start', () => {
  it('serves the demo under its policy beside scripted agents, and ends cleanly', async () => {
    const { child, said } = start({})
    const address = (await said(/(?<=demo is at )http:\S+/)).trim()
    const page = await fetch(address)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('<div id="app">')
    const config: unknown = await (await fetch(`${address}/config.json`)).json()
    expect(config).toMatchObject({ user: 'demo', isBuiltIn: true })
    const { url } = config as { url: string }
    expect(page.headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' ${url} ${url.replace('http', 'ws')}; img-src 'self' data: blob:; media-src blob: data:; font-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
    )
    const agents = await fetch(`${url}/agent/`, { headers: { 'X-User-ID': 'demo' } })
    expect(await agents.json()).toMatchObject({ total: 3 })
    expect((await fetch(`${address}/../package.json`)).status).toBe(404)
    expect((await fetch(`${address}/%2e%2e%2fpackage.json`)).status).toBe(404)
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
  })

  it('ends with the npm that started it', async () => {
    const npm = spawn('npm', ['start'], { env: { ...process.env, PORT: '0' } })
    const output: string[] = []
    npm.stdout.on('data', (chunk) => output.push(String(chunk)))
    const address = (): string | undefined =>
      /(?<=demo is at )http:\S+/.exec(output.join(''))?.[0].trim()
    await expect.poll(address, { timeout: 30_000 }).toBeDefined()
    npm.kill('SIGTERM')
    const isServed = () => fetch(address() ?? '').then(Boolean, () => false)
    await expect.poll(isServed, { timeout: 10_000 }).toBe(false)
  })

  it('points the page to a real service when it is told one', async () => {
    const { child, said } = start({ AGENTSCOPE_URL: 'http://127.0.0.1:8123/api/' })
    const address = (await said(/(?<=demo is at )http:\S+/)).trim()
    const page = await fetch(`${address}/?url=https://agents.example.com/x`)
    expect(page.headers.get('content-security-policy')).toContain(
      "connect-src 'self' http://127.0.0.1:8123 ws://127.0.0.1:8123 https://agents.example.com wss://agents.example.com;",
    )
    const config: unknown = await (await fetch(`${address}/config.json`)).json()
    expect(config).toEqual({ url: 'http://127.0.0.1:8123/api', user: 'demo', isBuiltIn: false })
    const exit = once(child, 'exit')
    child.kill('SIGINT')
    expect(await exit).toEqual([0, null])
  })
})
