import type { ReplyError, Usage } from '../../protocol/index.js'
import type { FailedAttempt, ModelStep } from './AgentScript.js'
import type { Play } from './Pace.js'
import type { Reply } from './Reply.js'
import type { PlacedCall } from './storedBlock.js'

/** Thrown when the script says that the model fails. */
export class ModelFailed extends Error {
  /** The class's name, for logs. */
  override readonly name: string = 'ModelFailed'
  /** What the reply ends with. */
  readonly reason: ReplyError

  /** @param reason - What the reply ends with. */
  constructor(reason: ReplyError) {
    super(reason.message)
    this.reason = reason
  }
}

const NO_TOKENS: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_input_tokens: 0,
  cache_creation_input_tokens: 0,
}

/** What one piece sends, in order. */
type Lane = (() => void)[]

/**
 * Plays one call of the model. Interrupted, it closes what is open, ends as interrupted, and throws `Interrupted` on.
 *
 * @param reply - The reply it writes.
 * @param step - What it writes.
 * @returns The calls it made.
 */
export function* playModel(reply: Reply, step: ModelStep): Play<readonly PlacedCall[]> {
  reply.say({ type: 'MODEL_CALL_START', model_name: 'scripted-1' })
  const calls: PlacedCall[] = []
  try {
    for (const [index, attempt] of (step.attempts ?? []).entries()) {
      yield* playAttempt(reply, attempt, index + 1)
    }
    for (const lanes of lanesOf(reply, step, calls)) yield* playLanes(lanes)
    if (step.fails !== undefined) throw new ModelFailed(step.fails)
  } catch (error) {
    if (!(error instanceof ModelFailed)) {
      reply.finishOpen()
      reply.countModelCall(NO_TOKENS, 'interrupted')
    }
    throw error
  }
  const [input, output, cached = 0] = step.usage ?? [120, 40]
  const tokens = { input_tokens: input, output_tokens: output, cache_input_tokens: cached }
  reply.countModelCall({ ...NO_TOKENS, ...tokens }, 'completed')
  return calls
}

/** An attempt that fails, and the time until the next one begins. */
function* playAttempt(reply: Reply, failed: FailedAttempt, attempt: number): Play {
  const { says = [], error, retryMs = 1000 } = failed
  for (const { kind, chunks } of says) {
    for (const chunk of chunks) {
      yield 'beat'
      reply.aside({ kind: 'lost-chunk', writing: kind, chunk })
    }
  }
  const cause = error === undefined ? {} : { error }
  const hasWritten = says.length > 0
  reply.aside({ kind: 'attempt-failed', attempt, hasWritten, retryMs, ...cause })
  yield retryMs
  reply.aside({ kind: 'attempt', attempt: attempt + 1 })
}

/** Groups of lanes: one group after the other, the lanes of a group in turns. */
function lanesOf(reply: Reply, step: ModelStep, calls: PlacedCall[]): readonly (readonly Lane[])[] {
  const says = step.says ?? []
  const writing = says.map((script, index) =>
    laneOf(
      reply,
      () => reply.open(script),
      script.kind === 'link' ? 1 : script.chunks.length,
      step.fails === undefined || index < says.length - 1,
    ),
  )
  const calling = (step.calls ?? []).map((script) => {
    const open = (): PlacedCall => {
      const call = reply.openCall(script)
      calls.push(call)
      return call
    }
    return laneOf(reply, open, script.chunks.length, true)
  })
  const spoken = step.isWoven === true ? [writing] : writing.map((lane) => [lane])
  return [...spoken, calling]
}

function laneOf(
  reply: Reply,
  open: () => Parameters<Reply['finish']>[0],
  chunks: number,
  isEnding: boolean,
): Lane {
  let opened: ReturnType<typeof open> | undefined
  const start = (): void => {
    opened = open()
  }
  const chunk = (): void => {
    if (opened !== undefined) reply.sendChunk(opened)
  }
  const end = (): void => {
    if (opened !== undefined) reply.finish(opened)
  }
  return [start, ...Array.from({ length: chunks }, () => chunk), ...(isEnding ? [end] : [])]
}

function* playLanes(lanes: readonly Lane[]): Play {
  const longest = Math.max(0, ...lanes.map((lane) => lane.length))
  for (let turn = 0; turn < longest; turn += 1) {
    for (const lane of lanes) {
      const send = lane[turn]
      if (send === undefined) continue
      yield 'beat'
      send()
    }
  }
}
