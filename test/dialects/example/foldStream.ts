import { applyEvents, createConversation, type Conversation } from '../../../src/entries/core.js'
import { javaDialect } from '../../../src/entries/java.js'

/** The conversation that frames of AgentScope Java give, after each of them. */
export async function* follow(frames: AsyncIterable<unknown>): AsyncGenerator<Conversation> {
  const decoder = javaDialect.createDecoder({ seed: 'turn-1:' })
  let conversation = createConversation()
  for await (const frame of frames) {
    conversation = applyEvents(conversation, decoder.push(frame).inputs)
    yield conversation
  }
  yield applyEvents(conversation, decoder.end('eof').inputs)
}
