import {
  type Anomaly,
  type ContentBlock,
  isJsonObject,
  type JsonObject,
  type Msg,
  type ParsedMessages,
  type Role,
  type ToolCallBlock,
  type ToolResultBlock,
  type Usage,
} from '../../protocol/index.js'
import { finishedReasonOf } from './endRun.js'
import { isForModel } from './isForModel.js'
import { readBlock } from './readBlock.js'
import { readCount, readField, readObject, readText } from './readField.js'
import { readStamp } from './readStamp.js'

/** What is known of stored messages besides what they say. */
export interface JavaMessagesOptions {
  /**
   * What the server's clock is ahead of UTC, in minutes: Java's stamps have no zone. Without it they stay as they are, and a
   * message that waits has none, since nothing of the stream could be compared with it.
   */
  readonly utcOffsetMinutes?: number
  /**
   * The replies of messages that were streamed, by the id of the message: no id of the stream is stored, so a backend that
   * offers history remembers the pairs that the notice `agent_result` tells (`message_id`, `reply_id`).
   */
  readonly replyIds?: ReadonlyMap<string, string>
}

/** Java's messages of one bubble. */
interface Turn {
  readonly role: Role
  readonly messages: JsonObject[]
}

/**
 * Reads what AgentScope Java stores. One turn of an agent is several messages there (one per model call, one per tool result);
 * here it is one reply. What the framework put in for the model is left out.
 *
 * @param values - A list of `Msg`, or the data-agent example's `turns`; anything that is no list counts as empty.
 * @param options - The server's zone, and which replies are known.
 * @returns Messages, oldest first, and what was odd. Never throws.
 */
export function parseJavaMessages(
  values: unknown,
  options: JavaMessagesOptions = {},
): ParsedMessages {
  const anomalies: Anomaly[] = []
  const turns: Turn[] = []
  for (const value of Array.isArray(values) ? values : []) {
    if (!isJsonObject(value)) {
      anomalies.push({ kind: 'malformed-message', message: 'A message is no object.', raw: value })
      continue
    }
    if (isForModel(value)) continue
    const role = roleOf(value)
    const last = turns.at(-1)
    if (role === 'assistant' && last?.role === role) last.messages.push(value)
    else turns.push({ role, messages: [value] })
  }
  return { messages: turns.map((turn, index) => readTurn(turn, index, options)), anomalies }
}

function readTurn({ role, messages }: Turn, index: number, options: JavaMessagesOptions): Msg {
  const ids = messages.map((message) => readText(message, 'id'))
  const known = ids.flatMap((id) => options.replyIds?.get(id ?? '') ?? [])
  const id = known[0] ?? ids.find((given) => given !== undefined) ?? `message-${index}`
  const blocks = messages.flatMap((message, position) =>
    readContent(message, ids[position] ?? `${id}:${position}`),
  )
  const content = settleTools(blocks)
  const isWaiting = content.some((block) => block.type === 'tool_call' && isOpen(block))
  const stamps = messages.map((message) => stampOf(message, options))
  const isDated = !isWaiting || options.utcOffsetMinutes !== undefined
  const created_at = (isDated ? stamps[0] : undefined) ?? ''
  const last = messages.findLast((message) => !isOfTool(message)) ?? {}
  const metadata = readObject(last, 'metadata')
  const reason = readText(metadata, 'agentscope_generate_reason')
  // A model call that asked for tools is not the last word of a turn.
  const isOver = role !== 'assistant' || !(isWaiting || reason === 'TOOL_CALLS')
  return {
    id,
    name: messages.flatMap((message) => readText(message, 'name') ?? [])[0] ?? '',
    role,
    content,
    metadata,
    created_at,
    usage: addUsage(messages),
    finished_at: isOver ? (stamps.findLast((stamp) => stamp !== undefined) ?? created_at) : null,
    finished_reason: isOver && role === 'assistant' ? finishedReasonOf(reason) : null,
    structured_output: metadata['_structured_output'] ?? null,
    error: null,
  }
}

