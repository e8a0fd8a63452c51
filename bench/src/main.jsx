// The page side of the harness: loads one contestant and drives it.
// run-stream.mjs / run-threads.mjs call these functions through page.evaluate.
import { markdown, shortMessage } from './corpus.js'

const streamModules = import.meta.glob(['./stream/*.{js,jsx}', '!./stream/_*'])
const threadModules = import.meta.glob(['./thread/*.{js,jsx}', '!./thread/_*'])
const find = (mods, name) =>
  Object.entries(mods).find(([k]) => k.replace(/^.*\/|\.jsx?$/g, '') === name)?.[1]
const names = (mods) => Object.keys(mods).map((k) => k.replace(/^.*\/|\.jsx?$/g, ''))

const raf = () => new Promise((r) => requestAnimationFrame(r))
let longTasks = []
new PerformanceObserver((l) => longTasks.push(...l.getEntries().map((e) => e.duration))).observe({
  type: 'longtask',
})

function countNodes(n, seen) {
  let c = seen?.has(n) ? 0 : 1
  seen?.add(n)
  for (const k of n.childNodes) c += countNodes(k, seen)
  return c
}
function observe(root) {
  // `added` counts distinct nodes ever inserted; `removed` those of them taken out again.
  const m = { records: 0, added: 0, removed: 0, text: 0, attrs: 0 }
  const seenIn = new Set(),
    seenOut = new Set()
  const take = (list) => {
    for (const r of list) {
      m.records++
      if (r.type === 'childList') {
        for (const n of r.addedNodes) m.added += countNodes(n, seenIn)
        for (const n of r.removedNodes) m.removed += countNodes(n, seenOut)
      } else if (r.type === 'characterData') m.text++
      else m.attrs++
    }
  }
  const o = new MutationObserver(take)
  o.observe(root, { subtree: true, childList: true, characterData: true, attributes: true })
  m.stop = () => {
    take(o.takeRecords())
    o.disconnect()
    delete m.stop
    return m
  }
  return m
}

// Resolves when the DOM under `root` has not changed for `quiet` frames.
async function settle(root, quiet = 6, max = 600) {
  let last = 0,
    seen = 0
  const o = new MutationObserver(() => seen++)
  o.observe(root, { subtree: true, childList: true, characterData: true })
  for (let i = 0; i < max && i - last < quiet; i++) {
    const before = seen
    await raf()
    if (seen !== before) last = i + 1
  }
  o.disconnect()
}

const root = document.getElementById('root')
let cur = null

// Work runs inside the rAF callback itself: CDP's ScriptDuration does not count microtasks.
const everyFrame = (step) =>
  new Promise((done) => {
    const tick = (now) => (step(now) === false ? done() : requestAnimationFrame(tick))
    requestAnimationFrame(tick)
  })

// Show the first `next` characters, keeping the view at the tail as chat UIs do.
function push(next) {
  window.scrollTo(0, 1e9)
  const { c, text, at } = cur
  const delta = text.slice(at, next)
  cur.at = next
  if (next >= text.length) c.finish(text, delta)
  else c.update(text.slice(0, next), delta)
}

