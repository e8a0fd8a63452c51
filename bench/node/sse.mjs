// Parsers of server-sent events: MB/s for one stream of bytes cut in different ways.
// Usage: node --expose-gc node/sse.mjs [--mb=50] [--smallmb=10] [--reps=5]
import { createParser } from 'eventsource-parser'
import { entry, fmt, median, options } from './lib.mjs'

const { createSseParser } = await entry('core')
const reps = Number(options.reps ?? 5)
const big = Number(options.mb ?? 50)
const small = Number(options.smallmb ?? 10)

/** One small JSON event for each token, as agents send them. */
function tokens(mb) {
  const events = []
  for (let i = 0, length = 0; length < mb * 1e6; i += 1) {
    const fields = `"type":"TEXT_BLOCK_DELTA","id":"evt-${i}","created_at":"2026-01-01T00:00:00.000Z","reply_id":"reply-0001","block_id":"block-01"`
    const event = `id: ${i}\ndata: {${fields},"delta":"${i % 7 === 0 ? '流式' : 'tok '}"}\n\n`
    events.push(event)
    length += event.length
  }
  return Buffer.from(events.join(''))
}

/** Two events of 4 MB in one line each: pictures in base64. */
const huge = Buffer.from(`data: {"data":"${'A'.repeat(4e6)}"}\n\n`.repeat(2))

function cut(bytes, min, max) {
  const chunks = []
  let seed = 12_345
  for (let at = 0; at < bytes.length;) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    const size = min + ((seed >>> 8) % (max - min + 1))
    chunks.push(
      new Uint8Array(bytes.buffer, bytes.byteOffset + at, Math.min(size, bytes.length - at)),
    )
    at += size
  }
  return chunks
}

const parsers = {
  'TextDecoder alone': (chunks) => {
    const decoder = new TextDecoder()
    let count = 0
    for (const chunk of chunks) count += decoder.decode(chunk, { stream: true }).length
    return count
  },
  'eventsource-parser (+ TextDecoder)': (chunks) => {
    let count = 0
    const decoder = new TextDecoder()
    const parser = createParser({ onEvent: () => (count += 1) })
    for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }))
    return count
  },
  createSseParser: (chunks) => {
    let count = 0
    const parser = createSseParser({ onEvent: () => (count += 1) })
    for (const chunk of chunks) parser.push(chunk)
    return count
  },
}

const cases = [
  [`${big} MB of tokens, chunks of 16 KB`, cut(tokens(big), 16_384, 16_384)],
  [`${small} MB of tokens, chunks of 1 to 64 bytes`, cut(tokens(small), 1, 64)],
  [`${small / 5} MB of tokens, byte by byte`, cut(tokens(small / 5), 1, 1)],
  ['8 MB in two events, chunks of 16 KB', cut(huge, 16_384, 16_384)],
]

const speeds = new Map(Object.keys(parsers).map((name) => [name, []]))
for (const [, chunks] of cases) {
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0)
  const times = new Map(Object.keys(parsers).map((name) => [name, []]))
  for (let rep = 0; rep < reps; rep += 1) {
    for (const [name, parse] of Object.entries(parsers)) {
      globalThis.gc?.()
      const before = performance.now()
      parse(chunks)
      times.get(name).push(performance.now() - before)
    }
  }
  for (const [name, values] of times) speeds.get(name).push(bytes / 1e3 / median(values))
}

const peer = speeds.get('eventsource-parser (+ TextDecoder)')
process.stdout.write(
  `| parser | ${cases.map(([label]) => label).join(' | ')} |\n|---|${cases.map(() => '---|').join('')}\n`,
)
for (const [name, values] of speeds) {
  const cells = values.map((value, i) => `${fmt(value / peer[i])} × (${fmt(value)} MB/s)`)
  process.stdout.write(`| ${name} | ${cells.join(' | ')} |\n`)
}
