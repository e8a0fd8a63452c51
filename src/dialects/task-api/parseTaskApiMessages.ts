import {
  type Anomaly,
  type ContentBlock,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Msg,
  type ParsedMessages,
  type ToolCallBlock,
} from '../../protocol/index.js'
import { pickFields, readObject, readObjects, readStamp, readText } from './readField.js'
import { readResultText, readState } from './readResult.js'
import { createUserMessage, opensTurn, readUserMessage, textOf } from './readUserMessage.js'

/** What is known of a stored conversation besides its messages. */
export interface TaskApiMessagesOptions {
  /** The conversation: ids of messages that have none begin with it. */
  readonly conversationId?: string
}

/** One turn of the agent as it is put together. */
interface Turn {
  readonly id: string
  readonly blocks: ContentBlock[]
  /** Stamps of its messages, in order. */
  readonly stamps: string[]
  /** How many messages of the assistant it has. */
  calls: number
  /** Whether the last message of the assistant called tools: then the agent goes on. */
  goesOn: boolean
  /** Calls without a result, by the provider's id. */
  readonly open: Map<string, ToolCallBlock>
  metadata: JsonObject
}

/**
 * Reads the messages of a stored conversation, which has the shape of OpenAI's: one turn of the agent is several messages there
 * (one per model call, one per tool result), and here it is one reply. What was put in for the agent on the way is a hint in it.
 *
 * A message of the person has its `message_id`, or an id made of its place. A reply is named after the message of the user
 * that began its turn. Nothing stored says that a turn is over but that no call of it is open.
 *
 * @param values - The `messages` of a conversation; anything that is no list counts as empty.
 * @param options - The conversation.
 * @returns Messages, oldest first, and what was odd. Never throws.
 */
export function parseTaskApiMessages(
  values: unknown,
  options: TaskApiMessagesOptions = {},
): ParsedMessages {
  const { conversationId = 'history' } = options
  const anomalies: Anomaly[] = []
  const messages: (Msg | Turn)[] = []
  const list: readonly unknown[] = Array.isArray(values) ? values : []
  let turn: Turn | undefined
  let hints: ContentBlock[] = []
  let lastUser = `${conversationId}:start`
  /** Whether a turn has its name from that one already. */
  let isNamed = true

  function turnToAdd(): Turn {
    if (turn !== undefined) return turn
    const id = `${lastUser}:reply`
    isNamed = true
    turn = { id, blocks: [], stamps: [], calls: 0, goesOn: true, open: new Map(), metadata: {} }
    turn.blocks.push(...hints.map((hint, index) => ({ ...hint, id: `${id}:h${index}` })))
    hints = []
    messages.push(turn)
    return turn
  }

  function takeUser(value: JsonObject, id: string): void {
    const words = readUserMessage(value)
    const isTurn = opensTurn(value)
    if (isTurn || turn?.goesOn === false) turn = undefined
    if (isTurn || (turn === undefined && isNamed)) {
      lastUser = id
      isNamed = false
    }
    const stamp = stampOf(value) ?? ''
    if (words.kind === 'own') messages.push(createUserMessage(value, id, stamp))
    if (words.kind !== 'hint' || words.hint === '') return
    const { hint, source } = words
    const target = turn?.blocks ?? hints
    target.push({
      ...{ type: 'hint', id: `${turn?.id ?? id}:h${target.length}`, hint, source },
      ...{ created_at: stamp, finished_at: stamp },
    })
  }

  for (const [index, value] of list.entries()) {
    const role = isJsonObject(value) ? value['role'] : undefined
    if (!isJsonObject(value) || typeof role !== 'string') {
      anomalies.push({ kind: 'malformed-message', message: 'A message has no role.', raw: value })
      continue
    }
    const id = readText(value, 'message_id') ?? `${conversationId}:m${index}`
    try {
      if (role === 'user') takeUser(value, id)
      else if (role === 'assistant') addAssistant(turnToAdd(), value)
      else if (role === 'tool') addResult(turnToAdd(), value)
    } catch {
      // Nested deeper than the engine can walk.
      const message = 'A message that cannot be read.'
      anomalies.push({ kind: 'malformed-message', message, raw: value })
    }
  }
  if (hints.length > 0) turnToAdd()
  const last = messages.at(-1)
  return {
    messages: messages.map((each) => ('open' in each ? endTurn(each, each === last) : each)),
    anomalies,
  }
}

