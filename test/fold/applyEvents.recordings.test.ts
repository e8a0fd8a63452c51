import { describe, expect, it } from 'vitest'
import { applyEvents, createConversation, equalsStored } from '../../src/fold/index.js'
import { type Anomaly, parseMessages } from '../../src/protocol/index.js'
import { framesOf, inputsOf, ownSteps, readRecordings } from './recordings.js'

describe('applyEvents', () => {
  const recordings = readRecordings()
  const whole = recordings.filter((r) => r.fold_equals_final || r.name === 'phantom-reply-start')

  it.each(whole)('folds the frames of $name to the stored messages, history off', (recording) => {
    const odd: Anomaly[] = []
    const folded = applyEvents(createConversation(), framesOf(recording), (a) => odd.push(a))
    const stored = parseMessages(recording.final.messages).messages.filter(
      (m) => m.role === 'assistant',
    )
    expect(folded.messages.map((m) => m.id)).toEqual(stored.map((m) => m.id))
    for (const [i, m] of folded.messages.entries()) {
      if (!equalsStored(m, stored[i]!)) expect(m).toEqual(stored[i])
      expect(equalsStored(m, stored[i]!)).toBe(true)
    }
    expect(folded.requests).toEqual([])
    expect(odd.map((a) => a.message)).toEqual([])
  })
  it.each(whole)('orders the messages of $name as they are stored', (recording) => {
    const folded = applyEvents(createConversation(), ownSteps(recording).flatMap(inputsOf))
    const storedIds = recording.final.messages.map((m) => m.id)
    expect(folded.messages.map((m) => m.id).filter((id) => storedIds.includes(id))).toEqual(
      storedIds,
    )
  })
})
