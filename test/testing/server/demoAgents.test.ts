// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { appendEvent } from '../../../src/fold/index.js'
import { AssistantMsg, parseMessages, type Msg } from '../../../src/protocol/index.js'
import {
  createAgentServer,
  demoAgents,
  type AgentServer,
} from '../../../src/testing/server/index.js'
import { TestClient, type Frame, type OpenStream } from './TestClient.js'

// The demo's scenes, played to their ends. What the server stores comes from the scripts and what a client folds from
// the events: they must be equal, apart from what no event carries.

let server: AgentServer
let client: TestClient
let stream: OpenStream

beforeEach(async () => {
  server = await createAgentServer({ pace: 0 })
  client = new TestClient(server.url, 'friday')
  await client.createSession('Named')
  stream = await client.stream()
})

afterEach(async () => {
  client.close()
  await server.close()
})

/** Approves or denies whatever is asked and runs what is to be run, until the session rests. */
async function playToTheEnd(said: string, confirmed: boolean): Promise<void> {
  await client.say(said)
  for (let answered = 0; ;) {
    let status = await client.status()
    while (status === 'running') status = await client.status()
    const open = stream.frames.filter(isQuestion).slice(answered)
    if (open.length === 0) return
    answered += open.length
    for (const frame of open) await answer(frame, confirmed)
  }
}

type Question = Extract<Frame, { type: 'REQUIRE_USER_CONFIRM' | 'REQUIRE_EXTERNAL_EXECUTION' }>

function isQuestion(frame: Frame): frame is Question {
  return frame.type === 'REQUIRE_USER_CONFIRM' || frame.type === 'REQUIRE_EXTERNAL_EXECUTION'
}

async function answer({ type, reply_id, tool_calls }: Question, confirmed: boolean): Promise<void> {
  if (type === 'REQUIRE_USER_CONFIRM') {
    const confirm_results = tool_calls.map((tool_call) => ({ confirmed, tool_call }))
    await client.chat({ type: 'USER_CONFIRM_RESULT', reply_id, confirm_results })
  } else {
    const execution_results = tool_calls.map(({ id, name }) => {
      const output = 'Monday, 30 November, 20:15'
      return { type: 'tool_result', id, name, output, state: 'success' }
    })
    await client.chat({ type: 'EXTERNAL_EXECUTION_RESULT', reply_id, execution_results })
  }
}

function folded(frames: readonly Frame[]): readonly Msg[] {
  const messages = new Map<string, Msg>()
  for (const frame of frames) {
    if (frame.type === 'CUSTOM') continue
    const { reply_id: id } = frame
    const known =
      messages.get(id) ??
      AssistantMsg({
        id,
        name: frame.type === 'REPLY_START' ? (frame.name ?? '') : '',
        content: [],
      })
    messages.set(id, appendEvent(known, frame))
  }
  return [...messages.values()]
}

/** Without what no event carries: the times at which the server folded, and ids it made up while folding. */
function comparable(messages: readonly Msg[]): unknown {
  const drop = new Set(['created_at'])
  return JSON.parse(
    JSON.stringify(messages, (key, value: unknown) => {
      if (drop.has(key)) return undefined
      if (key === 'output' && Array.isArray(value)) {
        return value.map((piece: object) =>
          'type' in piece && piece.type === 'text' ? { ...piece, id: 'made up' } : piece,
        )
      }
      if (typeof value === 'object' && value !== null && 'type' in value && value.type === 'hint') {
        return { ...value, finished_at: 'folded' }
      }
      return value
    }),
  )
}

const SAID = [
  'Plan a trip to Lisbon',
  'Write with style',
  'What time is it?',
  'Send an email to Ana',
  'Book a table',
  'Read it aloud',
  'Show me files',
  'Tell me a story',
  'Run the tests',
  'Fix the bug',
  'Show the build log',
  'Clean up old branches',
  'Sum the sales',
  'Search the catalogue',
  'Summarise the contract',
  'Help me choose a gift',
  'Propose a migration',
  'When does the ferry leave?',
  'Something quite different 🦊',
]

