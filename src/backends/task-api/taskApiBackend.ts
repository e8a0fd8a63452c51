import { taskApiDialect } from '../../dialects/index.js'
import {
  createId,
  getTextContent,
  isJsonObject,
  TransportError,
  type AgentBackend,
  type ConversationInput,
  type JsonObject,
  type Msg,
  type RunStatus,
  type StreamSink,
} from '../../protocol/index.js'
import { systemClock } from '../../transports/index.js'
import { createServiceClient, missingField } from '../agent-service/createServiceClient.js'
import { tellAll } from '../agent-service/passFrame.js'
import { createTaskApiCapabilities } from './createTaskApiCapabilities.js'
import { closeAnswers, createTaskAnswers, unanswerable } from './createTaskAnswers.js'
import {
  createTaskHistory,
  cutPage,
  isUnanswered,
  nameless,
  withoutHeard,
} from './createTaskHistory.js'
import {
  cutWords,
  pageStorage,
  readTaskMemory,
  writeTaskMemory,
  type KnownTask,
  type TaskMemory,
} from './createTaskMemory.js'
import type { SentId } from './createTaskReader.js'
import { ignoreGone } from './ignoreGone.js'
import { openTasks, type OpenTasks } from './openTasks.js'
import { readData, readWord } from './readBody.js'
import type { Opener } from './readOpener.js'
import type { TaskApiOptions } from './TaskApiOptions.js'
import { createTaskApiPaths } from './TaskApiPaths.js'
import { uploadImages, wordsOf } from './uploadImages.js'
import { within } from './within.js'

/** For so long the effect of a message whose answer was lost is looked for in what is stored, in milliseconds. */
const GOES_ON_MS = 60_000

/**
 * A conversation over the Task API: each message begins a task, whose events are polled until it is over.
 *
 * Between tasks nothing is asked for. A task that runs is found again after a reload: on the web surface the server tells it, on v1 this
 * tab remembers it. It is then told from its beginning. Nothing is sent twice by itself.
 *
 * @param options - Where the server is, which of its faces, which workspace and conversation.
 * @example
 * ```ts
 * const backend = taskApiBackend({
 *   baseUrl: 'https://example.com',
 *   workspaceId: 'main',
 *   headers: async () => ({ authorization: `Bearer ${await getToken()}` }),
 * })
 * ```
 */
