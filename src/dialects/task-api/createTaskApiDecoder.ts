import {
  type DecoderOptions,
  type FrameDecoder,
  isJsonObject,
  type JsonObject,
} from '../../protocol/index.js'
import { createTokenCounter } from './createTokenCounter.js'
import { readTaskEvent, type TaskEvent } from './eventHandlers.js'
import { Output } from './Output.js'
import { readObject, readPosition, readStamp, readText } from './readField.js'
import { Task } from './Task.js'

/**
 * Decodes what polls of a task bring; tasks may follow each other.
 *
 * A task is over when a page without events says so: one with a terminal status may lack the last events.
 *
 * @param options - The conversation, and the name of a task that has none.
 */
export function createTaskApiDecoder(options: DecoderOptions = {}): FrameDecoder {
  const out = new Output()
  const tasks = new Map<string, Task>()
  const counter = createTokenCounter()
  let current: Task | undefined
  let offset = 0

  function taskOf(id: string): Task {
    const known = tasks.get(id)
    if (known !== undefined) return known
    const task = new Task(id, out, counter)
    task.sessionId = options.sessionId
    tasks.set(id, task)
    return task
  }

  function turnTo(id: string): Task {
    const task = taskOf(id)
    if (current !== undefined && current !== task && !current.isActive) settle(current)
    if (current !== task) offset = 0
    current = task
    return task
  }

  function settle(task: Task, stamp?: string): void {
    task.settled += 1
    out.begin(`${task.id}:${task.next}:over${task.settled}`, stamp)
    task.settle()
  }

  function read(frame: unknown): void {
    if (!isJsonObject(frame)) {
      out.report('not-an-event', 'The body of a poll must be an object.', frame)
      return
    }
    const body = isJsonObject(frame['data']) ? frame['data'] : frame
    const { events } = body
    const list: readonly unknown[] | undefined = Array.isArray(events) ? events : undefined
    const id = readText(body, 'task_id') ?? idOf(list)
    if (frame['success'] === false || (list === undefined && id === undefined)) {
      out.report('malformed-event', readText(frame, 'error') ?? 'No page of a task.', frame)
      return
    }
    const task = turnTo(id ?? current?.id ?? options.seed ?? 'task')
    task.hear(body)
    if (list !== undefined) readPage(task, body, list)
    // What creates a task is answered before any poll.
    else if (task.next === 0 && task.isActive) {
      out.begin(`${task.id}:created`, readStamp(body['created_at']))
      task.open()
    }
  }

  function readPage(task: Task, body: JsonObject, list: readonly unknown[]): void {
    const end = readPosition(body, 'next_offset')
    const first = end === undefined ? task.next : end - list.length
    const entries = list
      .map((value, index) => ({ value, idx: placeOf(value) ?? Math.max(0, first + index) }))
      .toSorted((one, other) => one.idx - other.idx)
    for (const { value, idx } of entries) readEntry(task, value, idx)
    const start = readPosition(body, 'window_start') ?? 0
    if (list.length === 0 && start > task.next) skipTo(task, start)
    offset = Math.max(end ?? 0, task.next)
    if (list.length === 0 && !task.isActive) settle(task, readStamp(body['updated_at']))
  }

  function readEntry(task: Task, value: unknown, idx: number): void {
    if (idx < task.next) return
    const entry = isJsonObject(value) ? value : {}
    out.begin(`${task.id}:${idx}`, readStamp(entry['ts']))
    if (idx > task.next) skipTo(task, idx)
    task.next = idx + 1
    const type = readText(entry, 'type')
    if (type === undefined) {
      out.report('not-an-event', 'An event must have a type.', value)
      return
    }
    const { data } = entry
    const said = isJsonObject(data) || data === undefined || data === null
    readSafely({ type, idx, data: said ? readObject(entry, 'data') : { value: data } }, task)
  }

  function readSafely(event: TaskEvent, task: Task): void {
    try {
      readTaskEvent(out, task, event)
    } catch {
      // Nested deeper than the engine can walk.
      out.report('malformed-event', 'An event that cannot be read.', event.data)
    }
  }

  function skipTo(task: Task, idx: number): void {
    task.miss(task.next, idx)
    task.next = idx
  }

  return {
    push: (frame) => {
      const frames: readonly unknown[] = Array.isArray(frame) ? frame : [frame]
      frames.forEach(read)
      return out.take()
    },
    end: (cause) => {
      for (const task of tasks.values()) {
        out.begin(`${task.id}:${task.next}:end`)
        task.cut(cause)
      }
      return out.take()
    },
    cursor: () => (current === undefined ? null : `${offset}`),
  }
}

/** The task by the word of its events, which newer servers add. */
function idOf(events: readonly unknown[] | undefined): string | undefined {
  const [first] = events ?? []
  return isJsonObject(first) ? readText(readObject(first, 'data'), 'task_id') : undefined
}

function placeOf(value: unknown): number | undefined {
  return isJsonObject(value) ? readPosition(value, 'idx') : undefined
}
