import { expect } from 'vitest'
import {
  type Anomaly,
  type Conversation,
  createConversation,
  isJsonObject,
  type JsonObject,
  type Msg,
} from '../../src/entries/core.js'
import { parseJavaMessages } from '../../src/entries/java.js'
import { foldTurn } from './foldTurn.js'
import { blocksOf, formOfMemory, formOfMessage } from './normalForm.js'
import type { Scenario } from './scenarios.js'
import { framesOf, type Turn } from './wire.js'

/**
 * Folds a conversation turn by turn and expects what the server says of it: `AGENT_RESULT` after each turn, and in the end the
 * agent's memory.
 *
 * @param scenario - What was played.
 * @param turns - What was posted and what came back.
 * @param memory - The agent's messages after the last turn.
 */
export function expectAgreement(
  scenario: Scenario,
  turns: readonly Turn[],
  memory: readonly JsonObject[],
): void {
  const anomalies: Anomaly[] = []
  const stops: unknown[] = []
  let conversation = createConversation()
  for (const turn of turns) {
    conversation = foldTurn(conversation, turn, (anomaly) => anomalies.push(anomaly))
    expectResult(conversation, turn)
    stops.push(repliesIn(conversation.messages).at(-1)?.finished_reason ?? null)
  }
  expect(anomalies).toEqual([])
  expect(stops).toEqual(scenario.stops)

  const asked = conversation.messages.filter(({ role }) => role === 'user')
  const heard = memory.filter(({ role }) => role === 'USER')
  expect(asked.map(formOfMessage)).toEqual(heard.map((message) => formOfMemory([message])))
  const ours = repliesIn(conversation.messages).map(formOfMessage)
  const remembered = repliesOf(memory, scenario).map(formOfMemory)
  if (scenario.forgotten === undefined) expect(ours).toEqual(remembered)
  else {
    expect(remembered).toEqual([[]])
    expect(ours).toEqual([[{ thinking: '', text: scenario.forgotten, calls: [] }]])
  }
  const stored = repliesIn(parseJavaMessages(memory).messages).map(formOfMessage)
  const said = repliesOf(memory).map(formOfMemory)
  expect(stored).toEqual(said.filter((reply) => reply.length > 0))
}

/** The run's last message says which calls wait, and how the reply ends. */
function expectResult(conversation: Conversation, turn: Turn): void {
  const result = framesOf(turn).find(({ type }) => type === 'AGENT_RESULT')?.['result']
  const message = isJsonObject(result) ? result : {}
  const metadata = isJsonObject(message['metadata']) ? message['metadata'] : {}
  const isSuspended = metadata['agentscope_generate_reason'] === 'TOOL_SUSPENDED'
  const calls = blocksOf(message).filter(({ type }) => type === 'tool_use')
  const waiting = calls.filter(({ state }) => isSuspended || state === 'asking')
  const requests = conversation.requests.flatMap((request) =>
    request.kind === 'input' ? [] : [request.toolCall],
  )
  expect(requests.map(({ id, name }) => ({ id, name }))).toEqual(
    waiting.map(({ id, name }) => ({ id, name })),
  )
  expect(requests.map(({ input }): unknown => JSON.parse(input))).toEqual(
    waiting.map(({ input }) => input),
  )
  if (waiting.length > 0) return
  const [said = { thinking: '', text: '' }] = formOfMemory([message])
  const reply = repliesIn(conversation.messages).at(-1)
  const last = (reply === undefined ? [] : formOfMessage(reply)).at(-1)
  const text = last?.text ?? ''
  expect(text.slice(Math.max(0, text.length - said.text.length))).toBe(said.text)
}

function repliesIn(messages: readonly Msg[]): readonly Msg[] {
  return messages.filter(({ role }) => role === 'assistant')
}

/** The agent's replies as the memory has them: what stands between two messages of the user. */
function repliesOf(memory: readonly JsonObject[], scenario?: Scenario): readonly JsonObject[][] {
  const replies: JsonObject[][] = []
  for (const message of memory) {
    if (message['role'] === 'USER') replies.push([])
    else replies.at(-1)?.push(message)
  }
  if (scenario?.streamed === undefined) return replies
  const { text, instead } = scenario.streamed
  const json = JSON.stringify(replies)
  expect(json).toContain(instead)
  const streamed: JsonObject[][] = JSON.parse(json.replaceAll(instead, text))
  return streamed
}