export function taskApiBackend(options: TaskApiOptions): AgentBackend {
  const {
    surface = 'v1',
    workspaceId,
    conversationId: given,
    onConversation,
    taskDefaults,
    paths: ownPaths,
    agentName = '',
    attachments = ['image/*'],
    connection = {},
    storage = pageStorage(),
    ...service
  } = options
  const { clock = systemClock } = service
  const client = createServiceClient(service)
  const paths = createTaskApiPaths(surface, workspaceId, ownPaths)
  const place = `task-api:${client.baseUrl}|${surface}|${workspaceId}|`
  const answers = createTaskAnswers(client)
  const readStored = createTaskHistory()
  const listeners = new Map<StreamSink, OpenTasks>()
  /** Messages that were sent from here, whole. */
  const own = new Map<string, Msg>()
  /** The conversation under all the ids that it had. */
  let conversations: readonly string[] = given === undefined ? [] : [given]
  let memory: TaskMemory = { task: null, sent: [] }
  if (given !== undefined) memory = readTaskMemory(storage, keyOf(given))
  let reading = new AbortController()
  /** A message is on its way: its task may be over before its name is known here. */
  let posting: string | undefined
  /** The message whose answer was lost last where what runs cannot be asked for, and when. */
  let lost: { readonly id: string; readonly at: number } | undefined

  function keyOf(conversationId: string): string {
    return `agentscope-react:${place}${conversationId}`
  }

  function keep(change: Partial<TaskMemory>): void {
    memory = { ...memory, ...change }
    const id = conversations.at(-1)
    if (id !== undefined) writeTaskMemory(storage, keyOf(id), memory)
  }

  function listen(sink: StreamSink): OpenTasks {
    return openTasks(sink, {
      service,
      client,
      paths,
      polling: connection,
      conversationId: () => conversations.at(-1),
      knownTask: () => memory.task,
      findSent,
      nameOpener,
      onOpener: (taskId, opener) => {
        const { task } = memory
        if (task?.id === taskId && task.opener !== opener) keep({ task: { ...task, opener } })
      },
      onPrimer: (taskId, primer, cursor) => {
        const { task } = memory
        if (task?.id === taskId) keep({ task: { ...task, primer, cursor } })
      },
      onOver: (taskId) => {
        if (memory.task?.id === taskId) keep({ task: null })
      },
      findAnswered: async (asked) =>
        surface === 'v1' ? undefined : answers.findAnswered(asked, conversations.at(-1)),
      pass,
    })
  }

  function findSent(taskId: string, message: Msg): SentId | undefined {
    const { task, sent } = memory
    const { id: echo } = message
    const words = cutWords(getTextContent(message) ?? '')
    const isOwn = task?.id === taskId && (task.echo ?? echo) === echo
    // The word that a message began this task may have been lost.
    const id = isOwn ? task.sent : sent.findLast((each) => each.words === words)?.id
    if (id === undefined || id === echo) return undefined
    const whole = own.get(id)
    if (whole !== undefined) own.set(echo, { ...whole, id: echo })
    if (sent.some((each) => each.id === id)) {
      const rest = sent.filter((each) => each.id !== id)
      keep({
        task: { ...(isOwn ? task : { id: taskId, opener: echo }), sent: id, echo },
        sent: rest,
      })
    }
    return { id, ...(whole && { message: whole }) }
  }

  function nameOpener({ id, words, isAnswered }: Opener): Omit<KnownTask, 'id'> {
    const found = memory.sent.findLast((each) => each.words === cutWords(words ?? ''))
    const isOwn = found !== undefined && words !== undefined
    return { isAnswered, ...(isOwn ? { sent: found.id } : { opener: id }) }
  }

  function pass(input: ConversationInput): ConversationInput {
    answers.note(input)
    if (input.type === 'CUSTOM' && input.name === 'compression_finished') {
      moveTo(readWord(input.value?.['conversation_id']))
    }
    if (input.type === 'REPLY_START') return { ...input, name: agentName }
    return surface === 'v1' ? closeAnswers(input) : input
  }

  function moveTo(id: string | undefined): void {
    if (id === undefined || conversations.includes(id)) return
    const before = conversations.at(-1)
    conversations = [...conversations, id]
    if (before !== undefined) writeTaskMemory(storage, keyOf(before), { task: null, sent: [] })
    keep({})
    onConversation?.(id)
  }

  async function create(messages: readonly Msg[]): Promise<void> {
    const encoded = taskApiDialect.encode.send(messages)
    const images = await uploadImages(client, paths.upload(), workspaceId, messages)
    const conversation_id = conversations.at(-1)
    const body = {
      ...taskDefaults,
      ...(isJsonObject(encoded) ? encoded : {}),
      ...(images.length > 0 && { images }),
      ...(surface === 'web' && { workspace_id: workspaceId }),
      ...(conversation_id !== undefined && { conversation_id }),
    }
    const sent = messages.at(-1)?.id
    for (const message of messages) own.set(message.id, message)
    const words = cutWords(wordsOf(messages))
    if (sent !== undefined) keep({ sent: [...memory.sent, { id: sent, words }] })
    posting = sent
    let answer: unknown
    try {
      answer = await client.call('POST', paths.create(), { body })
    } catch (error) {
      posting = undefined
      if (await hasBegun(sent, error)) return
      throw error
    }
    posting = undefined
    const data = readData(answer)
    const id = readWord(data['task_id'])
    if (id === undefined) throw missingField('The id of the task')
    moveTo(readWord(data['conversation_id']))
    const task = { id, sent }
    keep({ task })
    for (const { line } of listeners.values()) line.follow(task)
  }

  /** Looks at what runs after a message failed; tells whether that is its effect, and only the word of it was lost. */
  async function hasBegun(sent: string | undefined, error: unknown): Promise<boolean> {
    const { reason, canRetry } = error instanceof TransportError ? error : { canRetry: true }
    // What was refused had no effect, so nothing of it is stored.
    if (!canRetry) keep({ sent: memory.sent.filter(({ id }) => id !== sent) })
    // What is in its way may be somebody else's task; what got no answer may have begun one.
    if (!canRetry && reason !== 'conflict') return false
    const all = [...listeners.values()]
    for (const each of all) each.look()
    if (!canRetry || sent === undefined) return false
    await within(
      clock,
      all.map(({ line }) => line.heard()),
    )
    const isTold = all.some(({ line }) => line.task?.sent === sent)
    const isFound = isTold || memory.sent.every(({ id }) => id !== sent)
    if (!isFound && paths.running === null) lost = { id: sent, at: clock.now() }
    return isFound
  }

  /** Whether a task may be at work of which only what it stores can be seen. */
  function mayGoOn(stored: readonly Msg[]): boolean {
    if (lost === undefined || clock.now() - lost.at > GOES_ON_MS) return false
    return isUnanswered(stored, lost.id)
  }

  function named(message: Msg): Msg {
    return message.role === 'assistant' ? { ...message, name: agentName } : message
  }

  function status(): RunStatus {
    const all = [...listeners.values()].map((each) => each.status())
    return all.find((each) => each !== 'idle') ?? 'idle'
  }

  function pollNow(): void {
    for (const { line } of listeners.values()) line.pollNow()
  }

  return {
    key: `${place}${given ?? `new-${createId()}`}`,
    capabilities: createTaskApiCapabilities(surface, attachments),
    open: (sink) => {
      const listener = listen(sink)
      listeners.set(sink, listener)
      queueMicrotask(() => {
        if (listeners.get(sink) !== listener) return
        if (memory.task === null) listener.look()
        else listener.line.follow(memory.task)
      })
      return {
        close: () => {
          if (listeners.get(sink) !== listener) return
          listeners.delete(sink)
          listener.line.close()
          if (listeners.size > 0) return
          reading.abort()
          reading = new AbortController()
        },
        retryNow: () => listener.line.retryNow(),
      }
    },
    history: async ({ before, limit }) => {
      if (conversations.length === 0 && posting === undefined && memory.sent.length > 0) {
        throw nameless()
      }
      const { signal } = reading
      const pages: (readonly [string, JsonObject])[] = []
      for (const id of conversations) {
        const answer = await client.call('GET', paths.conversation(id), { signal })
        pages.push([id, readData(answer)])
      }
      // What runs is told by its task: what is stored of it already is not mixed in.
      const all = [...listeners.values()]
      await Promise.all(all.map(({ line }) => line.heard()))
      const messages: Msg[] = []
      for (const [id, data] of pages) {
        const stored = readStored(data, id, memory.sent, own)
        for (const sink of listeners.keys()) tellAll(stored.anomalies, sink)
        messages.push(...stored.messages)
      }
      if (!all.every(({ line }) => line.isHeard)) {
        messages.splice(messages.findLastIndex(({ role }) => role === 'user') + 1)
      }
      const page = cutPage(messages, before, limit)
      return {
        messages: page.messages
          .flatMap((message) => withoutHeard(message, all, posting))
          .map((message) => own.get(message.id) ?? named(message)),
        hasMore: page.hasMore,
        isRunning: status() === 'running' || mayGoOn(messages),
      }
    },
    status: async () => status(),
    send: async (input) => {
      if (input === null || input.length === 0) {
        throw new TransportError('rejected', 'The Task API cannot go on without a message.')
      }
      // The last reply may have ended a moment before its task.
      if (status() === 'idle')
        await within(
          clock,
          [...listeners.values()].map(({ line }) => line.over()),
        )
      await create(input)
    },
    answer: async (replies) => {
      if (surface === 'v1') throw unanswerable()
      await answers.send(replies, conversations.at(-1)).finally(pollNow)
    },
    interrupt: async () => {
      const tasks = [...listeners.values()].map(({ line }) => line.task)
      const task = tasks.find((each) => each !== null) ?? memory.task
      if (task === null) return
      await client
        .call('POST', `${paths.task(task.id)}/cancel`)
        .catch(ignoreGone)
        .finally(pollNow)
    },
  }
}
