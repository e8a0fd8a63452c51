// @vitest-environment node
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createFaultProxy,
  type Fault,
  type FaultProxy,
} from '../../../../src/testing/server/index.js'
import { createGate } from '../createGate.js'

// A plain server behind the proxy, real lines in between.

const EVENTS = ['one', 'zwölf', 'three 🌍', 'four', 'five']

let server: Server
let target = ''
let proxy: FaultProxy
/** What the server got, and acted upon. */
let acted: string[] = []
let onStream: (response: ServerResponse) => void = () => {}

beforeEach(async () => {
  acted = []
  onStream = (response) => {
    for (const text of EVENTS) response.write(`data: {"text":"${text}"}\n\n`)
    response.end()
  }
  server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  target = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  proxy = await createFaultProxy({ target })
})

afterEach(async () => {
  await proxy.close()
  server.closeAllConnections()
  await new Promise((resolve) => {
    server.close(resolve)
  })
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const body = Buffer.concat(chunks).toString('utf8')
  acted.push(`${request.method} ${request.url} ${body}`.trim())
  if (request.url?.startsWith('/stream') === true) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    onStream(response)
    return
  }
  response.writeHead(
    201,
    [
      ['content-type', 'application/json'],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['access-control-allow-origin', 'https://app.example'],
    ].flat(),
  )
  response.end(JSON.stringify({ said: body, user: request.headers['x-user-id'] ?? null }))
}

/** Reads a body as far as it comes; tells how it ended. */
async function readAll(response: Response): Promise<{ text: string; bytes: number; end: string }> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      text += decoder.decode(chunk, { stream: true })
    }
    return { text: text + decoder.decode(), bytes, end: 'whole' }
  } catch {
    return { text, bytes, end: 'broken' }
  }
}

function textsOf(body: string): string[] {
  return [...body.matchAll(/"text":"(.*?)"/g)].map((match) => match[1] ?? '')
}

async function streamTexts(path = '/stream'): Promise<string[]> {
  return textsOf((await readAll(await fetch(`${proxy.url}${path}`))).text)
}

const post = (body = 'hi'): Promise<Response> =>
  fetch(`${proxy.url}/chat/?x=1`, { method: 'POST', body, headers: { 'X-User-ID': 'ana' } })

describe('createFaultProxy', () => {
  it('passes a request and its answer on as they are', async () => {
    const response = await post('hällo')
    expect(response.status).toBe(201)
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(await response.json()).toEqual({ said: 'hällo', user: 'ana' })
    expect(acted).toEqual(['POST /chat/?x=1 hällo'])
    expect(proxy.requests).toEqual([
      { method: 'POST', url: '/chat/?x=1', path: '/chat/', status: 201 },
    ])
    expect(proxy.done).toEqual([])
  })

  it('passes a stream on while it is written', async () => {
    const gate = createGate()
    onStream = (response) => {
      response.write('data: {"text":"now"}\n\n')
      void gate.passed.then(() => response.end())
    }
    const response = await fetch(`${proxy.url}/stream`)
    const reader = response.body?.getReader()
    const first = await reader?.read()
    expect(new TextDecoder().decode(first?.value)).toBe('data: {"text":"now"}\n\n')
    gate.open()
    expect(await reader?.read()).toMatchObject({ done: true })
  })

  it('puts the path of its target before each request, and follows a server that moves', async () => {
    proxy.target = `${target}/api/`
    await post()
    expect(acted).toEqual(['POST /api/chat/?x=1 hi'])
  })

  it('breaks the line when there is no server', async () => {
    proxy.target = 'http://127.0.0.1:9'
    await expect(post()).rejects.toThrow('fetch failed')
    expect(proxy.requests).toMatchObject([{ status: null }])
  })

  it('lets the server know that a client has gone', async () => {
    const gone = createGate()
    onStream = (response) => {
      response.once('close', () => gone.open())
      response.write('data: 1\n\n')
    }
    const abort = new AbortController()
    await fetch(`${proxy.url}/stream`, { signal: abort.signal })
    abort.abort()
    await expect(gone.passed).resolves.toBeUndefined()
  })
})

