import type { AgentEvent, ReplyError, ToolCallBlock } from '../../protocol/index.js'
import type { CallEnd, Scene, Step, WorkerStep } from './AgentScript.js'
import type { Marks } from './Marks.js'
import { Interrupted, type Play } from './Pace.js'
import type { PermissionRules } from './permissionRules.js'
import { ModelFailed, playModel } from './playModel.js'
import type { Reply } from './Reply.js'
import { ToolBatch } from './ToolBatch.js'

/** An answer of a person, as it was posted and is echoed. */
export type PostedAnswer = Extract<
  AgentEvent,
  { type: 'USER_CONFIRM_RESULT' | 'EXTERNAL_EXECUTION_RESULT' }
>

/** What a scene needs of its session. */
export interface Stage {
  /** Gives ids. */
  readonly marks: Marks
  /** What may run without asking. */
  readonly rules: PermissionRules
  /** Sends an event of the session, outside of any reply. */
  announce(name: string, value?: Extract<Step, { kind: 'custom' }>['value']): unknown
  /** Lets a worker begin. */
  startWorker(step: WorkerStep): void
}

const UNKNOWN_ERROR: ReplyError = {
  type: 'unknown',
  message: 'The reply failed with an unknown error.',
}

/** Plays a scene into a reply; it stops where something is missing and goes on when it came. */
export class ScenePlayer {
  /** The reply it plays. */
  readonly reply: Reply
  /** The scene. */
  readonly scene: Scene
  readonly #stage: Stage
  readonly #steps: Step[]
  readonly #ends = new Map<string, CallEnd>()
  #batch: ToolBatch | null = null

  /**
   * @param reply - The reply it plays.
   * @param scene - The scene.
   * @param stage - Its session.
   */
  constructor(reply: Reply, scene: Scene, stage: Stage) {
    this.reply = reply
    this.scene = scene
    this.#stage = stage
    this.#steps = [...scene.steps]
  }

  /** What it waits for, once `play` has returned. */
  get awaits(): 'nothing' | 'approval' | 'execution' {
    return this.#batch?.awaits ?? 'nothing'
  }

  /** The calls that wait, as they were asked about. */
  get waitingCalls(): readonly ToolCallBlock[] {
    return this.#batch?.waitingCalls ?? []
  }

  /** How the calls ended, by their ids. */
  get ends(): ReadonlyMap<string, CallEnd> {
    return this.#ends
  }

  /**
   * Goes on with an answer. One that nothing waited for ends the reply with an error, though it still waits afterwards.
   *
   * @param answer - The answer.
   * @param isDenialFinal - `true` ends the reply when something is denied.
   */
  *goOn(answer: PostedAnswer, isDenialFinal: boolean): Play {
    if (!this.#take(answer)) return this.reply.end('error', UNKNOWN_ERROR)
    const isDenied =
      answer.type === 'USER_CONFIRM_RESULT' &&
      answer.confirm_results.some(({ confirmed }) => !confirmed)
    if (!isDenialFinal || !isDenied) return yield* this.play()
    this.#batch?.deny()
    this.interrupt()
  }

  /** Ends a reply that waits. */
  interrupt(): void {
    this.#batch = null
    new ToolBatch(this.reply, this.reply.calls, this.#stage).interrupt()
    this.reply.end('interrupted')
  }

  /** Plays until the reply ends or waits for someone. Interrupted, it ends as such. */
  *play(): Play {
    try {
      while (!this.reply.isEnded) {
        if (this.#batch !== null && !(yield* this.#runBatch(this.#batch))) return
        const step = this.#steps.shift()
        if (step === undefined) this.reply.end('completed')
        else yield* this.#playStep(step)
      }
    } catch (error) {
      if (error instanceof Interrupted) this.interrupt()
      else this.reply.end('error', reasonOf(error))
    }
  }

  /** `false` when nothing of the answer was waited for. */
  #take(answer: PostedAnswer): boolean {
    if (this.#batch === null) return false
    const taken =
      answer.type === 'USER_CONFIRM_RESULT'
        ? this.#batch.confirm(answer.confirm_results)
        : this.#batch.submit(answer.execution_results)
    return taken > 0
  }

  *#runBatch(batch: ToolBatch): Play<boolean> {
    yield* batch.run()
    if (!batch.isDone) return false
    for (const [id, end] of batch.ends()) this.#ends.set(id, end)
    this.#batch = null
    return true
  }

  *#playStep(step: Step): Play {
    switch (step.kind) {
      case 'model': {
        const calls = yield* playModel(this.reply, step)
        if (calls.length > 0) this.#batch = new ToolBatch(this.reply, calls, this.#stage)
        return
      }
      case 'hint':
        return this.reply.hint(step)
      case 'custom':
        this.#stage.announce(step.name, step.value)
        return
      case 'wait':
        yield step.until
        return
      case 'branch':
        this.#steps.unshift(...step.next(this.#ends))
        return
      case 'worker':
        return this.#stage.startWorker(step)
      case 'end':
        if (step.reason === 'exceed_max_iters') this.reply.say({ type: 'EXCEED_MAX_ITERS' })
        return this.reply.end(step.reason, step.error)
    }
  }
}

/** A mistake in a script is told to whoever wrote it, where it shows. */
function reasonOf(error: unknown): ReplyError {
  if (error instanceof ModelFailed) return error.reason
  return { type: 'internal', message: error instanceof Error ? error.message : String(error) }
}