function addAssistant(turn: Turn, value: JsonObject): void {
  turn.calls += 1
  turn.metadata = { ...turn.metadata, ...readObject(value, 'metadata') }
  const stamps = addStamp(turn, value)
  const id = `${turn.id}:${turn.calls}`
  const thinking = readText(value, 'reasoning_content')
  const text = textOf(value)
  if (thinking !== undefined) {
    turn.blocks.push({ type: 'thinking', id: `${id}:think`, thinking, ...stamps })
  }
  if (text !== '') turn.blocks.push({ type: 'text', id: `${id}:text`, text, ...stamps })
  const calls = readObjects(value, 'tool_calls')
  turn.goesOn = calls.length > 0
  for (const [index, call] of calls.entries()) {
    const called = readObject(call, 'function')
    const input = called['arguments'] ?? call['arguments'] ?? {}
    openCall(
      turn,
      readText(call, 'id') ?? `${id}:${index}`,
      readText(called, 'name') ?? '',
      input,
      stamps,
    )
  }
}

function openCall(
  turn: Turn,
  wireId: string,
  name: string,
  given: JsonValue,
  stamps: ReturnType<typeof addStamp>,
): ToolCallBlock {
  const isSame = ({ type, id }: ContentBlock): boolean =>
    type === 'tool_call' && (id === wireId || id.startsWith(`${wireId}#`))
  const same = turn.blocks.filter(isSame).length
  const id = same === 0 ? wireId : `${wireId}#${same + 1}`
  const input = typeof given === 'string' ? given : JSON.stringify(given)
  const rest = { input, state: 'pending', suggested_rules: [] } as const
  const block: ToolCallBlock = { type: 'tool_call', id, name, ...rest, ...stamps }
  turn.blocks.push(block)
  turn.open.set(wireId, block)
  return block
}

function addResult(turn: Turn, value: JsonObject): void {
  const stamps = addStamp(turn, value)
  const wireId = readText(value, 'tool_call_id') ?? `${turn.id}:${turn.blocks.length}`
  const name = readText(value, 'name') ?? ''
  const call = turn.open.get(wireId) ?? openCall(turn, wireId, name, {}, stamps)
  turn.open.delete(wireId)
  turn.blocks[turn.blocks.indexOf(call)] = { ...call, state: 'finished' }
  const result = resultOf(value)
  turn.blocks.push({
    type: 'tool_result',
    id: call.id,
    name: call.name === '' ? name : call.name,
    output: readResultText(result),
    state: readState('', result),
    metadata: {
      ...(isJsonObject(result) ? { result } : {}),
      ...pickFields(readObject(value, 'metadata'), 'monitor_snapshot', 'monitor_snapshot_after'),
    },
    ...stamps,
  })
}

/** The result as the tool gave it: kept beside the text that the model read, or that text. */
function resultOf(value: JsonObject): JsonValue {
  const payload = readObject(value, 'metadata')['tool_payload']
  if (isJsonObject(payload)) return payload
  const text = textOf(value)
  try {
    const parsed: JsonValue = JSON.parse(text)
    return isJsonObject(parsed) ? parsed : text
  } catch {
    return text
  }
}

function endTurn({ id, blocks, stamps, open, metadata }: Turn, isLast: boolean): Msg {
  const isOver = open.size === 0 || !isLast
  return {
    id,
    name: '',
    role: 'assistant',
    content: blocks,
    metadata,
    created_at: stamps[0] ?? '',
    usage: null,
    finished_at: isOver ? (stamps.at(-1) ?? '') : null,
    finished_reason: isOver ? 'completed' : null,
    structured_output: null,
    error: null,
  }
}

function addStamp(turn: Turn, value: JsonObject): { created_at: string; finished_at: string } {
  const stamp = stampOf(value)
  if (stamp !== undefined) turn.stamps.push(stamp)
  const at = turn.stamps.at(-1) ?? ''
  return { created_at: at, finished_at: at }
}

function stampOf(value: JsonObject): string | undefined {
  return readStamp(value['timestamp'] ?? value['created_at'] ?? value['ts'])
}
