// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Msg, ToolCallBlock } from '../../../src/protocol/index.js'
import {
  createAgentServer,
  success,
  suggestion,
  text,
  toolCall,
  type AgentScript,
  type AgentServer,
} from '../../../src/testing/server/index.js'
import { createGate } from './createGate.js'
import { TestClient, type Frame, type OpenStream } from './TestClient.js'

// What happens when a reply waits for someone, is answered or is interrupted, as the service does it.

let gate = createGate()

const send = toolCall(
  'c1',
  'send',
  { to: 'ana' },
  {
    needs: 'approval',
    outcome: (input) => success(`sent ${input}`),
  },
)
const post = toolCall('c2', 'post', { to: 'all' }, { needs: 'approval' })
const scan = toolCall('c3', 'scan', { camera: 'rear' }, { needs: 'execution' })
const look = toolCall('c4', 'look', {}, 'seen')
const npm = (id: string) =>
  toolCall(
    id,
    'run',
    { command: `npm test ${id}` },
    {
      needs: 'approval',
      suggestedRules: [suggestion('run', 'npm test:*')],
    },
  )

const BATCHES: Readonly<Record<string, readonly ReturnType<typeof toolCall>[]>> = {
  one: [send],
  two: [send, post, look],
  mixed: [scan, send],
  same: [npm('n1'), npm('n2')],
}

const agent: AgentScript = {
  id: 'a1',
  name: 'Friday',
  perform: ({ text: said }) => {
    if (said === 'stream') {
      const endless = { kind: 'text', chunks: Array.from({ length: 9999 }, () => 'on ') } as const
      return { steps: [{ kind: 'model', says: [endless] }] }
    }
    if (said === 'arguments') {
      const call = { ...look, chunks: ['{"a', ...Array.from({ length: 9999 }, () => 'a')] }
      return { steps: [{ kind: 'model', calls: [call] }] }
    }
    if (said === 'tool') {
      return { steps: [{ kind: 'model', calls: [{ ...look, takesMs: 60_000 }] }] }
    }
    if (said === 'fails') {
      const fails = { type: 'upstream', message: 'No answer.' } as const
      return { steps: [{ kind: 'model', says: [text('whole'), text('half')], fails }] }
    }
    const calls = BATCHES[said] ?? []
    return {
      steps: [
        { kind: 'model', calls, usage: [10, 1] },
        { kind: 'wait', until: gate.passed },
        { kind: 'model', says: [text('Done.')], usage: [20, 2, 10] },
      ],
    }
  },
}

let server: AgentServer
let client: TestClient
let stream: OpenStream

beforeEach(async () => {
  gate = createGate()
  gate.open()
  server = await createAgentServer({ agents: [agent], pace: 0 })
  client = new TestClient(server.url, 'a1')
  await client.createSession('Named')
  stream = await client.stream()
})

afterEach(async () => {
  client.close()
  await server.close()
})

const isEnd = ({ type }: Frame): boolean => type === 'REPLY_END'

async function ask(said: string, parked = 'awaiting_permission'): Promise<string> {
  await client.say(said)
  const { reply_id } = await stream.until(({ type }) => type === 'REPLY_START')
  await client.untilStatus(parked)
  return String(reply_id)
}

function asked(): readonly ToolCallBlock[] {
  return stream.frames.flatMap((frame) =>
    frame.type === 'REQUIRE_USER_CONFIRM' || frame.type === 'REQUIRE_EXTERNAL_EXECUTION'
      ? frame.tool_calls
      : [],
  )
}

function decide(reply_id: string, id: string, confirmed: boolean, more = {}, input?: string) {
  const found = asked().find((call) => call.id === id) ?? {
    type: 'tool_call',
    id,
    name: 'x',
    input: '{}',
  }
  const tool_call = input === undefined ? found : { ...found, input }
  const confirm_results = [{ confirmed, tool_call, ...more }]
  return client.chat({ type: 'USER_CONFIRM_RESULT', reply_id, confirm_results })
}

async function lastMessage(): Promise<Msg | undefined> {
  return (await client.messages()).at(-1)
}

/** Types of the frames after the first that fits, each run of one type once. */
function typesAfter(fits: (frame: Frame) => boolean): readonly string[] {
  const types = stream.frames.slice(stream.frames.findIndex(fits)).map(({ type }) => type)
  return types.filter((type, index) => type !== types[index - 1])
}