describe('createFaultProxy: which requests', () => {
  const failing: Fault = { kind: 'answer', status: 500 }

  it.each([
    ['the next one', {}, [500, 201, 201, 201]],
    ['every one', { which: 'every' }, [500, 500, 500, 500]],
    ['the third one', { which: 3 }, [201, 201, 500, 201]],
    ['several', { which: [2, 4] }, [201, 500, 201, 500]],
    ['those of a method', { on: { method: 'DELETE' } }, [201, 201, 201, 201]],
    ['those of a path', { on: { path: '/chat/' }, which: 2 }, [201, 500, 201, 201]],
    ['those of a pattern', { on: { path: '/*/' } }, [500, 201, 201, 201]],
    ['not those of another pattern', { on: { path: '/*' } }, [201, 201, 201, 201]],
    ['those of an expression', { on: { path: /^\/ch/ } }, [500, 201, 201, 201]],
  ] as const)('meets %s', async (_, where, statuses) => {
    proxy.inject({ ...failing, ...where })
    const found: number[] = []
    while (found.length < statuses.length) found.push((await post()).status)
    expect(found).toEqual(statuses)
  })

  it('leaves preflights alone unless they are named', async () => {
    proxy.inject({ ...failing, which: 'every' })
    expect((await fetch(`${proxy.url}/chat/`, { method: 'OPTIONS' })).status).toBe(201)
    proxy.inject({ ...failing, on: { method: 'OPTIONS' } })
    expect((await fetch(`${proxy.url}/chat/`, { method: 'OPTIONS' })).status).toBe(500)
  })

  it('counts streams, not requests, for what happens to events', async () => {
    proxy.inject({ kind: 'drop', events: 1 })
    await post()
    expect(await streamTexts()).toEqual(EVENTS.slice(1))
    expect(await streamTexts()).toEqual(EVENTS)
  })

  it('takes a fault out again, or all', async () => {
    const takeOut = proxy.inject({ ...failing, which: 'every' })
    takeOut()
    expect((await post()).status).toBe(201)
    proxy.inject({ ...failing, which: 'every' })
    proxy.heal()
    expect((await post()).status).toBe(201)
  })
})

describe('createFaultProxy: requests', () => {
  it.each([401, 403, 404, 409, 422, 500])('answers %i as the service would', async (status) => {
    proxy.inject({ kind: 'answer', status })
    const response = await post()
    expect(response.status).toBe(status)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(await response.json()).toEqual({ detail: response.statusText })
    expect(acted).toEqual([])
    expect(proxy.done).toEqual([
      { kind: 'answer', method: 'POST', path: '/chat/', forwarded: false, status },
    ])
  })

  it('answers 502 with the HTML of a gateway', async () => {
    proxy.inject({ kind: 'answer', status: 502 })
    const response = await post()
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.text()).toContain('<h1>502 Bad Gateway</h1>')
  })

  it('answers with a body and headers of choice', async () => {
    const headers = { 'retry-after': '7', 'content-type': 'text/plain' }
    proxy.inject({ kind: 'answer', status: 429, body: 'Slow down', headers })
    const response = await post()
    expect(response.headers.get('retry-after')).toBe('7')
    expect(response.headers.get('content-type')).toBe('text/plain')
    expect(await response.text()).toBe('Slow down')
  })

  it('answers 500 after the server acted', async () => {
    proxy.inject({ kind: 'answer', status: 500, forwarded: true })
    expect((await post()).status).toBe(500)
    expect(acted).toHaveLength(1)
  })

  it.each([
    [false, 0],
    [true, 1],
  ])('breaks the line; forwarded: %s', async (forwarded, actions) => {
    proxy.inject({ kind: 'reset', forwarded })
    await expect(post()).rejects.toThrow('fetch failed')
    expect(acted).toHaveLength(actions)
    expect(proxy.requests).toMatchObject([{ status: null }])
    expect((await post()).status).toBe(201)
  })

  it.each([
    [false, 0],
    [true, 1],
  ])('never answers; forwarded: %s', async (forwarded, actions) => {
    proxy.inject({ kind: 'hang', forwarded })
    const abort = new AbortController()
    const answered = fetch(`${proxy.url}/chat/`, { method: 'POST', signal: abort.signal })
    await expect.poll(() => proxy.done.length).toBe(1)
    abort.abort()
    await expect(answered).rejects.toThrow('aborted')
    expect(acted).toHaveLength(actions)
  })

  it.each([
    [false, 0],
    [true, 1],
  ])('answers late, when a test says so; forwarded: %s', async (forwarded, actions) => {
    const gate = createGate()
    proxy.inject({ kind: 'delay', by: gate.passed, forwarded })
    const answered = post()
    await expect.poll(() => proxy.done.length).toBe(1)
    expect(acted).toHaveLength(actions)
    gate.open()
    expect((await answered).status).toBe(201)
    expect(acted).toHaveLength(1)
  })

  it('breaks JSON, with the status it had', async () => {
    proxy.inject({ kind: 'broken-json' })
    const response = await post()
    expect(response.status).toBe(201)
    await expect(response.json()).rejects.toThrow(SyntaxError)
    expect(await (await post()).json()).toEqual({ said: 'hi', user: 'ana' })
  })

  it('lets two things happen to one request', async () => {
    proxy.inject({ kind: 'delay', by: 1 })
    proxy.inject({ kind: 'answer', status: 503, forwarded: true })
    expect((await post()).status).toBe(503)
    expect(proxy.done.map(({ kind }) => kind)).toEqual(['delay', 'answer'])
  })
})

