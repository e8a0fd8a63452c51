// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { recordingBackend } from '../../src/backends/index.js'
import { applyEvents, createConversation, equalsStored } from '../../src/fold/index.js'
import type { ContentBlock, Msg } from '../../src/protocol/index.js'
import { createChatStore } from '../../src/store/index.js'
import {
  bytes,
  createScenario,
  hint,
  link,
  scene,
  text,
  thinking,
  toolCall,
  type Scenario,
} from '../../src/testing/index.js'

const ask = (id = 'c1') => toolCall(id, 'delete_files', { path: '/logs' }, { needs: 'approval' })

/** That the fold, which the kit does not know, makes of the events what the scenario says is stored. */
function expectFolds(scenario: Scenario): void {
  const { messages } = applyEvents(createConversation(), scenario.inputs)
  expect(messages.map(({ id }) => id)).toEqual(scenario.messages.map(({ id }) => id))
  for (const [index, stored] of scenario.messages.entries()) {
    const folded = messages[index]
    expect(folded !== undefined && equalsStored(folded, stored), JSON.stringify(folded)).toBe(true)
  }
}

const kindsOf = (message: Msg | undefined): string[] =>
  (message?.content ?? []).map(({ type }) => type)

const blockOf = (message: Msg | undefined, type: string): ContentBlock | undefined =>
  message?.content.find((block) => block.type === type)

