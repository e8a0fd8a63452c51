// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { createConversation } from '../../src/fold/index.js'
import { createTaps } from '../../src/store/createTaps.js'
import { replyStart } from './events.js'

/** The events of the longest log that a service repeats, the Task API's. */
const LOG = 20_000

describe('createTaps', () => {
  it('tells of each event of the longest log once, though all of it is repeated', () => {
    const heard: string[] = []
    const taps = createTaps()
    taps.add({ onEvent: ({ id = '' }) => heard.push(id) })
    const conversation = createConversation()
    const log = Array.from({ length: 2 * LOG }, (_, index) => ({
      ...replyStart('r1'),
      id: `event-${index}`,
    }))
    taps.committed(log, conversation, conversation)
    taps.committed(log.slice(-LOG), conversation, conversation)
    expect(heard).toEqual(log.map(({ id }) => id))
  })
})