describe('createAgentServer: a reply that waits', () => {
  it('ends without a word, and is stored as it stands', async () => {
    await ask('one')
    expect(stream.frames.at(-1)).toMatchObject({
      type: 'REQUIRE_USER_CONFIRM',
      tool_calls: [
        {
          id: 'c1',
          input: '{"to":"ana"}',
          state: 'asking',
          suggested_rules: [
            { tool_name: 'send', rule_content: null, behavior: 'allow', source: 'suggested' },
          ],
        },
      ],
    })
    expect(await lastMessage()).toMatchObject({
      finished_at: null,
      finished_reason: null,
      usage: { input_tokens: 10 },
      content: [{ type: 'tool_call', state: 'asking' }],
    })
  })

  it('goes on under its id when it is approved', async () => {
    const reply = await ask('one')
    await client.chat({
      type: 'USER_CONFIRM_RESULT',
      id: 'mine',
      reply_id: reply,
      confirm_results: [{ confirmed: true, tool_call: asked()[0] }],
    })
    await stream.until(isEnd)
    expect(stream.frames.find(({ id }) => id === 'mine')).toMatchObject({
      type: 'USER_CONFIRM_RESULT',
    })
    expect(typesAfter(({ id }) => id === 'mine')).toEqual([
      'USER_CONFIRM_RESULT',
      'REPLY_START',
      'TOOL_RESULT_START',
      'TOOL_RESULT_TEXT_DELTA',
      'TOOL_RESULT_END',
      'MODEL_CALL_START',
      'TEXT_BLOCK_START',
      'TEXT_BLOCK_DELTA',
      'TEXT_BLOCK_END',
      'MODEL_CALL_END',
      'REPLY_END',
    ])
    await client.untilStatus('idle')
    expect(await lastMessage()).toMatchObject({
      id: reply,
      finished_reason: 'completed',
      usage: { input_tokens: 30, output_tokens: 3, cache_input_tokens: 10 },
      content: [
        { type: 'tool_call', state: 'finished' },
        { type: 'tool_result', state: 'success', output: [{ text: 'sent {"to":"ana"}' }] },
        { type: 'text', text: 'Done.' },
      ],
    })
  })

  it('runs edited arguments and stores those that were proposed', async () => {
    const reply = await ask('one')
    await decide(reply, 'c1', true, {}, '{"to":"ben"}')
    await client.untilStatus('idle')
    expect((await lastMessage())?.content).toMatchObject([
      { input: '{"to":"ana"}' },
      { output: [{ text: 'sent {"to":"ben"}' }] },
      {},
    ])
  })

  it('tells the agent of a denial in a system reminder', async () => {
    const reply = await ask('one')
    await decide(reply, 'c1', false)
    await client.untilStatus('idle')
    expect((await lastMessage())?.content[1]).toMatchObject({
      state: 'denied',
      output: [
        {
          text: '<system-reminder>The execution of tool "send" is denied by user!</system-reminder>',
        },
      ],
    })
  })

  it('takes answers one by one, and does not ask again for what is still open', async () => {
    const reply = await ask('two')
    expect(asked().map(({ id }) => id)).toEqual(['c1', 'c2'])
    expect(stream.frames.at(-1)).toMatchObject({ type: 'TOOL_RESULT_END', tool_call_id: 'c4' })
    await decide(reply, 'c2', true)
    await stream.until(
      ({ type, ...rest }) =>
        type === 'TOOL_RESULT_END' && 'tool_call_id' in rest && rest.tool_call_id === 'c2',
    )
    await client.untilStatus('awaiting_permission')
    await decide(reply, 'c1', false)
    await client.untilStatus('idle')
    expect(asked()).toHaveLength(2)
    const results = (await lastMessage())?.content.filter(({ type }) => type === 'tool_result')
    expect(results).toMatchObject([
      { id: 'c4', state: 'success' },
      { id: 'c2', state: 'success' },
      { id: 'c1', state: 'denied' },
    ])
  })

  it('asks once for calls that one rule would cover, and remembers the rule', async () => {
    const reply = await ask('same')
    expect(asked().map(({ id }) => id)).toEqual(['n1'])
    await decide(reply, 'n1', true)
    await stream.until(
      (frame) => frame.type === 'REQUIRE_USER_CONFIRM' && frame.tool_calls[0]?.id === 'n2',
    )
    await client.untilStatus('awaiting_permission')
    await decide(reply, 'n2', true, { rules: [suggestion('run', 'npm test:*')] })
    await client.untilStatus('idle')
    expect(stream.frames.at(-1)).toMatchObject({
      type: 'CUSTOM',
      name: 'state_updated',
      value: { permission_context: { allow_rules: { run: [{ rule_content: 'npm test:*' }] } } },
    })
    await client.say('same')
    await client.untilStatus('idle')
    expect(asked()).toHaveLength(2)
  })

  it('asks for nothing when the session bypasses questions', async () => {
    await client.request('PATCH', client.path(), { permission_mode: 'bypass' })
    await client.say('two')
    await client.untilStatus('idle')
    expect(asked()).toEqual([])
  })

  it('takes the client’s own results in either order with approvals', async () => {
    const reply = await ask('mixed')
    expect(asked().map(({ id, state }) => [id, state])).toEqual([
      ['c3', 'submitted'],
      ['c1', 'asking'],
    ])
    await decide(reply, 'c1', false)
    await client.untilStatus('awaiting_external_result')
    const image = { type: 'base64', media_type: 'image/png', data: 'AAE=' }
    await client.chat({
      type: 'EXTERNAL_EXECUTION_RESULT',
      reply_id: reply,
      execution_results: [
        {
          type: 'tool_result',
          id: 'c3',
          name: 'scan',
          output: [
            { type: 'text', text: '42' },
            { type: 'data', source: image },
          ],
          state: 'success',
          metadata: { format: 'qr' },
        },
      ],
    })
    await client.untilStatus('idle')
    expect(stream.frames.filter(({ type }) => type === 'TOOL_RESULT_START')).toHaveLength(2)
    const results = (await lastMessage())?.content.filter(({ type }) => type === 'tool_result')
    expect(results).toMatchObject([
      {
        id: 'c3',
        state: 'success',
        metadata: { format: 'qr' },
        output: [{ text: '42' }, { source: image }],
      },
      { id: 'c1', state: 'denied' },
    ])
  })

  it('replays only the question to whoever comes later', async () => {
    await ask('one')
    const later = await client.stream()
    await later.until(({ type }) => type === 'REQUIRE_USER_CONFIRM')
    expect(later.frames).toEqual([stream.frames.at(-1)])
  })

  it('answers a message with a synthetic error, and still waits', async () => {
    const reply = await ask('one')
    expect((await client.say('hello?', 'm2')).status).toBe(200)
    await stream.until(isEnd)
    const error = { type: 'setup', message: expect.stringContaining('could not be prepared') }
    expect(stream.frames.slice(-2)).toMatchObject([
      { type: 'REPLY_START', name: 'a1' },
      { type: 'REPLY_END', finished_reason: 'error', error },
    ])
    await client.untilStatus('awaiting_permission')
    expect((await client.messages()).slice(-3)).toMatchObject([
      { id: reply },
      { id: 'm2', role: 'user' },
      { name: 'a1', content: [], error },
    ])
    await decide(reply, 'c1', true)
    await client.untilStatus('idle')
    expect((await client.messages())[1]).toMatchObject({ id: reply, finished_reason: 'completed' })
  })

  it('ends in error after an answer it did not wait for, and still waits', async () => {
    const reply = await ask('one')
    await decide(reply, 'wrong', true)
    await stream.until(isEnd)
    await client.untilStatus('awaiting_permission')
    expect(await lastMessage()).toMatchObject({
      finished_reason: 'error',
      error: { type: 'unknown' },
      content: [{ state: 'asking' }],
    })
    await decide(reply, 'c1', true)
    await client.untilStatus('idle')
    expect(await lastMessage()).toMatchObject({ finished_reason: 'completed', error: null })
  })

  it('takes an answer that comes before the run is over', async () => {
    await client.say('one')
    const { reply_id } = await stream.until(({ type }) => type === 'REQUIRE_USER_CONFIRM')
    await decide(String(reply_id), 'c1', true)
    expect(await stream.until(isEnd)).toMatchObject({ reply_id, finished_reason: 'completed' })
  })

  it('echoes an answer that nobody waits for, and stores nothing', async () => {
    await decide('r9', 'c1', true)
    await stream.until(({ type }) => type === 'REPLY_START')
    await client.untilStatus('idle')
    expect(stream.frames).toMatchObject([
      { type: 'USER_CONFIRM_RESULT', reply_id: 'r9' },
      { type: 'REPLY_START', reply_id: 'r9' },
    ])
    expect(await client.messages()).toEqual([])
  })
})

