import { readBytes } from './objectUrls.js'

/** Where a picture's size stands is within its first bytes, even with a preview before it. */
const HEAD_LENGTH = 65_536
/** The largest a picture is shown in the conversation, in CSS pixels. */
const MAX_WIDTH = 384
const MAX_HEIGHT = 320

/** Width and height in CSS pixels. */
export interface ImageSize {
  /** Width. */
  readonly width: number
  /** Height. */
  readonly height: number
}

/**
 * Reads how large a picture will be shown from its own first bytes, so that its place is kept before it is decoded.
 *
 * @param data - Base64 of a PNG, GIF or JPEG.
 * @returns The size it is shown at; null for other formats and for what cannot be read.
 */
export function readImageSize(data: string): ImageSize | null {
  const bytes = readBytes(data.slice(0, HEAD_LENGTH))
  if (bytes === null || bytes.length < 24) return null
  const size = readHead(new DataView(bytes.buffer))
  if (size === null || size.width === 0 || size.height === 0) return null
  const scale = Math.min(1, MAX_WIDTH / size.width, MAX_HEIGHT / size.height)
  return { width: Math.round(size.width * scale), height: Math.round(size.height * scale) }
}

function readHead(view: DataView): ImageSize | null {
  switch (view.getUint32(0)) {
    case 0x89504e47: // PNG: the IHDR chunk comes first
      return { width: view.getUint32(16), height: view.getUint32(20) }
    case 0x47494638: // GIF
      return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
    default:
      return view.getUint16(0) === 0xffd8 ? readJpeg(view) : null
  }
}

/** Walks the segments to the start of frame, which holds the size. */
function readJpeg(view: DataView): ImageSize | null {
  let at = 2
  while (at + 9 < view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    at += 2 + view.getUint16(at + 2)
  }
  return null
}