describe('createFaultProxy: bodies', () => {
  it.each(Array.from({ length: 9 }, (_, index) => index * 3))(
    'cuts an answer after %i bytes',
    async (at) => {
      proxy.inject({ kind: 'cut', at, on: { path: '/chat/' } })
      const { bytes, end } = await readAll(await post())
      expect({ bytes, end }).toEqual({ bytes: at, end: 'broken' })
      expect(proxy.done).toMatchObject([{ kind: 'cut', byte: at }])
    },
  )

  it('cuts inside a character', async () => {
    proxy.inject({ kind: 'cut', at: 'character' })
    const { text, end } = await readAll(await fetch(`${proxy.url}/stream`))
    expect(text).toBe('data: {"text":"one"}\n\ndata: {"text":"zw')
    expect(end).toBe('broken')
  })

  it('cuts inside an event, and may call it the end', async () => {
    proxy.inject({ kind: 'cut', at: { event: 2, byte: 4 }, how: 'end' })
    const { text, end } = await readAll(await fetch(`${proxy.url}/stream`))
    expect(text).toBe('data: {"text":"one"}\n\ndata')
    expect(end).toBe('whole')
  })

  it('does not cut what is shorter', async () => {
    proxy.inject({ kind: 'cut', at: 5000 })
    expect(await streamTexts()).toEqual(EVENTS)
    expect(proxy.done).toEqual([])
  })

  it('sends little by little', async () => {
    proxy.inject({ kind: 'slow', bytes: 1, everyMs: 0 })
    const { body } = await fetch(`${proxy.url}/stream`)
    let chunks = 0
    for await (const _ of body ?? []) chunks += 1
    expect(chunks).toBeGreaterThan(10)
  })
})

