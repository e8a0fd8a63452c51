import type {
  Answer,
  ContentBlock,
  DataBlock,
  JsonObject,
  JsonValue,
  Msg,
  TextBlock,
  ToolCallBlock,
  ToolResultBlock,
  UserInput,
} from '../../protocol/index.js'
import { getTextContent, isJsonObject, TransportError } from '../../protocol/index.js'
import { decodeCallId } from './callIds.js'
import type { JavaFraming } from './JavaFraming.js'
import { parseJson } from './readField.js'

/**
 * What a message of the user becomes.
 *
 * @param framing - The kind of backend.
 * @param input - The messages, or null to go on.
 */
export function encodeInput(framing: JavaFraming, input: UserInput): JsonValue {
  if (input === null) return null
  const text = input.map((message) => getTextContent(message) ?? '').join('\n')
  switch (framing) {
    case 'managed':
      return {
        events: input.map((message) => ({
          type: 'user.message',
          payload: { text: getTextContent(message) ?? '' },
        })),
      }
    case 'agent-protocol':
      return { input: text }
    case 'events':
      return { messages: input.map(encodeMessage) }
    default:
      return { message: text }
  }
}

/**
 * What an answer becomes: for a controller on the core lists that parse straight into `List<ConfirmResult>` and
 * `List<ToolResultBlock>`.
 *
 * @param framing - The kind of backend.
 * @param answer - The answer.
 * @throws TransportError where the backend has no place for it.
 */
export function encodeAnswer(framing: JavaFraming, answer: Answer): JsonValue {
  if (answer.kind === 'confirm' && framing === 'managed') {
    return {
      events: answer.results.map(({ confirmed, tool_call }) => ({
        type: 'user.tool_confirmation',
        payload: { tool_use_id: decodeCallId(tool_call.id), allow: confirmed },
      })),
    }
  }
  if (answer.kind === 'confirm' && framing === 'agent-protocol') {
    return {
      decisions: answer.results.map(({ confirmed, tool_call }) => ({
        toolCallId: decodeCallId(tool_call.id),
        approved: confirmed,
      })),
    }
  }
  if (answer.kind === 'confirm' && framing === 'events') {
    return {
      confirmResults: answer.results.map(({ confirmed, tool_call, rules }) => ({
        confirmed,
        toolCall: encodeCall(tool_call),
        rules: rules?.map((rule) => ({ ...rule })) ?? null,
      })),
    }
  }
  if (answer.kind === 'external' && framing === 'managed') {
    return {
      events: answer.results.map((result) => ({
        type: 'user.tool_result',
        payload: encodeManaged(result),
      })),
    }
  }
  if (answer.kind === 'external' && framing === 'events') {
    return { toolResults: answer.results.map(encodeResult) }
  }
  throw new TransportError(
    'rejected',
    `A Java backend of the kind "${framing}" has no place for this answer (${answer.kind}), so it was not sent.`,
  )
}

/** Java replaces its own call by what comes back, and its tools read `content`: so both forms of the arguments go out. */
function encodeCall(call: ToolCallBlock): JsonObject {
  const input = parseJson(call.input)
  const isWhole = isJsonObject(input)
  const metadata: unknown = 'metadata' in call ? call.metadata : undefined
  return {
    type: 'tool_use',
    id: decodeCallId(call.id),
    name: call.name,
    input: isWhole ? input : {},
    content: isWhole ? call.input : '{}',
    metadata: isJsonObject(metadata) ? metadata : {},
  }
}

function encodeResult(result: ToolResultBlock): JsonObject {
  const { output, metadata, name, state } = result
  const pieces =
    typeof output === 'string' ? [{ type: 'text', text: output }] : output.flatMap(encodePiece)
  return { type: 'tool_result', id: decodeCallId(result.id), name, output: pieces, metadata, state }
}

function encodeManaged(result: ToolResultBlock): JsonObject {
  const { output, state } = result
  const texts =
    typeof output === 'string'
      ? [output]
      : output.flatMap((piece) => (piece.type === 'text' ? [piece.text] : []))
  return {
    tool_use_id: decodeCallId(result.id),
    content: texts.join('\n'),
    is_error: state === 'error',
  }
}

/** A message as Java reads it: roles in capitals, content always a list. It stamps the time itself. */
function encodeMessage({ id, name, role, content, metadata }: Msg): JsonObject {
  return { id, name, role: role.toUpperCase(), content: content.flatMap(encodePiece), metadata }
}

function encodePiece(block: ContentBlock | TextBlock | DataBlock): readonly JsonObject[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }]
  if (block.type !== 'data') return []
  const { id, name, source } = block
  const { media_type } = source
  const kind = /^(image|audio|video)[/]/.exec(media_type)?.[1] ?? 'data'
  const from: JsonObject =
    source.type === 'url'
      ? { type: 'url', url: source.url, mime_type: media_type }
      : { type: 'base64', media_type, data: source.data }
  // Java's media blocks have neither id nor name.
  return [
    kind === 'data'
      ? { type: kind, id, source: from, ...(name === null ? {} : { name }) }
      : { type: kind, source: from },
  ]
}
