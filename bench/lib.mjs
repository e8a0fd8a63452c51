// Shared by the browser runners: static server, Chromium, CDP metrics, trace digestion, statistics.
import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import { execSync } from 'node:child_process'
import { extname, join, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

export const here = dirname(fileURLToPath(import.meta.url))
const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
}

export async function serve() {
  const server = createServer(async (req, res) => {
    const path = new URL(req.url, 'http://x').pathname
    try {
      const body = await readFile(
        join(process.env.BENCH_DIST ?? join(here, 'dist'), path === '/' ? 'index.html' : path),
      )
      res
        .writeHead(200, {
          'content-type': types[extname(path) || '.html'] ?? 'application/octet-stream',
        })
        .end(body)
    } catch {
      res.writeHead(404).end()
    }
  })
  await new Promise((r) => server.listen(0, '127.0.0.1', r))
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() }
}

export async function browser({ uncapped = false } = {}) {
  const executablePath =
    process.env.CHROME_BIN ||
    execSync('command -v chromium || command -v chromium-browser || command -v google-chrome')
      .toString()
      .trim()
  return chromium.launch({
    executablePath,
    args: [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--js-flags=--expose-gc',
      ...(uncapped ? ['--disable-frame-rate-limit', '--disable-gpu-vsync'] : []),
    ],
  })
}

export async function open(b, url) {
  const ctx = await b.newContext({ viewport: { width: 1000, height: 800 } })
  const page = await ctx.newPage()
  page.errors = []
  page.on('pageerror', (e) => page.errors.push(String(e)))
  await page.goto(url)
  await page.waitForFunction(() => document.title === 'ready')
  const cdp = await ctx.newCDPSession(page)
  await cdp
    .send('Performance.enable', { timeDomain: 'threadTicks' })
    .catch(() => cdp.send('Performance.enable'))
  const metrics = async () =>
    Object.fromEntries(
      (await cdp.send('Performance.getMetrics')).metrics.map((m) => [m.name, m.value]),
    )
  const heap = async () => {
    await cdp.send('HeapProfiler.collectGarbage')
    return (await metrics()).JSHeapUsedSize / 1048576
  }
  return { page, cdp, metrics, heap, close: () => ctx.close() }
}

const KEYS = {
  ScriptDuration: 'script',
  LayoutDuration: 'layout',
  RecalcStyleDuration: 'style',
  TaskDuration: 'task',
}
export const diff = (a, b) =>
  Object.fromEntries(Object.entries(KEYS).map(([k, n]) => [n, (b[k] - a[k]) * 1000]))

// Chromium tracing: every top-level task of the renderer main thread, grouped by animation frame.
export async function trace(cdp, work) {
  const events = []
  cdp.on('Tracing.dataCollected', (e) => events.push(...e.value))
  await cdp.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      includedCategories: [
        'disabled-by-default-devtools.timeline',
        'devtools.timeline',
        '__metadata',
      ],
    },
  })
  const result = await work()
  const done = new Promise((r) => cdp.once('Tracing.tracingComplete', r))
  await cdp.send('Tracing.end')
  await done
  cdp.removeAllListeners('Tracing.dataCollected')
  const fires = events.filter((e) => e.name === 'FireAnimationFrame')
  const count = new Map()
  for (const e of fires) count.set(`${e.pid}:${e.tid}`, (count.get(`${e.pid}:${e.tid}`) ?? 0) + 1)
  const main = [...count].toSorted((a, b) => b[1] - a[1])[0]?.[0]
  const on = (e) => `${e.pid}:${e.tid}` === main
  const tasks = events
    .filter((e) => e.name === 'RunTask' && e.ph === 'X' && on(e))
    .toSorted((a, b) => a.ts - b.ts)
  const ticks = fires
    .filter(on)
    .map((e) => e.ts)
    .toSorted((a, b) => a - b)
  // A frame runs from one rAF callback to the next; a task belongs to the frame it starts in
  // (the task that fires rAF starts slightly before the tick, so it is looked up by its end).
  const per = ticks.map(() => 0)
  let i = 0
  for (const t of tasks) {
    const end = t.ts + t.dur
    while (i + 1 < ticks.length && ticks[i + 1] <= end) i++
    if (end >= ticks[0]) per[i] += t.dur / 1000
  }
  const durs = tasks.map((t) => t.dur / 1000)
  return {
    result,
    frames: per,
    long50: durs.filter((d) => d > 50).length,
    taskMax: Math.max(0, ...durs),
    busy: durs.reduce((a, b) => a + b, 0),
  }
}

export const median = (a) => quantile(a, 0.5)
export function quantile(a, q) {
  const s = [...a].toSorted((x, y) => x - y)
  if (!s.length) return NaN
  const p = (s.length - 1) * q,
    lo = Math.floor(p)
  return s[lo] + (s[Math.min(lo + 1, s.length - 1)] - s[lo]) * (p - lo)
}
export const args = (defaults) => {
  const out = { ...defaults }
  for (const a of process.argv.slice(2)) {
    const [k, v = 'true'] = a.replace(/^--/, '').split('=')
    out[k] = v
  }
  return out
}