describe('createFaultProxy: events', () => {
  const [one = '', two = '', three = '', four = '', five = ''] = EVENTS

  it.each<[string, Fault, string[]]>([
    ['loses one', { kind: 'drop', events: 2 }, [one, three, four, five]],
    ['loses several', { kind: 'drop', events: [1, 5] }, [two, three, four]],
    ['has a hole', { kind: 'drop', events: { from: 2, to: 4 } }, [one, five]],
    ['is trimmed at its beginning', { kind: 'drop', events: { to: 3 } }, [four, five]],
    ['loses its end', { kind: 'drop', events: { from: 3 } }, [one, two]],
    [
      'loses what a function says',
      { kind: 'drop', events: (event) => JSON.stringify(event).includes('f') },
      [one, three],
    ],
    ['says one twice', { kind: 'duplicate', events: 2 }, [one, two, two, three, four, five]],
    ['changes the order', { kind: 'swap', events: 2 }, [one, three, two, four, five]],
    [
      'changes the order of its end',
      { kind: 'swap', events: [4, 5] },
      [one, two, three, five, four],
    ],
    ['ends early', { kind: 'close', after: 2 }, [one, two]],
    ['ends before it begins', { kind: 'close', after: 0 }, []],
    [
      'repeats an old one',
      { kind: 'echo', after: 4, event: 2 },
      [one, two, three, four, two, five],
    ],
    [
      'repeats an old one that a function finds',
      { kind: 'echo', after: 4, event: (event) => JSON.stringify(event).includes('three') },
      [one, two, three, four, three, five],
    ],
  ])('%s', async (_, fault, texts) => {
    proxy.inject(fault)
    expect(await streamTexts()).toEqual(texts)
    expect(proxy.done.length).toBeGreaterThan(0)
    expect(await streamTexts()).toEqual(EVENTS)
  })

  it('sends the last one alone when nothing follows to change places with', async () => {
    const gate = createGate()
    onStream = (response) => {
      response.write('data: {"text":"one"}\n\ndata: {"text":"last"}\n\n')
      void gate.passed.then(() => response.end())
    }
    proxy.inject({ kind: 'swap', events: 2 })
    const response = await fetch(`${proxy.url}/stream`)
    const reader = response.body?.getReader()
    let text = ''
    while (!text.includes('last')) text += new TextDecoder().decode((await reader?.read())?.value)
    gate.open()
    expect(textsOf(text)).toEqual(['one', 'last'])
  })

  it('repeats an event of an earlier connection', async () => {
    await streamTexts('/stream?first')
    onStream = (response) => response.end('data: {"text":"new"}\n\n')
    proxy.inject({ kind: 'echo', after: 1, event: 3 })
    expect(await streamTexts()).toEqual(['new', three])
  })

  it('keeps events back, and their order', async () => {
    const gate = createGate()
    proxy.inject({ kind: 'hold', events: 3, by: gate.passed })
    const response = await fetch(`${proxy.url}/stream`)
    const reader = response.body?.getReader()
    let text = ''
    while (!text.includes(two)) text += new TextDecoder().decode((await reader?.read())?.value)
    expect(textsOf(text)).toEqual([one, two])
    gate.open()
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      text += new TextDecoder().decode(part.value)
    }
    expect(textsOf(text)).toEqual(EVENTS)
  })

  it('stalls with an open line, and goes on when it may', async () => {
    const gate = createGate()
    proxy.inject({ kind: 'stall', after: 1, until: gate.passed })
    const response = await fetch(`${proxy.url}/stream`)
    const rest = readAll(response)
    await expect.poll(() => proxy.done).toMatchObject([{ kind: 'stall', event: 1 }])
    gate.open()
    expect(textsOf((await rest).text)).toEqual(EVENTS)
  })

  it('breaks the line after an event', async () => {
    proxy.inject({ kind: 'close', after: 3, how: 'reset' })
    const { text, end } = await readAll(await fetch(`${proxy.url}/stream`))
    expect({ texts: textsOf(text), end }).toEqual({ texts: [one, two, three], end: 'broken' })
  })

  it('swallows heartbeats, which do not count as events', async () => {
    onStream = (response) =>
      response.end(':\n\ndata: {"text":"one"}\n\n: still here\n\ndata: x\n\n')
    proxy.inject({ kind: 'no-heartbeats' })
    proxy.inject({ kind: 'drop', events: 2 })
    const { text } = await readAll(await fetch(`${proxy.url}/stream`))
    expect(text).toBe('data: {"text":"one"}\n\n')
  })

  it('lets several things happen, each by the server’s own count', async () => {
    proxy.inject({ kind: 'drop', events: 1 })
    proxy.inject({ kind: 'duplicate', events: 2 })
    proxy.inject({ kind: 'swap', events: 3 })
    proxy.inject({ kind: 'close', after: 4 })
    expect(await streamTexts()).toEqual([two, two, four, three])
  })

  it('reads frames however they are cut and whatever ends their lines', async () => {
    const bytes = Buffer.from(
      ':\r\n\r\ndata: {"text":\r\ndata: "é"}\r\n\r\ndata:{"text":"b"}\r\rid: 3\n\n',
    )
    for (let at = 1; at < bytes.length; at += 1) {
      onStream = (response) => {
        response.write(bytes.subarray(0, at), () => {
          setImmediate(() => response.end(bytes.subarray(at)))
        })
      }
      const seen: unknown[] = []
      proxy.inject({ kind: 'drop', events: (event) => seen.push(event) < 0 })
      const { text } = await readAll(await fetch(`${proxy.url}/stream`))
      expect(text).toBe(bytes.toString('utf8'))
      expect(seen).toEqual([{ text: 'é' }, { text: 'b' }])
    }
  })

  it('breaks all open streams when told so', async () => {
    onStream = (response) => response.write('data: {"text":"one"}\n\n')
    const response = await fetch(`${proxy.url}/stream`)
    const rest = readAll(response)
    await expect.poll(() => proxy.requests[0]?.status).toBe(200)
    proxy.dropStreams()
    expect((await rest).end).toBe('broken')
  })
})