describe('createScenario', () => {
  it('is empty at the beginning', () => {
    expect(createScenario()).toMatchObject({ events: [], messages: [], status: 'idle' })
  })

  it('tells a conversation as events and as stored messages', () => {
    const story = createScenario()
      .user('What is the weather in Oslo?')
      .reply(
        thinking('I should look.'),
        toolCall('c1', 'get_weather', { city: 'Oslo' }, '8 °C, rain'),
        'It is **8 °C** and raining.',
      )
    const [question, answer] = story.messages
    expect(question).toMatchObject({ role: 'user', name: 'user' })
    expect(kindsOf(answer)).toEqual(['thinking', 'tool_call', 'tool_result', 'text'])
    expect(answer).toMatchObject({
      name: 'Friday',
      finished_reason: 'completed',
      usage: { input_tokens: 240, output_tokens: 80 },
    })
    expect(story.events.at(0)?.type).toBe('REPLY_START')
    expect(story.events.at(-1)?.type).toBe('REPLY_END')
    expect(story.status).toBe('idle')
    expectFolds(story)
  })

  it('gives every event an id of its own and a later time', () => {
    const { events } = createScenario()
      .user('Hi')
      .reply('Hello')
      .user('More')
      .reply('Here is more of it.')
    const ids = events.map(({ id }) => id)
    const stamps = events.map(({ created_at }) => created_at ?? '')
    expect(new Set(ids).size).toBe(events.length)
    expect(stamps).toEqual([...new Set(stamps)].toSorted())
    expect(stamps[0]).toMatch(/^2026-01-05T09:00:00\.\d{6}$/)
  })

  it('is the same for the same seed, and another for another', () => {
    const tell = (seed: number): Scenario => createScenario({ seed }).user('Hi').reply('Hello')
    expect(tell(1).events).toEqual(tell(1).events)
    expect(tell(1).events.map(({ id }) => id)).not.toEqual(tell(2).events.map(({ id }) => id))
  })

  it('never changes: two endings can be tried on one beginning', () => {
    const asked = createScenario().user('Clean up').reply('I will.', ask(), 'Done.')
    const before = asked.events.length
    const approved = asked.approve()
    const denied = asked.deny('c1')
    expect(asked.events).toHaveLength(before)
    expect(asked.status).toBe('awaiting-confirm')
    expect(asked.waitingCalls).toMatchObject([{ id: 'c1', state: 'asking' }])
    expect(blockOf(approved.messages[1], 'tool_result')).toMatchObject({ state: 'success' })
    expect(blockOf(denied.messages[1], 'tool_result')).toMatchObject({ state: 'denied' })
    expect(approved.events.slice(0, before)).toEqual(asked.events)
    for (const story of [asked, approved, denied]) expectFolds(story)
  })

  it('sends deltas of the sizes it is told', () => {
    const { events } = createScenario().reply(text('abcdefg🌍i', 1, 3))
    const deltas = events.flatMap((event) =>
      event.type === 'TEXT_BLOCK_DELTA' ? [event.delta] : [],
    )
    expect(deltas).toEqual(['a', 'bcd', 'e', 'fg🌍', 'i'])
  })

  it('lets parallel calls come in turns, and takes their answers one by one', () => {
    const asked = createScenario().user('Both').reply(ask('a'), ask('b'), 'Ready.')
    const calls = asked.events.filter(({ type }) => type === 'TOOL_CALL_DELTA')
    expect(calls.slice(0, 2)).toMatchObject([{ tool_call_id: 'a' }, { tool_call_id: 'b' }])
    const half = asked.approve('a')
    expect(half.status).toBe('awaiting-confirm')
    expect(half.waitingCalls).toMatchObject([{ id: 'b' }])
    const done = half.deny('b')
    expect(done.status).toBe('idle')
    for (const story of [asked, half, done]) expectFolds(story)
  })

  it('runs with the arguments that the person edited, and remembers rules', () => {
    const call = toolCall(
      'c1',
      'send',
      { to: 'ana' },
      {
        needs: 'approval',
        outcome: (input) => ({ output: [{ text: `sent ${input}` }] }),
      },
    )
    const rules = [
      { tool_name: 'send', rule_content: null, behavior: 'allow', source: 'suggested' },
    ] as const
    const story = createScenario()
      .user('Send')
      .reply(call, 'Sent.')
      .decide([{ id: 'c1', confirmed: true, input: '{"to":"ben"}', rules }])
      .user('Again')
      .reply({ ...call, id: 'c2' }, 'Sent again.')
    expect(blockOf(story.messages[1], 'tool_result')).toMatchObject({
      output: [{ text: 'sent {"to":"ben"}' }],
    })
    expect(story.status).toBe('idle')
    expect(story.events.some(({ type }) => type === 'CUSTOM')).toBe(true)
    expectFolds(story)
  })

  it('hands out calls and takes the client’s results, pictures too', () => {
    const png = new Uint8Array([137, 80, 78, 71])
    const out = createScenario()
      .user('Where am I?')
      .reply(toolCall('c1', 'locate', {}, { needs: 'execution' }), 'There.')
    expect(out.status).toBe('awaiting-external')
    const told = out.submit('c1', 'Oslo')
    const shown = out.submit('c1', [{ id: 'p', mediaType: 'image/png', bytes: png }], 'error')
    expect(blockOf(told.messages[1], 'tool_result')).toMatchObject({ output: [{ text: 'Oslo' }] })
    expect(blockOf(shown.messages[1], 'tool_result')).toMatchObject({
      state: 'error',
      output: [{ type: 'data', source: { data: 'iVBORw==' } }],
    })
    for (const story of [out, told, shown]) expectFolds(story)
  })

  it('sends data, links and hints', () => {
    const story = createScenario().reply(
      hint('system', 'Runtime State', 'It is Monday.'),
      bytes('d1', 'audio/wav', [new Uint8Array([1, 2]), new Uint8Array([3])], 'voice.wav'),
      link('d2', 'video/mp4', 'https://example.com/a.mp4'),
    )
    expect(kindsOf(story.messages[0])).toEqual(['hint', 'data', 'data'])
    expect(story.messages[0]?.content[1]).toMatchObject({
      name: 'voice.wav',
      source: { data: 'AQID' },
    })
    expectFolds(story)
  })

  it('fails as models and agents do', () => {
    const error = { type: 'rate_limit', message: 'Too many.' } as const
    const cut = createScenario()
      .user('Hi')
      .reply({ kind: 'model', says: [text('It is')], fails: error })
    const ended = createScenario()
      .user('Hi')
      .reply('Well,', { kind: 'end', reason: 'error', error })
    const worn = createScenario().user('Hi').reply({ kind: 'end', reason: 'exceed_max_iters' })
    expect(cut.messages[1]).toMatchObject({ finished_reason: 'error', error })
    expect(cut.messages[1]?.content[0]?.finished_at).toBeNull()
    expect(ended.messages[1]).toMatchObject({ error })
    expect(worn.messages[1]).toMatchObject({ finished_reason: 'exceed_max_iters' })
    for (const story of [cut, ended, worn]) expectFolds(story)
  })

  it('stands still in the middle of a reply, which is not stored then', () => {
    const begun = createScenario().user('Hi').replyUpTo(4, text('Hello there', 5))
    expect(begun.status).toBe('running')
    expect(begun.events).toHaveLength(4)
    expect(begun.messages).toHaveLength(1)
    const finished = begun.finish()
    const stopped = begun.interrupt()
    expect(finished.messages[1]).toMatchObject({ finished_reason: 'completed' })
    expect(stopped.messages[1]).toMatchObject({
      finished_reason: 'interrupted',
      content: [{ text: 'Hello' }],
    })
    for (const story of [finished, stopped]) expectFolds(story)
  })

  it('stops what waits, and leaves a lone start when nothing does', () => {
    const stopped = createScenario().user('Go').reply(ask()).interrupt()
    expect(stopped.messages[1]).toMatchObject({ finished_reason: 'interrupted' })
    expectFolds(stopped)
    const idle = createScenario().interrupt()
    expect(idle).toMatchObject({ messages: [], events: [{ type: 'REPLY_START' }] })
  })

  it('refuses a message while a call waits, as the service does', () => {
    const refused = createScenario().user('Go').reply(ask(), 'Done.').user('Hello?')
    expect(refused.status).toBe('awaiting-confirm')
    expect(refused.messages.at(-1)).toMatchObject({
      name: 'friday',
      finished_reason: 'error',
      error: { type: 'setup' },
      content: [],
    })
    expectFolds(refused)
    const approved = refused.approve()
    expect(approved.messages[1]).toMatchObject({ finished_reason: 'completed' })
    expectFolds(approved)
  })

  it('answers several messages with one reply, goes on without one, and begins by itself', () => {
    const story = createScenario()
      .user('One')
      .user([{ type: 'text', text: 'Two' }])
      .reply('Both.')
      .goOn('And more.')
      .reply('By the way.')
      .user('Thanks')
    expect(story.messages.map(({ role }) => role).join(' ')).toBe(
      'user user assistant assistant assistant user',
    )
    expectFolds(story)
  })

  it('lets a worker ask on the leader’s stream, and takes the answer there', () => {
    const asked = createScenario()
      .user('Research it')
      .reply('I ask a worker.', {
        kind: 'worker',
        name: 'researcher',
        scene: scene('Looking.', ask('w1'), 'Found.'),
        report: (ends) => scene(`The worker is done: ${ends.get('w1')?.state}.`),
      })
    expect(asked.waitingCalls).toMatchObject([{ id: 'w1' }])
    const names = (story: Scenario): string[] =>
      story.events.flatMap((event) => (event.type === 'CUSTOM' ? [event.name] : []))
    expect(names(asked)).toEqual(['team_updated', 'subagent_require_user_confirm'])
    const done = asked.approve('w1')
    expect(names(done).at(-1)).toBe('subagent_user_confirm_result')
    expect(done.messages.at(-1)?.content).toMatchObject([{ text: 'The worker is done: success.' }])
    expectFolds(done)
  })

  it('tells of the app’s own events', () => {
    const { events } = createScenario().announce('progress', { done: 3 })
    expect(events).toMatchObject([{ type: 'CUSTOM', name: 'progress', value: { done: 3 } }])
  })

  it.each<[string, () => Scenario]>([
    ['an answer that nobody waits for', () => createScenario().approve()],
    ['an answer to another call', () => createScenario().reply(ask()).approve('c9')],
    [
      'a result of a call that was not handed out',
      () => createScenario().reply(ask()).submit('c1', ''),
    ],
    [
      'a message while a reply is under way',
      () => createScenario().replyUpTo(2, 'Hello').user('Hi'),
    ],
  ])('tells at once of %s', (_, tell) => {
    expect(tell).toThrow(/./)
  })

  it('says so in a reply when none was scripted', () => {
    const story = createScenario().goOn({
      kind: 'branch',
      next: () => {
        throw new Error('A mistake in the script.')
      },
    })
    expect(story.messages[0]).toMatchObject({ error: { message: 'A mistake in the script.' } })
  })

  it('is a recording that plays to the same messages', async () => {
    const story = createScenario()
      .user('Clean up')
      .reply('I will.', ask(), 'Done.')
      .approve()
      .user('Thanks')
      .reply('You are welcome.')
    const store = createChatStore(recordingBackend(story.toRecording(), { speed: 'instant' }))
    const stop = store.connect()
    await expect.poll(() => store.getState().conversation.messages.length).toBe(4)
    await expect
      .poll(() => store.getState().conversation.messages.at(-1)?.finished_reason)
      .toBe('completed')
    const { messages } = store.getState().conversation
    for (const [index, stored] of story.messages.entries()) {
      const shown = messages[index]
      expect(shown !== undefined && equalsStored(shown, stored)).toBe(true)
    }
    stop()
  })
})
