const EXTENSIONS: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  mp4: 'video/mp4',
  webm: 'video/webm',
  pdf: 'application/pdf',
  json: 'application/json',
  csv: 'text/csv',
  txt: 'text/plain',
  md: 'text/markdown',
}

/** How files of a kind begin; a dot stands for any byte. */
const BEGINNINGS: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8/, 'image/gif'],
  [/^RIFF....WEBP/s, 'image/webp'],
  [/^RIFF....WAVE/s, 'audio/wav'],
  [/^(?:ID3|\xff[\xe2-\xfb])/, 'audio/mpeg'],
  [/^OggS/, 'audio/ogg'],
  [/^....ftyp/s, 'video/mp4'],
  [/^.E\xdf\xa3/s, 'video/webm'],
  [/^%PDF/, 'application/pdf'],
]

/**
 * The media type of a file by its name.
 *
 * @param url - An address or a path.
 */
export function mediaTypeOfName(url: string): string | undefined {
  const extension = /[.]([a-z0-9]+)(?:[?#].*)?$/i.exec(url)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined
}

/**
 * The media type of a file by its first bytes.
 *
 * @param base64 - The file's beginning, or all of it.
 */
export function mediaTypeOfBytes(base64: string): string | undefined {
  let bytes: string
  try {
    bytes = atob(base64.slice(0, 32))
  } catch {
    return undefined
  }
  return BEGINNINGS.find(([beginning]) => beginning.test(bytes))?.[1]
}
