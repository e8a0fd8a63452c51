'use client'
import { useState } from 'react'
import type { Base64Source } from '../../protocol/index.js'
import { useClientLayoutEffect } from '../part/useClientLayoutEffect.js'
import { holdObjectUrl, releaseObjectUrl } from './objectUrls.js'

/**
 * A `blob:` URL of inline bytes for as long as the component shows them.
 *
 * @param source - The bytes; null for none.
 * @returns The URL; null on a server and when there is nothing to show, `false` when the bytes are unreadable.
 */
export function useObjectUrl(source: Base64Source | null): string | null | false {
  const [made, setMade] = useState<{ source: Base64Source; url: string | null }>()
  useClientLayoutEffect(() => {
    if (source === null) return undefined
    const url = holdObjectUrl(source)
    setMade({ source, url })
    if (url === null) return undefined
    return () => releaseObjectUrl(source)
  }, [source])
  if (source === null || made?.source !== source) return null
  return made.url ?? false
}
