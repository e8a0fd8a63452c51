import type { ContentBlock, JsonObject } from '../../protocol/index.js'

/**
 * Text and data as Java reads them; other blocks are left out.
 *
 * @param content - Text, or blocks.
 */
export function encodePieces(content: string | readonly ContentBlock[]): readonly JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return content.flatMap((block): JsonObject | readonly JsonObject[] => {
    if (block.type === 'text') return { type: 'text', text: block.text }
    if (block.type !== 'data') return []
    const { id, name, source } = block
    const { media_type } = source
    const from: JsonObject =
      source.type === 'url'
        ? { type: 'url', url: source.url, mime_type: media_type }
        : { type: 'base64', media_type, data: source.data }
    const kind = /^(image|audio|video)[/]/.exec(media_type)?.[1]
    // Java's media blocks have neither id nor name.
    if (kind !== undefined) return { type: kind, source: from }
    return { type: 'data', id, source: from, ...(name === null ? {} : { name }) }
  })
}
