import { describe, expect, it } from 'vitest'
import { applyEvents, type Conversation, createConversation } from '../../src/fold/index.js'
import { findMoves, hasForeignStart } from '../../src/store/findMoves.js'
import { replyEnd, replyStart, textDelta, textReply, textStart } from './events.js'

/** A conversation of many replies, the last of which is being written. */
function createLong(count: number): Conversation {
  const replies = Array.from({ length: count }, (_, index) => textReply(`r${index}`, 'Hello'))
  const events = [...replies.flat(), replyStart('last'), textStart('last', 'b')]
  return applyEvents(createConversation(), events)
}

/** The same, counting how often something is looked up in its lists and records. */
function counted(conversation: Conversation): {
  readonly conversation: Conversation
  count: number
} {
  const result = { conversation, count: 0 }
  function watch<Value extends object>(value: Value): Value {
    return new Proxy(value, {
      get(target, key, receiver): unknown {
        result.count += 1
        return Reflect.get(target, key, receiver)
      },
      ownKeys(target) {
        result.count += Object.keys(target).length
        return Reflect.ownKeys(target)
      },
    })
  }
  const { messages, replies } = conversation
  result.conversation = { ...conversation, messages: watch(messages), replies: watch(replies) }
  return result
}

describe('findMoves', () => {
  it('tells of what ended, what runs, and what ended without a beginning', () => {
    const before = createLong(1)
    const heard = [replyEnd('last'), replyEnd('lost'), replyStart('r0')]
    const after = applyEvents(before, [...heard, textDelta('r0', 'r0-t', '!')])
    const moves = findMoves(before, after, [...heard, textDelta('r0', 'r0-t', '!')])
    expect(moves).toEqual({ type: 'moved', stopped: ['last', 'lost'], going: ['r0'] })
  })

  it('tells nothing of what is heard again', () => {
    const before = createLong(1)
    expect(findMoves(before, before, textReply('r0', 'Hello')).stopped).toEqual([])
  })

  it('does the same for a token however long the conversation is', () => {
    const [short, long] = [10, 3_000].map((count) => {
      const before = createLong(count)
      const heard = [textDelta('last', 'b', '.')]
      const after = counted(applyEvents(before, heard))
      const past = counted(before)
      findMoves(past.conversation, after.conversation, heard)
      hasForeignStart(past.conversation, after.conversation)
      return after.count + past.count
    })
    expect(long).toBe(short)
  })
})
