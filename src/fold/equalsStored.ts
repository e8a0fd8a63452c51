import type { ContentBlock, DataBlock, Msg, TextBlock } from '../protocol/index.js'
import { isEqualJson } from './isEqualJson.js'

/**
 * Tells whether a message folded from the stream is what the service stored, apart from what no event carries: times of
 * creation, when a hint was finished, ids of text inside a tool's output, metadata and structured output of the message.
 *
 * @param local - The message held here.
 * @param stored - The message from history.
 * @returns Whether nothing else differs.
 */
export function equalsStored(local: Msg, stored: Msg): boolean {
  return (
    isEqualJson(comparable(local), comparable(stored)) &&
    local.content.length === stored.content.length &&
    local.content.every((block, index) => equalsStoredBlock(block, stored.content[index]))
  )
}

/**
 * The stored message, made of the objects held here wherever they say the same.
 *
 * @param local - The message held here.
 * @param stored - The message from history: the truth.
 * @returns The very same local message when the two are equal; otherwise the stored one, whose equal blocks are the local objects.
 */
export function adoptStored(local: Msg, stored: Msg): Msg {
  if (!equalsStored(local, stored)) {
    const content = stored.content.map((block, index) => {
      const held = local.content[index]
      return held !== undefined && equalsStoredBlock(held, block) ? held : block
    })
    return { ...stored, content }
  }
  const { metadata, structured_output } = stored
  const isSame =
    isEqualJson(local.metadata, metadata) && isEqualJson(local.structured_output, structured_output)
  return isSame ? local : { ...local, metadata, structured_output }
}

function equalsStoredBlock(local: ContentBlock, stored: ContentBlock | undefined): boolean {
  if (local === stored) return true
  return stored !== undefined && isEqualJson(comparableBlock(local), comparableBlock(stored))
}

/** A message without what is not compared; content is compared block by block. */
function comparable(message: Msg): object {
  return {
    ...message,
    content: null,
    metadata: null,
    created_at: null,
    structured_output: null,
  }
}

function comparableBlock(block: ContentBlock): object {
  const clean = { ...block, created_at: null, finished_at: block.finished_at ?? null }
  switch (clean.type) {
    case 'hint':
      return { ...clean, finished_at: null, hint: comparablePieces(clean.hint, false) }
    case 'tool_result':
      return { ...clean, output: comparablePieces(clean.output, true) }
    case 'data':
      return { ...clean, name: clean.name ?? null }
    case 'text':
    case 'thinking':
    case 'tool_call':
    case 'kit.unknown':
      return clean
  }
}

function comparablePieces(
  pieces: string | readonly (TextBlock | DataBlock)[],
  isOutput: boolean,
): unknown {
  if (typeof pieces === 'string') return pieces
  return pieces.map((piece) => {
    const clean = comparableBlock(piece)
    return isOutput && piece.type === 'text' ? { ...clean, id: null } : clean
  })
}
