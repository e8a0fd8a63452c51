import { opensTurn, taskApiDialect } from '../../dialects/index.js'
import {
  isJsonObject,
  type Anomaly,
  type ConversationInput,
  type Decoded,
  type FrameDecoder,
  type JsonObject,
  type Msg,
  type RunStatus,
} from '../../protocol/index.js'
import type { KnownTask } from './createTaskMemory.js'
import { createTaskPrimer } from './createTaskPrimer.js'
import { isOver, readList, readWord } from './readBody.js'
import { renameInput, type ReplyName } from './renameReply.js'

/** What a reader works with. */
export interface TaskReaderInit {
  /** The conversation, if there is one yet. */
  readonly conversationId: () => string | undefined
  /** Hears what pages say, in order. */
  readonly onInputs: (inputs: readonly ConversationInput[]) => void
  /** Hears what was odd. */
  readonly onAnomaly: (anomaly: Anomaly) => void
  /** The server tells the message that began a task, under an id of its own: gives the one that was sent from here, if it was. */
  readonly findSent: (taskId: string, message: Msg) => SentId | undefined
  /** The message after which the first reply of a task is named. */
  readonly onOpener: (taskId: string, messageId: string) => void
  /** What is needed to read on later in the middle of a task. */
  readonly onPrimer: (taskId: string, primer: readonly JsonObject[], cursor: number) => void
}

/** A message that was sent from here. */
export interface SentId {
  /** The id it was sent with. */
  readonly id: string
  /** The message, unless it was sent before a reload. */
  readonly message?: Msg
}

/** A reply, by what was heard of it. */
interface HeardReply extends ReplyName {
  /** It ended by its own word. */
  hasEnded: boolean
  /** All of it was heard. */
  isWhole: boolean
}

const GAP: Decoded = { inputs: [{ type: 'kit.gap' }], anomalies: [] }

/** How much of a reply was heard: it is being told, or was told to its end. */
export type Heard = 'running' | 'whole'

/** Reads the pages of tasks, one task after the other. */
export interface TaskReader {
  /** A task begins, or is told anew. */
  begin(task: KnownTask): void
  /** Reads a page. */
  read(page: JsonObject): void
  /** Something was lost. */
  miss(): void
  /** The task is over: nothing more will come. */
  end(): void
  /** The task is gone, and nobody knows how it ended. */
  lose(): void
  /** Where the task stands by what was heard. */
  status(): RunStatus
  /** How much of a reply was heard; undefined when what is stored of it is wanted. */
  heardOf(replyId: string): Heard | undefined
}

/**
 * Makes what reads tasks. A reply is named after the stored message that it follows, since that is what a later page, another tab
 * and a replay can find out as well; the wire's own name of it is nowhere stored.
 *
 * @param init - What it works with.
 */