/** Calls that have a result are finished; a result that only says that the client is to run the tool is none. */
function settleTools(blocks: readonly ContentBlock[]): readonly ContentBlock[] {
  const results = new Set<string>()
  const suspended = new Set<string>()
  for (const block of blocks) {
    if (block.type !== 'tool_result') continue
    if (isSuspended(block)) suspended.add(block.id)
    else results.add(block.id)
  }
  return blocks.flatMap((block): readonly ContentBlock[] => {
    if (block.type === 'tool_result') return isSuspended(block) ? [] : [settleResult(block)]
    if (block.type !== 'tool_call') return [block]
    if (results.has(block.id)) return [{ ...block, state: 'finished' }]
    return [suspended.has(block.id) ? { ...block, state: 'submitted' } : block]
  })
}

/** A tool that set no state is stored as running, though it is done. */
function settleResult(block: ToolResultBlock): ToolResultBlock {
  if (block.state !== 'running') return block
  const first = typeof block.output === 'string' ? block.output : block.output[0]
  const text = typeof first === 'string' ? first : first?.type === 'text' ? first.text : ''
  return { ...block, state: /^(Error: |\[ERROR\] )/.test(text) ? 'error' : 'success' }
}

function isSuspended(block: ToolResultBlock): boolean {
  return block.metadata['agentscope_suspended'] === true
}

function isOpen({ state }: ToolCallBlock): boolean {
  return state === 'asking' || state === 'submitted'
}

function readContent(message: JsonObject, id: string): readonly ContentBlock[] {
  const content = readField(message, 'content')
  const tool = readText(message, 'toolName')
  if (tool !== undefined && (content === undefined || typeof content === 'string')) {
    return readToolTurn(message, tool, id)
  }
  if (typeof content === 'string') return [{ type: 'text', id: `${id}:0`, text: content }]
  const values: readonly unknown[] = Array.isArray(content) ? content : []
  return values.flatMap((value, index) => readBlock(value, `${id}:${index}`) ?? [])
}

/** A tool call of the data-agent example: it has no id, and input and result as text. */
function readToolTurn(message: JsonObject, name: string, id: string): readonly ContentBlock[] {
  const input = readText(message, 'toolInput') ?? ''
  const output = readText(message, 'toolResult', 'content') ?? ''
  return [
    { type: 'tool_call', id, name, input, state: 'finished', suggested_rules: [] },
    { type: 'tool_result', id, name, output, state: 'success', metadata: {} },
  ]
}

function roleOf(message: JsonObject): Role {
  const role = readText(message, 'role')?.toLowerCase()
  return role === 'user' || role === 'system' ? role : 'assistant'
}

function isOfTool(message: JsonObject): boolean {
  return readText(message, 'role')?.toLowerCase() === 'tool'
}

function stampOf(message: JsonObject, options: JavaMessagesOptions): string | undefined {
  const stamp = readField(message, 'timestamp', 'timestampMs', 'createdAt')
  return readStamp(stamp, options.utcOffsetMinutes)
}

function addUsage(messages: readonly JsonObject[]): Usage | null {
  const parts = messages.flatMap((message) => {
    const given = readField(message, 'usage')
    const usage = isJsonObject(given) ? given : readObject(message, 'metadata')['_chat_usage']
    return isJsonObject(usage) ? [usage] : []
  })
  const count = (...names: readonly string[]): number =>
    parts.reduce((sum, usage) => sum + readCount(usage, ...names), 0)
  if (parts.length === 0) return null
  return {
    input_tokens: count('inputTokens'),
    output_tokens: count('outputTokens'),
    cache_input_tokens: count('cachedTokens', 'cacheInputTokens'),
    cache_creation_input_tokens: count('cacheCreationInputTokens'),
  }
}
