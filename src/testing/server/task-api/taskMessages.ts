import type {
  ContentBlock,
  DataBlock,
  JsonObject,
  Msg,
  ToolCallBlock,
  ToolResultBlock,
} from '../../../protocol/index.js'
import { isJsonObject } from '../../../protocol/index.js'
import { readHint } from './readHint.js'
import { monitorSnapshot, pathOf, toolPayload } from './toolPayload.js'

/** What is known of a conversation besides its messages. */
export interface StoredPlace {
  /** Which call of the model wrote a block of a reply; undefined = not known. */
  readonly callOf: (replyId: string, blockId: string) => number | undefined
  /** The question that was asked about a call; null = none. */
  readonly approvalOf: (replyId: string, callId: string) => string | null
}

/**
 * What the Task API stores of a message: one of the assistant for each call of the model, one for each result of a tool, and what
 * the agent was told as messages of the user.
 *
 * @param message - The message, as the script has it.
 * @param place - Its conversation.
 * @returns The API's messages, oldest first.
 */
export function taskMessages(message: Msg, place: StoredPlace): readonly JsonObject[] {
  if (message.role === 'user') return [userMessage(message)]
  const messages: JsonObject[] = []
  let said: ContentBlock[] = []
  let call: number | undefined
  const flush = (): void => {
    if (said.length > 0) messages.push(assistantMessage(said, message.created_at))
    said = []
  }
  for (const block of message.content) {
    switch (block.type) {
      case 'hint':
        flush()
        messages.push(hintMessage(block.id, readHint(block.hint, block.source)))
        break
      case 'tool_result':
        flush()
        if (block.finished_at) messages.push(toolMessage(message.id, block, place))
        break
      case 'text':
      case 'thinking':
      case 'tool_call': {
        const next = place.callOf(message.id, block.id)
        if (next !== call) flush()
        call = next
        said.push(block)
        break
      }
      default:
    }
  }
  flush()
  return messages
}

function userMessage({ id, content, created_at: timestamp }: Msg): JsonObject {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
  const data = content.filter((block) => block.type === 'data')
  const of = (kind: string): readonly string[] =>
    data.filter(({ source }) => source.media_type.startsWith(`${kind}/`)).map(pathOfBlock)
  const [images, videos] = [of('image'), of('video')]
  return {
    role: 'user',
    content: texts.join('\n'),
    ...(images.length > 0 && { images }),
    ...(videos.length > 0 && { videos }),
    message_id: id,
    timestamp,
    metadata: { message_source: 'user', visibility: 'chat' },
  }
}

/** A message that nobody typed. */
function hintMessage(message_id: string, told: JsonObject): JsonObject {
  const { message: content = '', metadata = {}, runtime_guidance_original = '' } = told
  const more = isJsonObject(metadata) ? metadata : {}
  return { role: 'user', content, message_id, metadata: { ...more, runtime_guidance_original } }
}

function assistantMessage(said: readonly ContentBlock[], timestamp: string): JsonObject {
  const texts = said.flatMap((block) => (block.type === 'text' ? [block.text] : []))
  const thoughts = said.flatMap((block) => (block.type === 'thinking' ? [block.thinking] : []))
  const calls = said.flatMap((block) => (block.type === 'tool_call' ? [toolCall(block)] : []))
  return {
    role: 'assistant',
    content: texts.join(''),
    ...(thoughts.length > 0 && { reasoning_content: thoughts.join('') }),
    ...(calls.length > 0 && { tool_calls: calls }),
    timestamp: said[0]?.created_at ?? timestamp,
  }
}

function toolCall({ id, name, input }: ToolCallBlock): JsonObject {
  return { id, type: 'function', function: { name, arguments: input } }
}

function toolMessage(replyId: string, block: ToolResultBlock, place: StoredPlace): JsonObject {
  const { id, name, output, state, metadata, finished_at: timestamp = null } = block
  const pieces = typeof output === 'string' ? [] : output
  const text =
    typeof output === 'string'
      ? output
      : pieces.flatMap((piece) => (piece.type === 'text' ? [piece.text] : [])).join('')
  const files = pieces.flatMap((piece) => (piece.type === 'data' ? [pathOfBlock(piece)] : []))
  const approvalId = place.approvalOf(replyId, id)
  const told = { name, state, text, files, metadata, approvalId }
  const snapshot = monitorSnapshot(told)
  const more = { tool_payload: toolPayload(told) }
  return {
    role: 'tool',
    tool_call_id: id,
    name,
    content: text,
    metadata: snapshot === null ? more : { ...more, monitor_snapshot_after: snapshot },
    timestamp,
  }
}

function pathOfBlock({ id, name, source }: DataBlock): string {
  return source.type === 'url' ? source.url : pathOf(id, source.media_type, name)
}