describe('createFaultProxy: drawn faults', () => {
  const intensity = { drop: 0.3, duplicate: 0.3, swap: 0.2, cut: 0.3, answer: 0.3, reset: 0.2 }

  async function runOnce(seed: number): Promise<unknown> {
    const drawn = await createFaultProxy({ target, random: { seed, intensity } })
    const seen: unknown[] = []
    for (let index = 0; index < 8; index += 1) {
      const stream = await fetch(`${drawn.url}/stream`).then(readAll, () => 'none')
      const sent = await fetch(`${drawn.url}/a${index}`, { method: 'POST' }).then(
        ({ status }) => status,
        () => 'none',
      )
      seen.push(stream, sent)
    }
    const { done } = drawn
    await drawn.close()
    return { seen, done }
  }

  it('does the same for the same seed, and something else for another', async () => {
    const first = await runOnce(1)
    expect(await runOnce(1)).toEqual(first)
    expect(await runOnce(2)).not.toEqual(first)
  })

  it('tells the seed that it made up, and draws from it by default', async () => {
    const drawn = await createFaultProxy({ target, random: {} })
    expect(drawn.seed).toMatch(/^[0-9a-f]{8}$/)
    for (let index = 0; index < 100 && drawn.done.length === 0; index += 1) {
      await fetch(`${drawn.url}/stream`).then(readAll, () => undefined)
    }
    expect(drawn.done.length).toBeGreaterThan(0)
    drawn.heal()
    const before = drawn.done.length
    for (let index = 0; index < 20; index += 1) {
      await readAll(await fetch(`${drawn.url}/stream`))
    }
    expect(drawn.done).toHaveLength(before)
    await drawn.close()
  })

  it('draws only for the requests that are named', async () => {
    const random = { seed: 1, on: { method: 'GET' }, intensity: { answer: 1 } }
    const drawn = await createFaultProxy({ target, random })
    expect((await fetch(drawn.url, { method: 'POST' })).status).toBe(201)
    expect((await fetch(drawn.url)).status).toBeGreaterThanOrEqual(500)
    await drawn.close()
  })
})

describe('createFaultProxy: life', () => {
  it('ends open lines when it is closed, also those that never got an answer', async () => {
    proxy.inject({ kind: 'hang' })
    const hanging = post()
    const idle = connect(proxy.port, '127.0.0.1')
    const ended = new Promise((resolve) => {
      idle.once('close', resolve)
    })
    await expect.poll(() => proxy.done.length).toBe(1)
    await proxy.close()
    await expect(hanging).rejects.toThrow('fetch failed')
    await ended
  })

  it('rejects when its port is taken', async () => {
    await expect(createFaultProxy({ target, port: proxy.port })).rejects.toThrow('EADDRINUSE')
  })
})
