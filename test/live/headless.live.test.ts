import { afterEach, describe, expect, it, vi } from 'vitest'
import { expectStored } from './expectStored.js'
import { flows } from './flows.js'
import { LiveChat } from './LiveChat.js'
import { ask, foldByAgentScope, newGate, openGate } from './liveService.js'
import { outline, replies } from './normalise.js'
import { saveRecording } from './saveRecording.js'

const opened: LiveChat[] = []

async function open(...args: Parameters<typeof LiveChat.open>): Promise<LiveChat> {
  const chat = await LiveChat.open(...args)
  opened.push(chat)
  return chat
}

afterEach(() => {
  for (const chat of opened.splice(0)) chat.close()
})

describe.each([
  ['with history', true],
  ['with the stream alone', false],
])('the store on the real service, %s', (_, history) => {
  it.each(flows)('shows what is stored: $name ($about)', async (flow) => {
    const chat = await open(history)
    await flow.play(chat)
    await chat.untilStatus((status) => status === flow.ends)
    if (!history) await saveRecording(flow.name, flow.about, chat.session, chat.wire)
    await expectStored(chat)
    await chat.until(
      'rest',
      () => chat.phase === (flow.ends === 'idle' ? 'idle' : 'awaiting-person'),
    )
    expect(chat.anomalies).toEqual([])
    // The same frames, folded by AgentScope itself.
    expect(replies(chat.messages)).toEqual(replies(await foldByAgentScope(chat.wire.frames())))
  })
})

describe('a chat that is opened later', () => {
  it('shows a finished conversation, and nothing changes when the stream repeats its end', async () => {
    const first = await open(true)
    await first.say('Compare the weather in Oslo and Rome.')
    await first.untilEnded(1)
    await first.untilStatus((status) => status === 'idle')
    first.close()

    const second = await open(true, first.session)
    await second.until('history', (state) => state.history.phase === 'ready')
    await expectStored(second)
    // 2.0.11 replays the last event of the finished run on every connect.
    await vi.waitFor(() => expect(second.wire.frames()).toHaveLength(1))
    await expectStored(second)
    expect(second.phase).toBe('idle')
    expect(second.anomalies).toEqual([])
  })

  it('makes no message of a repeated end when there is no history', async () => {
    const first = await open(true)
    await first.say('Why are there tides?')
    await first.untilEnded(1)
    await first.untilStatus((status) => status === 'idle')
    first.close()

    const second = await open(false, first.session)
    await second.untilOpen()
    await vi.waitFor(() => expect(second.wire.frames()).toHaveLength(1))
    await second.say('Use the broken tool.')
    await second.untilEnded(1)
    await second.untilStatus((status) => status === 'idle')
    const stored = await second.session.storedMessages()
    expect(outline(second.messages)).toEqual(outline(stored).slice(2))
    expect(replies(second.messages)).toEqual(replies(stored).slice(1))
  })

  it('finds the waiting request again, and approves it', async () => {
    const first = await open(true)
    await first.say('Move 500 to savings.')
    await first.untilAsked(1)
    first.close()

    const second = await open(true, first.session)
    await second.untilOpen()
    const [request] = await second.untilAsked(1)
    expect(second.phase).toBe('awaiting-person')
    await second.store.commands.confirm({ request: request?.key ?? '', approve: true })
    await second.untilEnded(1)
    await expectStored(second)
    expect(second.anomalies).toEqual([])
  })

  it('joins a run in the middle', async () => {
    const first = await open(true)
    const gate = newGate()
    await first.say(`Tell me a long story. #${gate}`)
    await first.untilWritten('Once upon a time')

    const second = await open(true, first.session)
    await second.untilOpen()
    await second.untilWritten('Once upon a time')
    await openGate(gate)
    await first.untilEnded(1)
    await second.untilEnded(1)
    await expectStored(first)
    await expectStored(second)
    expect(second.anomalies).toEqual([])
  })

  it('sees an answer that was given elsewhere', async () => {
    const first = await open(true)
    await first.say('Move 500 to savings.')
    const [request] = await first.untilAsked(1)
    const second = await open(true, first.session)
    await second.untilOpen()
    await second.untilAsked(1)
    await first.store.commands.confirm({ request: request?.key ?? '', approve: false })
    await second.untilEnded(1)
    expect(second.state.conversation.requests).toEqual([])
    await expectStored(second)
  })
})

describe('a message at the wrong moment', () => {
  it('fails during a run, and goes through on retry', async () => {
    const chat = await open(true)
    const gate = newGate()
    await chat.say(`Tell me a long story. #${gate}`)
    await chat.untilWritten('Once upon a time')
    await chat.store.commands.send('Why are there tides?')
    const id = failedSend(chat)
    await openGate(gate)
    await chat.untilEnded(1)
    await chat.untilStatus((status) => status === 'idle')
    await chat.store.commands.retry(id)
    await chat.untilEnded(2)
    await chat.untilStatus((status) => status === 'idle')
    await expectStored(chat)
  })

  it('is kept back while the agent waits for a person, and goes through afterwards', async () => {
    const chat = await open(true)
    await chat.say('Move 500 to savings.')
    const [request] = await chat.untilAsked(1)
    await chat.store.commands.send('Why are there tides?')
    const id = failedSend(chat)
    expect(await chat.session.storedMessages()).toHaveLength(2)
    await chat.store.commands.confirm({ request: request?.key ?? '', approve: true })
    await chat.untilEnded(1)
    await chat.untilStatus((status) => status === 'idle')
    await chat.store.commands.retry(id)
    await chat.untilEnded(2)
    await chat.untilStatus((status) => status === 'idle')
    await expectStored(chat)
  })

  it('sent elsewhere while the agent waits shows its setup error, and the request stays', async () => {
    const chat = await open(true)
    await chat.say('Move 500 to savings.')
    await chat.untilAsked(1)
    await ask('POST', '/chat/', {
      agent_id: chat.session.agentId,
      session_id: chat.session.sessionId,
      input: { name: 'user', role: 'user', content: [{ type: 'text', text: 'Hello?' }] },
    })
    await chat.untilEnded(1)
    await chat.untilStatus((status) => status === 'awaiting_permission')
    await expectStored(chat)
    const [request] = await chat.untilAsked(1)
    await chat.store.commands.confirm({ request: request?.key ?? '', approve: true })
    await chat.untilEnded(2)
    await expectStored(chat)
  })
})

/** The id of the one message that did not go through. */
function failedSend(chat: LiveChat): string {
  const failed = Object.entries(chat.state.sends).filter(([, send]) => send.phase === 'failed')
  expect(failed).toEqual([
    [
      expect.any(String),
      expect.objectContaining({ error: expect.objectContaining({ reason: 'conflict' }) }),
    ],
  ])
  return failed[0]?.[0] ?? ''
}
