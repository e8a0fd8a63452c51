/** How a file is shown: played, pictured, or as a card that offers it for download. */
export type MediaKind = 'image' | 'audio' | 'video' | 'file'

// Only formats that browsers draw or play without running anything. SVG and HTML can carry scripts and
// load further resources, so they are files.
const kinds: ReadonlyMap<string, MediaKind> = new Map<string, MediaKind>([
  ...['png', 'jpeg', 'jpg', 'gif', 'webp', 'avif', 'bmp', 'x-ms-bmp', 'apng'].map(
    (name) => [`image/${name}`, 'image'] as const,
  ),
  ...[
    ...['mpeg', 'mp3', 'mp4', 'x-m4a', 'm4a', 'aac', 'ogg', 'opus', 'webm', 'flac', 'x-flac'],
    ...['wav', 'x-wav', 'wave', 'vnd.wave'],
  ].map((name) => [`audio/${name}`, 'audio'] as const),
  ...['mp4', 'webm', 'ogg', 'quicktime', 'x-m4v'].map(
    (name) => [`video/${name}`, 'video'] as const,
  ),
])

/**
 * Tells how to show a file of a media type.
 *
 * @param mediaType - A media type such as `image/png` or `audio/wav; rate=24000`; parameters and case are ignored.
 * @returns `'image'`, `'audio'` or `'video'` for formats that cannot run anything, `'file'` for all others
 *   (unknown, missing, SVG, HTML, PDF).
 */
export function mediaKind(mediaType: string | null | undefined): MediaKind {
  const essence = (mediaType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return kinds.get(essence) ?? 'file'
}
