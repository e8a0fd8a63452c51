import type { JavaSession, JsonRecord } from './JavaSession.js'

/** A conversation with the Java program. */
export interface Scenario {
  readonly name: string
  /** What happens in it, for who reads the recording. */
  readonly about: string
  readonly play: (session: JavaSession) => Promise<unknown>
}

const says = (name: string, about: string, text: string = name): Scenario => ({
  name,
  about,
  play: (session) => session.chat(text),
})

/** The arguments that a person changed the call's to: the agent reads `content`, so both change. */
const edited = { path: '/other.txt' }

/** A result of the client's own for a call, as the agent's JSON spells it. */
const result = (name: string, text: string): JsonRecord => ({
  type: 'tool_result',
  id: 'call_1',
  name,
  output: [{ type: 'text', text }],
  state: 'success',
})

/** Every conversation that is played, recorded and compared. */
export const scenarios: readonly Scenario[] = [
  says('plain', 'A text in pieces.'),
  says('thinking', 'Thoughts, then a text.'),
  says('text-tool-text', 'A text, a tool call in fragments, its result, a text.'),
  says('text-around-tool', 'Thoughts, a text, a call and another text in one model call.'),
  says('parallel-tools', 'Two calls in one model call, one after the other.'),
  says('interleaved-tools', 'Two calls in one model call, their fragments in turns.'),
  says('tool-in-chunks', 'A tool that hands out its result in chunks.'),
  says('tool-fails', 'A tool that throws.'),
  says('picture', 'A tool result of a text and a picture.'),
  {
    name: 'ask-approve',
    about: 'A call that asks first, and is allowed.',
    play: async (session) => {
      await session.chat('ask')
      await session.confirm(
        session.asked().map((toolCall) => ({ confirmed: true, toolCall, rules: null })),
      )
    },
  },
  {
    name: 'ask-deny',
    about: 'A call that asks first, and is denied.',
    play: async (session) => {
      await session.chat('ask')
      await session.confirm(
        session.asked().map((toolCall) => ({ confirmed: false, toolCall, rules: null })),
      )
    },
  },
  {
    name: 'ask-edit',
    about: 'A call that asks first, and is allowed with other arguments.',
    play: async (session) => {
      await session.chat('ask')
      await session.confirm(
        session.asked().map((call) => ({
          confirmed: true,
          toolCall: { ...call, input: edited, content: JSON.stringify(edited) },
          rules: null,
        })),
      )
    },
  },
  {
    name: 'ask-rule',
    about: 'A call that asks first is allowed for good: the next turn does not ask.',
    play: async (session) => {
      await session.chat('ask')
      const rule = {
        tool_name: 'delete_file',
        rule_content: null,
        behavior: 'allow',
        source: 'user',
      }
      await session.confirm(
        session.asked().map((toolCall) => ({ confirmed: true, toolCall, rules: [rule] })),
      )
      await session.chat('ask-again')
    },
  },
  {
    name: 'repeated-call-ids',
    about: 'A model that gives the call of the second turn the id of the first: it is never run.',
    play: async (session) => {
      await session.chat('text-tool-text')
      await session.chat('text-tool-text')
    },
  },
  {
    name: 'ask-two',
    about: 'Three calls, two of which ask: one is allowed, the other denied, in one answer.',
    play: async (session) => {
      await session.chat('ask-two')
      await session.confirm(
        session.asked().map((toolCall, at) => ({ confirmed: at === 0, toolCall, rules: null })),
      )
    },
  },
  {
    name: 'ask-in-parts',
    about: 'Two calls ask: first one of them is allowed, then the other is denied.',
    play: async (session) => {
      await session.chat('ask-two')
      const [first, second] = session.asked()
      await session.confirm([{ confirmed: true, toolCall: first, rules: null }])
      await session.confirm([{ confirmed: false, toolCall: second, rules: null }])
    },
  },
  {
    name: 'external',
    about: "A tool of the client's own (a schema without code): its result comes from outside.",
    play: async (session) => {
      await session.chat('external')
      await session.external([result('locate_user', 'Paris')])
    },
  },
  {
    name: 'suspended',
    about: 'A tool that suspends itself with a reason, until its result comes from outside.',
    play: async (session) => {
      await session.chat('suspended')
      await session.external([result('sign', 'signed')])
    },
  },
  {
    name: 'interrupt-streaming',
    about: 'An interrupt while a text streams.',
    play: (session) => session.chatUntil('slow', 'TEXT_BLOCK_DELTA'),
  },
  {
    name: 'interrupt-tool',
    about: 'An interrupt while a tool runs.',
    play: (session) => session.chatUntil('slow-tool', 'TOOL_RESULT_START'),
  },
  {
    name: 'two-turns',
    about: 'Two turns of one session.',
    play: async (session) => {
      await session.chat('plain')
      await session.chat('text-tool-text')
    },
  },
  says('forbidden', 'A call that a rule denies.'),
  {
    name: 'forbidden-and-ask',
    about: 'A call that a rule denies beside one that asks and is allowed.',
    play: async (session) => {
      await session.chat('forbidden-and-ask')
      await session.confirm(
        session.asked().map((toolCall) => ({ confirmed: true, toolCall, rules: null })),
      )
    },
  },
  {
    name: 'external-and-ask',
    about: 'A call for the client beside one that asks: it is allowed, then the client answers.',
    play: async (session) => {
      await session.chat('external-and-ask')
      await session.confirm(
        session.asked().map((toolCall) => ({ confirmed: true, toolCall, rules: null })),
      )
      await session.external([result('locate_user', 'Paris')])
    },
  },
  says('max-iterations', 'A model that calls a tool in its only turn; then a summary.'),
  says('model-error', 'A model that fails in the middle of a text.'),
  says('thinking-only', 'A model that only thinks.'),
  says('empty', 'A model that says nothing.'),
]
