// @vitest-environment node
import { describe, expect, it } from 'vitest'
import type { KnownTask } from '../../../src/backends/task-api/createTaskMemory.js'
import { createTaskReader } from '../../../src/backends/task-api/createTaskReader.js'
import { applyEvents, createConversation, type Conversation } from '../../../src/fold/index.js'
import type { JsonObject } from '../../../src/protocol/index.js'
import {
  BEGIN,
  CALL,
  entries,
  type Said,
  text,
  toolEnds,
  toolRuns,
} from '../../dialects/task-api/pages.js'

/** One who reads a task, and what it kept of it. */
function createReading(before: Conversation = createConversation()) {
  let conversation = before
  let known: KnownTask = { id: 't-1', sent: 'm-1' }
  const reader = createTaskReader({
    conversationId: () => 'c-1',
    onInputs: (inputs) => {
      conversation = applyEvents(conversation, inputs)
    },
    onAnomaly: ({ message }) => {
      throw new Error(message)
    },
    findSent: () => undefined,
    onOpener: (_, opener) => {
      known = { ...known, opener }
    },
    onPrimer: (_, primer, cursor) => {
      known = { ...known, primer, cursor }
    },
  })
  return {
    reader,
    conversation: () => conversation,
    known: () => JSON.parse(JSON.stringify(known)),
  }
}

function pageOf(events: readonly JsonObject[], status = 'running'): JsonObject {
  const next = Number(events.at(-1)?.['idx'] ?? -1) + 1
  return { task_id: 't-1', status, events, next_offset: next }
}

const handOver: Said = [
  'user_message',
  {
    message: 'Go on',
    message_id: 'm-2',
    message_source: 'compression_handoff',
    visibility: 'chat',
  },
]
const long = text(...Array.from({ length: 600 }, (_, index) => `${index} `))
const task: readonly Said[] = [
  ...BEGIN,
  ...text('First.'),
  handOver,
  ...BEGIN,
  ...toolRuns('a'),
  toolEnds('a', 'Done'),
  CALL,
  ...long,
  CALL,
  ...text('Last.'),
  ['task_complete', {}],
]

describe('createTaskReader', () => {
  it.each([8, 20, 300, 560, 618, 622])(
    'names replies and blocks as before when it reads on after event %i',
    (middle) => {
      const events = entries(task)
      const whole = createReading()
      whole.reader.begin({ id: 't-1', sent: 'm-1' })
      whole.reader.read(pageOf(events))
      const first = createReading()
      first.reader.begin({ id: 't-1', sent: 'm-1' })
      first.reader.read(pageOf(events.slice(0, middle)))
      const second = createReading(first.conversation())
      second.reader.begin(first.known())
      // What is kept of a short beginning is nothing: such a task is told again.
      second.reader.read(pageOf(middle > 500 ? events.slice(middle - 30) : events))
      expect(second.conversation().messages).toEqual(whole.conversation().messages)
      expect(second.conversation().messages.map(({ id }) => id)).toEqual(['m-1:reply', 'm-2:reply'])
    },
  )
})
