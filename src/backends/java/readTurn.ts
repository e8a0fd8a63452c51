import type {
  Anomaly,
  ConversationInput,
  Decoded,
  Dialect,
  EndCause,
  JsonObject,
} from '../../protocol/index.js'
import { isJsonObject, TransportError } from '../../protocol/index.js'
import type { StreamAnswer } from '../../transports/index.js'

/** Where a turn's reply stands, by what was heard of it. */
export type TurnOutcome = 'running' | 'awaiting-confirm' | 'awaiting-external' | 'ended' | 'broken'

/** What is known of a turn before its first frame. */
export interface TurnInit {
  /** Whose frames they are. */
  readonly dialect: Dialect
  /** Whether a frame is text as it is. */
  readonly isText: boolean
  /** The session. */
  readonly sessionId: string
  /** Unique for what was posted: its id. */
  readonly seed: string
  /** The reply's id in the kit, for a new one: stored messages are found under it. */
  readonly replyId?: string
  /** The reply that goes on. */
  readonly resumes?: string
  /** What was answered, in the wire's words: not every version of the server tells it. */
  readonly echo?: JsonObject
  /** Hears what the frames say. */
  readonly onInputs: (inputs: readonly ConversationInput[]) => void
  /** Hears what was odd. */
  readonly onAnomaly: (anomaly: Anomaly) => void
}

/**
 * Reads the answer to one `POST`: a run, from its start until it ends, waits or breaks off.
 *
 * @param answer - The answer.
 * @param init - What is known of it.
 * @returns Where the reply stands in the end. Never rejects.
 */
export async function readTurn(answer: StreamAnswer, init: TurnInit): Promise<TurnOutcome> {
  const { dialect, isText, sessionId, seed, resumes, onInputs, onAnomaly } = init
  const decoder = dialect.createDecoder({ sessionId, seed, ...(resumes && { resumes }) })
  let { echo } = init
  let wireId: string | undefined
  let outcome: TurnOutcome = 'running'

  function tell({ inputs, anomalies }: Decoded): void {
    wireId ??= inputs.find(isRootStart)?.reply_id
    const named = inputs.map((input) => nameReply(input, wireId, init.replyId))
    for (const input of named) outcome = follow(outcome, input, init)
    if (named.length > 0) onInputs(named)
    anomalies.forEach(onAnomaly)
  }

  function read(text: string): void {
    let frame: unknown = text
    try {
      if (!isText) frame = JSON.parse(text)
    } catch {
      onAnomaly({ kind: 'not-json', message: 'A frame of the stream is no JSON.', raw: text })
      return
    }
    // Once the run says anything the answer has arrived; what it says may be about calls that only the answer names.
    if (echo !== undefined) tell(decoder.push({ ...echo, ...stampOf(frame) }))
    echo = undefined
    tell(decoder.push(frame))
  }

  const error = await answer.read(read).then(() => undefined, asTransportError)
  const isOver = outcome !== 'running'
  tell(decoder.end(endCauseOf(error)))
  return isOver || error === undefined ? outcome : 'broken'
}

/** When a frame was sent, as it says it. */
function stampOf(frame: unknown): JsonObject {
  const { createdAt, created_at: stamp = createdAt ?? null } = isJsonObject(frame) ? frame : {}
  return { createdAt: stamp }
}

function isRootStart(
  input: ConversationInput,
): input is Extract<ConversationInput, { type: 'REPLY_START' }> {
  return input.type === 'REPLY_START' && !input.agent_path?.length
}

/** A run has an id of its own on the wire, under which nothing is stored: the kit's one can be found again. */
function nameReply(
  input: ConversationInput,
  wireId: string | undefined,
  replyId: string | undefined,
): ConversationInput {
  if (wireId === undefined || replyId === undefined) return input
  if (input.type === 'CUSTOM') {
    const { value } = input
    return value?.['reply_id'] === wireId
      ? { ...input, value: { ...value, reply_id: replyId } }
      : input
  }
  return 'reply_id' in input && input.reply_id === wireId ? { ...input, reply_id: replyId } : input
}

function follow(outcome: TurnOutcome, input: ConversationInput, init: TurnInit): TurnOutcome {
  if (!('reply_id' in input) || input.agent_path?.length) return outcome
  const replyId = init.resumes ?? init.replyId
  if (replyId !== undefined && input.reply_id !== replyId) return outcome
  switch (input.type) {
    case 'REPLY_END':
      return input.error?.type === 'connection' ? 'broken' : 'ended'
    case 'REQUIRE_USER_CONFIRM':
      return 'awaiting-confirm'
    case 'REQUIRE_EXTERNAL_EXECUTION':
      return 'awaiting-external'
    case 'USER_CONFIRM_RESULT':
    case 'EXTERNAL_EXECUTION_RESULT':
    case 'MODEL_CALL_START':
      return 'running'
    default:
      return outcome
  }
}

function asTransportError(cause: unknown): TransportError {
  if (cause instanceof TransportError) return cause
  return new TransportError('closed', 'The stream broke off.', { cause })
}

function endCauseOf(error: TransportError | undefined): EndCause {
  if (error === undefined) return 'eof'
  return error.reason === 'aborted' ? 'abort' : 'error'
}
