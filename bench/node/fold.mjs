// Folding agent events into a conversation, as a multiple of a bare loop that keeps an index of ids and appends.
// Usage: node --expose-gc node/fold.mjs [--reps=5] [--batch=1000] [--parsed=no: events as literals of this file]
import { entry, fmt, median, options } from './lib.mjs'

const { AssistantMsg, appendEvent, applyEvents, createConversation } = await entry('core')
const reps = Number(options.reps ?? 5)
const batch = Number(options.batch ?? 1000)
const DELTA = 'tok '
const STAMP = '2026-01-01T00:00:00'
// 3,070 bytes: each chunk ends with padding of its own, which has to go when the next one is added.
const CHUNK = Buffer.alloc(3070, 7).toString('base64')

// [operation, id, delta]; each contestant makes its own events of them, outside of what is measured.
const workloads = {
  'text deltas into one block': {
    sizes: [1_000, 10_000, 100_000],
    make: (n) => blockOf('text', 'b', n, DELTA),
  },
  'blocks of 10 deltas': {
    sizes: [100, 1_000, 10_000],
    make: (n) => Array.from({ length: n }, (_, i) => blockOf('text', `b${i}`, 10, DELTA)).flat(),
  },
  'chunks of 4 KB of base64': {
    sizes: [64, 256],
    make: (n) => blockOf('data', 'd', n, CHUNK),
  },
  'deltas of tool arguments': {
    sizes: [1_000, 10_000, 100_000],
    make: (n) => [
      ['tool-start', 't'],
      ['tool-delta', 't', '{"a":"'],
      ...Array.from({ length: n }, () => ['tool-delta', 't', DELTA]),
      ['tool-delta', 't', '"}'],
      ['tool-end', 't'],
    ],
  },
}

function blockOf(kind, id, n, delta) {
  const deltas = Array.from({ length: n }, () => [`${kind}-delta`, id, delta])
  return [[`${kind}-start`, id], ...deltas, [`${kind}-end`, id]]
}

const types = {
  'text-start': 'TEXT_BLOCK_START',
  'text-delta': 'TEXT_BLOCK_DELTA',
  'text-end': 'TEXT_BLOCK_END',
  'tool-start': 'TOOL_CALL_START',
  'tool-delta': 'TOOL_CALL_DELTA',
  'tool-end': 'TOOL_CALL_END',
  'data-start': 'DATA_BLOCK_START',
  'data-delta': 'DATA_BLOCK_DELTA',
  'data-end': 'DATA_BLOCK_END',
}

function toEvent([operation, id, delta], index) {
  const base = { type: types[operation], id: `e${index}`, created_at: STAMP, reply_id: 'r' }
  if (operation.startsWith('tool')) {
    return { ...base, tool_call_id: id, tool_call_name: 'f', delta }
  }
  if (operation.startsWith('data')) {
    return { ...base, block_id: id, media_type: 'image/png', data: delta }
  }
  return { ...base, block_id: id, delta }
}

const start = {
  type: 'REPLY_START',
  id: 'start',
  created_at: STAMP,
  reply_id: 'r',
  session_id: 's',
  name: 'agent',
  role: 'assistant',
}

/** Each event is parsed by itself, as a stream's frames are: objects made otherwise are slower or faster to read. */
const asReceived =
  options.parsed === 'no' ? (event) => event : (event) => JSON.parse(JSON.stringify(event))

const lengthOf = (message) =>
  message.content.reduce((sum, { text, input, source }) => {
    return sum + (text ?? input ?? source.data).length
  }, 0)

const contestants = {
  // Chunks of base64 are kept as a list and joined when they are read; their padding stays wrong.
  'bare loop': {
    map: (operations) => operations.map(([type, id, delta]) => ({ type, id, delta })),
    run: (events) => {
      const content = []
      const index = new Map()
      const open = (id, block) => {
        index.set(id, block)
        content.push(block)
      }
      for (const { type, id, delta } of events) {
        switch (type) {
          case 'text-start':
          case 'tool-start':
            open(id, { type, id, text: '' })
            break
          case 'data-start':
            open(id, { type, id, chunks: [] })
            break
          case 'text-delta':
          case 'tool-delta':
            index.get(id).text += delta
            break
          case 'data-delta':
            index.get(id).chunks.push(delta)
            break
        }
      }
      return content.reduce((sum, { text, chunks }) => sum + (text ?? chunks.join('')).length, 0)
    },
  },
  'bare loop, padding right': {
    only: 'chunks of 4 KB of base64',
    map: (operations) => operations.map(([type, id, delta]) => ({ type, id, delta })),
    run: (events) => {
      const bytes = events.flatMap(({ delta }) =>
        delta === undefined ? [] : [Buffer.from(delta, 'base64')],
      )
      return Buffer.concat(bytes).toString('base64').length
    },
  },
  [`applyEvents, batches of ${batch}`]: {
    map: (operations) => [start, ...operations.map(toEvent)],
    run: (events) => {
      let conversation = createConversation()
      for (let at = 0; at < events.length; at += batch) {
        conversation = applyEvents(conversation, events.slice(at, at + batch))
      }
      return lengthOf(conversation.messages[0])
    },
  },
  'appendEvent, one by one': {
    map: (operations) => operations.map(toEvent),
    run: (events) => {
      const message = AssistantMsg({ id: 'r', name: 'agent', content: [], created_at: STAMP })
      return lengthOf(events.reduce(appendEvent, message))
    },
  },
}

for (const [workload, { sizes, make }] of Object.entries(workloads)) {
  const runners = Object.entries(contestants).filter(
    ([, { only }]) => (only ?? workload) === workload,
  )
  const times = new Map(runners.map(([name]) => [name, []]))
  const lengths = new Map()
  for (const size of sizes) {
    const operations = make(size)
    for (const [, { map, run }] of runners) run(map(make(sizes[0])).map(asReceived))
    const samples = new Map(runners.map(([name]) => [name, []]))
    for (let rep = 0; rep < reps; rep += 1) {
      for (const [name, { map, run }] of runners) {
        const events = map(operations).map(asReceived)
        globalThis.gc?.()
        const before = performance.now()
        lengths.set(name, run(events))
        samples.get(name).push(performance.now() - before)
      }
    }
    for (const [name, values] of samples) times.get(name).push(median(values))
  }
  const floor = times.get('bare loop')
  process.stdout.write(
    `\n### ${sizes.at(-1).toLocaleString('en-US')} ${workload}\n\n` +
      `| contestant | ${sizes.map((n) => `× the bare loop at ${n.toLocaleString('en-US')}`).join(' | ')} | growth exponent | length |\n` +
      `|---|${'---|'.repeat(sizes.length + 2)}\n`,
  )
  for (const [name, values] of times) {
    const ratios = values.map((value, i) => `${fmt(value / floor[i])} (${fmt(value)} ms)`)
    const growth = Math.log(values.at(-1) / values.at(-2)) / Math.log(sizes.at(-1) / sizes.at(-2))
    process.stdout.write(
      `| ${name} | ${ratios.join(' | ')} | ${growth.toFixed(2)} | ${lengths.get(name)} |\n`,
    )
  }
}
