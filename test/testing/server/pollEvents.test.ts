// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createAgentServer,
  demoAgents,
  text,
  type AgentScript,
  type AgentServer,
} from '../../../src/testing/server/index.js'
import { createGate } from './createGate.js'
import { TestClient, type Frame } from './TestClient.js'

// Our own endpoint for clients that poll, over real HTTP.

interface Page {
  readonly events: readonly { readonly idx?: number; readonly data: Frame }[]
  readonly next_offset: number
  readonly has_more: boolean
  readonly oldest: number
  readonly status: string
}

interface Asked {
  readonly reply_id: string
  readonly event: { readonly tool_calls: readonly unknown[] }
}

let gate = createGate()

const agent: AgentScript = {
  id: 'a1',
  name: 'Friday',
  perform: ({ text: said }) => ({
    steps: [
      { kind: 'model', says: [text(said)] },
      ...(said === 'slow' ? [{ kind: 'wait', until: gate.passed } as const] : []),
    ],
  }),
}

let server: AgentServer
let client: TestClient

async function poll(query = '', from = client): Promise<Page> {
  const { status, json } = await from.request('GET', from.path('/events', query))
  expect(status).toBe(200)
  return json as Page
}

async function begin(options: Parameters<typeof createAgentServer>[0] = {}): Promise<void> {
  server = await createAgentServer({ agents: [agent], pace: 0, ...options })
  client = new TestClient(server.url, options.agents?.[0]?.id ?? 'a1')
  await client.createSession('Named')
}

async function untilPolled(fits: (page: Page) => boolean, query = ''): Promise<Page> {
  for (;;) {
    const page = await poll(query)
    if (fits(page)) return page
  }
}

const indexes = ({ events }: Page) => events.map(({ idx }) => idx)
const types = ({ events }: Page) => events.map(({ data }) => data.type)

beforeEach(() => {
  gate = createGate()
})

afterEach(async () => {
  client.close()
  await server.close()
})

describe('GET /sessions/{id}/events', () => {
  it('gives an empty page before anything happened', async () => {
    await begin()
    const empty = { events: [], next_offset: 0, has_more: false, oldest: 0, status: 'idle' }
    expect(await poll()).toEqual(empty)
    expect(await poll('&from=0')).toEqual(empty)
  })

  it('gives the very events of the stream, counted from 0', async () => {
    await begin()
    const stream = await client.stream()
    await client.say('hi')
    await client.untilStatus('idle')
    const page = await poll('&from=0')
    expect(page.events.map(({ data }) => data)).toEqual(stream.frames)
    expect(indexes(page)).toEqual(stream.frames.map((_, index) => index))
    expect(page).toMatchObject({ next_offset: stream.frames.length, oldest: 0, status: 'idle' })
  })

  it('goes on from an offset, and echoes it when nothing is new', async () => {
    await begin()
    await client.say('slow')
    const { next_offset: from } = await untilPolled((page) =>
      types(page).includes('TEXT_BLOCK_END'),
    )
    const none = await poll(`&from=${from}`)
    expect(none).toMatchObject({ next_offset: from, status: 'running' })
    gate.open()
    const rest = await untilPolled((page) => types(page).includes('REPLY_END'), `&from=${from}`)
    expect(indexes(rest)[0]).toBe(from)
  })

  it('never counts anew, and lets a newcomer begin with the current run', async () => {
    await begin()
    await client.say('one')
    await client.untilStatus('idle')
    const first = await poll('&from=0')
    await client.say('slow')
    const page = await untilPolled((now) => types(now).includes('TEXT_BLOCK_END'))
    expect(types(page).slice(0, 2)).toEqual(['REPLY_END', 'REPLY_START'])
    expect(indexes(page)[0]).toBe(first.next_offset - 1)
    expect(indexes(await poll('&from=0')).slice(0, 3)).toEqual([0, 1, 2])
  })

  it('answers an offset beyond the end with the end', async () => {
    await begin()
    await client.say('hi')
    await client.untilStatus('idle')
    const { next_offset: end } = await poll('&from=0')
    expect(await poll(`&from=${end + 100}`)).toMatchObject({ events: [], next_offset: end })
  })

  it('cuts long pages, and says so', async () => {
    await begin()
    await client.say('hi')
    await client.untilStatus('idle')
    const { next_offset: end } = await poll('&from=0')
    const page = await poll('&from=1&limit=3')
    expect(indexes(page)).toEqual([1, 2, 3])
    expect(page).toMatchObject({ next_offset: 4, has_more: true })
    expect(await poll(`&from=4&limit=${end - 4}`)).toMatchObject({ has_more: false })
  })

  it('tells where it begins when older entries are gone', async () => {
    await begin({ logLimit: 4 })
    await client.say('hi')
    await client.untilStatus('idle')
    const page = await poll('&from=0')
    const end = page.next_offset
    expect(page.oldest).toBe(end - 4)
    expect(indexes(page)).toEqual([end - 4, end - 3, end - 2, end - 1])
  })

  it('tells those who missed it how the requests of workers stand', async () => {
    await begin({ agents: demoAgents.filter(({ id }) => id === 'lead'), logLimit: 4 })
    const isNews = ({ data }: Page['events'][number], name: string) =>
      data.type === 'CUSTOM' && data.name === name
    const untilTold = async (name: string) => {
      const { events } = await untilPolled((page) => page.events.some((e) => isNews(e, name)))
      return events.find((entry) => isNews(entry, name))?.data
    }
    const expectTold = async (data: unknown) => {
      await client.untilStatus('idle')
      await client.say('Something else')
      await client.untilStatus('idle')
      const newcomer = await poll()
      expect(newcomer.events[0]).toEqual({ data })
      expect((await poll('&from=0')).events[0]).toEqual({ data })
      expect(await poll(`&from=${newcomer.next_offset}`)).toMatchObject({ events: [] })
    }
    await client.say('Ask the researcher about mulch')
    const request = await untilTold('subagent_require_user_confirm')
    await expectTold(request)
    const { reply_id, event } = (request as unknown as { value: Asked }).value
    const confirm_results = event.tool_calls.map((tool_call) => ({ confirmed: true, tool_call }))
    await client.chat({ type: 'USER_CONFIRM_RESULT', reply_id, confirm_results })
    await expectTold(await untilTold('subagent_user_confirm_result'))
  })

  it('refuses what is no offset, no limit, no session', async () => {
    await begin()
    for (const query of ['&from=x', '&from=-1', '&limit=0', '&limit=1001', '&limit=']) {
      expect((await client.request('GET', client.path('/events', query))).status).toBe(422)
    }
    const unknown = await client.request('GET', '/sessions/nope/events?agent_id=a1')
    expect(unknown).toMatchObject({ status: 404, json: { detail: "Session 'nope' not found." } })
  })
})
