'use client'

import { useContext, useState } from 'react'
import type { ComponentPropsWithoutRef, ReactElement } from 'react'
import type { ExtraProps } from 'react-markdown'
import { WordsContext } from './WordsContext.js'

/** What the URL policy left of an image. */
export interface MarkdownImageProps extends ComponentPropsWithoutRef<'img'>, ExtraProps {
  /** The address, when nothing may load before the person asks for it. */
  readonly 'data-src'?: string
  /** The host a request would go to. */
  readonly 'data-host'?: string
}

/**
 * An image in markdown. With `src` it loads; with `data-src` it is a button that names the image and the host, and loads on click; with
 * neither it is a sentence. Usable on its own for any image the policy must be asked about.
 */
export function MarkdownImage({
  node: _node,
  'data-src': waiting,
  'data-host': host = '',
  src,
  alt = '',
  title,
}: MarkdownImageProps): ReactElement {
  const words = useContext(WordsContext)
  const [wanted, setWanted] = useState<string>()
  const [failed, setFailed] = useState<unknown>()
  const allowed = src ?? (wanted === waiting ? wanted : undefined)

  if (allowed !== undefined && failed !== allowed) {
    return (
      <img
        className="as-md-image"
        src={allowed}
        alt={alt}
        title={title}
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
        onError={() => setFailed(allowed)}
      />
    )
  }
  if (allowed === undefined && waiting !== undefined) {
    return (
      <button type="button" className="as-md-load-image" onClick={() => setWanted(waiting)}>
        {alt === '' ? null : (
          <>
            <bdi>{alt}</bdi>
            {' · '}
          </>
        )}
        {words.loadImage(host)}
      </button>
    )
  }
  return (
    <span className="as-md-no-image" role="img" aria-label={alt === '' ? undefined : alt}>
      {allowed === undefined ? words.blockedImage(alt) : words.failedImage(alt)}
    </span>
  )
}
