// @vitest-environment node
// Each kind of sender behind a real server: a message is posted, what asks is answered, and the conversation comes to what Python's would.
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { javaBackend, type JavaFraming } from '../../src/backends/index.js'
import { isJsonObject } from '../../src/protocol/index.js'
import { createChatStore, selectPhase, type ChatStore } from '../../src/store/index.js'
import { scenarios, type Step, type Voice } from '../dialects/agentscope-java/voices/scenarios.js'
import { pythonLike, voices } from '../dialects/agentscope-java/voices/voices.js'
import { decode, fold } from '../dialects/describeDialect.js'
import { tellMessages } from '../dialects/tellMessages.js'
import { sendStream, startServer } from '../transports/startServer.js'

const FRAMINGS: Readonly<Record<string, JavaFraming>> = {
  'Java (C)': 'events',
  'Java in snake_case': 'events',
  'Java with erased types': 'events',
  'Java without ids of events': 'events',
  'the TypeScript SDK before 2.0': 'events',
  'the article': 'events',
  'trimmed events (B)': 'events',
  'bare text (A)': 'text',
  'data-agent (D)': 'data-agent',
}

const BODIES = ['server-sent events', 'a value per line'] as const
type Body = (typeof BODIES)[number]

/** The frames of each turn: what comes after an answer is the answer to another POST. */
function turnsOf(frames: readonly unknown[]): readonly (readonly unknown[])[] {
  const answered = frames.findIndex((frame) =>
    /CONFIRM_RESULT|PERMISSION_RES|EXECUTION_RESULT/.test(typeOf(frame)),
  )
  if (answered < 0) return [frames]
  const isStarted = /^(AGENT_START|RUN_STARTED)$/.test(typeOf(frames[answered - 1]))
  const start = isStarted ? answered - 1 : answered
  return [frames.slice(0, start), frames.slice(start)]
}

function typeOf(frame: unknown): string {
  return isJsonObject(frame) && typeof frame['type'] === 'string' ? frame['type'] : ''
}

/** As Spring writes it: no space after the colon, a line of text per `data:`. */
function write(frames: readonly unknown[], body: Body): string {
  if (body === 'a value per line') return frames.map((frame) => JSON.stringify(frame)).join('\n')
  return frames
    .map((frame) => (typeof frame === 'string' ? frame : JSON.stringify(frame)))
    .map(
      (text) =>
        `${text
          .split('\n')
          .map((line) => `data:${line}\n`)
          .join('')}\n`,
    )
    .join('')
}

async function talk(voice: Voice, steps: readonly Step[], body: Body): Promise<ChatStore> {
  const turns = turnsOf(voice.speak(steps))
  let turn = 0
  const server = await startServer((response) => {
    const type = body === 'a value per line' ? 'application/x-ndjson' : undefined
    sendStream(response, write(turns[turn] ?? [], body), type)
    response.end()
    turn += 1
  })
  const framing = FRAMINGS[voice.name] ?? 'events'
  const backend = javaBackend({ baseUrl: server.url, sessionId: 's', framing, history: false })
  const schedule = (commit: () => void) => {
    const timer = setTimeout(commit)
    return () => clearTimeout(timer)
  }
  const store = createChatStore(backend, { schedule })
  onTestFinished(store.connect())
  const rests = () =>
    vi.waitFor(
      () => {
        expect(turn).toBeGreaterThan(0)
        expect(['idle', 'awaiting-person']).toContain(selectPhase(store.getState()))
      },
      { timeout: 5_000, interval: 5 },
    )
  await vi.waitFor(() => expect(store.getState().connection.phase).toBe('open'))
  await store.commands.send('Go on')
  await rests()
  const answer = steps.find(({ does }) => ['approve', 'deny', 'submit'].includes(does))
  const [request] = store.getState().conversation.requests
  if (answer === undefined || request === undefined) return store
  if (answer.does === 'submit') {
    const output = [{ type: 'text', id: 'o', text: answer.text } as const]
    await store.commands.submitResults({ request: request.key, output })
  } else await store.commands.confirm({ request: request.key, approve: answer.does === 'approve' })
  await vi.waitFor(() => expect(turn).toBe(2))
  await rests()
  return store
}

const cases = voices
  .filter(({ name }) => Object.hasOwn(FRAMINGS, name))
  .flatMap((voice) =>
    scenarios
      .filter(({ steps }) => steps.every(({ does }) => voice.tells.has(does)))
      .flatMap(({ name, steps }) =>
        BODIES.filter((body) => voice.name === 'Java (C)' || body === BODIES[0]).map((body) => ({
          voice,
          spelling: voice.name,
          name,
          steps,
          body,
        })),
      ),
  )

describe('javaBackend', () => {
  it.each(cases)('hears the same from $spelling: $name ($body)', async ({ voice, steps, body }) => {
    const store = await talk(voice, steps, body)
    const { conversation } = store.getState()
    const expected = fold(decode(pythonLike(voice).dialect, [pythonLike(voice).speak(steps)]))
    const [own, ...replies] = tellMessages(conversation.messages)
    expect(own).toMatchObject({ role: 'user' })
    expect(replies).toEqual(tellMessages(expected.conversation.messages))
    expect(conversation.requests).toHaveLength(expected.conversation.requests.length)
  })
})
