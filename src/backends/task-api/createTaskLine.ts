import { isJsonObject, type ConnectionState, type JsonObject } from '../../protocol/index.js'
import { openPolling, type PolledPage, type PollingHandle } from '../../transports/index.js'
import type { KeepOptions, PollingIntervals } from '../../transports/index.js'
import type { ServiceClient, ServiceOptions } from '../agent-service/createServiceClient.js'
import type { KnownTask } from './createTaskMemory.js'
import { isInBackground, isOver, readData, readList, readWord } from './readBody.js'
import { readOpener, type Opener } from './readOpener.js'
import type { TaskApiPaths } from './TaskApiPaths.js'

/** How often to ask, and how to wait after failures. */
export type TaskApiPolling = PollingIntervals &
  Omit<KeepOptions, 'onState' | 'onUnauthorized' | 'watchdogMs' | 'clock'>

/** What a line works with. */
export interface TaskLineInit {
  /** How to reach the server. */
  readonly service: Omit<ServiceOptions, 'baseUrl'>
  /** Speaks with it. */
  readonly client: ServiceClient
  /** Where it has what. */
  readonly paths: TaskApiPaths
  /** How often to ask. */
  readonly polling: TaskApiPolling
  /** The connection's state changed. */
  readonly onState: (state: ConnectionState) => void
  /** A task is asked for from now on. */
  readonly onTask: (task: KnownTask) => void
  /** A page of the task brought something, or says that it is over. */
  readonly onPage: (page: JsonObject) => void
  /** Something of the task is gone that ought to have been heard. */
  readonly onGap: () => void
  /** The task is over (`false`), or the server knows it no longer (`true`). */
  readonly onEnd: (task: KnownTask, isLost: boolean) => void
  /** The server says that this task runs, and it is not being asked for; after which message, if it says that too. */
  readonly onFound: (taskId: string, opener: Opener | undefined) => void
}

/** Asks for one task after the other. Between tasks it is open, and asks for nothing. */
export interface TaskLine {
  /** The task that is asked for. */
  readonly task: KnownTask | null
  /** Whether nothing is asked for that was not heard of yet. */
  readonly isHeard: boolean
  /** Asks for a task, after those before are over. */
  follow(task: KnownTask): void
  /**
   * Looks whether something runs, and goes on looking while something does in the background. What began and ended there between two looks
   * is in history: the line says once more that it is open.
   */
  watch(conversationId: string, wasBusy?: boolean): void
  /** Says that it is open: there is nothing to ask for. */
  rest(): void
  /** Something is about to come. */
  pollNow(): void
  /** Tries again at once. */
  retryNow(): void
  /** Resolves when the task asked for was heard of, or cannot be. */
  heard(): Promise<void>
  /** Resolves when the task asked for says that it is over, or cannot be asked for. */
  over(): Promise<void>
  /** Stops it. */
  close(): void
}

const OPEN: ConnectionState = { phase: 'open' }

/**
 * Makes a line to the tasks of a conversation.
 *
 * @param init - What it works with.
 */
