// Digests results/*.json into markdown tables. Usage: node report.mjs [file.json ...]
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { here, median } from './lib.mjs'

const dir = join(here, 'results')
const files = process.argv.slice(2).length
  ? process.argv.slice(2)
  : readdirSync(dir)
      .filter((f) => f.endsWith('.json'))
      .map((f) => join(dir, f))
const n0 = (x) =>
  x === undefined || Number.isNaN(x)
    ? '-'
    : x >= 100
      ? Math.round(x).toLocaleString('en-US')
      : (+x.toPrecision(3)).toString()
const uniq = (a) => [...new Set(a)]

// A capped run is extended with the power law of its own progress marks (marked ~).
function full(r, key, size) {
  if (r.finished !== false) return { v: r[key], est: false }
  // Elapsed ~ chars^p over the marks seen; with under three marks assume p = 2.
  const m = r.marks
  const p = m.length >= 3 ? Math.log(r.wall / m[0][1]) / Math.log(r.chars / m[0][0]) : 2
  return { v: r[key] * (size / r.chars) ** Math.max(1, Math.min(p, 2.2)), est: true }
}

for (const f of files) {
  const { args, rows, chromium } = JSON.parse(readFileSync(f))
  if (!rows?.length || !chromium) continue
  const names = uniq(rows.map((r) => r.name))
  console.log(
    `\n## ${f.replace(/^.*\//, '')}: Chromium ${chromium}, ${Object.entries(args)
      .filter(([k, v]) => v && k !== 'out')
      .map(([k, v]) => `${k}=${v}`)
      .join(' ')}\n`,
  )
  if (rows[0].mode === 'lockstep') {
    const sizes = uniq(rows.map((r) => r.size))
    const get = (name, size, key) => {
      const g = rows.filter((r) => r.name === name && r.size === size)
      if (!g.length) return { v: NaN }
      const e = g.map((r) => full(r, key, size))
      return { v: median(e.map((x) => x.v)), est: e.some((x) => x.est) }
    }
    const last = sizes.at(-1),
      prev = sizes.at(-2)
    const show = (c) => (c.est ? '~' : '') + n0(c.v)
    console.log(
      `| contestant | ${sizes.map((s) => `task ${s / 1000} KB`).join(' | ')} | ${sizes.map((s) => `script ${s / 1000} KB`).join(' | ')} | layout+style ${last / 1000} KB | x raw-blocks (task) | x oracle-dom (task) | naive / this (task) | growth task | growth script | heap MB | nodes |\n|${'---|'.repeat(2 * sizes.length + 9)}`,
    )
    for (const name of names.toSorted((a, b) => get(a, last, 'task').v - get(b, last, 'task').v)) {
      const t = get(name, last, 'task'),
        g = rows.filter((r) => r.name === name && r.size === last)
      const ratio = (o) => n0(t.v / get(o, last, 'task').v)
      const grow = (key) =>
        prev
          ? (
              Math.log(get(name, last, key).v / get(name, prev, key).v) / Math.log(last / prev)
            ).toFixed(2)
          : '-'
      const ls = { v: get(name, last, 'layout').v + get(name, last, 'style').v, est: t.est }
      console.log(
        `| ${name} | ${sizes.map((s) => show(get(name, s, 'task'))).join(' | ')} | ${sizes.map((s) => show(get(name, s, 'script'))).join(' | ')} | ${show(ls)} | ${ratio('raw-blocks')} | ${ratio('oracle-dom')} | ${n0(get('react-markdown', last, 'task').v / t.v)} | ${grow('task')} | ${grow('script')} | ${n0(median(g.map((r) => r.heap)))} | ${g[0] ? n0(g[0].nodes) : '-'} |`,
      )
    }
  } else if (rows[0].mode === 'mutations') {
    console.log(
      '| contestant | size | final nodes | nodes inserted | inserted / final | nodes removed | text edits | attribute edits | records |\n|---|---|---|---|---|---|---|---|---|',
    )
    for (const r of rows)
      console.log(
        `| ${r.name} | ${r.size} | ${r.nodes} | ${r.mutations.added} | ${n0(r.mutations.added / r.nodes)} | ${r.mutations.removed} | ${r.mutations.text} | ${r.mutations.attrs} | ${r.mutations.records} |`,
      )
  } else if (rows[0].mode === 'paced') {
    console.log(
      '| contestant | size | frame task p50 | p95 | max | tasks >50 ms | frames dropped | of | updates | lag after last byte ms | main thread busy % | heap MB |\n|---|---|---|---|---|---|---|---|---|---|---|---|',
    )
    for (const name of names)
      for (const size of uniq(rows.map((r) => r.size))) {
        const g = rows.filter((r) => r.name === name && r.size === size)
        if (!g.length) continue
        const m = (k) => median(g.map((r) => r[k]))
        console.log(
          `| ${name} | ${size} | ${['f50', 'f95', 'fmax', 'long50', 'dropped'].map((k) => n0(m(k))).join(' | ')} | ${n0(m('frames') + m('dropped'))} | ${n0(m('updates'))} | ${n0(m('lag'))} | ${n0((100 * m('task')) / m('wall'))} | ${n0(m('heap'))} |`,
        )
      }
  } else {
    console.log(
      '| thread | messages | first paint ms | mount task ms | mount script | mount layout | DOM nodes | heap MB | task per delta ms | script per delta ms | frame p50 ms |\n|---|---|---|---|---|---|---|---|---|---|---|',
    )
    for (const n of uniq(rows.map((r) => r.n)))
      for (const name of names) {
        const g = rows.filter((r) => r.name === name && r.n === n)
        if (g.length)
          console.log(
            `| ${name} | ${n} | ${['firstPaint', 'mountTask', 'mountScript', 'mountLayout', 'nodes', 'heap', 'tailTask', 'tailScript', 'tailFrameP50'].map((k) => n0(median(g.map((r) => r[k])))).join(' | ')} |`,
          )
      }
  }
}
