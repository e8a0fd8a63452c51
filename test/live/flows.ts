import { expect } from 'vitest'
import type { LiveChat } from './LiveChat.js'
import { newGate, openGate, type SessionStatus } from './liveService.js'

/** One thing that can happen in a chat, played on the real service. */
export interface Flow {
  readonly name: string
  readonly about: string
  /** Where the session stands when the flow is over. */
  readonly ends: SessionStatus
  readonly play: (chat: LiveChat) => Promise<void>
}

/** What people do in a chat, and where the service does something of its own. */
export const flows: readonly Flow[] = [
  {
    name: 'thinking-answer',
    about: 'A plain answer with thinking, Markdown and Chinese',
    ends: 'idle',
    play: async (chat) => {
      await chat.say('Why are there tides?')
      await chat.untilEnded(1)
    },
  },
  {
    name: 'two-turns',
    about: 'A second question after the first answer',
    ends: 'idle',
    play: async (chat) => {
      await chat.say('Why are there tides?')
      await chat.untilEnded(1)
      await chat.untilStatus((status) => status === 'idle')
      await chat.say('Compare the weather in Oslo and Rome.')
      await chat.untilEnded(2)
    },
  },
  {
    name: 'parallel-tools',
    about: 'Two tools at once, their arguments and results interleaved',
    ends: 'idle',
    play: async (chat) => {
      await chat.say('Compare the weather in Oslo and Rome.')
      await chat.untilEnded(1)
    },
  },
  {
    name: 'ask-approve',
    about: 'A tool asks, the person approves',
    ends: 'idle',
    play: async (chat) => {
      await chat.say('Move 500 to savings.')
      const [request] = await chat.untilAsked(1)
      expect(chat.phase).toBe('awaiting-person')
      await chat.store.commands.confirm({ request: request?.key ?? '', approve: true })
      await chat.untilEnded(1)
    },
  },
  {
    name: 'ask-approve-with-rule',
    about: 'A tool asks, the person approves and takes the suggested rule',
    ends: 'idle',
    play: async (chat) => {
      await chat.say('Move 500 to savings.')
      const [request] = await chat.untilAsked(1)
      const rules = request?.toolCall.suggested_rules ?? []
      await chat.store.commands.confirm({ request: request?.key ?? '', approve: true, rules })
      await chat.untilEnded(1)
      await chat.until('the news of the rule', (state) =>
        JSON.stringify(state.conversation.notices['state_updated'] ?? {}).includes('transfer'),
      )
    },
  },
  {
    name: 'ask-deny',
    about: 'A tool asks, the person denies',
    ends: 'idle',
    play: async (chat) => {
      await chat.say('Move 500 to savings.')
      const [request] = await chat.untilAsked(1)
      await chat.store.commands.confirm({ request: request?.key ?? '', approve: false })
      await chat.untilEnded(1)
    },
  },
  {
    name: 'two-asks-one-by-one',
    about: 'Two tools ask at once; one is approved, later the other is denied',
    ends: 'idle',
    play: async (chat) => {
      await chat.say('Pay the rent and the power bill.')
      const [first] = await chat.untilAsked(2)
      await chat.store.commands.confirm({ request: first?.key ?? '', approve: true })
      const [second] = await chat.untilAsked(1)
      expect(second?.toolCall.name).toBe('remove')
      await chat.store.commands.confirm({ request: second?.key ?? '', approve: false })
      await chat.untilEnded(1)
    },
  },
  {
    name: 'ask-parked',
    about: 'A tool asks and nobody answers',
    ends: 'awaiting_permission',
    play: async (chat) => {
      await chat.say('Move 500 to savings.')
      await chat.untilAsked(1)
    },
  },
  {
    name: 'external-tool',
    about: 'A tool that the client runs',
    ends: 'idle',
    play: async (chat) => {
      await chat.say('Where am I?')
      const [request] = await chat.untilAsked(1)
      expect(request?.kind).toBe('external')
      await chat.store.commands.submitResults({ request: request?.key ?? '', output: 'Bergen' })
      await chat.untilEnded(1)
    },
  },
  {
    name: 'ask-user',
    about:
      'A question: an answer in the wrong form ends the reply, and the right one takes it up again',
    ends: 'idle',
    play: async (chat) => {
      await chat.say('Help me choose a colour.')
      const [request] = await chat.untilAsked(1)
      const answer = { request: request?.key ?? '', output: 'Red' }
      await chat.store.commands.submitResults(answer) // AskUser wants its answers as metadata, too.
      await chat.untilEnded(1)
      expect(chat.messages.at(-1)).toMatchObject({ finished_reason: 'error' })
      await chat.untilAsked(1)
      const answers = [{ question: 'Which colour do you want?', selected: ['Red'], other: null }]
      await chat.store.commands.submitResults({ ...answer, metadata: { answers } })
      await chat.untilWritten('A good choice.')
      await chat.untilEnded(1)
    },
  },
  {
    name: 'interrupt-streaming',
    about: 'Interrupted while the answer streams',
    ends: 'idle',
    play: async (chat) => {
      await chat.say(`Count to a hundred. #${newGate()}`)
      await chat.untilWritten('1 2 3 4 5')
      expect(chat.phase).toBe('streaming')
      await chat.store.commands.interrupt()
      await chat.untilEnded(1)
    },
  },
  {
    name: 'interrupt-tool',
    about: 'Interrupted while a tool runs',
    ends: 'idle',
    play: async (chat) => {
      await chat.say(`Wait for the parcel. #${newGate()}`)
      await chat.untilWritten('"tool_result"')
      await chat.store.commands.interrupt()
      await chat.untilEnded(1)
    },
  },
  {
    name: 'interrupt-parked',
    about: 'Parked with an ask and a tool of the client, then interrupted',
    ends: 'idle',
    play: async (chat) => {
      await chat.say('Move 20 to savings and tell me where I am.')
      await chat.untilAsked(2)
      await chat.store.commands.interrupt()
      await chat.untilEnded(1)
      expect(chat.state.conversation.requests).toEqual([])
    },
  },
  {
    name: 'model-error',
    about: 'The model fails in the middle of an answer',
    ends: 'idle',
    play: async (chat) => {
      await chat.say('Break down.')
      await chat.untilEnded(1)
      expect(chat.messages.at(-1)).toMatchObject({
        finished_reason: 'error',
        error: { type: 'unknown' },
      })
    },
  },
  {
    name: 'reconnect-mid-run',
    about: 'The connection breaks in the middle of an answer, which goes on after it is back',
    ends: 'idle',
    play: async (chat) => {
      const gate = newGate()
      await chat.say(`Tell me a long story. #${gate}`)
      await chat.untilWritten('Once upon a time')
      chat.wire.cut()
      await chat.until('the loss', (state) => state.connection.phase !== 'open')
      chat.store.commands.retryNow()
      await chat.untilOpen()
      await openGate(gate)
      await chat.untilEnded(1)
      expect(chat.wire.connections()).toBe(2)
    },
  },
  {
    name: 'picture-in-pieces',
    about: 'A tool gives a picture in two chunks under one id, and an address',
    ends: 'idle',
    play: async (chat) => {
      await chat.say('Draw the chart.')
      await chat.untilEnded(1)
    },
  },
  {
    name: 'spoken-answer',
    about: 'Sound beside a text that is still open',
    ends: 'idle',
    play: async (chat) => {
      await chat.say('Read me the news.')
      await chat.untilEnded(1)
    },
  },
  {
    name: 'failed-tool',
    about: 'A tool raises',
    ends: 'idle',
    play: async (chat) => {
      await chat.say('Use the broken tool.')
      await chat.untilEnded(1)
    },
  },
]
