import type { AgentEvent } from '../../protocol/index.js'
import { toBase64 } from './base64.js'
import type { OutputScript, ToolCallScript, WritingScript } from './AgentScript.js'

type WithoutEnvelope<Event> = Event extends AgentEvent
  ? Omit<Event, 'id' | 'created_at' | 'reply_id'>
  : never

/** An event without its envelope. */
export type EventBody = WithoutEnvelope<AgentEvent>

/** The events of one piece: how it begins, each chunk, how it ends. */
export interface PieceEvents {
  /** Opens the piece. */
  readonly start: EventBody
  /** One event per chunk. */
  readonly chunks: readonly EventBody[]
  /** Closes the piece. */
  readonly end: EventBody
}

/**
 * What is sent for a piece that a model writes. What is stored for it is `storedBlock`'s business.
 *
 * @param piece - The piece.
 * @param block_id - The id of its block.
 */
export function writingEvents(piece: WritingScript, block_id: string): PieceEvents {
  switch (piece.kind) {
    case 'text':
      return {
        start: { type: 'TEXT_BLOCK_START', block_id },
        chunks: piece.chunks.map((delta) => ({ type: 'TEXT_BLOCK_DELTA', block_id, delta })),
        end: { type: 'TEXT_BLOCK_END', block_id, text: null },
      }
    case 'thinking':
      return {
        start: { type: 'THINKING_BLOCK_START', block_id },
        chunks: piece.chunks.map((delta) => ({ type: 'THINKING_BLOCK_DELTA', block_id, delta })),
        end: { type: 'THINKING_BLOCK_END', block_id },
      }
    case 'bytes':
    case 'link':
      return dataEvents(piece, block_id)
  }
}

function dataEvents(
  piece: Extract<WritingScript, { kind: 'bytes' | 'link' }>,
  block_id: string,
): PieceEvents {
  const { mediaType: media_type, name } = piece
  const delta = { type: 'DATA_BLOCK_DELTA', block_id, media_type } as const
  return {
    start: { type: 'DATA_BLOCK_START', block_id, media_type, name },
    chunks:
      piece.kind === 'link'
        ? [{ ...delta, data: null, url: piece.url }]
        : piece.chunks.map((bytes) => ({ ...delta, data: toBase64(bytes), url: null })),
    end: { type: 'DATA_BLOCK_END', block_id },
  }
}

/** What is sent for a tool call. */
export function callEvents({ id, name, chunks }: ToolCallScript): PieceEvents {
  return {
    start: { type: 'TOOL_CALL_START', tool_call_id: id, tool_call_name: name },
    chunks: chunks.map((delta) => ({ type: 'TOOL_CALL_DELTA', tool_call_id: id, delta })),
    end: { type: 'TOOL_CALL_END', tool_call_id: id },
  }
}

/** What is sent for one piece of a tool's result. */
export function outputEvent(tool_call_id: string, piece: OutputScript): EventBody {
  if ('text' in piece) {
    return { type: 'TOOL_RESULT_TEXT_DELTA', tool_call_id, delta: piece.text }
  }
  const { id: block_id, mediaType: media_type } = piece
  const delta = { type: 'TOOL_RESULT_DATA_DELTA', tool_call_id, block_id, media_type } as const
  return 'url' in piece
    ? { ...delta, data: null, url: piece.url }
    : { ...delta, data: toBase64(piece.bytes), url: null }
}
