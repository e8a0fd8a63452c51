import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../../../protocol/index.js'
import type { AgentSession } from '../../index.js'

/** Where a task stands. */
export type TaskStatus =
  'pending' | 'running' | 'cancel_requested' | 'succeeded' | 'failed' | 'stopped' | 'canceled'

/** What a task is made of. */
export interface TaskInit {
  /** The conversation. */
  readonly session: AgentSession
  /** Its workspace. */
  readonly workspaceId: string
  /** What it was given to do. */
  readonly message: string
  /** `notice`: nobody gave it, something in the background was done. */
  readonly type: 'chat' | 'notice'
  /** How many events are kept. */
  readonly bufferSize: number
  /** So many of the last events are not there yet when the end is told first. */
  readonly tailRace: number
  /** Whether payloads name their task. */
  readonly isNamedInPayloads: boolean
}

/** One event of a task, as it is polled. */
export interface TaskEvent {
  /** Counts the task's events, from 0. */
  readonly idx: number
  /** What it is. */
  readonly type: string
  /** What it says. */
  readonly data: JsonObject
  /** When, in seconds since 1970. */
  readonly ts: number
}

const ACTIVE: ReadonlySet<TaskStatus> = new Set(['pending', 'running', 'cancel_requested'])

/** A piece of work and the newest of its events. */
export class Task {
  /** Its id. */
  readonly id: string = randomUUID()
  /** What it was made of. */
  readonly init: TaskInit
  /** When it began, in seconds since 1970. */
  readonly createdAt: number = nowSeconds()
  /** When it last changed, in seconds since 1970. */
  updatedAt: number = this.createdAt
  /** What went wrong in the worker, if something did. */
  error: string | null = null
  #status: TaskStatus = 'pending'
  #events: TaskEvent[] = []
  #next = 0
  /** Up to here a client was told. */
  #told = 0
  #isEndTold = false

  /** @param init - What it is made of. */
  constructor(init: TaskInit) {
    this.init = init
  }

  /** Where it stands. */
  get status(): TaskStatus {
    return this.#status
  }

  set status(status: TaskStatus) {
    this.#status = status
    this.updatedAt = nowSeconds()
  }

  /** Whether it is not over. */
  get isActive(): boolean {
    return ACTIVE.has(this.#status)
  }

  /** The events that are kept. */
  get events(): readonly TaskEvent[] {
    return this.#events
  }

  /** Adds an event. The oldest one goes when there is no more room. */
  add(type: string, data: JsonObject = {}): void {
    const { session, workspaceId, bufferSize, isNamedInPayloads } = this.init
    const names = isNamedInPayloads
      ? { task_id: this.id, conversation_id: session.id, workspace_id: workspaceId }
      : {}
    this.#events.push({ idx: this.#next++, type, data: { ...names, ...data }, ts: nowSeconds() })
    if (this.#events.length > bufferSize) this.#events.shift()
    this.updatedAt = nowSeconds()
  }

  /**
   * The events from an offset on, as far as they are kept: what is gone is not spoken of.
   *
   * @param from - The first one; it comes back where there is none.
   */
  read(from: number): { readonly events: readonly TaskEvent[]; readonly nextOffset: number } {
    const limit = this.#limit()
    const events = this.#events.filter(({ idx }) => idx >= from && idx < limit)
    const nextOffset = (events.at(-1)?.idx ?? from - 1) + 1
    this.#told = Math.max(this.#told, nextOffset)
    return { events, nextOffset }
  }

  /** The events were read before the status was: once, the last ones are missing. */
  #limit(): number {
    if (this.isActive || this.#isEndTold) return this.#next
    this.#isEndTold = true
    return Math.max(this.#told, this.#next - this.init.tailRace)
  }
}

/** The time, in seconds since 1970. */
export function nowSeconds(): number {
  return Date.now() / 1000
}
