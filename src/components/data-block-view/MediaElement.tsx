'use client'
import type { ReactElement } from 'react'
import type { MediaKind } from '../../policy/index.js'
import type { ImageSize } from './readImageSize.js'

/** Props of `MediaElement`. */
export interface MediaElementProps {
  /** What it is. */
  readonly kind: Exclude<MediaKind, 'file'>
  /** Where its bytes are; null while that is not known yet. */
  readonly url: string | null
  /** Its name, for assistive technology. */
  readonly name: string
  /** A picture's size, if known. */
  readonly size: ImageSize | null
  /** The browser cannot show it. */
  readonly onFailed: () => void
}

/** The browser's own element for a picture, a sound or a film. */
export function MediaElement({ kind, url, name, size, onFailed }: MediaElementProps): ReactElement {
  const src = url ?? undefined
  if (kind === 'image') {
    return (
      <img
        className="as-media"
        src={src}
        alt={name}
        width={size?.width}
        height={size?.height}
        decoding="async"
        referrerPolicy="no-referrer"
        onError={onFailed}
      />
    )
  }
  // What an agent sends has no captions to offer.
  const Player = kind
  return (
    <Player
      className="as-media"
      controls
      preload="metadata"
      src={src}
      aria-label={name}
      onError={onFailed}
      {...(kind === 'video' ? { playsInline: true } : {})}
    />
  )
}
