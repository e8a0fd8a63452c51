import type { DataBlock, TextBlock, ToolResultBlock } from '../protocol/index.js'
import { appendBase64, splitBase64 } from './base64.js'

const joined = new WeakMap<ToolResultBlock, ToolResultBlock>()

/**
 * A tool's result whose data is whole. The service sends a large picture in chunks under one id; older servers store
 * each chunk as a piece of its own, and only joined they are a picture.
 *
 * @param result - The result as it is held, which is how it is stored.
 * @returns The same object when no id of inline data comes twice.
 */
export function joinPieces(result: ToolResultBlock): ToolResultBlock {
  if (typeof result.output === 'string') return result
  const known = joined.get(result)
  if (known !== undefined) return known
  const output = joinOutput(result.output)
  const whole = output.length === result.output.length ? result : { ...result, output }
  joined.set(result, whole)
  return whole
}

function joinOutput(
  output: readonly (TextBlock | DataBlock)[],
): readonly (TextBlock | DataBlock)[] {
  const pieces: (TextBlock | DataBlock)[] = []
  const places = new Map<string, number>()
  for (const piece of output) {
    const place = piece.type === 'data' ? places.get(piece.id) : undefined
    const whole = append(place === undefined ? undefined : pieces[place], piece)
    if (place !== undefined && whole !== undefined) {
      pieces[place] = whole
      continue
    }
    if (piece.type === 'data' && place === undefined) places.set(piece.id, pieces.length)
    pieces.push(piece)
  }
  return pieces
}

function append(
  first: TextBlock | DataBlock | undefined,
  piece: TextBlock | DataBlock,
): DataBlock | undefined {
  if (first?.type !== 'data' || piece.type !== 'data') return undefined
  if (first.source.type !== 'base64' || piece.source.type !== 'base64') return undefined
  const text = appendBase64(splitBase64(first.source.data), piece.source.data)
  if (text === undefined) return undefined
  const media_type = piece.source.media_type || first.source.media_type
  return { ...first, source: { ...first.source, media_type, data: text.head + text.tail } }
}