describe('createAgentServer: interrupts', () => {
  const interrupt = () => client.request('POST', client.path('/interrupt'))
  const reminder = {
    text: '<system-reminder>The tool call has been interrupted by the user.</system-reminder>',
  }

  it('ends text where it is', async () => {
    await client.say('stream')
    await stream.until(({ type }) => type === 'TEXT_BLOCK_DELTA')
    expect(await interrupt()).toMatchObject({ status: 202, json: { session_id: client.sessionId } })
    await stream.until(isEnd)
    expect(stream.frames.slice(-3)).toMatchObject([
      { type: 'TEXT_BLOCK_END' },
      { type: 'MODEL_CALL_END', input_tokens: 0, finished_reason: 'interrupted' },
      { type: 'REPLY_END', finished_reason: 'interrupted', error: null },
    ])
    await client.untilStatus('idle')
    const deltas = stream.frames.filter(({ type }) => type === 'TEXT_BLOCK_DELTA')
    expect(await lastMessage()).toMatchObject({
      finished_reason: 'interrupted',
      usage: { input_tokens: 0 },
      content: [{ text: 'on '.repeat(deltas.length), finished_at: expect.any(String) }],
    })
  })

  it('keeps broken arguments and closes their call', async () => {
    await client.say('arguments')
    await stream.until(({ type }) => type === 'TOOL_CALL_DELTA')
    await interrupt()
    await stream.until(isEnd)
    await client.untilStatus('idle')
    expect((await lastMessage())?.content).toMatchObject([
      { type: 'tool_call', state: 'finished', input: expect.stringMatching(/^\{"aa*$/) },
      { type: 'tool_result', state: 'interrupted', output: [reminder] },
    ])
  })

  it('stops a tool that runs', async () => {
    const slow = await createAgentServer({ agents: [agent], pace: 1 })
    const other = new TestClient(slow.url, 'a1')
    await other.createSession('Named')
    const frames = await other.stream()
    await other.say('tool')
    await frames.until(({ type }) => type === 'TOOL_RESULT_START')
    await other.request('POST', other.path('/interrupt'))
    await frames.until(isEnd)
    expect(frames.frames.slice(-3)).toMatchObject([
      { type: 'TOOL_RESULT_TEXT_DELTA', delta: reminder.text },
      { type: 'TOOL_RESULT_END', state: 'interrupted' },
      { type: 'REPLY_END', finished_reason: 'interrupted' },
    ])
    other.close()
    await slow.close()
  })

  it('closes what waits, without a second beginning for an external call', async () => {
    const reply = await ask('mixed')
    await interrupt()
    await stream.until(isEnd)
    const after = stream.frames.slice(
      stream.frames.findLastIndex(({ type }) => type === 'REPLY_START'),
    )
    expect(after.map(({ type }) => type)).toEqual([
      'REPLY_START',
      'TOOL_RESULT_TEXT_DELTA',
      'TOOL_RESULT_END',
      'TOOL_RESULT_START',
      'TOOL_RESULT_TEXT_DELTA',
      'TOOL_RESULT_END',
      'REPLY_END',
    ])
    await client.untilStatus('idle')
    expect(await lastMessage()).toMatchObject({ id: reply, finished_reason: 'interrupted' })
  })

  it('leaves a lone beginning on an idle session', async () => {
    expect((await interrupt()).status).toBe(202)
    await stream.until(({ type }) => type === 'REPLY_START')
    await client.untilStatus('idle')
    expect(stream.frames).toHaveLength(1)
    expect(await client.messages()).toEqual([])
  })
})

describe('createAgentServer: failures', () => {
  it('leaves the last block open when the model fails', async () => {
    await client.say('fails')
    await stream.until(isEnd)
    expect(stream.frames.slice(-2).map(({ type }) => type)).toEqual([
      'TEXT_BLOCK_DELTA',
      'REPLY_END',
    ])
    await client.untilStatus('idle')
    expect(await lastMessage()).toMatchObject({
      finished_reason: 'error',
      error: { type: 'upstream', message: 'No answer.' },
      usage: null,
      content: [
        { text: 'whole', finished_at: expect.any(String) },
        { text: 'half', finished_at: null },
      ],
    })
  })
})
