import type { ConversationInput, RunStatus, StreamSink } from '../../protocol/index.js'
import { createTaskLine, type TaskLine, type TaskLineInit } from './createTaskLine.js'
import type { Opener } from './readOpener.js'
import type { KnownTask } from './createTaskMemory.js'
import {
  createTaskReader,
  type Heard,
  type TaskReader,
  type TaskReaderInit,
} from './createTaskReader.js'
import { isInBackground } from './readBody.js'

/** What one who listens to a conversation shares with the others. */
export interface TasksInit
  extends
    Omit<TaskLineInit, 'onState' | 'onTask' | 'onPage' | 'onGap' | 'onEnd' | 'onFound'>,
    Omit<TaskReaderInit, 'onInputs' | 'onAnomaly'> {
  /** The task that was begun and is not known to be over. */
  readonly knownTask: () => KnownTask | null
  /** The message that a task follows, under the id it has here. */
  readonly nameOpener: (opener: Opener) => Omit<KnownTask, 'id'>
  /** A task is over, or gone. */
  readonly onOver: (taskId: string) => void
  /** What came of questions that were answered elsewhere, if the stream does not tell. */
  readonly findAnswered: (asked: ConversationInput) => Promise<ConversationInput | undefined>
  /** Looks at an input before it is told; gives what is told. */
  readonly pass: (input: ConversationInput) => ConversationInput
}

/** One who listens to the tasks of a conversation. */
export interface OpenTasks {
  /** Asks for tasks. */
  readonly line: TaskLine
  /** Where the task stands; idle when there is none. */
  status(): RunStatus
  /** How much of a reply was heard; undefined when what is stored of it is wanted. */
  heardOf(replyId: string): Heard | undefined
  /** Looks for what runs, unless that is known. */
  look(): void
}

/**
 * Begins to listen. Whoever opens a conversation hears what runs from its beginning, so each one asks on its own.
 *
 * @param sink - Who listens.
 * @param init - What is shared.
 */
export function openTasks(sink: StreamSink, init: TasksInit): OpenTasks {
  let isLeftOver = false
  /** Tasks that the server said it does not know. */
  const lost = new Set<string>()
  const reader: TaskReader = createTaskReader({
    ...init,
    onInputs: (inputs) => {
      sink.events(inputs.map(init.pass))
      for (const input of inputs) {
        if (input.type === 'REPLY_END') isLeftOver = isInBackground(input.metadata ?? {})
        else if (input.type === 'REQUIRE_EXTERNAL_EXECUTION') void tellAnswered(input)
      }
    },
    onAnomaly: (anomaly) => sink.anomaly(anomaly),
  })
  const line = createTaskLine({
    ...init,
    onState: (state) => sink.connection(state),
    onTask: (task) => {
      isLeftOver = false
      reader.begin(task)
    },
    onPage: (page) => reader.read(page),
    onGap: () => reader.miss(),
    onEnd: ({ id }, isLost) => {
      if (isLost) reader.lose()
      else reader.end()
      init.onOver(id)
      // What is done in the background may wake the agent, which nobody is told. And of several servers behind one address only one
      // knows a task: it may run all the same, and what comes of it is stored.
      if (isLeftOver || (isLost && !lost.has(id))) look(true)
      if (isLost) lost.add(id)
    },
    onFound: (id, opener) => {
      const known = init.knownTask()
      line.follow(known?.id === id ? known : { id, ...(opener && init.nameOpener(opener)) })
    },
  })

  async function tellAnswered(asked: ConversationInput): Promise<void> {
    const answered = await init.findAnswered(asked)
    if (answered !== undefined && line.task !== null) sink.events([answered])
  }

  function look(wasBusy = false): void {
    const id = init.conversationId()
    if (id === undefined) line.rest()
    else line.watch(id, wasBusy)
  }

  return {
    line,
    status: () => (line.task === null ? 'idle' : reader.status()),
    heardOf: (replyId) => reader.heardOf(replyId),
    look: () => look(),
  }
}
