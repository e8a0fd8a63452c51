import { mediaKind } from '../../policy/index.js'
import type { Base64Source } from '../../protocol/index.js'

interface Held {
  readonly url: string
  holders: number
}

// By the source's identity: shown twice, the same bytes share one URL.
const held = new WeakMap<Base64Source, Held>()

/**
 * Gives a `blob:` URL of inline bytes, made when nobody holds one yet. For effects and event handlers only: what is made while
 * rendering is lost when React throws the render away.
 *
 * @param source - The bytes.
 * @returns The URL, or null when the bytes are not base64. Every URL given must be released once.
 */
export function holdObjectUrl(source: Base64Source): string | null {
  const known = held.get(source)
  if (known !== undefined) {
    known.holders += 1
    return known.url
  }
  const bytes = readBytes(source.data)
  if (bytes === null) return null
  const url = URL.createObjectURL(new Blob([bytes], { type: blobType(source.media_type) }))
  held.set(source, { url, holders: 1 })
  return url
}

/**
 * Gives a URL back; the last holder revokes it.
 *
 * @param source - What `holdObjectUrl` gave a URL for.
 */
export function releaseObjectUrl(source: Base64Source): void {
  const known = held.get(source)
  if (known === undefined) return
  known.holders -= 1
  if (known.holders > 0) return
  held.delete(source)
  URL.revokeObjectURL(known.url)
}

/**
 * Reads base64.
 *
 * @param data - Base64; anything else gives null.
 */
export function readBytes(data: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(data), (char) => char.charCodeAt(0))
  } catch {
    return null
  }
}

/** A `blob:` URL belongs to the page's origin: a type that can run there, such as HTML or SVG, is not named. */
function blobType(mediaType: string): string {
  return mediaKind(mediaType) === 'file' ? 'application/octet-stream' : mediaType
}
