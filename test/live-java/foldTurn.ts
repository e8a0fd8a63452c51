import {
  type Anomaly,
  applyEvents,
  type Conversation,
  type JsonObject,
} from '../../src/entries/core.js'
import { javaDialect, parseJavaMessages } from '../../src/entries/java.js'
import { framesOf, type Turn } from './wire.js'

/** What an answer is called when the server tells of it. */
const ECHOES: Readonly<Record<string, string>> = {
  confirm: 'USER_CONFIRM_RESULT',
  external: 'EXTERNAL_EXECUTION_RESULT',
}

/**
 * Folds what was posted and what came back, as a backend would: with a decoder of its own that knows, as after a reload, only
 * which reply goes on and what was answered.
 *
 * @param conversation - What we had before.
 * @param turn - What was posted, and the frames.
 * @param onAnomaly - Hears of what was odd.
 */
export function foldTurn(
  conversation: Conversation,
  turn: Turn,
  onAnomaly: (anomaly: Anomaly) => void,
): Conversation {
  const echo = echoOf(turn)
  const resumes = echo === undefined ? undefined : waitingReply(conversation)
  const decoder = javaDialect.createDecoder({
    seed: `${conversation.seen.length}:`,
    ...(resumes === undefined ? {} : { resumes }),
  })
  const frames: JsonObject[] = [...framesOf(turn)]
  // No event of 2.0.0 tells what was answered.
  if (echo !== undefined) frames.splice(1, 0, echo)
  const decoded = frames.map((frame) => decoder.push(frame))
  decoded.push(decoder.end(turn.ended === 'eof' ? 'eof' : 'error'))
  for (const { anomalies } of decoded) anomalies.forEach(onAnomaly)
  return applyEvents(conversation, [
    ...userMessages(turn),
    ...decoded.flatMap(({ inputs }) => inputs),
  ])
}

function userMessages({ body }: Turn) {
  const { messages } = parseJavaMessages(body['messages'])
  return messages.map((message) => ({ type: 'kit.user_message' as const, message }))
}

function echoOf({ path, body }: Turn): JsonObject | undefined {
  const type = ECHOES[path]
  if (type === undefined) return undefined
  const { confirmResults = null, toolResults = null } = body
  return { type, id: `${type}:${JSON.stringify(body)}`, confirmResults, toolResults }
}

function waitingReply({ requests }: Conversation): string {
  const request = requests[0]
  if (request === undefined || request.kind === 'input') throw new Error('Nothing waits.')
  return request.replyId
}
