import {
  type Base64Source,
  type DataBlock,
  isJsonObject,
  type JsonObject,
  type UrlSource,
} from '../../protocol/index.js'
import { mediaTypeOfBytes, mediaTypeOfName } from './mediaTypes.js'
import { readField, readText } from './readField.js'

const HAS_SCHEME = /^[a-z][a-z0-9+.-]+:|^[/\\]{2}/i

/**
 * Reads an image, a sound, a film or a file: Java's `data`, `image`, `audio` and `video` blocks, and pieces of a tool's output.
 *
 * A source that is a path of the server's disk becomes a `file:` address with the file's name, so that it is shown as a card
 * and never fetched from the app's own host.
 *
 * @param block - The block, or an object with the fields of its source.
 * @param id - The id of the data block.
 * @returns Undefined when it says neither bytes nor an address.
 */
export function readData(block: JsonObject, id: string): DataBlock | undefined {
  const given = readField(block, 'source')
  const source = typeof given === 'string' ? { url: given } : isJsonObject(given) ? given : block
  const written =
    readText(source, 'mediaType', 'mimeType') ?? readText(block, 'mediaType', 'mimeType')
  const fallback = fallbackType(block['type'])
  const name = readText(block, 'name', 'fileName', 'filename') ?? null
  const data = readText(source, 'data')
  if (data !== undefined) {
    const media_type = written ?? mediaTypeOfBytes(data) ?? typeOfName(name) ?? fallback
    const base64: Base64Source = { type: 'base64', data, media_type }
    return { type: 'data', id, source: base64, name }
  }
  const url = readText(source, 'url', 'path')
  if (url === undefined) return undefined
  const media_type = written ?? mediaTypeOfName(url) ?? typeOfName(name) ?? fallback
  const place = readPlace(url)
  const link: UrlSource = { type: 'url', url: place.url, media_type }
  return { type: 'data', id, source: link, name: name ?? place.name }
}

/**
 * Reads an address that may be a path.
 *
 * @param url - What came.
 */
export function readPlace(url: string): { readonly url: string; readonly name: string | null } {
  const isDrive = /^[a-z]:[\\/]/i.test(url)
  if (HAS_SCHEME.test(url) && !isDrive) {
    return { url, name: url.startsWith('file:') ? lastPart(url) : null }
  }
  const path = url.replaceAll('\\', '/')
  const place = isDrive ? `///${path}` : path.startsWith('/') ? `//${path}` : path
  return { url: `file:${place}`, name: lastPart(path) }
}

function lastPart(path: string): string | null {
  return path.split('/').findLast((part) => part !== '') ?? null
}

function typeOfName(name: string | null): string | undefined {
  return name === null ? undefined : mediaTypeOfName(name)
}

function fallbackType(kind: unknown): string {
  const isMedium = kind === 'image' || kind === 'audio' || kind === 'video'
  return isMedium ? `${kind}/*` : 'application/octet-stream'
}