const bench = {
  names: () => ({ streams: names(streamModules), threads: names(threadModules) }),

  // Load code, mount, optionally pre-fill with the first `prefill` characters.
  async prepare({ name, size, kind = 'mixed', prefill = 0 }) {
    const make = (await find(streamModules, name)()).default
    // Warm the code (JIT, lazy chunks) on an unrelated 3 KB text, then start clean.
    const warm = markdown(3000, 'mixed', 99)
    const w = make(root, { fullText: warm })
    for (let i = 0; i < 12; i++) {
      await raf()
      w.update(warm.slice(0, (i + 1) * 230), warm.slice(i * 230, (i + 1) * 230))
    }
    w.finish(warm, warm.slice(12 * 230))
    await settle(root)
    w.unmount()
    root.replaceChildren()
    const text = markdown(size, kind)
    cur = { c: make(root, { fullText: text }), text, at: 0 }
    await raf()
    if (prefill) {
      cur.c.update(text.slice(0, prefill), text.slice(0, prefill))
      cur.at = prefill
      await settle(root)
    }
    longTasks = []
  },

  // Lock-step: exactly `chunk` characters per animation frame until the text ends or
  // `capMs` passes. Same number of updates for every contestant on every machine.
  async lockstep({ chunk, capMs = 1e9, mutations = false }) {
    const { text } = cur
    const mo = mutations ? observe(root) : null
    const t0 = performance.now()
    let frames = 0
    const marks = [] // [chars, elapsed ms] at each eighth
    await everyFrame(() => {
      if (cur.at >= text.length || performance.now() - t0 >= capMs) return false
      const from = cur.at
      push(Math.min(from + chunk, text.length))
      frames++
      if (Math.floor((cur.at * 8) / text.length) > Math.floor((from * 8) / text.length))
        marks.push([cur.at, performance.now() - t0])
    })
    const finished = cur.at >= text.length
    if (finished) await settle(root)
    return {
      frames,
      chars: cur.at,
      finished,
      wall: performance.now() - t0,
      marks,
      longTasks: longTasks.length,
      mutations: mo?.stop(),
      ...final(),
    }
  },

  // Real time: token deltas (4 chars) arrive at `rate` chars/s; one update per frame.
  async paced({ rate }) {
    const { text } = cur
    const start = cur.at,
      t0 = performance.now()
    const gaps = []
    let prev = 0,
      updates = 0
    await everyFrame((now) => {
      if (cur.at >= text.length) return false
      if (prev) gaps.push(now - prev)
      prev = now
      const due = start + Math.floor(((performance.now() - t0) * rate) / 1000 / 4) * 4
      if (due > cur.at) {
        push(Math.min(due, text.length))
        updates++
      }
    })
    const ideal = ((text.length - start) / rate) * 1000
    await settle(root, 3)
    const wall = performance.now() - t0
    const dropped = gaps.reduce((s, g) => s + Math.max(0, Math.round(g / (1000 / 60)) - 1), 0)
    // `lag`: how long after the last byte the screen was final (less the 3 quiet frames of `settle`).
    return {
      updates,
      frames: gaps.length,
      dropped,
      gapMax: Math.max(...gaps),
      wall,
      ideal,
      lag: wall - ideal - 50,
      longTasks: longTasks.length,
      longMax: Math.max(0, ...longTasks),
      ...final(),
    }
  },

  // Threads: mount `n` finished messages, then grow a streaming tail message by 50 characters a frame.
  async threadPrepare({ name, n }) {
    const make = (await find(threadModules, name)()).default
    const msgs = (k, p) =>
      Array.from({ length: k }, (_, i) => ({
        id: p + i,
        role: i % 2 ? 'assistant' : 'user',
        text: shortMessage(i),
      }))
    const warm = make(root, msgs(6, 'w'))
    await settle(root)
    for (let i = 1; i < 6; i++) {
      warm.tail(shortMessage(0).slice(0, i * 30))
      await raf()
    }
    await settle(root)
    warm.unmount()
    root.replaceChildren()
    cur = { make, msgs: msgs(n, 'm') }
    await raf()
  },
  async threadMount() {
    let t0
    await everyFrame(() => {
      t0 = performance.now()
      cur.c = cur.make(root, cur.msgs)
      return false
    })
    // Until the frame after the one that showed the first messages; a chat gets them from its backend.
    const least = Math.min(cur.msgs.length, 50) * 100
    do await raf()
    while (root.textContent.length < least)
    await raf()
    const firstPaint = performance.now() - t0
    await settle(root, 10)
    return { firstPaint, settled: performance.now() - t0, ...final() }
  },
  async threadTail({ tail }) {
    const text = markdown(tail * 50, 'mixed', 5)
    const gaps = []
    let i = 0,
      prev = 0
    await everyFrame((now) => {
      if (prev) gaps.push(now - prev)
      prev = now
      if (i === tail) return false
      cur.c.tail(text.slice(0, ++i * 50))
    })
    await settle(root, 2)
    gaps.sort((a, b) => a - b)
    return { p50: gaps[gaps.length >> 1], max: gaps.at(-1) }
  },

  // Composer: several answers grow at once while someone types.
  startStreams({ streams, rate }) {
    const text = markdown(60_000, 'mixed', 11)
    const replies = Array.from({ length: streams }, (_, i) => cur.c.reply('stream-' + i))
    let at = 0
    const timer = setInterval(() => {
      for (const [i, reply] of replies.entries())
        reply.write(text.slice(at + i * 7, at + i * 7 + 4))
      at += 4
    }, 1000 / rate)
    const keys = []
    const painted = new MessageChannel()
    const waiting = []
    painted.port1.addEventListener('message', () => keys.push(performance.now() - waiting.shift()))
    painted.port1.start()
    const onKey = (e) => {
      if (e.key.length !== 1) return
      const { timeStamp } = e
      requestAnimationFrame(() => {
        waiting.push(timeStamp)
        painted.port2.postMessage(0)
      })
    }
    addEventListener('keydown', onKey, true)
    let settled = 0
    const o = new MutationObserver((l) => {
      const running = new Set([
        ...root.querySelectorAll('[data-as-part="message"][data-phase="running"]'),
      ])
      for (const r of l) {
        const el = r.target.nodeType === 1 ? r.target : r.target.parentElement
        const message = el?.closest('[data-as-part="message"]')
        if (message && !running.has(message)) settled++
      }
    })
    setTimeout(() => o.observe(root, { subtree: true, childList: true, characterData: true }), 300)
    cur.stop = () => {
      clearInterval(timer)
      o.disconnect()
      removeEventListener('keydown', onKey, true)
      return { keys, settled }
    }
  },
  stopStreams: () => cur.stop(),
}

function final() {
  return { nodes: countNodes(root), text: root.textContent.length }
}
window.bench = bench
document.title = 'ready'
