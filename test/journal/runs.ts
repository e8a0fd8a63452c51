import { fc } from '../fc.js'
import { applyEvents, createConversation } from '../../src/fold/index.js'
import type { Conversation } from '../../src/fold/index.js'
import type { AgentEvent, ConversationInput, Msg } from '../../src/protocol/index.js'
import { withoutClocks } from '../fold/recordings.js'
import { askedCall, type Clock, script, userMessage } from '../fold/script.js'
import { pageOf } from './database.js'

/** How one turn of a conversation goes. */
interface Turn {
  readonly deltas: readonly string[]
  /** Whether a call waits for a person, who then approves. */
  readonly parks: boolean
  /** Whether the service stores it: it does not when it could not even begin. */
  readonly isStored: boolean
  /** Whether history is read when it parks or ends. */
  readonly isRead: boolean
}

/** Turns as they may go. */
const anyTurns: fc.Arbitrary<readonly Turn[]> = fc.array(
  fc.record<Turn>({
    deltas: fc.array(fc.constantFrom('a', 'bc', 'déf', ' ', '\n'), {
      minLength: 1,
      maxLength: 5,
    }),
    parks: fc.boolean(),
    isStored: fc.constantFrom(true, true, true, false),
    isRead: fc.constantFrom(true, true, false),
  }),
  { minLength: 1, maxLength: 5 },
)

/** A conversation as a tab that hears everything hears it. */
export const run: fc.Arbitrary<readonly ConversationInput[]> = anyTurns.map(hearTurns)

/** The same, of a service that stores all of it, where each reply is compared with what is stored. */
export const storedRun: fc.Arbitrary<readonly ConversationInput[]> = anyTurns.map((list) =>
  hearTurns(list.map((turn) => ({ ...turn, isStored: true, isRead: true }))),
)

/** What a tab hears of turns, from the first to the last. */
function hearTurns(turns: readonly Turn[]): readonly ConversationInput[] {
  const clock: Clock = { moment: 0 }
  const heard: ConversationInput[] = [pageOf([], false)]
  const said: ConversationInput[] = []
  const stored = new Set<string>()
  const read = (turn: Turn, ...ids: readonly string[]): void => {
    if (turn.isStored) for (const id of ids) stored.add(id)
    if (turn.isRead) heard.push(pageOf(messagesOf(said, stored), false))
  }
  const hear = (...inputs: readonly ConversationInput[]): void => {
    heard.push(...inputs)
    said.push(...inputs)
  }
  for (const [index, turn] of turns.entries()) {
    const [userId, replyId] = [`u${index}`, `r${index}`]
    hear({ type: 'kit.user_message', message: userMessage(userId, 'Hello') })
    hear(...eventsBefore(turn, replyId, clock))
    if (turn.parks) {
      read(turn, userId, replyId)
      hear(...eventsAfter(turn, replyId, clock))
    }
    hear(script(replyId, clock).end())
    read(turn, userId, replyId)
  }
  return heard
}

function eventsBefore({ deltas, parks }: Turn, replyId: string, clock: Clock): AgentEvent[] {
  const { start, modelStart, text, modelEnd, call, ask } = script(replyId, clock)
  return [
    start(),
    modelStart(),
    ...text('before', ...deltas),
    ...(parks ? call('call', '{}') : []),
    modelEnd(10, 5),
    ...(parks ? [ask(askedCall('call'))] : []),
  ]
}

function eventsAfter({ deltas }: Turn, replyId: string, clock: Clock): AgentEvent[] {
  const { start, decide, resultStart, resultText, resultEnd, modelStart, text, modelEnd } = script(
    replyId,
    clock,
  )
  return [
    decide(true, askedCall('call')),
    start(),
    resultStart('call'),
    resultText('call', 'done'),
    resultEnd('call'),
    modelStart(),
    ...text('after', ...deltas),
    modelEnd(10, 5),
  ]
}

function messagesOf(said: readonly ConversationInput[], stored: ReadonlySet<string>): Msg[] {
  const { messages } = applyEvents(createConversation(), said)
  return messages.filter(({ id }) => stored.has(id))
}

/** What a reader sees of inputs, apart from clocks. */
export function fold(inputs: readonly ConversationInput[]): unknown {
  return look(applyEvents(createConversation(), inputs))
}

/** What a reader sees of a conversation, apart from clocks. */
export function look({ messages, replies, requests }: Conversation): unknown {
  return {
    messages: messages.map(withoutClocks),
    requests: requests.map(({ key }) => key),
    open: Object.values(replies)
      .filter(({ phase }) => phase !== 'ended')
      .map(({ replyId, phase }) => `${replyId} ${phase}`),
  }
}
