import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ConversationInput, RunStatus } from '../../src/protocol/index.js'
import type { Random } from '../../src/testing/index.js'
import { createRecordedService, type RecordedService } from './recordedService.js'
import type { Timeline } from './timeline.js'
import type { VirtualTime } from './virtualTime.js'

/** How a line may go. `end`: as if that were all; `destroy`: closed; `reset`: broken, with what is still on its way. */
const WAYS = ['end', 'destroy', 'reset'] as const

/** A recorded session behind real HTTP, whose stream breaks off at given bytes. */
interface ByteSession {
  /** Where it is: a base address for a backend. */
  readonly url: string
  /** Whether all that was recorded has happened, and nothing is left to break. */
  readonly isOver: () => boolean
  /** Where the stream broke so far: for the message of a test that failed. */
  readonly cuts: readonly string[]
}

/** A real HTTP server for many sessions at once. */
export interface ByteServer {
  /**
   * Begins a session. It goes on while somebody listens, as fast as it can.
   *
   * @param timeline - What happens.
   * @param places - At which bytes of all that is sent for the first time the line breaks.
   * @param random - Decides how it breaks, how much is missed then, and whether a replay breaks too.
   */
  readonly begin: (timeline: Timeline, places: readonly number[], random: Random) => ByteSession
  readonly close: () => Promise<void>
}

const realTime: VirtualTime = {
  now: () => performance.now(),
  after: (delayMs, call) => {
    const timer = setTimeout(call, delayMs)
    return () => clearTimeout(timer)
  },
  pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

/** Starts the server on a free port of this machine. */
export async function startByteServer(): Promise<ByteServer> {
  const players: Player[] = []
  const server = createServer((request, response) => {
    const [, number = '', ...rest] = (request.url ?? '').split('/')
    const player = players[Number(number)]
    if (player === undefined) response.writeHead(404).end()
    else player.answer(rest.join('/'), request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Node gives an object for a server that listens on a port.
  const { port } = server.address() as AddressInfo
  return {
    begin: (timeline, places, random) => {
      const player = new Player(timeline, places, random)
      const number = players.push(player) - 1
      return {
        url: `http://127.0.0.1:${port}/${number}`,
        isOver: () => player.isOver,
        cuts: player.cuts,
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** How many bytes the events of a session take on the wire, each once. */
export function bytesOf({ moments }: Timeline): number {
  return moments.reduce(
    (sum, moment) => sum + (moment.kind === 'event' ? frameOf(moment.event).length : 0),
    0,
  )
}

function frameOf(event: ConversationInput): Buffer {
  return Buffer.from(`data: ${JSON.stringify(event)}\n\n`)
}

/** Plays one session to one client. */
class Player {
  readonly cuts: string[] = []
  readonly #timeline: Timeline
  readonly #places: number[]
  readonly #random: Random
  readonly #service: RecordedService
  #position = 0
  /** Bytes of all events that happened so far. */
  #sent = 0
  #line: ServerResponse | undefined
  #isReplay = false
  /** After so many more replayed events the line breaks once more; below zero it holds. */
  #replayed = -1

  constructor(timeline: Timeline, places: readonly number[], random: Random) {
    this.#timeline = timeline
    this.#places = places.toSorted((one, other) => one - other)
    this.#random = random
    this.#service = createRecordedService(timeline, realTime, {
      isOwnTab: false,
      leavesLast: random.happens(0.5),
    })
    this.#service.backend.open({
      events: (events) => this.#write(events),
      connection: () => undefined,
      anomaly: () => undefined,
    })
  }

  get isOver(): boolean {
    return this.#position >= this.#timeline.moments.length && this.#line !== undefined
  }

  answer(path: string, request: IncomingMessage, response: ServerResponse): void {
    request.resume()
    const { pathname, searchParams } = new URL(`/${path}`, 'http://localhost')
    if (pathname.endsWith('/stream')) void this.#stream(response)
    else if (pathname.endsWith('/status')) void this.#status(response)
    else void this.#messages(response, Number(searchParams.get('limit')))
  }

  async #status(response: ServerResponse): Promise<void> {
    const words: Readonly<Partial<Record<RunStatus, string>>> = {
      'awaiting-confirm': 'awaiting_permission',
      'awaiting-external': 'awaiting_external_result',
    }
    const status = (await this.#service.backend.status?.()) ?? 'idle'
    sendJson(response, { status: words[status] ?? status })
  }

  async #messages(response: ServerResponse, limit: number): Promise<void> {
    const page = await this.#service.backend.history?.({ limit })
    const { messages = [], hasMore = false, isRunning = false } = page ?? {}
    sendJson(response, { messages, has_more: hasMore, is_running: isRunning })
  }

  async #stream(response: ServerResponse): Promise<void> {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' })
    response.flushHeaders()
    response.on('error', () => {}) // The client is gone: 'close' says so.
    response.on('close', () => {
      if (this.#line === response) this.#lose()
    })
    this.#line = response
    this.#isReplay = true
    this.#service.connect()
    this.#isReplay = false
    this.#replayed = -1
    while (this.#line === response && this.#position < this.#timeline.moments.length) {
      this.#playNext()
      // Now and then the client gets to speak; otherwise it hears as much at once as the line takes.
      if (this.#random.happens(0.2)) await new Promise((resolve) => setImmediate(resolve))
    }
  }

  #playNext(): void {
    const moment = this.#timeline.moments[this.#position]
    this.#position += 1
    if (moment !== undefined) this.#service.play([moment])
  }

  #write(events: readonly ConversationInput[]): void {
    for (const event of events) {
      const frame = frameOf(event)
      if (this.#isReplay) this.#writeAgain(frame)
      else this.#writeNew(frame)
    }
  }

  #writeNew(frame: Buffer): void {
    const start = this.#sent
    this.#sent += frame.length
    const [place = Infinity] = this.#places
    if (this.#line === undefined || place >= this.#sent) {
      this.#line?.write(frame)
      return
    }
    this.#places.shift()
    // A place in what nobody heard is made up for in the next event that somebody hears.
    const length = place >= start ? place - start : place % frame.length
    this.#break(frame.subarray(0, length), `byte ${start + length}`)
  }

  #writeAgain(frame: Buffer): void {
    if (this.#line === undefined) return
    if (this.#replayed === 0) {
      const length = this.#random.between(0, frame.length - 1)
      this.#break(frame.subarray(0, length), `byte ${length} of a replayed event`)
    } else this.#line.write(frame)
    this.#replayed -= 1
  }

  /** The line ends after some bytes of an event, and the session goes on for a while with nobody listening. */
  #break(rest: Buffer, where: string): void {
    const line = this.#line
    const way = WAYS[this.#random.between(0, WAYS.length - 1)] ?? 'end'
    const missed = this.#random.happens(0.5) ? 0 : this.#random.between(1, 6)
    this.cuts.push(`${where}, ${way}, ${missed} moments missed`)
    this.#lose()
    if (way === 'end') line?.end(rest)
    else {
      line?.write(rest, () => {
        if (way === 'reset') line.socket?.resetAndDestroy()
        else line.destroy()
      })
    }
    for (let turn = 0; turn < missed; turn += 1) this.#playNext()
    // Of the lines that broke, some do so again in the replay that follows.
    const mayBreak = !this.#isReplay && this.#random.happens(0.3)
    this.#replayed = mayBreak ? this.#random.between(0, this.#service.logLength()) : -1
  }

  #lose(): void {
    this.#line = undefined
    this.#service.cut()
  }
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
