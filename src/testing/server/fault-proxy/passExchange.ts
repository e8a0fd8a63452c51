import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { answerInstead } from './answerInstead.js'
import { breakJson } from './breakJson.js'
import { createSseSplitter } from './createSseSplitter.js'
import { closeFrame, createWebSocketSplitter } from './createWebSocketSplitter.js'
import { drawFaults, fitsBody, routeOf, type RandomFaults } from './drawFaults.js'
import type { BodyFault, EventFault, Fault, RequestFault } from './Fault.js'
import {
  isRequestFault,
  type FaultBook,
  type FaultRecord,
  type FaultyRequest,
} from './FaultBook.js'
import { matchesRequest } from './matchesPattern.js'
import { responseOutlet, socketOutlet, type Outlet } from './Outlet.js'
import { changePage, isPageFault, type BodyKind, type PageFault } from './pageFaults.js'
import { passBody } from './passBody.js'
import { passes } from './passes.js'
import type { StreamFrame } from './StreamFrame.js'

/** What a proxy knows. */
export interface ProxyState {
  /** The server behind it. */
  target: URL
  /** What is to go wrong. */
  readonly book: FaultBook
  /** What may go wrong besides. */
  random: (RandomFaults & { readonly seed: number | string }) | undefined
  /** How many requests of each route came. */
  readonly counts: Map<string, number>
  /** What went through, by path. */
  readonly memories: Map<string, StreamFrame[]>
  /** All requests. */
  readonly requests: (FaultyRequest & { readonly url: string; status: number | null })[]
  /** All that was done. */
  readonly done: FaultRecord[]
  /** The open streams. */
  readonly streams: Set<Outlet>
  /** Ends with the proxy. */
  readonly life: AbortController
}

/** The line of a WebSocket that asks to be opened. */
export interface UpgradeLine {
  /** The line. */
  readonly socket: Socket
  /** What came on it after the request. */
  readonly head: Buffer
}

/** One request on its way, with what is to happen to it. */
interface Exchange {
  readonly state: ProxyState
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly upgrade: UpgradeLine | undefined
  readonly seen: ProxyState['requests'][number]
  readonly drawn: readonly Fault[]
  /** Resolves when the client is gone. */
  readonly over: Promise<void>
}

/** What the server said: an answer, or the line of an opened WebSocket. */
interface ServerAnswer {
  readonly message: IncomingMessage
  readonly line?: UpgradeLine
}

/**
 * Passes one request on and its answer back, and lets happen to them what is to happen.
 *
 * @param state - The proxy.
 * @param request - The request.
 * @param response - Its answer.
 * @param upgrade - The line, when the request asks for a WebSocket.
 */
export async function passExchange(
  state: ProxyState,
  request: IncomingMessage,
  response: ServerResponse,
  upgrade?: UpgradeLine,
): Promise<void> {
  const url = request.url ?? '/'
  const method = request.method ?? 'GET'
  const seen = { method, url, path: url.split('?')[0] ?? url, status: null }
  state.requests.push(seen)
  const over = new Promise<void>((resolve) => {
    const line = upgrade?.socket ?? response
    line.once('close', () => resolve())
  })
  const exchange = { state, request, response, upgrade, seen, drawn: draw(state, seen), over }
  const drawn = exchange.drawn.filter(isRequestFault)
  const faults = [...state.book.forRequest(seen), ...drawn]
  if (await isStopped(exchange, faults, false)) return
  const answer = await forward(exchange)
  if (answer === undefined) return breakLine(exchange)
  if (await isStopped(exchange, faults, true)) return discard(answer)
  if (answer.line === undefined) await passAnswer(exchange, answer.message)
  else await passWebSocket(exchange, answer.message, answer.line)
}

function draw({ random, counts }: ProxyState, request: FaultyRequest): readonly Fault[] {
  const route = routeOf(request)
  const count = (counts.get(route) ?? 0) + 1
  counts.set(route, count)
  if (random === undefined || !matchesRequest(random.on, request.method, request.path)) return []
  return drawFaults(random, request, count)
}

/** Lets happen what happens before or after the server acted; `true` when that is the end. */
async function isStopped(
  exchange: Exchange,
  faults: readonly RequestFault[],
  forwarded: boolean,
): Promise<boolean> {
  const { state, request, response, seen, over } = exchange
  for (const fault of faults) {
    if ((fault.forwarded ?? false) !== forwarded) continue
    const { method, path } = seen
    const status = fault.kind === 'answer' ? { status: fault.status } : {}
    state.done.push({ kind: fault.kind, method, path, forwarded, ...status })
    if (fault.kind === 'delay') {
      await passes(fault.by, over)
      continue
    }
    if (fault.kind === 'answer') {
      seen.status = fault.status
      answerInstead(request, response, fault)
    } else if (fault.kind === 'reset') breakLine(exchange)
    else request.resume()
    return true
  }
  return false
}

function breakLine({ request }: Exchange): void {
  request.socket.resetAndDestroy()
}

function discard({ message, line }: ServerAnswer): void {
  message.destroy()
  line?.socket.destroy()
}

