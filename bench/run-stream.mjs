// Usage: node run-stream.mjs --mode=lockstep --sizes=10000,50000,200000 --reps=3 --out=results/x.json
//        [--only=a,b] [--kind=mixed|onecode|onelist|onetable|oneparagraph] [--chunk=100] [--cap=60] [--prefill=0] [--rate=3000]
// Modes: lockstep, mutations, paced. Contestants are interleaved inside each repetition.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { args, browser, diff, median, open, quantile, serve, trace } from './lib.mjs'

const a = args({
  mode: 'lockstep',
  sizes: '10000,50000,200000',
  reps: '3',
  chunk: '100',
  cap: '60',
  prefill: '0',
  rate: '3000',
  kind: 'mixed',
  only: '',
  skip: '',
  out: '',
})
const { mode, kind } = a
if (a.out) mkdirSync(dirname(a.out), { recursive: true })
const server = await serve()
const b = await browser({ uncapped: mode === 'lockstep' || mode === 'mutations' })
const probe = await open(b, server.url)
const all = (await probe.page.evaluate(() => window.bench.names())).streams
await probe.close()
const names = (a.only ? a.only.split(',') : all).filter((n) => !a.skip.split(',').includes(n))
const rows = []
const slow = new Set()
const limit = (p) =>
  Promise.race([
    p,
    new Promise((_, no) =>
      setTimeout(() => no(new Error('gave up waiting')), 90e3 + +a.cap * 1000).unref(),
    ),
  ])

for (const size of a.sizes.split(',').map(Number)) {
  for (let rep = 0; rep < +a.reps; rep++) {
    const order = rep % 2 ? names.toReversed() : names
    for (const name of order) {
      if (slow.has(`${name}:${size}`)) continue
      const s = await open(b, server.url)
      try {
        const prefill = a.prefill.startsWith('-') ? size + Number(a.prefill) : Number(a.prefill)
        await limit(s.page.evaluate((o) => window.bench.prepare(o), { name, size, kind, prefill }))
        const heap0 = await s.heap()
        const m0 = await s.metrics()
        let r, tr
        if (mode === 'paced') {
          tr = await trace(s.cdp, () =>
            s.page.evaluate((o) => window.bench.paced(o), { rate: +a.rate }),
          )
          r = tr.result
        } else {
          r = await s.page.evaluate((o) => window.bench.lockstep(o), {
            chunk: +a.chunk,
            capMs: +a.cap * 1000,
            mutations: mode === 'mutations',
          })
        }
        const d = diff(m0, await s.metrics())
        const heap = (await s.heap()) - heap0
        const row = {
          name,
          size,
          rep,
          mode,
          kind,
          prefill,
          ...r,
          ...d,
          heap,
          errors: s.page.errors.length,
        }
        if (tr)
          Object.assign(row, {
            f50: quantile(tr.frames, 0.5),
            f95: quantile(tr.frames, 0.95),
            fmax: Math.max(...tr.frames),
            long50: tr.long50,
            taskMax: tr.taskMax,
            busy: tr.busy,
          })
        rows.push(row)
        if (r.finished === false) slow.add(`${name}:${size}`)
        const f = (x) => (x === undefined ? '-' : Math.round(x * 10) / 10)
        console.log(
          `${size} #${rep} ${name.padEnd(20)} wall ${f(row.wall)} task ${f(row.task)} script ${f(row.script)} layout ${f(row.layout)} style ${f(row.style)}` +
            (tr
              ? ` f50 ${f(row.f50)} f95 ${f(row.f95)} fmax ${f(row.fmax)} long ${row.long50} dropped ${row.dropped}/${row.frames} lag ${f(row.lag)}`
              : '') +
            (row.finished === false ? ` CAPPED at ${row.chars}` : '') +
            ` nodes ${row.nodes} text ${row.text} heap ${f(heap)}` +
            (row.mutations ? ` mut ${JSON.stringify(row.mutations)}` : '') +
            (row.updates ? ` updates ${row.updates}` : '') +
            (s.page.errors.length ? ` ERR ${s.page.errors[0].slice(0, 120)}` : ''),
        )
      } catch (e) {
        console.log(
          `${size} #${rep} ${name} FAILED ${String(e).slice(0, 300)} ${s.page.errors[0] ?? ''}`,
        )
      }
      await s.close()
      if (a.out)
        writeFileSync(
          a.out,
          JSON.stringify({ args: a, chromium: b.version(), node: process.version, rows }),
        )
    }
  }
}
await b.close()
server.close()

// Summary: medians per contestant and size.
console.log(`\n| contestant | size | task ms | script | layout | style | heap MB | nodes |`)
for (const name of names)
  for (const size of a.sizes.split(',').map(Number)) {
    const g = rows.filter((r) => r.name === name && r.size === size)
    if (g.length)
      console.log(
        `| ${name} | ${size} | ${['task', 'script', 'layout', 'style', 'heap', 'nodes'].map((k) => median(g.map((r) => r[k])).toFixed(1)).join(' | ')} |`,
      )
  }
