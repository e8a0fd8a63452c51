import type { FinishedReason } from '../../src/entries/core.js'
import type { JavaSession } from './JavaSession.js'

/** A conversation with a Java program. */
export interface Scenario {
  readonly name: string
  /** What happens in it, for who reads the recording. */
  readonly about: string
  /** Why each turn's reply stopped; null = it waits. */
  readonly stops: readonly (FinishedReason | null)[]
  /** What was streamed instead of what is remembered. */
  readonly streamed?: { readonly text: string; readonly instead: string }
  /** A text that was streamed and is not remembered. */
  readonly forgotten?: string
  readonly play: (session: JavaSession) => Promise<void>
}

const says = (
  name: string,
  about: string,
  stop: FinishedReason | null = 'completed',
): Scenario => ({ name, about, stops: [stop], play: (session) => session.chat(name) })

/** A red pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=='

const allow = { confirmed: true }
const deny = { confirmed: false }
const allowForGood = {
  confirmed: true,
  rules: [{ tool_name: 'delete_file', rule_content: null, behavior: 'allow', source: 'user' }],
}

/** Every conversation that is played, recorded and compared. */
export const scenarios: readonly Scenario[] = [
  says('plain', 'A text in pieces.'),
  {
    name: 'picture-sent',
    about: 'A message of a text and a picture.',
    stops: ['completed'],
    play: (session) =>
      session.chat([
        { type: 'text', text: 'plain' },
        {
          type: 'data',
          name: null,
          source: { type: 'base64', media_type: 'image/png', data: PIXEL },
        },
      ]),
  },
  says('thinking', 'Thoughts, then a text.'),
  says('text-tool-text', 'A text, a tool call in fragments, its result, a text.'),
  says('text-around-tool', 'Thoughts, a text, a call and another text in one model call.'),
  says('parallel-tools', 'Two calls in one model call, one after the other.'),
  says('interleaved-tools', 'Two calls in one model call, their fragments in turns.'),
  {
    ...says('tool-in-chunks', 'A tool that hands out its result in chunks.'),
    streamed: { text: 'one two ', instead: 'one two three' },
  },
  says('tool-fails', 'A tool that throws.'),
  says('picture', 'A tool result of a text and a picture.'),
  {
    name: 'ask-approve',
    about: 'A call that asks first, and is allowed.',
    stops: [null, 'completed'],
    play: async (session) => {
      await session.chat('ask')
      await session.decide(() => allow)
    },
  },
  {
    name: 'ask-deny',
    about: 'A call that asks first, and is denied.',
    stops: [null, 'completed'],
    play: async (session) => {
      await session.chat('ask')
      await session.decide(() => deny)
    },
  },
  {
    name: 'ask-edit',
    about: 'A call that asks first, and is allowed with other arguments.',
    stops: [null, 'completed'],
    play: async (session) => {
      await session.chat('ask')
      const input = JSON.stringify({ path: '/other.txt' })
      await session.decide(({ toolCall }) => ({ ...allow, tool_call: { ...toolCall, input } }))
    },
  },
  {
    name: 'ask-rule',
    about: 'A call that asks first is allowed for good: the next turn does not ask.',
    stops: [null, 'completed', 'completed'],
    play: async (session) => {
      await session.chat('ask')
      await session.decide(() => allowForGood)
      await session.chat('ask-again')
    },
  },
  {
    name: 'ask-two',
    about: 'Three calls, two of which ask: one is allowed, the other denied, in one answer.',
    stops: [null, 'completed'],
    play: async (session) => {
      await session.chat('ask-two')
      await session.decide((_, at) => (at === 0 ? allow : deny))
    },
  },
  {
    name: 'ask-in-parts',
    about: 'Two calls ask: first one of them is allowed, then the other is denied.',
    stops: [null, null, 'completed'],
    play: async (session) => {
      await session.chat('ask-two')
      await session.decide(() => allow, 1)
      await session.decide(() => deny)
    },
  },
  {
    name: 'external',
    about: "A tool of the client's own (a schema without code): its result comes from outside.",
    stops: [null, 'completed'],
    play: async (session) => {
      await session.chat('external')
      await session.handOver('Paris')
    },
  },
  {
    name: 'suspended',
    about: 'A tool that suspends itself with a reason, until its result comes from outside.',
    stops: [null, 'completed'],
    play: async (session) => {
      await session.chat('suspended')
      await session.handOver('signed')
    },
  },
  {
    name: 'external-and-ask',
    about: 'A call for the client beside one that asks: it is allowed, then the client answers.',
    stops: [null, null, 'completed'],
    play: async (session) => {
      await session.chat('external-and-ask')
      await session.decide(() => allow)
      await session.handOver('Paris')
    },
  },
  says('forbidden', 'A call that a rule denies.'),
  {
    name: 'forbidden-and-ask',
    about: 'A call that a rule denies beside one that asks and is allowed.',
    stops: [null, 'completed'],
    play: async (session) => {
      await session.chat('forbidden-and-ask')
      await session.decide(() => allow)
    },
  },
  {
    name: 'repeated-call-ids',
    about: 'A model that gives the call of the second turn the id of the first: it is never run.',
    stops: ['completed', 'completed'],
    play: async (session) => {
      await session.chat('text-tool-text')
      await session.chat('text-tool-text')
    },
  },
  {
    name: 'interrupt-streaming',
    about: 'An interrupt while a text streams.',
    stops: ['interrupted'],
    play: (session) => session.chat('slow', 'TEXT_BLOCK_DELTA'),
  },
  {
    name: 'interrupt-tool',
    about: 'An interrupt while a tool runs.',
    stops: ['interrupted'],
    play: (session) => session.chat('slow-tool', 'TOOL_RESULT_START'),
  },
  {
    name: 'two-turns',
    about: 'Two turns of one session.',
    stops: ['completed', 'completed'],
    play: async (session) => {
      await session.chat('plain')
      await session.chat('text-tool-text')
    },
  },
  says(
    'max-iterations',
    'A model that calls a tool in each turn it has; then a summary.',
    'exceed_max_iters',
  ),
  {
    ...says('model-error', 'A model that fails in the middle of a text.', 'error'),
    forgotten: 'I was about to say',
  },
  says('thinking-only', 'A model that only thinks.'),
  says('empty', 'A model that says nothing.'),
]
