import { mediaKind } from '../../policy/index.js'
import { readBytes } from '../data-block-view/objectUrls.js'
import type { BlockInit, DataBlock, Msg } from '../../protocol/index.js'

/** A file that waits to be sent. */
export interface Attachment {
  /** Unique in its composer. */
  readonly key: number
  /** The file. */
  readonly file: File
  /** A `blob:` URL for its preview; null when it is no picture. */
  readonly previewUrl: string | null
}

/**
 * Tells whether a file is of a kind that is taken.
 *
 * @param file - The file.
 * @param accepted - Media types such as `image/*`.
 */
export function isAccepted(file: File, accepted: readonly string[]): boolean {
  const type = file.type.toLowerCase()
  return accepted.some((pattern) => {
    const wanted = pattern.toLowerCase()
    if (wanted === '*/*' || wanted === '*') return true
    return wanted.endsWith('/*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted
  })
}

let lastKey = 0

/**
 * Makes an attachment; its preview's URL lives until `dropAttachment`. For event handlers only.
 *
 * @param file - The file.
 */
export function createAttachment(file: File): Attachment {
  lastKey += 1
  const isPicture = mediaKind(file.type) === 'image'
  return { key: lastKey, file, previewUrl: isPicture ? URL.createObjectURL(file) : null }
}

/**
 * Lets go of an attachment's preview.
 *
 * @param attachment - The attachment, which is shown no more.
 */
export function dropAttachment({ previewUrl }: Attachment): void {
  if (previewUrl !== null) URL.revokeObjectURL(previewUrl)
}

/**
 * Reads a file into a block that can be sent.
 *
 * @param file - The file.
 * @returns The block; rejects when the file cannot be read.
 */
export async function readFile(file: File): Promise<BlockInit<DataBlock>> {
  const url = await readDataUrl(file)
  return {
    type: 'data',
    name: file.name,
    source: {
      type: 'base64',
      media_type: file.type === '' ? 'application/octet-stream' : file.type,
      data: url.slice(url.indexOf(',') + 1),
    },
  }
}

/**
 * Makes files of a message's data again. Data that cannot be read, or stands elsewhere, is left out.
 *
 * @param message - The message.
 */
export function filesOf({ content }: Msg): readonly File[] {
  return content.flatMap((block) => {
    if (block.type !== 'data' || block.source.type !== 'base64') return []
    const { data, media_type: type } = block.source
    const bytes = readBytes(data)
    return bytes === null ? [] : [new File([bytes], block.name ?? type, { type })]
  })
}

function readDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () =>
      resolve(typeof reader.result === 'string' ? reader.result : ''),
    )
    reader.addEventListener('error', reject)
    reader.readAsDataURL(file)
  })
}
