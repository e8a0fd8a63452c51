'use client'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { RefCallback } from 'react'
import { createTailFollower } from './createTailFollower.js'
import type { TailFollower } from './createTailFollower.js'

/** What a list needs to follow its end. */
export interface TailFollowing {
  /** For the element that scrolls. */
  readonly scrollerRef: RefCallback<HTMLElement>
  /** For what it holds. */
  readonly contentRef: RefCallback<HTMLElement>
  /** The element that scrolls, once there is one. */
  readonly scroller: HTMLElement | null
  /** Whether the end is followed. */
  readonly isFollowing: boolean
  /** Goes to the end and follows it. */
  readonly follow: () => void
}

/** Follows the end of a list until the reader leaves it; see `createTailFollower`. */
export function useTailFollower(): TailFollowing {
  const [scroller, scrollerRef] = useState<HTMLElement | null>(null)
  const [content, contentRef] = useState<HTMLElement | null>(null)
  const [isFollowing, setFollowing] = useState(true)
  const follower = useRef<TailFollower | null>(null)
  useEffect(() => {
    if (scroller === null || content === null) return undefined
    // A test's DOM without layout has nothing to follow.
    if (typeof ResizeObserver === 'undefined') return undefined
    const made = createTailFollower(scroller, content, setFollowing)
    follower.current = made
    return () => {
      made.stop()
      follower.current = null
      setFollowing(true)
    }
  }, [scroller, content])
  const follow = useCallback(() => follower.current?.follow(), [])
  return { scrollerRef, contentRef, scroller, isFollowing, follow }
}