describe('demoAgents', () => {
  it.each(SAID)('stores what its events say: %s', async (said) => {
    await playToTheEnd(said, true)
    const stored = parseMessages(await client.messages()).messages
    const replies = stored.filter(({ role }) => role === 'assistant')
    expect(replies.length).toBeGreaterThan(0)
    expect(comparable(folded(stream.frames))).toEqual(comparable(replies))
  })

  const ASKS = [
    'Send an email',
    'Book a table',
    'Run the tests',
    'Fix the bug',
    'Clean up',
    'Propose a migration',
  ]
  it.each(ASKS)('has an answer to a no: %s', async (said) => {
    await playToTheEnd(said, false)
    const stored = parseMessages(await client.messages()).messages
    const replies = stored.filter(({ role }) => role === 'assistant')
    expect(replies).toMatchObject([{ finished_reason: 'completed' }])
    expect(JSON.stringify(replies)).toContain('is denied by user!')
    expect(comparable(folded(stream.frames))).toEqual(comparable(replies))
  })

  it('tells the agent about the world once', async () => {
    await playToTheEnd('Tell me a story', true)
    await playToTheEnd('Tell me a story', true)
    expect(stream.frames.filter(({ type }) => type === 'HINT_BLOCK')).toHaveLength(1)
  })

  it('goes on after the limit of rounds, in a new reply', async () => {
    await playToTheEnd('Search the catalogue', true)
    expect(stream.frames.slice(-2).map(({ type }) => type)).toEqual([
      'EXCEED_MAX_ITERS',
      'REPLY_END',
    ])
    await client.chat(null)
    await client.untilStatus('idle')
    expect((await client.messages()).map(({ finished_reason }) => finished_reason)).toEqual([
      null,
      'exceed_max_iters',
      'completed',
    ])
  })

  it('fails in the middle of a sentence, and works when asked again', async () => {
    await playToTheEnd('Summarise the contract', true)
    await playToTheEnd('Summarise the contract again', true)
    const replies = (await client.messages()).filter(({ role }) => role === 'assistant')
    expect(replies.map(({ finished_reason }) => finished_reason)).toEqual(['error', 'completed'])
  })

  it('comes back by itself when a slow tool is done', async () => {
    await playToTheEnd('Sum the sales', true)
    await stream.until(
      (frame) => frame.type === 'HINT_BLOCK' && frame.source?.includes('tool_output') === true,
    )
    await client.untilStatus('idle')
    expect(await client.messages()).toHaveLength(3)
  })

  it('lets a helper ask through its leader, again on every connection, and takes the answer there', async () => {
    await client.say('Ask the researcher about mulch')
    const projected = await stream.until(isProjection)
    const later = await client.stream()
    await later.until((frame) => isProjection(frame) && frame.id !== projected.id)
    if (projected.type !== 'CUSTOM') throw new Error('Not a projection.')
    const { event, worker_session_id, worker_agent_id } = projected.value as unknown as {
      event: Question
      worker_session_id: string
      worker_agent_id: string
    }
    const worker = `/sessions/${worker_session_id}/status?agent_id=${worker_agent_id}`
    while ((await client.status()) === 'running') await later.until(isProjection)
    expect((await client.request('GET', worker)).json).toMatchObject({
      status: 'awaiting_permission',
    })
    const { reply_id, tool_calls } = event
    const confirm_results = tool_calls.map((tool_call) => ({ confirmed: true, tool_call }))
    const { json } = await client.chat({ type: 'USER_CONFIRM_RESULT', reply_id, confirm_results })
    expect(json).toEqual({ status: 'started', session_id: worker_session_id })
    await stream.until(
      (frame) => frame.type === 'CUSTOM' && frame.name === 'subagent_user_confirm_result',
    )
    await stream.until(
      (frame) => frame.type === 'HINT_BLOCK' && frame.source?.includes('"team"') === true,
    )
    await client.untilStatus('idle')
    const last = (await client.messages()).at(-1)
    expect(last?.content.at(-1)).toMatchObject({ text: expect.stringContaining('straw mulch') })
    const fresh = await client.stream()
    await fresh.until(({ type }) => type === 'REPLY_END')
    expect(fresh.frames.filter(isProjection)).toEqual([])
    const list = await client.request('GET', '/sessions/?agent_id=friday')
    expect(list.json).toMatchObject({
      sessions: [{ team: { members: [{ session_id: worker_session_id }] } }, {}],
    })
  })

  it('brings a conversation longer than a page', async () => {
    const list = await client.request('GET', '/sessions/?agent_id=friday')
    const { sessions } = list.json as {
      sessions: { session: { id: string; config: { name: string } } }[]
    }
    client.sessionId =
      sessions.find(({ session }) => session.config.name.includes('garden'))?.session.id ?? ''
    expect(await client.messages('&limit=200')).toHaveLength(120)
  })

  it('lets every agent play', () => {
    const cue = { text: 'hi', isContinue: false, messages: [] }
    for (const agent of demoAgents) expect(agent.perform(cue).steps).not.toEqual([])
  })
})

function isProjection(frame: Frame): boolean {
  return frame.type === 'CUSTOM' && frame.name === 'subagent_require_user_confirm'
}
