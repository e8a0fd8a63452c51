// @vitest-environment node
// Random conversations, as a service would have them: whatever a client hears of one, the messages that are stored come out.
import { fc } from '../fc.js'
import { describe, expect, it } from 'vitest'
import { applyEvents, type Conversation, createConversation } from '../../src/fold/index.js'
import type { ConversationInput, Msg } from '../../src/protocol/index.js'
import type { Scenario } from '../../src/testing/index.js'
import { disturbed, randomRun, streamFaults } from './randomRuns.js'
import { withoutClocks } from './recordings.js'

const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 })

/** Folds in batches. */
function foldIn(
  inputs: readonly ConversationInput[],
  cut: readonly number[],
  from: Conversation = createConversation(),
): Conversation {
  let conversation = from
  for (let start = 0, turn = 0; start < inputs.length; turn += 1) {
    const size = cut[turn % cut.length] ?? 1
    conversation = applyEvents(conversation, inputs.slice(start, start + size))
    start += size
  }
  return conversation
}

function clean(messages: readonly Msg[]): readonly unknown[] {
  return messages.map(withoutClocks)
}

/** The history that a service would give now. */
function historyOf({ messages }: Scenario): ConversationInput {
  return { type: 'kit.snapshot', mode: 'merge', is_running: false, messages }
}

function waitingFor({ requests }: Conversation): readonly string[] {
  return requests
    .flatMap((request) => (request.kind === 'input' ? [] : [request.toolCall.id]))
    .toSorted()
}

function expectStored(conversation: Conversation, scenario: Scenario): void {
  expect(clean(conversation.messages)).toEqual(clean(scenario.messages))
  expect(waitingFor(conversation)).toEqual(scenario.waitingCalls.map(({ id }) => id).toSorted())
  const replies = Object.values(conversation.replies)
  expect(replies.filter(({ isComplete }) => !isComplete)).toEqual([])
  expect(replies.filter(({ phase }) => phase === 'running')).toEqual([])
}

describe('applyEvents on a random conversation', { timeout: 60_000 }, () => {
  it('gives what is stored from the stream alone, in any batches', () => {
    fc.assert(
      fc.property(randomRun, sizes, (scenario, cut) => {
        expectStored(foldIn(scenario.inputs, cut), scenario)
      }),
    )
  })

  it('gives what is stored though events come twice, or again after a reconnect', () => {
    fc.assert(
      fc.property(randomRun, streamFaults, sizes, (scenario, faults, cut) => {
        const harmless = faults.filter(([fault]) => fault !== 'drop' && fault !== 'swap')
        expectStored(foldIn(disturbed(scenario.inputs, harmless), cut), scenario)
      }),
    )
  })

  it('gives what is stored when history is read after any faults', () => {
    fc.assert(
      fc.property(randomRun, streamFaults, sizes, (scenario, faults, cut) => {
        const heard = foldIn(disturbed(scenario.inputs, faults), cut)
        expectStored(applyEvents(heard, [historyOf(scenario)]), scenario)
      }),
    )
  })

  it('gives what is stored when all is heard again after history', () => {
    fc.assert(
      fc.property(randomRun, streamFaults, sizes, (scenario, faults, cut) => {
        const read = applyEvents(createConversation(), [historyOf(scenario)])
        const after = foldIn(scenario.events, cut, read)
        expectStored(after, scenario)
        expect(after.messages).toEqual(read.messages)
        const again = applyEvents(foldIn(disturbed(scenario.events, faults), cut, read), [
          historyOf(scenario),
        ])
        expectStored(again, scenario)
      }),
    )
  })

  it('keeps every object when history says the same', () => {
    fc.assert(
      fc.property(randomRun, (scenario) => {
        const heard = applyEvents(createConversation(), scenario.inputs)
        const read = applyEvents(heard, [historyOf(scenario)])
        const moved = read.messages.filter(
          ({ content }, index) => content !== heard.messages[index]?.content,
        )
        expect(moved.filter(({ role }) => role === 'assistant')).toEqual([])
      }),
    )
  })
})