/** Sends the request to the server; undefined when that cannot be reached. */
function forward(exchange: Exchange): Promise<ServerAnswer | undefined> {
  const { state, request, upgrade, seen, over } = exchange
  const { target } = state
  const isSecure = target.protocol === 'https:'
  const { connection: _, ...headers } = request.headers
  return new Promise((resolve) => {
    const sent = (isSecure ? httpsRequest : httpRequest)({
      hostname: target.hostname.replace(/^\[|\]$/g, ''),
      port: target.port === '' ? (isSecure ? 443 : 80) : target.port,
      method: seen.method,
      path: `${target.pathname.replace(/\/$/, '')}${seen.url}`,
      agent: false,
      headers: {
        ...headers,
        // The server's own redirects keep leading to the proxy, unless it would not know itself by that name.
        host: isSecure ? target.host : (request.headers.host ?? target.host),
        ...(headers['accept-encoding'] === undefined ? {} : { 'accept-encoding': 'identity' }),
        ...(upgrade === undefined ? {} : { connection: 'Upgrade' }),
      },
    })
    // Without compression a message can be read on its way.
    if (upgrade !== undefined) sent.removeHeader('sec-websocket-extensions')
    sent.once('response', (message) => resolve({ message }))
    sent.once('upgrade', (message, socket, head) => {
      resolve({ message, line: { socket, head } })
    })
    sent.on('error', () => resolve(undefined))
    void over.then(() => sent.destroy())
    if (upgrade === undefined) request.pipe(sent)
    else sent.end()
  })
}

async function passAnswer(exchange: Exchange, message: IncomingMessage): Promise<void> {
  const { response, seen } = exchange
  const type = message.headers['content-type'] ?? ''
  const isStream = type.startsWith('text/event-stream')
  const isPage = seen.method === 'GET' && type.startsWith('application/json')
  const all = bodyFaults(exchange, isStream ? 'stream' : isPage ? 'page' : 'plain')
  const pageFaults = isStream ? [] : all.filter(isPageFault)
  const faults = isStream ? all : all.filter((fault) => !isPageFault(fault))
  const status = message.statusCode ?? 502
  seen.status = status
  const headers = passedHeaders(message.rawHeaders, all.length > 0)
  // On a line that was used before, browsers silently repeat what was reset: so each request gets a new one. Only where
  // a body may break it must not be announced, since some clients then take the break for the end.
  if (!isStream && all.length === 0) response.shouldKeepAlive = false
  response.writeHead(status, message.statusMessage ?? '', headers)
  response.flushHeaders()
  const outlet = responseOutlet(response)
  const broken = faults.find((fault) => fault.kind === 'broken-json')
  const reportOf = (fault: PageFault) => (at?: { readonly event?: number }) =>
    record(exchange, fault, at)
  const place = { memory: memoryOf(exchange), reportOf }
  const page = pageFaults.length === 0 ? message : changePage(message, pageFaults, place)
  const body = broken === undefined ? page : breakJson(page)
  if (broken !== undefined) record(exchange, broken)
  await passThrough(exchange, outlet, body, faults, isStream ? 'sse' : 'none')
  message.destroy()
}

async function passWebSocket(
  exchange: Exchange,
  message: IncomingMessage,
  { socket: server, head }: UpgradeLine,
): Promise<void> {
  const { response, seen, upgrade, over } = exchange
  if (upgrade === undefined) return server.destroySoon()
  const client = upgrade.socket
  seen.status = 101
  response.detachSocket(client)
  const lines = pairs(message.rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`)
  client.write(`HTTP/1.1 101 ${message.statusMessage}\r\n${lines.join('')}\r\n`)
  server.on('error', () => client.destroy())
  void over.then(() => server.destroy())
  const faults = bodyFaults(exchange, 'stream')
  server.write(upgrade.head)
  const deaf = faults.find((fault) => fault.kind === 'stall' && fault.bothWays === true)
  client.pipe(server)
  const outlet = socketOutlet(client)
  if (head.length > 0) server.unshift(head)
  await passThrough(exchange, outlet, server, faults, 'websocket', () => {
    if (deaf !== undefined) client.unpipe(server).resume()
  })
  server.destroy()
}

async function passThrough(
  exchange: Exchange,
  outlet: Outlet,
  source: Readable | AsyncIterable<Uint8Array>,
  faults: readonly (BodyFault | EventFault)[],
  kind: 'none' | 'sse' | 'websocket',
  onStall: () => void = () => {},
): Promise<void> {
  const { state } = exchange
  const memory = memoryOf(exchange)
  if (kind !== 'none') state.streams.add(outlet)
  await passBody(source, {
    outlet,
    faults,
    memory,
    ...(kind === 'none'
      ? {}
      : { splitter: kind === 'sse' ? createSseSplitter() : createWebSocketSplitter() }),
    ...(kind === 'websocket' ? { goodbye: closeFrame } : {}),
    reportOf: (fault) => (at) => {
      if (fault.kind === 'stall') onStall()
      record(exchange, fault, at)
    },
  })
  state.streams.delete(outlet)
}

function bodyFaults(
  { state, seen, drawn }: Exchange,
  kind: BodyKind,
): readonly (BodyFault | EventFault)[] {
  const random = drawn.filter((fault) => !isRequestFault(fault))
  return [
    ...state.book.forBody(seen, kind),
    ...random.filter((fault) => fitsBody(fault, kind, state.random ?? {})),
  ]
}

function record(
  { state, seen }: Exchange,
  { kind }: Fault,
  at: { readonly event?: number; readonly byte?: number } = {},
): void {
  state.done.push({ kind, method: seen.method, path: seen.path, forwarded: true, ...at })
}

function memoryOf({ state, seen }: Exchange): StreamFrame[] {
  const memory = state.memories.get(seen.path) ?? []
  state.memories.set(seen.path, memory)
  return memory
}

/** The server's headers but for those of its own line, and the length of a body that may change. */
function passedHeaders(rawHeaders: readonly string[], isChanged: boolean): string[] {
  const own = ['connection', 'keep-alive', 'transfer-encoding']
  const left = new Set(isChanged ? [...own, 'content-length'] : own)
  return pairs(rawHeaders)
    .filter(([name]) => !left.has(name.toLowerCase()))
    .flat()
}

function pairs(rawHeaders: readonly string[]): readonly [name: string, value: string][] {
  return rawHeaders.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : [],
  )
}
