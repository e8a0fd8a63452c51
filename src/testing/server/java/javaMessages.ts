import type {
  ContentBlock,
  DataBlock,
  JsonObject,
  JsonValue,
  Msg,
  TextBlock,
  ToolCallBlock,
  ToolResultBlock,
  Usage,
} from '../../../protocol/index.js'
import { isJsonObject } from '../../../protocol/index.js'

/** What Java says when it was interrupted; the words are its own. */
const INTERRUPTED = 'I noticed that you have interrupted me. What can I do for you?'

/** The placeholder of a result that the client is to bring. */
export const AWAITING = '[Awaiting external execution]'

/**
 * What AgentScope Java remembers of a stored message: one `Msg` for each call of the model and each result of a tool, without ids of
 * the stream, the texts of one call joined, its tools last.
 *
 * @param message - The message, as the script has it.
 * @returns Java's messages, oldest first.
 */
export function javaMessages(message: Msg): readonly JsonObject[] {
  const { id, name, role } = message
  if (role !== 'assistant') {
    const content = message.content.flatMap(javaPiece)
    return [javaMessage(message, id, role.toUpperCase(), name, content)]
  }
  const results = new Map(
    message.content.flatMap((block) => (block.type === 'tool_result' ? [[block.id, block]] : [])),
  )
  const parts = splitParts(message, results)
  return parts.map(({ role: part, content, stamp }, index) => {
    const isLastCall = parts.findLastIndex((each) => each.role === 'ASSISTANT') === index
    const reason = isLastCall && message.finished_reason === 'exceed_max_iters'
    const usage = isLastCall ? javaUsage(message.usage) : null
    const metadata: JsonObject = {
      ...(usage && { _chat_usage: usage }),
      ...(reason && { agentscope_generate_reason: 'MAX_ITERATIONS' }),
    }
    const dated = { ...message, created_at: stamp ?? message.created_at }
    return { ...javaMessage(dated, `${id}-${index}`, part, name, content), metadata, usage }
  })
}

/** Tokens in Java's words. */
export function javaUsage(usage: Usage | null): JsonObject | null {
  if (usage === null) return null
  const { input_tokens: inputTokens, output_tokens: outputTokens } = usage
  const cachedTokens = usage.cache_input_tokens
  return {
    inputTokens,
    outputTokens,
    cachedTokens,
    time: 0.1,
    totalTokens: inputTokens + outputTokens,
  }
}

/**
 * A tool call in Java's words.
 *
 * @param call - The call.
 * @param state - Where it stands, as Java tells it there.
 */
export function javaCall({ id, name, input }: ToolCallBlock, state: string): JsonObject {
  const value = parseObject(input)
  const content = value === undefined ? '{}' : input
  return { type: 'tool_use', id, name, input: value ?? {}, content, metadata: {}, state }
}

/** Text or data in Java's words; what else there may be is left out. */
function javaPiece(block: ContentBlock): readonly JsonObject[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }]
  return block.type === 'data' ? [javaData(block)] : []
}

/** A result that the client is to bring, as `AGENT_RESULT` has it. */
export function suspendedResult({ id, name }: ToolCallBlock): JsonObject {
  const output = [{ type: 'text', text: AWAITING }]
  const metadata = { agentscope_suspended: true }
  return { type: 'tool_result', id, name, output, metadata, state: 'running' }
}

interface Part {
  readonly role: 'ASSISTANT' | 'TOOL'
  readonly content: readonly JsonObject[]
  /** When it was over. */
  readonly stamp: string | null | undefined
}

function splitParts(message: Msg, results: ReadonlyMap<string, ToolResultBlock>): readonly Part[] {
  const parts: Part[] = []
  let said: ContentBlock[] = []
  const endCall = (): void => {
    const stamp = said.at(-1)?.finished_at
    if (said.length > 0) parts.push({ role: 'ASSISTANT', content: modelCall(said, results), stamp })
    said = []
  }
  for (const block of message.content) {
    if (block.type !== 'tool_result') {
      said.push(block)
      continue
    }
    endCall()
    if (block.finished_at === null) continue
    parts.push({ role: 'TOOL', content: [javaResult(block)], stamp: block.finished_at })
  }
  const hasCall = said.some(({ type }) => type === 'tool_call')
  // What a model had begun when it failed is not remembered.
  if (message.finished_reason !== 'error' || hasCall) endCall()
  if (message.finished_reason === 'interrupted') {
    const stamp = message.finished_at
    parts.push({ role: 'ASSISTANT', content: [{ type: 'text', text: INTERRUPTED }], stamp })
  }
  return parts
}

/** What one call of the model said, in Java's fixed order. */
function modelCall(
  said: readonly ContentBlock[],
  results: ReadonlyMap<string, ToolResultBlock>,
): readonly JsonObject[] {
  const thinking = said.flatMap((block) => (block.type === 'thinking' ? [block.thinking] : []))
  const texts = said.flatMap((block) => (block.type === 'text' ? [block.text] : []))
  return [
    ...(thinking.length > 0
      ? [{ type: 'thinking', thinking: thinking.join(''), metadata: null }]
      : []),
    ...said.flatMap((block) =>
      block.type === 'hint'
        ? [{ type: 'hint', id: block.id, hint: javaHint(block.hint), source: block.source }]
        : [],
    ),
    ...(texts.length > 0 ? [{ type: 'text', text: texts.join('') }] : []),
    ...said.flatMap((block) => (block.type === 'data' ? [javaData(block)] : [])),
    ...said.flatMap((block) =>
      block.type === 'tool_call' ? [javaCall(block, stateOf(block, results))] : [],
    ),
  ]
}

/** Java's calls are never finished: they stay what they were when they ran. */
function stateOf(call: ToolCallBlock, results: ReadonlyMap<string, ToolResultBlock>): string {
  const result = results.get(call.id)
  if (result?.state === 'denied' || call.state === 'asking') return 'asking'
  const hasRun = result !== undefined || call.state === 'submitted'
  return hasRun ? 'allowed' : 'pending'
}

function javaResult({ id, name, output, state }: ToolResultBlock): JsonObject {
  const pieces =
    typeof output === 'string' ? [{ type: 'text', text: output }] : output.flatMap(javaPiece)
  const denied = [{ type: 'text', text: 'Permission denied by user' }]
  return {
    type: 'tool_result',
    id,
    name,
    output: state === 'denied' ? denied : pieces,
    metadata: {},
    state,
  }
}

/** A hint as Java has it: text alone. */
export function javaHint(hint: string | readonly (TextBlock | DataBlock)[]): string {
  if (typeof hint === 'string') return hint
  return hint.flatMap((piece) => (piece.type === 'text' ? [piece.text] : [])).join('\n')
}

/** Bytes or an address in Java's words. */
export function javaData({
  id,
  name,
  source,
}: Pick<DataBlock, 'id' | 'name' | 'source'>): JsonObject {
  const { media_type } = source
  const from: JsonObject =
    source.type === 'url'
      ? { type: 'url', url: source.url, mime_type: media_type }
      : { type: 'base64', media_type, data: source.data }
  const kind = /^(image|audio|video)[/]/.exec(media_type)?.[1]
  if (kind !== undefined) return { type: kind, source: from }
  return { type: 'data', source: from, id, ...(name === null ? {} : { name }) }
}

function javaMessage(
  message: Msg,
  id: string,
  role: string,
  name: string,
  content: readonly JsonObject[],
): JsonObject {
  // The server's local time, without a zone.
  const timestamp = message.created_at.slice(0, 23).replace('T', ' ')
  return { id, name, role, content, metadata: {}, timestamp, usage: null }
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: JsonValue = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
