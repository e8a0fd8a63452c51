import type { ConfirmResult, ReplyError, ToolResultBlock } from '../../protocol/index.js'
import type { CallEnd, HelperStep, Scene, Step } from './AgentScript.js'
import { Interrupted, type Clock } from './Clock.js'
import type { PermissionRules } from './permissionRules.js'
import { ModelFailed, playModel } from './playModel.js'
import type { Reply } from './Reply.js'
import { ToolBatch } from './ToolBatch.js'

/** What a scene needs of its session. */
export interface Stage {
  /** Lets time pass. */
  readonly clock: Clock
  /** What may run without asking. */
  readonly rules: PermissionRules
  /** Sends an event of the session, outside of any reply. */
  announce(name: string, value?: Extract<Step, { kind: 'custom' }>['value']): void
  /** Lets a helper begin. */
  startHelper(step: HelperStep): void
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

  /** How the calls ended, by their ids. */
  get ends(): ReadonlyMap<string, CallEnd> {
    return this.#ends
  }

  /** Takes decisions; `false` when none of them was waited for. */
  confirm(results: readonly ConfirmResult[]): boolean {
    return (this.#batch?.confirm(results) ?? 0) > 0
  }

  /** Takes results of the client; `false` when none of them was waited for. */
  submit(results: readonly ToolResultBlock[]): boolean {
    return (this.#batch?.submit(results) ?? 0) > 0
  }

  /** Ends a reply that got an answer it did not wait for. It still waits afterwards. */
  refuse(): void {
    this.reply.end('error', UNKNOWN_ERROR)
  }

  /** Ends a reply that waits. */
  interrupt(): void {
    this.#batch = null
    new ToolBatch(this.reply, this.reply.calls, this.#stage.rules).interrupt()
    this.reply.end('interrupted')
  }

  /**
   * Plays until the reply ends or waits for someone.
   *
   * @param signal - Interrupts it: the reply ends as interrupted.
   */
  async play(signal: AbortSignal): Promise<void> {
    try {
      while (!this.reply.isEnded) {
        if (this.#batch !== null && !(await this.#runBatch(this.#batch, signal))) return
        const step = this.#steps.shift()
        if (step === undefined) this.reply.end('completed')
        else await this.#playStep(step, signal)
      }
    } catch (error) {
      if (error instanceof Interrupted) this.interrupt()
      else this.reply.end('error', reasonOf(error))
    }
  }

  async #runBatch(batch: ToolBatch, signal: AbortSignal): Promise<boolean> {
    await batch.run(this.#stage.clock, signal)
    if (!batch.isDone) return false
    for (const [id, end] of batch.ends()) this.#ends.set(id, end)
    this.#batch = null
    return true
  }

  async #playStep(step: Step, signal: AbortSignal): Promise<void> {
    const { clock, rules } = this.#stage
    switch (step.kind) {
      case 'model': {
        const calls = await playModel(this.reply, step, clock, signal)
        if (calls.length > 0) this.#batch = new ToolBatch(this.reply, calls, rules)
        return
      }
      case 'hint':
        return this.reply.hint(step)
      case 'custom':
        return this.#stage.announce(step.name, step.value)
      case 'wait':
        return clock.wait(step.until, signal)
      case 'branch':
        this.#steps.unshift(...step.next(this.#ends))
        return
      case 'helper':
        return this.#stage.startHelper(step)
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
