// Usage: node run-threads.mjs --counts=1000,10000 --reps=3 --out=results/threads.json [--only=a,b] [--tail=40]
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { args, browser, diff, median, open, serve } from './lib.mjs'

const a = args({
  counts: '1000,10000',
  reps: '3',
  tail: '40',
  only: '',
  skip: '',
  out: '',
  timeout: '180',
})
if (a.out) mkdirSync(dirname(a.out), { recursive: true })
const server = await serve()
const b = await browser()
const probe = await open(b, server.url)
const all = (await probe.page.evaluate(() => window.bench.names())).threads
await probe.close()
const names = (a.only ? a.only.split(',') : all).filter((n) => !a.skip.split(',').includes(n))
const rows = []
const limit = (p) =>
  Promise.race([
    p,
    new Promise((_, no) => setTimeout(() => no(new Error('timeout')), +a.timeout * 1000)),
  ])

for (const n of a.counts.split(',').map(Number))
  for (let rep = 0; rep < +a.reps; rep++)
    for (const name of rep % 2 ? names.toReversed() : names) {
      const s = await open(b, server.url)
      try {
        // The naive list needs minutes for many tail deltas on 10,000 messages: fewer are enough.
        const tail =
          name === 'list-react-markdown' ? Math.max(2, Math.round((+a.tail * 100) / n)) : +a.tail
        await limit(s.page.evaluate((o) => window.bench.threadPrepare(o), { name, n }))
        const m0 = await s.metrics()
        const r = await limit(s.page.evaluate(() => window.bench.threadMount()))
        const mount = diff(m0, await s.metrics())
        const heap = await s.heap()
        const m1 = await s.metrics()
        const t = await limit(s.page.evaluate((o) => window.bench.threadTail(o), { tail }))
        const d = diff(m1, await s.metrics())
        const row = {
          name,
          n,
          rep,
          ...r,
          mountTask: mount.task,
          mountScript: mount.script,
          mountLayout: mount.layout,
          heap,
          tailTask: d.task / tail,
          tailScript: d.script / tail,
          tailFrameP50: t.p50,
          tailFrameMax: t.max,
        }
        rows.push(row)
        console.log(
          n,
          '#' + rep,
          name.padEnd(26),
          Object.entries(row)
            .slice(3)
            .map(([k, v]) => `${k} ${Math.round(v * 10) / 10}`)
            .join(' '),
          s.page.errors[0]?.slice(0, 150) ?? '',
        )
      } catch (e) {
        console.log(n, '#' + rep, name, 'FAILED', String(e).slice(0, 200), s.page.errors[0] ?? '')
      }
      await s.close().catch(() => {})
      if (a.out)
        writeFileSync(
          a.out,
          JSON.stringify({ args: a, chromium: b.version(), node: process.version, rows }),
        )
    }
await b.close()
server.close()
console.log(
  '\n| thread | messages | first paint ms | mount task ms | mount script | mount layout | DOM nodes | heap MB | task per tail delta ms | script per tail delta ms |\n|---|---|---|---|---|---|---|---|---|---|',
)
for (const n of a.counts.split(',').map(Number))
  for (const name of names) {
    const g = rows.filter((r) => r.name === name && r.n === n)
    if (g.length)
      console.log(
        `| ${name} | ${n} | ${['firstPaint', 'mountTask', 'mountScript', 'mountLayout', 'nodes', 'heap', 'tailTask', 'tailScript'].map((k) => median(g.map((r) => r[k])).toFixed(1)).join(' | ')} |`,
      )
  }