export function createTaskReader(init: TaskReaderInit): TaskReader {
  let decoder: FrameDecoder | undefined
  /** Replies of all tasks, by the wire's name. */
  const replies = new Map<string, HeardReply>()
  /** Those of the task under way. */
  let own: HeardReply[] = []
  /** What the person is asked, by call. */
  const asked = new Map<string, RunStatus>()
  let task: KnownTask = { id: '' }
  let primer = createTaskPrimer()
  /** The message after which the next reply is named, if its pages do not tell. */
  let opener: string | undefined
  let isOpenerNew = false
  /** Where the first page begins, when the beginning of the task is not kept any more. */
  let start: number | undefined
  let suffix = ''
  let isIncomplete = false
  /** Tasks that were said to be gone: what was heard of them ended there, also when they are told again. */
  const lost = new Set<string>()

  function begin(known: KnownTask): void {
    task = known
    primer = createTaskPrimer()
    own = []
    asked.clear()
    opener = task.opener ?? task.sent
    isOpenerNew = opener !== undefined && task.isAnswered !== true
    start = undefined
    suffix = ''
  }

  function read(page: JsonObject): void {
    const sessionId = init.conversationId()
    const reading = (decoder ??= taskApiDialect.createDecoder(sessionId ? { sessionId } : {}))
    const push = (frame: JsonObject): Decoded => name(reading.push(frame))
    const events = readList(page['events'])
    const decoded: Decoded[] = []
    let cursor = 0
    for (const event of events) {
      const { idx } = event
      if (typeof idx !== 'number') continue
      if (start === undefined) decoded.push(...startAt(idx, push))
      noteOpener(event)
      primer.add(event)
      cursor = idx + 1
      // One by one, so that it is known after which message a reply begins.
      const rest = { status: 'running', events: [event], next_offset: cursor }
      decoded.push(push({ ...page, ...rest }))
    }
    // What is over may have said so too early: its last words may be on the next page.
    if (events.length === 0 && isOver(page)) decoded.push(push(page))
    if (isIncomplete) decoded.push(GAP)
    isIncomplete = false
    tell(decoded)
    const kept = primer.read()
    if (kept !== null && events.length > 0) init.onPrimer(task.id, kept, cursor)
  }

  /** The first event that the server has. Before that comes what is known of those that it let go of. */
  function startAt(idx: number, push: (frame: JsonObject) => Decoded): readonly Decoded[] {
    start = idx
    if (idx === 0) return []
    const { primer: kept, cursor = 0 } = task
    isIncomplete = kept === undefined || idx > cursor
    if (kept === undefined) {
      suffix = `@${idx}`
      return []
    }
    const before = kept.filter((event) => Number(event['idx']) < idx)
    primer = createTaskPrimer(before)
    const places = new Map(before.map((event) => [event['idx'], event]))
    const inputs: ConversationInput[] = []
    for (let place = 0; place < Math.min(idx, cursor); place += 1) {
      // What was not kept was heard all the same: it leaves no hole, which would change how what follows is numbered.
      const event = places.get(place) ?? { idx: place, type: 'heard' }
      noteOpener(event)
      inputs.push(...push({ task_id: task.id, status: 'running', events: [event] }).inputs)
    }
    return [{ inputs: openOf(inputs), anomalies: [] }]
  }

  function noteOpener({ type, data }: JsonObject): void {
    if (type !== 'user_message' || !isJsonObject(data)) return
    const id = readWord(data['message_id'])
    const isBetween = !isOpenerNew && own.every(({ hasEnded }) => hasEnded)
    if (id === undefined || !(isBetween || opensTurn(data))) return
    opener = id
    isOpenerNew = true
    // It is wanted where the task is told anew, from its beginning.
    if (own.length === 0) init.onOpener(task.id, id)
  }

  function name({ inputs, anomalies }: Decoded): Decoded {
    return { anomalies, inputs: inputs.flatMap(nameInput) }
  }

  function nameInput(input: ConversationInput): readonly ConversationInput[] {
    if (input.type === 'kit.user_message') {
      const sent = init.findSent(task.id, input.message)
      if (sent === undefined) return [input]
      // From now on it has the id under which it is stored, in this tab as in any other.
      const { message = input.message } = sent
      return [
        { type: 'kit.remove_message', message_id: sent.id },
        { ...input, message: { ...message, id: input.message.id } },
      ]
    }
    const reply = replyOf(input)
    // The line knows of all that is missing, also at the end of a page.
    if (input.type === 'kit.gap') return []
    if (reply === undefined) return [input]
    follow(reply, input)
    return [renameInput(input, reply)]
  }

  function replyOf(input: ConversationInput): HeardReply | undefined {
    const wire = 'reply_id' in input ? input.reply_id : undefined
    if (wire === undefined || input.type === 'kit.input_request') return undefined
    const known = replies.get(wire)
    if (known !== undefined && own.includes(known)) return known
    const isNext = isOpenerNew || (own.length === 0 && start === 0)
    const base = isNext && opener !== undefined ? `${opener}:reply` : undefined
    isOpenerNew = false
    const id = base ?? own.map((each) => `${each.id}:next`).at(-1) ?? wire
    const isTold = input.type === 'REPLY_START' && (start === 0 || own.length > 0)
    const isWhole = isTold && !lost.has(task.id)
    const reply = { wire, id, suffix, hasEnded: false, isWhole }
    replies.set(wire, reply)
    own.push(reply)
    return reply
  }

  function follow(reply: HeardReply, input: ConversationInput): void {
    switch (input.type) {
      case 'REQUIRE_USER_CONFIRM':
      case 'REQUIRE_EXTERNAL_EXECUTION': {
        const isConfirm = input.type === 'REQUIRE_USER_CONFIRM'
        const status = isConfirm ? 'awaiting-confirm' : 'awaiting-external'
        for (const { id } of input.tool_calls) asked.set(id, status)
        break
      }
      case 'USER_CONFIRM_RESULT':
        for (const { tool_call } of input.confirm_results) asked.delete(tool_call.id)
        break
      case 'EXTERNAL_EXECUTION_RESULT':
        for (const { id } of input.execution_results) asked.delete(id)
        break
      case 'TOOL_RESULT_END':
        asked.delete(input.tool_call_id)
        break
      case 'REPLY_END':
        reply.hasEnded = true
        asked.clear()
        break
      case 'MODEL_CALL_START':
        asked.clear()
        break
      default:
    }
  }

  function tell(decoded: readonly Decoded[]): void {
    const inputs = decoded.flatMap((each) => each.inputs)
    if (inputs.length > 0) init.onInputs(inputs)
    for (const { anomalies } of decoded) anomalies.forEach(init.onAnomaly)
  }

  function miss(): void {
    for (const reply of own) reply.isWhole = false
    tell([GAP])
  }

  function end(): void {
    for (const reply of own) reply.hasEnded = true
  }

  return {
    begin,
    read,
    miss,
    end,
    lose() {
      // Told before the end: what runs is known to be incomplete from here on.
      miss()
      if (decoder !== undefined) tell([name(decoder.end('error'))])
      decoder = undefined
      lost.add(task.id)
      end()
    },
    status() {
      if (own.length > 0 && own.every(({ hasEnded }) => hasEnded)) return 'idle'
      return [...asked.values()][0] ?? 'running'
    },
    heardOf(replyId) {
      const reply = [...replies.values()].find(({ id }) => id === replyId)
      if (reply === undefined) return undefined
      if (!reply.hasEnded) return 'running'
      return reply.isWhole ? 'whole' : undefined
    },
  }
}

/** Of what was said without its words: the beginnings of what is still open, and what is still asked. */
function openOf(inputs: readonly ConversationInput[]): readonly ConversationInput[] {
  const open = new Map<string, ConversationInput>()
  for (const input of inputs) {
    if (!('reply_id' in input)) continue
    const id =
      'block_id' in input ? input.block_id : 'tool_call_id' in input ? input.tool_call_id : ''
    const key = `${input.type.replace(/_(START|END)$/, '')} ${id}`
    if (input.type.endsWith('_END')) open.delete(key)
    else if (/^(TEXT|THINKING|TOOL).*_START$/.test(input.type)) open.set(key, input)
    else if (input.type.startsWith('REQUIRE_')) open.set(`REQUIRE ${input.id}`, input)
  }
  return [...open.values()]
}