export function createTaskLine(init: TaskLineInit): TaskLine {
  const { client, paths, polling: pace, service } = init
  let phase: ConnectionState['phase'] = 'connecting'
  let task: KnownTask | null = null
  let waiting: readonly KnownTask[] = []
  let isLooking = false
  let isDone = false
  let isHeard = false
  let handle: PollingHandle | undefined
  let watching: PollingHandle | undefined
  /** A look that was asked for while a task was read to its end. */
  let lookDue: (() => void) | undefined
  let onHeard: (() => void)[] = []
  let onOver: (() => void)[] = []

  /** A task that begins or ends is nothing that happens to the connection. */
  function tell(state: ConnectionState): void {
    if (phase === 'open' && (state.phase === 'open' || state.phase === 'connecting')) return
    phase = state.phase
    if (phase !== 'open' && phase !== 'connecting') {
      isLooking = false
      release('all')
    }
    init.onState(state)
  }

  function release(which: 'heard' | 'all'): void {
    const ready = which === 'all' ? [...onHeard, ...onOver] : onHeard
    onHeard = []
    if (which === 'all') onOver = []
    for (const resolve of ready) resolve()
  }

  function follow(next: KnownTask): void {
    if (task !== null) {
      if (task.id !== next.id) waiting = [...waiting, next]
      return
    }
    stopWatching()
    task = next
    isDone = false
    isHeard = false
    init.onTask(next)
    const path = paths.task(next.id)
    handle = openPolling<JsonObject>({
      ...service,
      ...pace,
      url: (from) => client.urlOf(path, { from: from ?? 0 }),
      readPage,
      onGap: ({ from }) => {
        // That its beginning is gone shows in what comes: whoever kept it lacks nothing.
        if (from > 0) init.onGap()
      },
      onFrames: (pages) => {
        for (const page of pages) {
          isDone ||= isOver(page)
          init.onPage(page)
        }
      },
      onState: (state) => {
        if (state.phase === 'closed') end(next, false)
        else if (state.phase === 'failed' && state.cause.reason === 'not-found') end(next, true)
        else {
          tell(state)
          if (state.phase === 'open') {
            isHeard = true
            release('heard')
          }
        }
      },
    })
  }

  function readPage(body: unknown, from: number | null): PolledPage<JsonObject> {
    const data = readData(body)
    const indexes = readList(data['events']).flatMap(({ idx }) =>
      typeof idx === 'number' ? [idx] : [],
    )
    const { next_offset: next = (indexes.at(-1) ?? (from ?? 0) - 1) + 1, status } = data
    if (typeof next !== 'number' || status === undefined) throw new TypeError('No page of a task.')
    if (isOver(data)) queueMicrotask(() => lookDue ?? release('all'))
    const frames = indexes.length > 0 || isOver(data) ? [data] : []
    return { frames, next, indexes, isOver: isOver(data) }
  }

  function end(ended: KnownTask, isLost: boolean): void {
    handle?.close()
    handle = undefined
    task = null
    isDone = false
    const [next, ...later] = waiting
    waiting = later
    const look = lookDue
    lookDue = undefined
    if (next === undefined) tell(OPEN)
    init.onEnd(ended, isLost)
    if (next !== undefined) return follow(next)
    look?.()
    if (!isLooking) release('all')
  }

  function watch(conversationId: string, wasBusy = false): void {
    let isOnWatch = wasBusy
    const running = paths.running?.(conversationId)
    // What came after a task is seen once that has said its last words.
    if (running !== undefined && isDone) lookDue = () => watch(conversationId, wasBusy)
    if (running === undefined || task !== null || watching !== undefined) return tell(OPEN)
    let url = paths.conversation(conversationId)
    isLooking = true
    watching = openPolling<JsonObject>({
      ...service,
      ...pace,
      url: () => client.urlOf(url),
      readPage: (body) => ({ frames: [readData(body)], next: 0, indexes: [] }),
      onFrames: ([data = {}]) => {
        const { taskId, isBusy } = readRunning(data)
        const isWhole = data['messages'] !== undefined
        // What runs is named after what is stored before it.
        url = taskId === undefined || isWhole ? running : paths.conversation(conversationId)
        if (taskId === undefined) {
          if (!isBusy) {
            stopWatching()
            if (isOnWatch) init.onState(OPEN)
          }
          isOnWatch = isBusy
        } else if (isWhole) init.onFound(taskId, readOpener(data, conversationId))
        else watching?.pollNow()
        if (taskId === undefined || isWhole) isLooking = false
        tell(OPEN)
        if (task === null && !isLooking) release('all')
      },
      onState: (state) => {
        if (state.phase === 'open') return
        // One that does not know the conversation says so to whoever reads it.
        const isUnknown = state.phase === 'failed' && state.cause.reason === 'not-found'
        if (isUnknown) stopWatching()
        tell(isUnknown ? OPEN : state)
      },
    })
  }

  function stopWatching(): void {
    isLooking = false
    watching?.close()
    watching = undefined
  }

  function until(list: 'heard' | 'over'): Promise<void> {
    const isIdle = task === null && !isLooking
    const isReady = isIdle || isDone || phase !== 'open' || (list === 'heard' && isHeard)
    if (isReady && lookDue === undefined) return Promise.resolve()
    return new Promise((resolve) => {
      if (list === 'heard') onHeard.push(resolve)
      else onOver.push(resolve)
    })
  }

  return {
    get task() {
      return task
    },
    get isHeard() {
      return task === null || isHeard
    },
    follow,
    watch,
    rest: () => tell(OPEN),
    pollNow: () => {
      handle?.pollNow()
      watching?.pollNow()
    },
    retryNow: () => {
      handle?.retryNow()
      watching?.retryNow()
    },
    heard: () => until('heard'),
    over: () => until('over'),
    close: () => {
      handle?.close()
      stopWatching()
      release('all')
      task = null
      waiting = []
    },
  }
}

/** What runs of a conversation, by its own page or by that of its status. */
function readRunning(data: JsonObject): {
  readonly taskId: string | undefined
  readonly isBusy: boolean
} {
  const { running = data } = data
  if (!isJsonObject(running)) return { taskId: undefined, isBusy: false }
  return { taskId: readWord(running['main_task_id']), isBusy: isInBackground(running) }
}
