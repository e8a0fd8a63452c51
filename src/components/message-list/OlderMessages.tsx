'use client'
import { useEffect, useState } from 'react'
import type { ReactElement } from 'react'
import { ownEntry, useCommands, useConnection, useHistory } from '../../hooks/index.js'
import { Button } from '../button/Button.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { Icon } from '../icon/Icon.js'
import { Notice } from '../notice/Notice.js'

/** How far ahead of the reader older messages are fetched. */
const AHEAD = '600px 0px 0px 0px'

/**
 * The top of the list: fetches older messages when the reader comes near, and offers a button that does the same. Its height is
 * the same in each state.
 */
export function OlderMessages(props: {
  readonly scroller: HTMLElement | null
}): ReactElement | null {
  const { scroller } = props
  const { hasMore, isLoadingOlder, error, phase } = useHistory()
  const { phase: connection } = useConnection()
  const { loadOlder, retryNow } = useCommands()
  const { conversation, actions, notice } = useChatUi().words
  const [element, setElement] = useState<HTMLElement | null>(null)
  const canLoad = phase === 'ready' && hasMore && !isLoadingOlder && error === null

  useEffect(() => {
    if (element === null || scroller === null || !canLoad) return undefined
    if (typeof IntersectionObserver === 'undefined') return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void loadOlder()
      },
      { root: scroller, rootMargin: AHEAD },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [element, scroller, canLoad, loadOlder])

  // Where nothing at all was reached, the connection's line says why, and its button tries both.
  if (phase === 'failed' && connection === 'failed') return null
  if (error !== null) {
    return (
      <Notice
        kind="error"
        action={
          <Button
            look="link"
            onClick={() => {
              retryNow()
              if (hasMore) void loadOlder()
            }}
          >
            {actions.retry}
          </Button>
        }
      >
        {conversation.historyFailed} {ownEntry(notice.transportErrors, error.reason)}
      </Notice>
    )
  }
  if (phase === 'loading') {
    return (
      <p className="as-older as-late" role="status">
        <Icon name="spinner" />
        {conversation.loading}
      </p>
    )
  }
  if (!hasMore) return null
  return (
    <div className="as-older" ref={setElement} aria-busy={isLoadingOlder}>
      <Button look="plain" aria-disabled={isLoadingOlder} onClick={() => void loadOlder()}>
        {isLoadingOlder ? <Icon name="spinner" /> : null}
        {isLoadingOlder ? conversation.loadingOlder : conversation.loadOlder}
      </Button>
    </div>
  )
}
